"""What a command reads before it decides: the profile's text, the profile, its own measurements."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rackrecord.errors import Problem, UserError

if TYPE_CHECKING:
    from rackrecord.catalog.store import Catalog
    from rackrecord.measurements.measurement import Measurement
    from rackrecord.profile import Profile
    from rackrecord.profile.models import Option

MAX_MEASUREMENT_BYTES = 64_000_000


class Inputs(msgspec.Struct, frozen=True):
    """A profile with its bytes, their digest, and the measurements of each option that has some."""

    profile: Profile
    text: bytes
    sha256: str
    measurements: dict[str, tuple[Measurement, ...]]


def read_inputs(path: Path, catalog: Catalog) -> Inputs:
    """Read a profile and the measurement files that it names; UserError with all problems."""
    from rackrecord.profile import known_names, read_profile

    profile, raw = read_profile(path, known_names(catalog))
    return Inputs(profile, raw, hashlib.sha256(raw).hexdigest(), _measurements(profile, path.parent))


def _measurements(profile: Profile, folder: Path) -> dict[str, tuple[Measurement, ...]]:
    found: dict[str, tuple[Measurement, ...]] = {}
    problems: list[Problem] = []
    for option in profile.options:
        if option.measurements is None:
            continue
        points: list[Measurement] = []
        for name in option.measurements.files:
            try:
                points += _read(folder / name, name, profile, option)
            except UserError as error:
                problems += error.problems
        found[option.id] = tuple(points)
    if problems:
        raise UserError(problems)
    return found


def _read(path: Path, name: str, profile: Profile, option: Option) -> tuple[Measurement, ...]:
    from rackrecord.measurements.checks import Expectation
    from rackrecord.measurements.reading import read_measurements

    part = profile.parts[0]
    length = part.output_tokens_per_request
    expectation = Expectation(model=part.model, output_tokens=float(length) if length is not None else None)
    try:
        with path.open("rb") as handle:
            data = handle.read(MAX_MEASUREMENT_BYTES + 1)
    except OSError as error:
        raise UserError.of(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    accelerators = option.measurements.accelerators if option.measurements is not None else None
    return read_measurements(data, name, accelerators=accelerators, expectation=expectation)
