"""The decision record as data: canonical JSON, digest, all that a rendering or a re-check needs."""

import hashlib
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, Self

import msgspec

from rackrecord.canonical import canonical_json
from rackrecord.catalog.claim import Caveat
from rackrecord.catalog.store import RoundInfo
from rackrecord.citations import Citations
from rackrecord.claim_check.software import SoftwareGain
from rackrecord.claim_check.vendor import ClaimCheck
from rackrecord.claim_check.watch import WatchItem
from rackrecord.data import Data
from rackrecord.economics.comparison import Comparison
from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.replay import OptionMeasurement
from rackrecord.economics.strength import Strength
from rackrecord.errors import UserError
from rackrecord.migrations import SCHEMA, migrated
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


class Trigger(Data):
    """One reason to look again: `due` where it falls on a known day, `subject` what it is about."""

    kind: TriggerKind
    subject: str
    due: date | None
    text: str


class Exclusion(Data):
    """A claim left out, with its reasons."""

    claim: str
    reasons: tuple[Reason, ...]


class RecordedDecision(Data):
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


class ReviewDue(Data):
    """When the record is looked at again: a day, the next round (expected, never a fact), or both."""

    next_round: str | None
    expected: str | None
    date: date | None


class CapacityDecisionRecord(Data):
    """The seven fields of the practice that this tool serves."""

    workload: str
    metric: str
    measured_by: str
    vendor_claims_used: tuple[str, ...]
    claims_excluded: tuple[Exclusion, ...]
    decision: RecordedDecision
    review_due: ReviewDue


class StatusChange(Data):
    """One step of the record's life."""

    status: Status
    by: str
    on: date
    note: str | None


class DecisionRecord(Data, dict=True):
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
        return self._json

    @cached_property
    def _json(self) -> bytes:
        return canonical_json(self)

    def sealed(self) -> Self:
        """This record with the digest of its content, as it reads from its own JSON."""
        # Written once, in two parts: the digest stands between them, where it belongs among the sorted names.
        members = {name: getattr(self, name) for name in self.__struct_fields__}
        before = canonical_json({name: members[name] for name in members if name < "sha256"})[:-1]
        after = canonical_json({name: members[name] for name in members if name > "sha256"})[1:]
        found = hashlib.sha256(before + b"," + after).hexdigest()
        data = b'%s,"sha256":"%s",%s' % (before, found.encode(), after)
        record = self._read(data)
        record.__dict__["_json"] = data
        return record

    def figures(self, option_id: str) -> OptionFigures | None:
        """The figures of one option, None where it is not ranked for want of evidence or price."""
        return next((figures for figures in self.options if figures.option == option_id), None)


def digest(content: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a record's content, its own digest apart."""
    rest = {key: value for key, value in content.items() if key != "sha256"}
    return hashlib.sha256(canonical_json(rest)).hexdigest()


def read_content(data: bytes, name: str) -> dict[str, Any]:
    """The JSON of a record as it was written, whatever its schema; UserError where it is no record."""
    try:
        content = msgspec.json.decode(data)
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
        return DecisionRecord.model_validate_json(data if present is content else canonical_json(present))
    except ValueError as error:  # ValidationError, and numbers that have no canonical form
        raise UserError.of(f"is not a whole record: {error}", file=name) from error
