"""The profile: what the user writes, read strictly, with every mistake reported at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from rackrecord.catalog.store import Catalog
from rackrecord.errors import Problem, UserError
from rackrecord.profile.cautions import cautions
from rackrecord.profile.checks import KnownNames, cross_check
from rackrecord.profile.models import Profile
from rackrecord.profile.validation import validate
from rackrecord.yaml_file import Document, decode, parse, read_file

MOST_PROBLEMS = 200
"""Told at once; a file with more is no profile, and its other mistakes are counted."""


class Examined(msgspec.Struct, frozen=True):
    """A profile without mistakes, the document it was read from, and what about it may not be meant."""

    profile: Profile
    document: Document
    cautions: tuple[Problem, ...]


def known_names(catalog: Catalog) -> KnownNames:
    """The names that a profile may use with this catalog."""
    return KnownNames(
        benchmarks=frozenset(catalog.benchmarks()),
        accelerators=catalog.accelerators(),
        rounds=frozenset(catalog.round_names()),
    )


def load_profile(path: Path, catalog: Catalog) -> Profile:
    """The profile at `path`; UserError with all problems."""
    return read_profile(path, known_names(catalog))[0]


def read_profile(path: Path, names: KnownNames) -> tuple[Profile, bytes]:
    """The profile at `path` and the file's bytes; UserError with all problems."""
    raw = read_file(path)
    return parse_profile(decode(raw, str(path)), str(path), names), raw


def parse_profile(text: str, file: str, names: KnownNames) -> Profile:
    """The profile in `text`; `file` is what problems are reported under. UserError with all of them."""
    return examine(text, file, names).profile


def examine(text: str, file: str, names: KnownNames) -> Examined:
    """The profile written in `text`, with what may not be meant. UserError with all problems."""
    document = parse(text, file)
    profile, problems = validate(document, Profile)
    problems = (*problems, *cross_check(document, names))
    if profile is None or problems:
        raise UserError(_told(problems))
    return Examined(profile, document, cautions(document, names))


def _told(problems: Iterable[Problem]) -> list[Problem]:
    """One problem a place, since the first finding explains the others; in reading order, up to a number."""
    places: dict[tuple[str, int | None, int | None], Problem] = {}
    for problem in problems:
        places.setdefault((problem.path, problem.line, problem.column), problem)
    # what an alias repeats is one mistake, in one place of the file
    told: dict[tuple[str, int | None, int | None, str], Problem] = {}
    for problem in places.values():
        last = problem.path.rpartition(".")[2]
        told.setdefault((last, problem.line, problem.column, problem.message), problem)
    ordered = list(UserError(told.values()).problems)
    if len(ordered) <= MOST_PROBLEMS:
        return ordered
    rest = ordered[MOST_PROBLEMS]
    message = f"and {len(ordered) - MOST_PROBLEMS:,} more from here on"
    return [*ordered[:MOST_PROBLEMS], Problem(rest.file, rest.line, rest.column, "", message)]


__all__ = [
    "Examined",
    "KnownNames",
    "Profile",
    "examine",
    "known_names",
    "load_profile",
    "parse_profile",
    "read_profile",
]
