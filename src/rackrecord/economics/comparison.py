"""Ranking the options, how strong the ranking is, and what would have to change for another one to win."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from rackrecord.economics.cost import hourly_cost, total
from rackrecord.economics.figures import Evidence, OptionFigures, mean_rate, unit_cost
from rackrecord.economics.inputs import LEVERS, RackInputs
from rackrecord.model import StrictModel
from rackrecord.profile.models import Objective

DEFAULT_MATERIALITY = Decimal("0.05")


class Strength(StrEnum):
    """How far a recommendation carries."""

    ROBUST = "robust"
    LIKELY = "likely"
    NO_CLEAR_WINNER = "no clear winner"
    INFEASIBLE = "infeasible"
    NO_EVIDENCE = "no evidence"


class NotRanked(StrictModel):
    """An option without a place in the ranking, and why."""

    option: str
    reason: str


class BreakEven(StrictModel):
    """What would make one option equal to the best, one input at a time; None where that input cannot do it.

    price_change: relative change of its price · throughput_change: relative change of its throughput ·
    utilization: value it would need (at most 1) · electricity_price: money per kWh for both options.
    cost_above_best: its cost per million tokens over the best's, less one, whatever the objective.
    """

    option: str
    cost_above_best: Decimal
    price_change: Decimal | None
    throughput_change: Decimal | None
    utilization: Decimal | None
    electricity_price: Decimal | None


class Swing(StrictModel):
    """The best option's cost per million tokens with one input at the low and at the high end of its range."""

    input: str
    low: Decimal
    high: Decimal
    cost_at_low: Decimal
    cost_at_high: Decimal


class Comparison(StrictModel):
    """The ranking and what stands behind it.

    `margin` is how much worse the second option is than the first, relative to the first; `materiality` what it is
    measured against. `fraction_floor` is the realized fraction of the best option at which the second draws level.
    """

    objective: Objective
    ranking: tuple[str, ...]
    not_ranked: tuple[NotRanked, ...]
    infeasible: tuple[str, ...]
    best: str | None
    strength: Strength
    why: str
    margin: Decimal | None
    materiality: Decimal
    materiality_basis: str
    break_even: tuple[BreakEven, ...]
    fraction_floor: Decimal | None
    tornado: tuple[Swing, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One option that can be ranked: its figures and what they were worked out from."""

    figures: OptionFigures
    inputs: RackInputs
    evidence: Evidence
    spread: Decimal
    holds_back: str | None


@dataclass(frozen=True, slots=True)
class _Goal:
    """How one objective is read off the figures; a lower score is better. `best_case` and `worst_case` are its ends."""

    score: Callable[[OptionFigures], Decimal | None]
    best_case: Callable[[OptionFigures], Decimal | None]
    worst_case: Callable[[OptionFigures], Decimal | None]


def _over_rate(score: Callable[[OptionFigures], Decimal | None]) -> _Goal:
    """A goal whose score is inverse to throughput."""

    def scaled(figures: OptionFigures, rate: Decimal) -> Decimal | None:
        value = score(figures)
        return value * figures.rate_per_accelerator / rate if value is not None else None

    return _Goal(
        score,
        lambda figures: scaled(figures, figures.rate_high),
        lambda figures: scaled(figures, figures.rate_low),
    )


def _inverse(value: Decimal | None) -> Decimal | None:
    return 1 / value if value else None


_GOALS: Mapping[str, _Goal] = {
    "cost-per-million-tokens": _over_rate(lambda figures: figures.cost_per_million_tokens),
    "tokens-per-money": _over_rate(lambda figures: figures.cost_per_million_tokens),
    "tokens-per-joule": _over_rate(lambda figures: _inverse(figures.tokens_per_joule)),
    "tokens-per-second-per-rack": _over_rate(lambda figures: _inverse(figures.tokens_per_second)),
    "whole-term-cost": _Goal(
        lambda figures: figures.term_cost,
        lambda figures: figures.term_cost_low,
        lambda figures: figures.term_cost_high,
    ),
}
_COST_GOALS = frozenset({"cost-per-million-tokens", "tokens-per-money"})


def compare(
    objective: Objective, ranked: Sequence[Ranked], not_ranked: Sequence[NotRanked], materiality: Decimal | None
) -> Comparison:
    """Rank the feasible options by the objective; ties keep the profile's order."""
    goal = _GOALS[objective]
    scored = [(score, item) for item in ranked if (score := goal.score(item.figures)) is not None]
    unscored = [
        NotRanked(option=item.figures.option, reason="the objective needs rack power, which the profile leaves out")
        for item in ranked
        if goal.score(item.figures) is None
    ]
    scored.sort(key=lambda pair: pair[0])
    feasible = [item for _, item in scored if item.figures.feasible]
    infeasible = tuple(item.figures.option for _, item in scored if not item.figures.feasible)
    limit, basis = _materiality(materiality, feasible)
    margin = _margin(goal, feasible)
    strength, why = _strength(goal, feasible, infeasible, margin, limit)
    best = feasible[0] if feasible else None
    return Comparison(
        objective=objective,
        ranking=tuple(item.figures.option for item in feasible),
        not_ranked=(*not_ranked, *unscored),
        infeasible=infeasible,
        best=best.figures.option if best is not None else None,
        strength=strength,
        why=why,
        margin=margin,
        materiality=limit,
        materiality_basis=basis,
        break_even=tuple(_break_even(objective, item, best) for _, item in scored if best and item is not best),
        fraction_floor=_fraction_floor(objective, feasible),
        tornado=tornado(best.inputs, best.evidence) if best is not None else (),
    )


def _materiality(stated: Decimal | None, feasible: Sequence[Ranked]) -> tuple[Decimal, str]:
    """The stated one; else 5 %, or the larger spread of the evidence of the first two options."""
    if stated is not None:
        return stated, "stated in the profile"
    spread = max((item.spread for item in feasible[:2]), default=Decimal(0))
    if spread > DEFAULT_MATERIALITY:
        return spread, "the spread between results on the same accelerator and size"
    return DEFAULT_MATERIALITY, "default"


def _margin(goal: _Goal, feasible: Sequence[Ranked]) -> Decimal | None:
    if len(feasible) < 2:
        return None
    first, second = (goal.score(item.figures) for item in feasible[:2])
    return second / first - 1 if first and second is not None else None


def _strength(
    goal: _Goal,
    feasible: Sequence[Ranked],
    infeasible: Sequence[str],
    margin: Decimal | None,
    limit: Decimal,
) -> tuple[Strength, str]:
    if not feasible:
        if infeasible:
            return Strength.INFEASIBLE, "every option with evidence and a price fails a limit"
        return Strength.NO_EVIDENCE, "no option has verified, comparable evidence and a price"
    if len(feasible) == 1:
        return Strength.LIKELY, "it is the only option that can be ranked and passes every limit"
    if margin is not None and margin <= limit:
        return Strength.NO_CLEAR_WINNER, "the difference to the next option is within the materiality"
    held = [item.holds_back for item in feasible if item.holds_back]
    worst = goal.worst_case(feasible[0].figures)
    beaten = all(worst is not None and worst < (goal.best_case(item.figures) or 0) for item in feasible[1:])
    if beaten and not held:
        return Strength.ROBUST, "its worst evidence beats every other option's best"
    if beaten:
        return Strength.LIKELY, f"its worst evidence beats every other option's best, but {held[0]}"
    return Strength.LIKELY, "it leads on the planning figures; the ranges of the evidence overlap"


def _break_even(objective: Objective, item: Ranked, best: Ranked) -> BreakEven:
    """Break-evens against the best. Costs per token are linear in price, so each solves one linear equation."""
    figures, target = item.figures, best.figures
    score, goal = _GOALS[objective].score(figures), _GOALS[objective].score(target)
    ratio = score / goal if score is not None and goal else None
    costs = objective in _COST_GOALS
    utilization = figures.utilization * ratio if costs and ratio is not None else None
    return BreakEven(
        option=figures.option,
        cost_above_best=figures.cost_per_million_tokens / target.cost_per_million_tokens - 1,
        price_change=_price_change(item, ratio) if costs or objective == "whole-term-cost" else None,
        throughput_change=ratio - 1 if ratio is not None and objective != "whole-term-cost" else None,
        utilization=utilization if utilization is not None and utilization <= 1 else None,
        electricity_price=_electricity_price(item, best) if costs else None,
    )


def _price_change(item: Ranked, ratio: Decimal | None) -> Decimal | None:
    """The relative change of the price that divides the hourly cost by `ratio`; None where even 0 is too much."""
    price = item.inputs.span("price")
    if price is None or not ratio or price.value == 0:
        return None
    whole = total(hourly_cost(item.inputs))
    rest = total(hourly_cost(item.inputs.with_value("price", Decimal(0))))
    change = (whole / ratio - rest) / (whole - rest) - 1
    return change if change >= -1 else None


def _electricity_price(item: Ranked, best: Ranked) -> Decimal | None:
    """The price per kWh at which both cost the same per token; None where there is no such price."""
    if all(ranked.inputs.span("per_kwh") is None for ranked in (item, best)):
        return None

    def line(ranked: Ranked) -> tuple[Decimal, Decimal]:
        """Cost per million tokens as intercept and slope over the price per kWh."""
        if ranked.inputs.span("per_kwh") is None:
            return ranked.figures.cost_per_million_tokens, Decimal(0)
        at = [
            unit_cost(ranked.inputs.with_value("per_kwh", Decimal(price)), ranked.evidence.planning)
            for price in (0, 1)
        ]
        return at[0], at[1] - at[0]

    (base, slope), (best_base, best_slope) = line(item), line(best)
    if slope == best_slope:
        return None
    price = (base - best_base) / (best_slope - slope)
    return price if price >= 0 else None


def _fraction_floor(objective: Objective, feasible: Sequence[Ranked]) -> Decimal | None:
    """The best option's realized fraction at which the second one draws level, all else equal."""
    if len(feasible) < 2 or objective == "whole-term-cost":
        return None
    goal = _GOALS[objective].score
    first, second = goal(feasible[0].figures), goal(feasible[1].figures)
    if first is None or not second:
        return None
    return feasible[0].figures.realized_fraction * first / second


def tornado(inputs: RackInputs, evidence: Evidence) -> tuple[Swing, ...]:
    """The cost per million tokens over each input's stated range and over the evidence's, widest swing first."""
    swings: list[Swing] = []
    for name, lever in LEVERS.items():
        span = inputs.span(name)
        if span is None or (span.low is None and span.high is None):
            continue
        low = span.low if span.low is not None else span.value
        high = span.high if span.high is not None else span.value
        costs = [unit_cost(inputs.with_value(name, value), evidence.planning) for value in (low, high)]
        swings.append(Swing(input=lever.label, low=low, high=high, cost_at_low=costs[0], cost_at_high=costs[1]))
    rates = [mean_rate(evidence.lowest), mean_rate(evidence.highest)]
    if rates[0] != rates[1]:
        swings.append(
            Swing(
                input="benchmark evidence",
                low=rates[0],
                high=rates[1],
                cost_at_low=unit_cost(inputs, evidence.lowest),
                cost_at_high=unit_cost(inputs, evidence.highest),
            )
        )
    return tuple(sorted(swings, key=lambda s: (-abs(s.cost_at_high - s.cost_at_low), s.input)))
