"""What a re-check says: the data of `reviews/DATE.json`."""

from datetime import date
from decimal import Decimal
from enum import StrEnum

from rackrecord.data import Data
from rackrecord.record import Status
from rackrecord.selection.reasons import Reason

SCHEMA = 1


class Verdict(StrEnum):
    """What a re-check comes to, from nothing to do to the worst."""

    HOLDS = "holds"
    FIGURES_CHANGED = "figures changed"
    RECOMMENDATION_CHANGES = "recommendation changes"
    EVIDENCE_WITHDRAWN = "evidence withdrawn"
    CANNOT = "cannot be re-run"


FINDINGS = frozenset({Verdict.RECOMMENDATION_CHANGES, Verdict.EVIDENCE_WITHDRAWN, Verdict.CANNOT})
"""Verdicts that somebody has to act on."""


class Result(Data):
    """A published result as a report names it; `per_accelerator` in `unit` per accelerator, derived."""

    id: str
    round: str
    submitter: str
    system: str
    accelerators: int | None
    value: Decimal
    unit: str
    per_accelerator: Decimal | None


class Fate(StrEnum):
    """What became of a result that the record used or left out, or that is new."""

    USED_BEFORE_AND_NOW = "still used"
    NEWLY_USED = "newly used"
    REPLACED = "no longer used"
    WITHDRAWN = "gone from the catalog"
    ALTERED = "other figure"


class ResultChange(Data):
    """One result of an option's evidence, before or now.

    `reasons` say why it is not used any more, `replaced_by` which result of the same submitter is used in its
    place; `value_before` is the figure it had where that is another now.
    """

    result: Result
    fate: Fate
    reasons: tuple[Reason, ...] = ()
    replaced_by: str | None = None
    value_before: Decimal | None = None


class EvidenceState(Data):
    """An option's evidence on one part of the workload at one time; figures per accelerator in `unit`."""

    round: str | None
    planning: Decimal | None
    minimum: Decimal | None
    maximum: Decimal | None
    results: int
    submitters: tuple[str, ...]
    measured_sizes: tuple[int, ...]
    why_none: str | None


class EvidenceChange(Data):
    """An option's evidence on one part of the workload before and now; `change` is relative."""

    benchmark: str
    scenario: str
    deployment_size: int
    unit: str
    before: EvidenceState
    now: EvidenceState
    change: Decimal | None
    results: tuple[ResultChange, ...]

    @property
    def same(self) -> bool:
        """Whether the figure stands on the same results with the same values."""
        quiet = {"why_none": None}
        same = self.before.model_copy(update=quiet) == self.now.model_copy(update=quiet)
        return same and all(item.fate is Fate.USED_BEFORE_AND_NOW for item in self.results)


class OptionState(Data):
    """An option's figures and place at one time; `rank` counts from 1 among those that pass every limit.

    cost_per_million_tokens and yearly_cost in the record's currency · tokens_per_second: of one rack.
    """

    rank: int | None
    why_no_rank: str | None
    cost_per_million_tokens: Decimal | None
    tokens_per_second: Decimal | None
    racks: int | None
    yearly_cost: Decimal | None
    failed_limits: tuple[str, ...]


class OptionChange(Data):
    """One option before and now; `cost_change` is relative."""

    option: str
    name: str
    before: OptionState
    now: OptionState
    cost_change: Decimal | None
    evidence: tuple[EvidenceChange, ...]

    @property
    def same(self) -> bool:
        """Whether no figure differs, whatever is said of why there is none."""
        quiet = {"why_no_rank": None}
        same = self.before.model_copy(update=quiet) == self.now.model_copy(update=quiet)
        return same and all(part.same for part in self.evidence)


class Possible(Data):
    """An option with a place before or now only: why it has none, and previews that have become available."""

    option: str
    name: str
    why_not: str
    returned: tuple[str, ...]


class ExclusionChange(Data):
    """A claim whose exclusion differs on one part of the workload.

    None where it was, or is, not in the catalog; no reasons where it was, or is, used.
    """

    claim: str
    benchmark: str
    scenario: str
    before: tuple[Reason, ...] | None
    now: tuple[Reason, ...] | None


class SentenceChange(Data):
    """A sentence of the record that reads otherwise now, such as what comes of a vendor's claim."""

    subject: str
    before: str | None
    now: str | None


class Recheck(Data):
    """A record compared with what would be recorded today. Everything but the first block is empty where the
    record cannot be re-run.

    `rounds` are those of today's catalog. `stands` says in a sentence whether the recommendation does.
    """

    schema_version: int
    tool: str
    number: int | None
    title: str
    record_sha256: str | None
    recorded: date | None
    status: Status | None
    as_of: date
    verdict: Verdict
    stands: str
    why_not: str | None

    currency: str | None = None
    recommendation_before: str | None = None
    recommendation_now: str | None = None
    strength_before: str | None = None
    strength_now: str | None = None
    decided: str | None = None
    rounds_before: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    catalog_sha256_before: str | None = None
    catalog_sha256: str | None = None
    options: tuple[OptionChange, ...] = ()
    newly_possible: tuple[Possible, ...] = ()
    no_longer_possible: tuple[Possible, ...] = ()
    exclusions: tuple[ExclusionChange, ...] = ()
    vendor_claims: tuple[SentenceChange, ...] = ()
    watch_list: tuple[SentenceChange, ...] = ()
    caveats_new: tuple[str, ...] = ()
    caveats_gone: tuple[str, ...] = ()
