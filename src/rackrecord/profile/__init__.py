"""The profile: what the user writes, read strictly, with every mistake reported at once."""

from __future__ import annotations

from pathlib import Path

from rackrecord.errors import Problem, UserError
from rackrecord.profile.checks import KnownNames, cross_check
from rackrecord.profile.models import Profile
from rackrecord.profile.validation import validate
from rackrecord.yaml_file import parse, read_text_file


def read_profile(path: Path, names: KnownNames) -> tuple[Profile, str]:
    """The profile at `path` and its text; UserError with all problems."""
    text = read_text_file(path)
    return parse_profile(text, str(path), names), text


def parse_profile(text: str, file: str, names: KnownNames) -> Profile:
    """The profile written in `text`; `file` is what problems are reported under. UserError with all problems."""
    document = parse(text, file)
    profile, problems = validate(document, Profile)
    problems = _distinct((*problems, *cross_check(document, names)))
    if profile is None or problems:
        raise UserError(problems)
    return profile


def _distinct(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """One problem a field: the first finding explains the rest."""
    seen: dict[tuple[str, int | None, int | None], Problem] = {}
    for problem in problems:
        key = (problem.path, *((problem.line, problem.column) if not problem.path else (None, None)))
        seen.setdefault(key, problem)
    return tuple(seen.values())


__all__ = ["KnownNames", "Profile", "parse_profile", "read_profile"]
