"""The objectives that options are ranked by, each as a score of which less is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

import msgspec

from rackrecord.economics.figures import Evidence, OptionFigures
from rackrecord.economics.finance import HOURS_PER_YEAR, present_value
from rackrecord.economics.inputs import RackInputs
from rackrecord.economics.sizing import Sizing, racks_by_year
from rackrecord.economics.throughput import cost_per_million_tokens
from rackrecord.profile.models import Objective


class Grounds(msgspec.Struct, frozen=True):
    """What an option's place stands on.

    results: the ids of the published results, by part of the workload; none for own measurements · spread:
    their highest figure over the lowest, less one · holds_back: why a lead of or over this option is at best
    likely.
    """

    results: tuple[tuple[str, ...], ...]
    spread: Decimal
    holds_back: str | None

    def same_as(self, other: Grounds) -> bool:
        """Whether both stand on the same published results, so that one cannot be off without the other."""
        return bool(self.results) and self.results == other.results


class Ranked(msgspec.Struct, frozen=True):
    """One option that can be ranked: its figures, what they were worked out from, what they stand on."""

    name: str
    figures: OptionFigures
    inputs: RackInputs
    evidence: Evidence
    grounds: Grounds


class Goal(msgspec.Struct, frozen=True):
    """How one objective is read off the figures; a lower score is better, None cannot be ranked.

    best_case, worst_case: the score at the ends of the evidence · at_throughput: the score if the rack
    yielded that many times its throughput · per_cost: score ÷ C where C moves it, with C the cost of a
    rack-hour.
    """

    score: Callable[[OptionFigures], Decimal | None]
    best_case: Callable[[OptionFigures], Decimal | None]
    worst_case: Callable[[OptionFigures], Decimal | None]
    at_throughput: Callable[[OptionFigures, Decimal], Decimal | None]
    per_cost: Callable[[OptionFigures], Decimal] | None = None
    in_steps: bool = False


def _over_throughput(
    score: Callable[[OptionFigures], Decimal | None],
    per_cost: Callable[[OptionFigures], Decimal] | None = None,
) -> Goal:
    """A goal whose score is inverse to throughput."""

    def at(figures: OptionFigures, times: Decimal) -> Decimal | None:
        value = score(figures)
        return value / times if value is not None else None

    return Goal(
        score,
        lambda figures: at(figures, figures.rate_high / figures.rate_per_accelerator),
        lambda figures: at(figures, figures.rate_low / figures.rate_per_accelerator),
        at,
        per_cost,
    )


def _inverse(value: Decimal | None) -> Decimal | None:
    return 1 / value if value else None


def _token_cost_of_one(figures: OptionFigures) -> Decimal:
    """Cost per million tokens at 1 per rack-hour."""
    return cost_per_million_tokens(Decimal(1), figures.tokens_per_second, figures.utilization)


def _term_cost_of_one(figures: OptionFigures) -> Decimal:
    """Present value of the term at 1 per rack-hour."""
    hours = [Decimal(year.racks * HOURS_PER_YEAR) for year in figures.years]
    return present_value(figures.inputs.term_rate, hours)


def _term_cost_at(figures: OptionFigures, times: Decimal) -> Decimal:
    """Present value of the term if a rack yielded `times` its throughput, which moves it in whole racks."""
    given = figures.inputs
    racks = racks_by_year(
        [part.demand for part in figures.parts],
        [part.capacity * times for part in figures.parts],
        Sizing(given.headroom, given.spares, given.yearly_growth, given.term_years),
    )
    yearly = [count * figures.cost_per_hour * HOURS_PER_YEAR for count in racks]
    return present_value(given.term_rate, yearly)


_TOKEN_COST = _over_throughput(lambda figures: figures.cost_per_million_tokens, _token_cost_of_one)

GOALS: Mapping[Objective, Goal] = {
    "cost-per-million-tokens": _TOKEN_COST,
    "tokens-per-money": _TOKEN_COST,
    "tokens-per-joule": _over_throughput(lambda figures: _inverse(figures.tokens_per_joule)),
    "tokens-per-second-per-rack": _over_throughput(lambda figures: _inverse(figures.tokens_per_second)),
    "whole-term-cost": Goal(
        lambda figures: figures.term_cost,
        lambda figures: figures.term_cost_low,
        lambda figures: figures.term_cost_high,
        _term_cost_at,
        _term_cost_of_one,
        in_steps=True,
    ),
}
