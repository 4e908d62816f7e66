"""A record's profile decided again on today's catalog."""

from __future__ import annotations

from datetime import date

from rackrecord.catalog.store import Catalog
from rackrecord.errors import UserError
from rackrecord.measurements.measurement import Measurement
from rackrecord.pipeline import decide
from rackrecord.record import DecisionRecord
from rackrecord.register.changes import SCHEMA, Recheck, Verdict
from rackrecord.register.differences import compared
from rackrecord.register.lifecycle import Afterwards, status_of
from rackrecord.version import TOOL


def recheck(record: DecisionRecord, afterwards: Afterwards | None, catalog: Catalog, as_of: date) -> Recheck:
    """Decide a record's profile again on a catalog and compare; the stored measurements are used."""
    try:
        now = decide(
            record.profile,
            catalog,
            as_of,
            measurements=stored_measurements(record),
            profile_sha256=record.profile_sha256,
            number=record.number,
            title=record.title,
            supersedes=record.supersedes,
        )
    except UserError as error:
        why = "; ".join(problem.message for problem in error.problems)
        return cannot(record.number, record.title, why, as_of, record)
    return compared(record, now, status_of(record, afterwards), catalog)


def cannot(
    number: int | None, title: str, why: str, as_of: date, record: DecisionRecord | None = None
) -> Recheck:
    """The report on a record that cannot be re-run."""
    return Recheck(
        schema_version=SCHEMA,
        tool=TOOL,
        number=number,
        title=title,
        record_sha256=record.sha256 if record is not None else None,
        recorded=record.as_of if record is not None else None,
        status=record.status if record is not None else None,
        as_of=as_of,
        verdict=Verdict.CANNOT,
        stands="Whether the recommendation stands is not known.",
        why_not=why,
    )


def stored_measurements(record: DecisionRecord) -> dict[str, tuple[Measurement, ...]]:
    """The measurements that a record was made with, by option; their files are not needed any more."""
    return {
        own.option: tuple(point.measurement for point in own.points)
        for own in record.measurements
        if own.points
    }
