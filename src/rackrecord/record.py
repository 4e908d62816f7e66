"""The decision record as data: canonical JSON, digest, all that a rendering or a re-check needs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

import rfc8785
from pydantic import ValidationError

from rackrecord.catalog.claim import Caveat
from rackrecord.catalog.store import RoundInfo
from rackrecord.citations import Citations
from rackrecord.claim_check.software import SoftwareGain
from rackrecord.claim_check.vendor import ClaimCheck
from rackrecord.claim_check.watch import WatchItem
from rackrecord.economics.comparison import Comparison, Strength
from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.replay import OptionMeasurement
from rackrecord.errors import UserError
from rackrecord.migrations import SCHEMA, migrated
from rackrecord.model import StrictModel
from rackrecord.profile.models import Profile
from rackrecord.selection.reasons import Reason
from rackrecord.selection.select import Selection

Status = Literal["draft", "proposed", "approved", "rejected", "superseded", "expired"]


class TriggerKind(StrEnum):
    """What makes a review due."""

    NEXT_ROUND = "next-round"
    PREVIEW_AVAILABLE = "preview-available"
    QUOTE_EXPIRES = "quote-expires"
    EVIDENCE_AGE = "evidence-age"
    DATE = "date"


class Trigger(StrictModel):
    """One reason to look again: `due` where it falls on a known day, `subject` what it is about."""

    kind: TriggerKind
    subject: str
    due: date | None
    text: str


class Exclusion(StrictModel):
    """A claim left out, with its reasons."""

    claim: str
    reasons: tuple[Reason, ...]


class RecordedDecision(StrictModel):
    """What the tool recommends and what people decided; `follows` tells whether the two agree."""

    recommended: str | None
    recommendation: str
    strength: Strength
    why: str
    decided: str | None
    option: str | None
    by: str | None
    on: date | None
    because: str | None
    follows: bool | None


class ReviewDue(StrictModel):
    """When the record is looked at again: a day, the next round (expected, never a fact), or both."""

    next_round: str | None
    expected: str | None
    date: date | None


class CapacityDecisionRecord(StrictModel):
    """The seven fields of the practice that this tool serves."""

    workload: str
    metric: str
    measured_by: str
    vendor_claims_used: tuple[str, ...]
    claims_excluded: tuple[Exclusion, ...]
    decision: RecordedDecision
    review_due: ReviewDue


class StatusChange(StrictModel):
    """One step of the record's life."""

    status: Status
    by: str
    on: date
    note: str | None


class DecisionRecord(StrictModel):
    """A capacity decision record, whole. `sha256` is over the canonical JSON of everything else."""

    schema_version: int
    tool: str
    number: int | None
    title: str
    status: Status
    history: tuple[StatusChange, ...]
    supersedes: int | None
    as_of: date
    capacity_decision_record: CapacityDecisionRecord
    options: tuple[OptionFigures, ...]
    comparison: Comparison
    basis_note: str | None
    evidence: tuple[Selection, ...]
    measurements: tuple[OptionMeasurement, ...]
    vendor_claims: tuple[ClaimCheck, ...]
    software_first: tuple[SoftwareGain, ...]
    watch_list: tuple[WatchItem, ...]
    would_change: tuple[str, ...]
    triggers: tuple[Trigger, ...]
    caveats: tuple[Caveat, ...]
    citations: Citations
    catalog_rounds: tuple[RoundInfo, ...]
    catalog_sha256: str
    profile: Profile
    profile_sha256: str | None
    sha256: str

    def to_json(self) -> bytes:
        """RFC 8785 canonical JSON, with the digest."""
        last, data = _sealed_last.get()
        return data if last is self else _join(_members(_plain(self.model_dump(mode="python"))))

    def sealed(self) -> DecisionRecord:
        """This record with the digest of its content, as it reads from its own JSON."""
        members = _members(_plain(self.model_dump(mode="python")))
        members["sha256"] = rfc8785.dumps(_digest(members))
        data = _join(members)
        record = DecisionRecord.model_validate_json(data)
        _sealed_last.set((record, data))
        return record

    def figures(self, option_id: str) -> OptionFigures | None:
        """The figures of one option, None where it is not ranked for want of evidence or price."""
        return next((figures for figures in self.options if figures.option == option_id), None)


# A record is written right after it was sealed: its JSON need not be made twice. Records never change.
_sealed_last: ContextVar[tuple[DecisionRecord | None, bytes]] = ContextVar("sealed", default=(None, b""))


def digest(content: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a record's content, its own digest apart."""
    return _digest(_members(content))


def _digest(members: Mapping[str, bytes]) -> str:
    return hashlib.sha256(_join({key: data for key, data in members.items() if key != "sha256"})).hexdigest()


def _members(content: Mapping[str, Any]) -> dict[str, bytes]:
    """The canonical JSON of each member of an object."""
    return {key: rfc8785.dumps(value) for key, value in content.items()}


def _join(members: Mapping[str, bytes]) -> bytes:
    """An object of its members' canonical JSON, keys in the order of their UTF-16 code units (RFC 8785)."""
    keys = sorted(members, key=lambda key: key.encode("utf-16-be"))
    return b"{" + b",".join(rfc8785.dumps(key) + b":" + members[key] for key in keys) + b"}"


def canonical(model: StrictModel) -> bytes:
    """RFC 8785 canonical JSON of any model."""
    return rfc8785.dumps(_plain(model.model_dump(mode="python")))


def read_content(data: bytes, name: str) -> dict[str, Any]:
    """The JSON of a record as it was written, whatever its schema; UserError where it is no record."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError.of("is not the JSON of a record", file=name) from error
    if not isinstance(content, dict) or "capacity_decision_record" not in content:
        raise UserError.of("is not a capacity decision record", file=name)
    return content


def read_record(data: bytes, name: str) -> DecisionRecord:
    """The record in `data`, brought up to the present schema; the digest is not checked here.

    Raises:
        UserError: it is no record, or of a schema that this version does not know.
    """
    content = read_content(data, name)
    present = migrated(content)
    if present is None:
        found = content.get("schema_version")
        message = f"has record schema {found!r}; this version reads schemas up to {SCHEMA}"
        raise UserError.of(f"{message}, a newer rackrecord may read it", file=name)
    try:
        # An old record goes the way of a new one, through JSON text, where numbers are exact.
        return DecisionRecord.model_validate_json(data if present is content else rfc8785.dumps(present))
    except rfc8785.CanonicalizationError as error:
        raise UserError.of(f"is not a whole record: {error}", file=name) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UserError.of(f"is not a whole record: {place}: {first['msg']}", file=name) from error


def _plain(value: Any) -> Any:
    """Data as JSON has it: decimals as numbers, dates as ISO text."""
    if isinstance(value, Decimal):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
