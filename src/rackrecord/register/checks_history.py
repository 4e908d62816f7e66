"""Checks of a record's life: every step legal and in order, and what came after the decision tied to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from rackrecord.errors import UserError
from rackrecord.record import DecisionRecord, Status
from rackrecord.register.checks import Check, failed, passed
from rackrecord.register.entries import AFTERWARDS, Entry, Unreadable
from rackrecord.register.lifecycle import DECIDED, read_afterwards, refusal


def check_history(record: DecisionRecord) -> Iterator[Check]:
    """The status follows from the history, step by step."""
    status: Status = record.profile.status
    day = record.as_of
    for change in record.history:
        why = refusal(status, change.status) or _order(day, change.on)
        if why is not None:
            yield failed("history", f"a step of {change.on}: {why}")
            return
        status, day = change.status, change.on
    if status != record.status:
        yield failed("history", f"it ends with {status}, the record says {record.status}")
    else:
        yield passed("history", f"{record.status}, every step legal and in order")


def check_afterwards(data: bytes, record: DecisionRecord) -> Iterator[Check]:
    """What came after the decision belongs to this record and follows from its status."""
    try:
        afterwards = read_afterwards(data, AFTERWARDS)
    except UserError as error:
        yield failed(AFTERWARDS, error.problems[0].message)
        return
    if record.status not in DECIDED:
        yield failed(AFTERWARDS, f"the record is {record.status}, so nothing can have come after a decision")
        return
    if afterwards.record_sha256 != record.sha256:
        yield failed(AFTERWARDS, "belongs to another record, or the record was changed after its decision")
        return
    status: Status = record.status
    day = record.history[-1].on if record.history else record.as_of
    for change in afterwards.changes:
        back = status == "superseded" and change.status == record.status
        why = (None if back else refusal(status, change.status)) or _order(day, change.on)
        if change.status == "superseded" and change.successor is None:
            why = "it names no successor"
        if why is not None:
            yield failed(AFTERWARDS, f"a step of {change.on}: {why}")
            return
        status, day = change.status, change.on
    yield passed(AFTERWARDS, f"now {status}, every step legal and in order")


def check_links(entries: Sequence[Entry | Unreadable]) -> Iterator[Check]:
    """In a register: each number once, and each successor and predecessor there and linked back."""
    findings = list(_link_findings(entries))
    for finding in findings:
        yield failed("links", finding)
    if not findings:
        yield passed("links", f"{len(entries)} records, each number once, linked both ways")


def _link_findings(entries: Sequence[Entry | Unreadable]) -> Iterator[str]:
    folders: dict[int, str] = {}
    for entry in entries:
        if entry.number in folders:
            yield f"{entry.folder} and {folders[entry.number]} have the same number"
        folders.setdefault(entry.number, entry.folder)
    known = {entry.number: entry for entry in entries if isinstance(entry, Entry)}
    for number, entry in known.items():
        successor = known.get(entry.successor) if entry.successor is not None else None
        if entry.successor is not None and (successor is None or successor.facts.supersedes != number):
            yield f"{number:04d} is superseded by {entry.successor:04d}, which does not say so"
        if successor is not None and successor.status == "rejected":
            yield f"{number:04d} is superseded by {entry.successor:04d}, which is rejected"
        predecessor = entry.facts.supersedes
        if predecessor is not None and predecessor not in known:
            yield f"{number:04d} supersedes {predecessor:04d}, which is not there"
        elif (
            predecessor is not None and entry.status == "approved" and known[predecessor].successor != number
        ):
            yield f"{number:04d} is approved and supersedes {predecessor:04d}, which does not say so"


def _order(before: date, now: date) -> str | None:
    return f"it is before {before}, the day of the step before" if now < before else None
