"""Two records of one profile compared: the stored one and what would be recorded today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog
from rackrecord.economics.strength import Strength
from rackrecord.record import DecisionRecord, Status
from rackrecord.register.changes import (
    SCHEMA,
    EvidenceChange,
    EvidenceState,
    ExclusionChange,
    Fate,
    OptionChange,
    OptionState,
    Possible,
    Recheck,
    Result,
    ResultChange,
    SentenceChange,
    Verdict,
)
from rackrecord.selection.reasons import Reason
from rackrecord.selection.select import OptionEvidence, Selection
from rackrecord.version import TOOL

_NONE = frozenset({Strength.NO_EVIDENCE, Strength.INFEASIBLE})


def compared(before: DecisionRecord, now: DecisionRecord, status: Status, catalog: Catalog) -> Recheck:
    """The report on a record, `now` being what would be recorded today, as of its own day."""
    options = tuple(_option(before, now, option.id) for option in before.profile.options)
    verdict = _verdict(before, now, options)
    old, new = before.capacity_decision_record.decision, now.capacity_decision_record.decision
    return Recheck(
        schema_version=SCHEMA,
        tool=TOOL,
        number=before.number,
        title=before.title,
        record_sha256=before.sha256,
        recorded=before.as_of,
        status=status,
        as_of=now.as_of,
        verdict=verdict,
        stands=_stands(before, now),
        why_not=None,
        currency=before.profile.currency,
        recommendation_before=old.recommendation,
        recommendation_now=new.recommendation,
        strength_before=f"{old.strength.value}: {old.why}",
        strength_now=f"{new.strength.value}: {new.why}",
        decided=old.decided,
        rounds_before=tuple(info.round for info in before.catalog_rounds),
        rounds=catalog.round_names(),
        catalog_sha256_before=before.catalog_sha256,
        catalog_sha256=now.catalog_sha256,
        options=options,
        newly_possible=tuple(
            Possible(
                option=item.option,
                name=item.name,
                why_not=item.before.why_no_rank or "",
                returned=_returned(before, now, item.option),
            )
            for item in options
            if item.before.rank is None and item.now.rank is not None
        ),
        no_longer_possible=tuple(
            Possible(option=item.option, name=item.name, why_not=item.now.why_no_rank or "", returned=())
            for item in options
            if item.before.rank is not None and item.now.rank is None
        ),
        exclusions=_exclusions(before, now),
        vendor_claims=_sentences(
            {check.id: check.sentence for check in before.vendor_claims},
            {check.id: check.sentence for check in now.vendor_claims},
        ),
        watch_list=_sentences(
            {f"{item.name}, {item.round}, {item.benchmark}": item.text for item in before.watch_list},
            {f"{item.name}, {item.round}, {item.benchmark}": item.text for item in now.watch_list},
        ),
        caveats_new=_only_first(now, before),
        caveats_gone=_only_first(before, now),
    )


def _verdict(before: DecisionRecord, now: DecisionRecord, options: Sequence[OptionChange]) -> Verdict:
    if any(_withdrawn(part) for option in options for part in option.evidence):
        return Verdict.EVIDENCE_WITHDRAWN
    if _recommended(before) != _recommended(now):
        return Verdict.RECOMMENDATION_CHANGES
    if all(option.same for option in options) and before.comparison.strength is now.comparison.strength:
        return Verdict.HOLDS
    return Verdict.FIGURES_CHANGED


def _withdrawn(part: EvidenceChange) -> bool:
    """Whether an option has lost all its evidence because results are gone or have been marked invalid."""
    if part.before.planning is None or part.now.planning is not None:
        return False
    return any(
        item.fate is Fate.WITHDRAWN or (item.fate is Fate.REPLACED and Reason.INVALID in item.reasons)
        for item in part.results
    )


def _recommended(record: DecisionRecord) -> tuple[str | None, bool]:
    """The option recommended, if any, and whether there is at least one to choose."""
    decision = record.capacity_decision_record.decision
    return decision.recommended, decision.strength in _NONE


def _stands(before: DecisionRecord, now: DecisionRecord) -> str:
    """Whether the recommendation stands, in a sentence."""
    old, new = before.capacity_decision_record.decision, now.capacity_decision_record.decision
    if old.recommended is not None and old.recommended == new.recommended:
        return f"The recommendation stands: {_place(before, now, old.recommended)}."
    if _recommended(before) != _recommended(now):
        was = before.profile.option(old.recommended).name if old.recommended is not None else _none(before)
        text = new.recommendation.rstrip(".")
        return f"The recommendation changes. It was: {was}. It would be: {text}."
    if old.strength in _NONE:
        return f"As before, no option can be recommended: {new.why}."
    text = f"As before, there is no clear winner: {new.why}"
    if before.comparison.best != now.comparison.best and now.comparison.best is not None:
        text += f"; {now.profile.option(now.comparison.best).name} now leads"
    return f"{text}."


def _none(record: DecisionRecord) -> str:
    """What is recommended by a record that recommends no option."""
    if record.comparison.strength in _NONE or record.comparison.best is None:
        return "none"
    return f"no clear winner, {record.profile.option(record.comparison.best).name} leading"


def _place(before: DecisionRecord, now: DecisionRecord, option: str) -> str:
    name = before.profile.option(option).name
    place = f"{name} is first of {len(now.comparison.ranking)} ranked"
    was = len(before.comparison.ranking)
    return f"{place}, as it was of {was}" if was != len(now.comparison.ranking) else f"{place}, as before"


def _option(before: DecisionRecord, now: DecisionRecord, option: str) -> OptionChange:
    old, new = _option_state(before, option), _option_state(now, option)
    return OptionChange(
        option=option,
        name=before.profile.option(option).name,
        before=old,
        now=new,
        cost_change=_relative(old.cost_per_million_tokens, new.cost_per_million_tokens),
        evidence=tuple(
            _evidence(one, other, option) for one, other in zip(before.evidence, now.evidence, strict=True)
        ),
    )


def _option_state(record: DecisionRecord, option: str) -> OptionState:
    comparison = record.comparison
    figures = record.figures(option)
    failed = tuple(check.limit for check in figures.limits if not check.passed) if figures is not None else ()
    reason = next((item.reason for item in comparison.not_ranked if item.option == option), None)
    if option in comparison.infeasible:
        reason = f"fails {', '.join(failed)}"
    return OptionState(
        rank=comparison.ranking.index(option) + 1 if option in comparison.ranking else None,
        why_no_rank=reason,
        cost_per_million_tokens=figures.cost_per_million_tokens if figures is not None else None,
        tokens_per_second=figures.tokens_per_second if figures is not None else None,
        racks=figures.racks if figures is not None else None,
        yearly_cost=figures.yearly_cost if figures is not None else None,
        failed_limits=failed,
    )


def _evidence(before: Selection, now: Selection, option: str) -> EvidenceChange:
    old, new = before.evidence(option), now.evidence(option)
    return EvidenceChange(
        benchmark=before.benchmark_name,
        scenario=before.scenario,
        deployment_size=old.deployment_size,
        unit=new.unit or old.unit or now.unit,
        before=_evidence_state(old),
        now=_evidence_state(new),
        change=_relative(old.planning, new.planning),
        results=_results(before, now, old, new),
    )


def _evidence_state(evidence: OptionEvidence) -> EvidenceState:
    return EvidenceState(
        round=evidence.round,
        planning=evidence.planning,
        minimum=evidence.minimum,
        maximum=evidence.maximum,
        results=evidence.runs,
        submitters=evidence.submitters,
        measured_sizes=evidence.measured_sizes,
        why_none=evidence.why_none,
    )


def _results(
    before: Selection, now: Selection, old: OptionEvidence, new: OptionEvidence
) -> tuple[ResultChange, ...]:
    """Every result that the option's figure stood on or stands on, the old ones first."""
    known = {claim.id: claim for claim in before.used}
    today = {claim.id: claim for claim in now.used}
    excluded = {item.claim.id: item.reasons for item in now.excluded}
    added = [today[claim_id] for claim_id in new.used if claim_id not in old.used]
    found: list[ResultChange] = []
    for claim_id in old.used:
        if claim_id in new.used:
            found.append(_kept(known[claim_id], today[claim_id]))
        elif claim_id in excluded or claim_id in today:
            found.append(_replaced(known[claim_id], excluded.get(claim_id, ()), added))
        else:
            found.append(ResultChange(result=_result(known[claim_id]), fate=Fate.WITHDRAWN))
    found += [ResultChange(result=_result(claim), fate=Fate.NEWLY_USED) for claim in added]
    return tuple(found)


def _kept(claim: Claim, today: Claim) -> ResultChange:
    if today.per_accelerator == claim.per_accelerator:
        return ResultChange(result=_result(today), fate=Fate.USED_BEFORE_AND_NOW)
    return ResultChange(result=_result(today), fate=Fate.ALTERED, value_before=claim.value)


def _replaced(claim: Claim, reasons: tuple[Reason, ...], added: Sequence[Claim]) -> ResultChange:
    """A result given up, with the submitter's own next one, on the same platform if there are several."""
    own = [item for item in added if item.submitter == claim.submitter and item.round != claim.round]
    own.sort(key=lambda item: (item.platform != claim.platform, item.id))
    return ResultChange(
        result=_result(claim), fate=Fate.REPLACED, reasons=reasons, replaced_by=own[0].id if own else None
    )


def _result(claim: Claim) -> Result:
    return Result(
        id=claim.id,
        round=claim.round,
        submitter=claim.submitter,
        system=claim.system,
        accelerators=claim.accelerator_count,
        value=claim.value,
        unit=claim.unit,
        per_accelerator=claim.per_accelerator,
    )


def _returned(before: DecisionRecord, now: DecisionRecord, option: str) -> tuple[str, ...]:
    """The previews on the record's watch list that are now the option's evidence as available systems."""
    found: dict[str, None] = {}
    for part in now.evidence:
        evidence = part.evidence(option)
        for item in before.watch_list:
            if (item.accelerator, item.benchmark) == (evidence.accelerator, part.benchmark) and evidence.used:
                found[f"{item.name}: preview in {item.round}, available in {evidence.round}"] = None
    return tuple(found)


def _exclusions(before: DecisionRecord, now: DecisionRecord) -> tuple[ExclusionChange, ...]:
    found: list[ExclusionChange] = []
    for old, new in zip(before.evidence, now.evidence, strict=True):
        was, is_now = _reasons(old), _reasons(new)
        for claim in sorted(was.keys() | is_now.keys()):
            if was.get(claim) != is_now.get(claim):
                found.append(
                    ExclusionChange(
                        claim=claim,
                        benchmark=old.benchmark_name,
                        scenario=old.scenario,
                        before=was.get(claim),
                        now=is_now.get(claim),
                    )
                )
    return tuple(found)


def _reasons(selection: Selection) -> dict[str, tuple[Reason, ...]]:
    """Every claim in scope with the reasons that it is left out for, none for one that is used."""
    return (
        {claim.id: () for claim in selection.used}
        | {item.claim.id: item.reasons for item in selection.excluded}
        | {item.id: item.reasons for item in selection.excluded_statements}
    )


def _sentences(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[SentenceChange, ...]:
    subjects = dict.fromkeys((*before, *now))
    return tuple(
        SentenceChange(subject=subject, before=before.get(subject), now=now.get(subject))
        for subject in subjects
        if before.get(subject) != now.get(subject)
    )


def _only_first(one: DecisionRecord, other: DecisionRecord) -> tuple[str, ...]:
    known = {caveat.text for caveat in other.caveats}
    return tuple(caveat.text for caveat in one.caveats if caveat.text not in known)


def _relative(before: Decimal | None, now: Decimal | None) -> Decimal | None:
    return now / before - 1 if before and now is not None else None
