"""Checks of a record's content: the profile it was made from, and its figures worked out again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

from rackrecord.canonical import canonical_json
from rackrecord.catalog.store import Catalog
from rackrecord.economics.options import rank_options
from rackrecord.economics.replay import measured_options
from rackrecord.errors import UserError
from rackrecord.pipeline import decide
from rackrecord.profile import known_names, parse_profile
from rackrecord.record import DecisionRecord
from rackrecord.register.checks import Check, failed, noted, passed, some
from rackrecord.register.lifecycle import advance
from rackrecord.register.recheck import stored_measurements
from rackrecord.render.files import PROFILE_YAML
from rackrecord.version import TOOL

# What a record says of its making, not of its content.
_OF_THE_MAKING = frozenset({"sha256", "tool", "schema_version"})
# The evidence in the record is rounded to the digits of a JSON number, so its last one can differ.
_ROUNDING = 1e-12


def check_profile(text: bytes | None, record: DecisionRecord, catalog: Catalog) -> Iterator[Check]:
    """profile.yaml is the one that the record was made from, and gives the profile in the record."""
    name = PROFILE_YAML
    if text is None:
        yield failed(name, "is missing")
        return
    found = hashlib.sha256(text).hexdigest()
    if record.profile_sha256 is None:
        yield noted(name, "the record does not say which profile it was made from")
    elif found != record.profile_sha256:
        yield failed(name, f"is not the one that the record was made from: its SHA-256 is {found}")
        return
    try:
        profile = parse_profile(text.decode("utf-8-sig"), name, known_names(catalog))
    except UnicodeDecodeError:
        yield failed(name, "is not UTF-8 text")
    except UserError as error:
        yield noted(
            name, f"matches its digest; it cannot be read with the catalog at hand: {error.problems[0]}"
        )
    else:
        if canonical_json(profile) == canonical_json(record.profile):
            yield passed(name, "is the one that the record was made from")
        else:
            yield failed(name, "gives another profile than the record holds")


def check_figures(record: DecisionRecord, catalog: Catalog) -> Iterator[Check]:
    """The figures worked out again from what the record stores equal those that it shows.

    With the catalog that the record was made on, the whole record is decided again; with another one, the
    figures and the ranking follow from the evidence that the record holds.
    """
    then = catalog.restricted([info.round for info in record.catalog_rounds])
    try:
        if then.digest == record.catalog_sha256:
            differences = list(_decided_again(record, then))
            source = "from the profile and the catalog"
        else:
            text = "which results count was not checked: the catalog at hand is not the record's"
            yield noted("evidence", text)
            differences = list(_worked_out_again(record))
            source = "from the evidence in the record"
    except UserError as error:
        yield failed("figures", f"cannot be worked out again: {error.problems[0]}")
        return
    if not differences:
        yield passed("figures", f"worked out again {source}, they are those of the record")
    elif record.tool != TOOL:
        yield noted("figures", f"made by {record.tool}; {TOOL} gives others: {some(differences)}")
    else:
        yield failed("figures", f"worked out again {source}, they differ: {some(differences)}")


def _decided_again(record: DecisionRecord, catalog: Catalog) -> Iterator[str]:
    again = decide(
        record.profile,
        catalog,
        record.as_of,
        measurements=stored_measurements(record),
        profile_sha256=record.profile_sha256,
        number=record.number,
        title=record.title,
        supersedes=record.supersedes,
    )
    for change in record.history:
        again = advance(again, change)
    stored, made = json.loads(record.to_json()), json.loads(again.to_json())
    for key in sorted(stored.keys() | made.keys()):
        if key not in _OF_THE_MAKING:
            yield from _differences(key, stored.get(key), made.get(key))


def _worked_out_again(record: DecisionRecord) -> Iterator[str]:
    replays = measured_options(record.profile, record.evidence, stored_measurements(record))
    again = rank_options(record.profile, record.evidence, replays.rates)
    made = record.model_copy(
        update={
            "options": again.figures,
            "comparison": again.comparison,
            "basis_note": again.basis_note,
            "measurements": replays.options,
        }
    )
    stored, again_stored = json.loads(record.to_json()), json.loads(made.to_json())
    for key in ("basis_note", "comparison", "measurements", "options"):
        yield from _differences(key, stored[key], again_stored[key], _ROUNDING)


def _differences(path: str, stored: Any, made: Any, tolerance: float = 0) -> Iterator[str]:
    """Each field that differs: `options[0].racks: 9, worked out again 10`; `tolerance` is relative."""
    if isinstance(stored, dict) and isinstance(made, dict):
        for key in sorted(stored.keys() | made.keys()):
            yield from _differences(f"{path}.{key}", stored.get(key), made.get(key), tolerance)
    elif isinstance(stored, list) and isinstance(made, list) and len(stored) == len(made):
        for index, (one, other) in enumerate(zip(stored, made, strict=True)):
            yield from _differences(f"{path}[{index}]", one, other, tolerance)
    elif stored != made and not _close(stored, made, tolerance):
        yield f"{path}: {_short(stored)}, worked out again {_short(made)}"


def _close(stored: Any, made: Any, tolerance: float) -> bool:
    numbers = isinstance(stored, int | float) and isinstance(made, int | float)
    return numbers and math.isclose(stored, made, rel_tol=tolerance)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
