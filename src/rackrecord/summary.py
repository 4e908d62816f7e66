"""The sentences an approver reads: recommendation, what would change it, the seven fields, the caveats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_CEILING

from rackrecord.catalog.claim import Caveat, CaveatCode
from rackrecord.economics.assumptions import assumptions
from rackrecord.economics.break_even import BreakEven
from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.limits import LimitCheck
from rackrecord.economics.options import Economics, shape_differs
from rackrecord.economics.strength import Strength
from rackrecord.profile.models import Option, Profile, Workload
from rackrecord.quantities import compact, percent, significant, trimmed
from rackrecord.record import (
    CapacityDecisionRecord,
    Exclusion,
    RecordedDecision,
    ReviewDue,
)
from rackrecord.review import EVIDENCE_YEAR
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection

_METRICS = {
    "cost-per-million-tokens": "cost per million output tokens",
    "tokens-per-money": "output tokens per unit of money",
    "tokens-per-joule": "output tokens per joule of provisioned rack power",
    "tokens-per-second-per-rack": "output tokens per second of a rack",
    "whole-term-cost": "cost of the whole term, present value",
}

NAMED = 5
"""So many other options are named where the record says what would change the answer."""


def seven_fields(
    profile: Profile, selections: Sequence[Selection], economics: Economics, due: ReviewDue
) -> CapacityDecisionRecord:
    """The record's opening fields."""
    excluded = [
        *(Exclusion(claim=e.claim.id, reasons=e.reasons) for s in selections for e in s.excluded),
        *(Exclusion(claim=e.id, reasons=e.reasons) for s in selections for e in s.excluded_statements),
    ]
    basis = f"output tokens/s per rack and {profile.currency} per rack-hour"
    return CapacityDecisionRecord(
        workload="; ".join(_workload(part) for part in profile.parts),
        metric=f"{_METRICS[profile.policy.objective]}, from {basis}",
        measured_by=measured_by(selections),
        vendor_claims_used=tuple(claim.id for selection in selections for claim in selection.used),
        claims_excluded=tuple(excluded),
        decision=_decision(profile, economics),
        review_due=due,
    )


def _workload(part: Workload) -> str:
    text = f"{part.benchmark}, {part.scenario}"
    if part.share is not None:
        text = f"{percent(part.share, 0)} {text}"
    slo = part.slo
    if slo is None:
        return f"{text}, no latency objective"
    named = (("TTFT", slo.ttft_ms), ("TPOT", slo.tpot_ms), ("whole request", slo.e2e_ms))
    limits = [f"{name} ≤ {trimmed(value)} ms" for name, value in named if value is not None]
    return f"{text}, p{trimmed(slo.percentile)} {', '.join(limits)}"


def measured_by(selections: Sequence[Selection]) -> str:
    """Who measured what the decision stands on."""
    claims = [claim for selection in selections for claim in selection.used]
    if not claims:
        return "nothing: no verified, comparable result was found"
    rounds = ", ".join(sorted({claim.round for claim in claims}))
    submitters = len({claim.submitter for claim in claims})
    results = "1 result" if len(claims) == 1 else f"{len(claims)} results"
    by = "1 submitter" if submitters == 1 else f"{submitters} submitters"
    return f"MLCommons, MLPerf® Inference {rounds}: {results} by {by}, verified, available systems"


def _decision(profile: Profile, economics: Economics) -> RecordedDecision:
    comparison = economics.comparison
    recommended = comparison.best if comparison.strength in (Strength.ROBUST, Strength.LIKELY) else None
    decided = profile.decision
    return RecordedDecision(
        recommended=recommended,
        recommendation=recommendation(profile, economics),
        strength=comparison.strength,
        why=comparison.why,
        decided=decided.statement if decided is not None else None,
        option=decided.option if decided is not None else None,
        by=(decided.by if decided is not None else None) or profile.approver,
        on=decided.decided_on if decided is not None else None,
        because=decided.because if decided is not None else None,
        follows=decided.option == recommended if decided is not None and recommended is not None else None,
    )


def recommendation(profile: Profile, economics: Economics) -> str:
    """One sentence: what to take at what cost, or why nothing can be recommended."""
    comparison = economics.comparison
    if comparison.best is None:
        text = "No option can be recommended"
        return f"{text}: {comparison.why}."
    best = _figures(economics, comparison.best)
    offer = offer_text(profile, profile.option(best.option), best)
    if comparison.strength is Strength.NO_CLEAR_WINNER:
        return f"No clear winner. {offer} leads; {_close(profile, economics)}."
    return f"{offer}."


def _close(profile: Profile, economics: Economics) -> str:
    comparison = economics.comparison
    if comparison.margin is None or comparison.margin > comparison.materiality:
        return comparison.why  # it is not the next option that is too close
    second = profile.option(comparison.ranking[1]).name
    within = f"within the materiality of {percent(comparison.materiality)}"
    return f"{second} is {percent(comparison.margin)} behind, {within}"


def offer_text(profile: Profile, option: Option, figures: OptionFigures) -> str:
    """How many racks of an option, what they cost per million output tokens and a year, what they yield."""
    money = profile.currency
    parts = [
        f"{significant(figures.cost_per_million_tokens)} {money} per million output tokens",
        f"{compact(figures.tokens_per_second)} output tokens/s each",
    ]
    if figures.power_kw is not None:
        parts.append(f"{trimmed(figures.power_kw)} kW")
    parts.append(f"{compact(figures.yearly_cost)} {money} a year")
    ceiling = " (benchmark ceiling)" if figures.ceiling else ""
    return f"{figures.racks} × {option.name}: {', '.join(parts)}{ceiling}"


def _figures(economics: Economics, option_id: str) -> OptionFigures:
    return next(figures for figures in economics.figures if figures.option == option_id)


def would_change(profile: Profile, economics: Economics) -> tuple[str, ...]:
    """What would make another option the best: price changes, the realized fraction, quotes that end.

    Where every option fails a limit, what the limits would have to be.
    """
    comparison = economics.comparison
    if comparison.best is None:
        return tuple(_if_allowed(profile, economics, option) for option in comparison.infeasible[:NAMED])
    # The nearest come first; one that only a limit keeps back is nearer than any other.
    items = sorted(comparison.break_even, key=lambda item: not item.ahead)
    found = [text for item in items if (text := _break_even(profile, economics, item))]
    if (others := len(found) - NAMED) > 0:
        found[NAMED:] = [f"{others} more option{'s' if others > 1 else ''}, further behind"]
    if comparison.fraction_floor is not None and comparison.fraction_floor < 1:
        best = profile.option(comparison.best)
        floor = significant(comparison.fraction_floor, 2)
        found.append(f"realized fraction of {best.name} below {floor} with the others unchanged")
    quote = profile.option(comparison.best).quote
    if quote is not None and quote.valid_until is not None:
        found.append(
            f"the quote for {profile.option(comparison.best).name} ends {quote.valid_until.isoformat()}"
        )
    return tuple(found)


def _break_even(profile: Profile, economics: Economics, item: BreakEven) -> str | None:
    """What would make the option win; one that fails a limit does not win by its price."""
    option = profile.option(item.option)
    if item.option in economics.comparison.infeasible:
        return _if_allowed(profile, economics, item.option) if item.ahead else None
    if item.price_change is not None:
        return f"{option.name} at {percent(item.price_change, signed=True)} in price"
    if item.throughput_change is not None:
        return f"{option.name} at {percent(item.throughput_change, signed=True)} in throughput"
    return None


def _if_allowed(profile: Profile, economics: Economics, option_id: str) -> str:
    """The option, with what the limits that it fails would have to be."""
    failed = [check for check in _figures(economics, option_id).limits if not check.passed]
    return f"{profile.option(option_id).name} if {' and '.join(_needed(check) for check in failed)}"


def _needed(check: LimitCheck) -> str:
    if check.found_on is not None and check.allowed_on is not None:
        return f"{check.limit} may be on {check.found_on.isoformat()}, not {check.allowed_on.isoformat()}"
    if check.found is None or check.allowed is None:
        return f"its {check.limit} is stated and within the limit"
    # Rounded up: what is said to be enough is enough.
    found = check.found.to_integral_value(ROUND_CEILING) if check.found > 1000 else check.found
    return f"{check.limit} may be {trimmed(found, 9)} {check.unit}, not {trimmed(check.allowed, 9)}"


def caveats(
    profile: Profile, selections: Sequence[Selection], economics: Economics, as_of: date
) -> tuple[Caveat, ...]:
    """Every caveat of the record, once each, the evidence's first."""
    found = [caveat for s in selections for option in s.options for caveat in option.caveats]
    found += _workload_caveats(profile, selections)
    found += _price_caveats(profile, as_of)
    found += _use_caveats(profile, economics)
    found += assumptions(profile, economics.figures)
    found += _age_caveats(selections, as_of)
    distinct: dict[tuple[CaveatCode, str], Caveat] = {(caveat.code, caveat.text): caveat for caveat in found}
    return tuple(distinct.values())


def _workload_caveats(profile: Profile, selections: Sequence[Selection]) -> list[Caveat]:
    found: list[Caveat] = []
    for part, selection in zip(profile.parts, selections, strict=True):
        mean = selection.mean_output_tokens
        if shape_differs(part, selection) and mean is not None and part.output_tokens_per_request is not None:
            text = (
                f"The workload's requests have {trimmed(part.output_tokens_per_request)} output tokens, "
                f"those of {selection.benchmark_name} {trimmed(mean)}."
            )
            found.append(Caveat(code=CaveatCode.SHAPE_DIFFERS, text=text))
        if selection.unit != TOKEN_UNIT and mean is not None and selection.used:
            text = (
                f"{selection.benchmark_name} is published in {selection.unit}; token rates are that figure "
                f"times the benchmark's own mean of {trimmed(mean)} output tokens, derived."
            )
            found.append(Caveat(code=CaveatCode.DERIVED_TOKENS, text=text))
    if len(profile.parts) > 1:
        text = "The mix of benchmarks is our own combination and is not endorsed by MLCommons."
        found.append(Caveat(code=CaveatCode.MIXED_WORKLOAD, text=text))
    return found


def _price_caveats(profile: Profile, as_of: date) -> list[Caveat]:
    found: list[Caveat] = []
    for option in profile.options:
        quote = option.quote
        if quote is not None and quote.valid_until is not None and quote.valid_until < as_of:
            text = (
                f"{option.name}: its price held until {quote.valid_until.isoformat()}; ask for a new quote."
            )
            found.append(Caveat(code=CaveatCode.STALE_PRICE, text=text))
    assumed = [
        option.name for option in profile.options if option.quote is not None and option.quote.illustrative
    ]
    if assumed:
        text = f"Illustrative prices, quoted by nobody: {'; '.join(assumed)}."
        found.append(Caveat(code=CaveatCode.ILLUSTRATIVE_INPUT, text=text))
    return found


def _use_caveats(profile: Profile, economics: Economics) -> list[Caveat]:
    names = [profile.option(figures.option).name for figures in economics.figures if figures.ceiling]
    if not names:
        return []
    text = (
        f"Benchmark ceiling, since realized fraction or utilization is not stated: {'; '.join(names)}. "
        "Production reaches less and costs more per token."
    )
    return [Caveat(code=CaveatCode.BENCHMARK_CEILING, text=text)]


def _age_caveats(selections: Sequence[Selection], as_of: date) -> list[Caveat]:
    published = {claim.round: claim.published for selection in selections for claim in selection.used}
    return [
        Caveat(
            code=CaveatCode.EVIDENCE_AGE,
            text=f"The evidence from {name} is of {day.isoformat()}, over a year before this record.",
        )
        for name, day in sorted(published.items())
        if as_of - day > EVIDENCE_YEAR
    ]
