"""The life of a record: which step may follow which, and what each step writes. Pure functions.

Up to the decision, a step makes a new record.json. From the decision on, the record's files never change;
what happens to it later stands in `afterwards.json` beside them.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Literal

from rackrecord.data import Data, ValidationError
from rackrecord.economics.strength import Strength
from rackrecord.errors import UserError
from rackrecord.record import DecisionRecord, RecordedDecision, Status, StatusChange

DECIDED: frozenset[Status] = frozenset({"approved", "rejected"})
CLOSED: frozenset[Status] = frozenset({"rejected", "superseded", "expired"})
"""Of these nobody has to take another look."""

_NEXT: Mapping[Status, tuple[Status, ...]] = MappingProxyType(
    {
        "draft": ("proposed",),
        "proposed": ("approved", "rejected"),
        "approved": ("superseded", "expired"),
        "rejected": ("superseded", "expired"),
        "superseded": (),
        "expired": ("superseded",),
    }
)


class Afterward(Data):
    """One step after the decision.

    `successor` is the number of the record that supersedes this one. A step back to the decision's own status
    happens when that successor is rejected.
    """

    status: Literal["approved", "rejected", "superseded", "expired"]
    by: str
    on: date
    note: str | None
    successor: int | None


class Afterwards(Data):
    """`afterwards.json`: what happened to a decided record, oldest first, tied to it by its digest."""

    record_sha256: str
    changes: tuple[Afterward, ...]
    schema_version: Literal[1] = 1


def read_afterwards(data: bytes, name: str) -> Afterwards:
    """The content of an `afterwards.json`; UserError where it is none."""
    try:
        return Afterwards.model_validate_json(data)
    except ValidationError as error:
        raise UserError.of(f"is no list of status changes: {error}", file=name) from error


def status_of(record: DecisionRecord, afterwards: Afterwards | None) -> Status:
    """The status that holds now."""
    return afterwards.changes[-1].status if afterwards is not None and afterwards.changes else record.status


def refusal(status: Status, wanted: Status) -> str | None:
    """Why a record of one status cannot take another; None where it can."""
    if wanted in _NEXT[status]:
        return None
    if status == wanted:
        return f"is {status} already"
    allowed = " or ".join(_NEXT[status])
    after = f"it can become {allowed}" if allowed else "nothing follows on that"
    return f"is {status}, so it cannot become {wanted}; {after}"


def advance(record: DecisionRecord, change: StatusChange) -> DecisionRecord:
    """The record with one more step up to the decision, sealed anew.

    A decision that the profile does not state is the approver's: as recommended, or what the note says.

    Raises:
        UserError: the step is illegal, earlier than the last one, or an approval that does not say of what.
    """
    why = refusal(record.status, change.status)
    if why is not None:
        raise _of(record, why)
    last = record.history[-1].on if record.history else record.as_of
    if change.on < last:
        raise _of(
            record, f"cannot be {change.status} on {change.on}, before {last}, the day of the step before"
        )
    decision = record.capacity_decision_record.decision
    if change.status in DECIDED and decision.decided is None:
        decision = _decision(record, decision, change)
    fields = record.capacity_decision_record.model_copy(update={"decision": decision})
    update = {
        "status": change.status,
        "history": (*record.history, change),
        "capacity_decision_record": fields,
        "sha256": "",
    }
    return record.model_copy(update=update).sealed()


def _decision(record: DecisionRecord, decision: RecordedDecision, change: StatusChange) -> RecordedDecision:
    made = {"by": change.by, "on": change.on}
    if change.status == "rejected":
        return decision.model_copy(
            update={**made, "decided": "Rejected.", "option": None, "because": change.note, "follows": None}
        )
    if decision.recommended is not None:
        return decision.model_copy(
            update={
                **made,
                "decided": "Approved.",
                "option": decision.recommended,
                "follows": True,
            }
        )
    if change.note is None:
        what = (
            "has no clear winner" if decision.strength is Strength.NO_CLEAR_WINNER else "recommends no option"
        )
        raise _of(record, f"{what} and its profile states no decision; say with --note what is approved")
    return decision.model_copy(update={**made, "decided": change.note})


def linked(record: DecisionRecord, predecessor: int) -> DecisionRecord:
    """The record, which supersedes `predecessor`, with that said in it.

    Raises:
        UserError: it is decided and does not say so, or says that it supersedes another.
    """
    if record.supersedes == predecessor:
        return record
    if record.supersedes is not None:
        raise _of(record, f"supersedes {record.supersedes:04d} already; one record supersedes one other")
    if record.status in DECIDED:
        message = f"is {record.status} and does not say that it supersedes {predecessor:04d}"
        raise _of(record, f"{message}; only a record that is not decided yet can be linked")
    return record.model_copy(update={"supersedes": predecessor, "sha256": ""}).sealed()


def followed(record: DecisionRecord, before: Afterwards | None, change: Afterward) -> Afterwards:
    """What happened to a decided record, with one more step.

    Raises:
        UserError: the step is illegal or earlier than the last one.
    """
    status = status_of(record, before)
    why = refusal(status, change.status)
    if why is not None:
        raise _of(record, why)
    return _appended(record, before, change)


def reinstated(
    record: DecisionRecord, before: Afterwards | None, successor: int, change: StatusChange
) -> Afterwards:
    """What happened to a superseded record whose successor is rejected: it is again what it was."""
    assert record.status == "approved" or record.status == "rejected"
    note = f"{successor:04d}, which superseded it, is rejected"
    back = Afterward(status=record.status, by=change.by, on=change.on, note=note, successor=None)
    return _appended(record, before, back)


def successor_of(afterwards: Afterwards | None) -> int | None:
    """The record that supersedes this one now, by number."""
    return afterwards.changes[-1].successor if afterwards is not None and afterwards.changes else None


def _appended(record: DecisionRecord, before: Afterwards | None, change: Afterward) -> Afterwards:
    steps: Sequence[StatusChange | Afterward] = (
        *record.history,
        *(before.changes if before is not None else ()),
    )
    last = steps[-1].on if steps else record.as_of
    if change.on < last:
        raise _of(
            record, f"cannot be {change.status} on {change.on}, before {last}, the day of the step before"
        )
    changes = (*before.changes, change) if before is not None else (change,)
    return Afterwards(record_sha256=record.sha256, changes=changes)


def _of(record: DecisionRecord, message: str) -> UserError:
    name = f"record {record.number:04d}" if record.number is not None else "record"
    return UserError.of(f"{name} {message}")
