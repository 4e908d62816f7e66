"""What must hold for any bytes given as a profile or a load-test result: its content, or a user's error."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from rackrecord.catalog.store import bundled_catalog
from rackrecord.cli.check import report
from rackrecord.errors import UserError
from rackrecord.measurements.reading import read_measurements
from rackrecord.profile import Examined, KnownNames, examine, known_names
from rackrecord.profile.models import Profile
from rackrecord.yaml_file import decode

FILE = "profile.yaml"


@cache
def names() -> KnownNames:
    """What the bundled catalog knows."""
    return known_names(bundled_catalog())


def profile_or_error(data: bytes) -> Examined | UserError:
    """A profile that can be read aloud and written down, or an error with a place for each mistake."""
    try:
        examined = examine(decode(data, FILE), FILE, names())
    except UserError as error:
        _well_told(error, data)
        return error
    text = report(Path(FILE), examined)
    assert all(map(_harmless, text.splitlines())), text
    assert isinstance(examined.profile, Profile)
    _in_the_file([(p.line, p.column) for p in examined.cautions], data)
    return examined


def measurements_or_error(data: bytes) -> None:
    """Measurements, or an error that names the file."""
    try:
        found = read_measurements(data, "result.json")
    except UserError as error:
        problems = error.problems
    else:
        assert found
        return
    assert problems
    assert all(problem.file == "result.json" for problem in problems)


def _harmless(text: str) -> bool:
    """Whether nothing in it rewrites a screen: no control, direction, surrogate, private or line separator.

    Unlike `str.isprintable`, which depends on how many characters this version of Python has heard of.
    """
    return all(unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for letter in text)


def _well_told(error: UserError, data: bytes) -> None:
    assert 0 < len(error.problems) <= 201
    for problem in error.problems:
        assert problem.file == FILE
        assert problem.message
        assert _harmless(str(problem)), repr(str(problem))
        assert len(str(problem)) < 2000
    _in_the_file([(p.line, p.column) for p in error.problems], data)
    assert len({str(problem) for problem in error.problems}) == len(error.problems)


def _in_the_file(places: list[tuple[int | None, int | None]], data: bytes) -> None:
    lines = data.count(b"\n") + 1
    for line, column in places:
        assert line is not None, places
        assert column is not None, places
        assert 1 <= line <= lines + 1
        assert column >= 1
