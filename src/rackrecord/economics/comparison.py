"""Ranking the options, and how strong the ranking is."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from enum import StrEnum

from rackrecord.data import Data
from rackrecord.economics.break_even import BreakEven, break_even, fraction_floor
from rackrecord.economics.objective import GOALS, Goal, Ranked
from rackrecord.economics.tornado import Swing, tornado
from rackrecord.profile.models import Objective

DEFAULT_MATERIALITY = Decimal("0.05")
# Options that differ by the rounding of a last digit only are equal.
_EQUAL = Context(prec=20)


class Strength(StrEnum):
    """How far a recommendation carries."""

    ROBUST = "robust"
    LIKELY = "likely"
    NO_CLEAR_WINNER = "no clear winner"
    INFEASIBLE = "infeasible"
    NO_EVIDENCE = "no evidence"


class NotRanked(Data):
    """An option without a place in the ranking, and why."""

    option: str
    reason: str


class Comparison(Data):
    """The ranking and what stands behind it.

    ranking: the options that pass every limit, best first · infeasible: those that fail one, best first ·
    margin: how much worse the second is than the first in the objective, relative to the first, None where
    the first costs nothing · materiality: the margin up to which there is no clear winner · break_even:
    every other option against the best · fraction_floor: the best option's realized fraction at which the
    second draws level.
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


def compare(
    objective: Objective,
    ranked: Sequence[Ranked],
    not_ranked: Sequence[NotRanked],
    materiality: Decimal | None,
) -> Comparison:
    """Rank the options by the objective; ties keep the profile's order."""
    goal = GOALS[objective]
    scores = {item.figures.option: _score(goal, item) for item in ranked}
    scored = sorted(
        (item for item in ranked if scores[item.figures.option] is not None),
        key=lambda item: scores[item.figures.option] or Decimal(0),
    )
    unscored = [
        NotRanked(option=option, reason="not ranked: no rack power, so no tokens per joule")
        for option, score in scores.items()
        if score is None
    ]
    feasible = [item for item in scored if item.figures.feasible]
    infeasible = [item.figures.option for item in scored if not item.figures.feasible]
    best = feasible[0] if feasible else None
    limit, basis = _materiality(materiality, feasible)
    margin = _margin(goal, feasible)
    strength, why = _strength(goal, feasible, infeasible, margin, limit)
    pair = (feasible[0].figures, feasible[1].figures) if len(feasible) > 1 else None
    return Comparison(
        objective=objective,
        ranking=tuple(item.figures.option for item in feasible),
        not_ranked=(*not_ranked, *unscored),
        infeasible=tuple(infeasible),
        best=best.figures.option if best is not None else None,
        strength=strength,
        why=why,
        margin=margin,
        materiality=limit,
        materiality_basis=basis,
        break_even=tuple(
            break_even(objective, item, best) for item in scored if best is not None and item is not best
        ),
        fraction_floor=fraction_floor(objective, *pair) if pair is not None else None,
        tornado=tornado(best.inputs, best.evidence) if best is not None else (),
    )


def _score(goal: Goal, item: Ranked) -> Decimal | None:
    return _equalized(goal.score(item.figures))


def _equalized(score: Decimal | None) -> Decimal | None:
    return _EQUAL.plus(score) if score is not None else None


def _materiality(stated: Decimal | None, feasible: Sequence[Ranked]) -> tuple[Decimal, str]:
    """The stated one; else 5 %, or the larger spread of the evidence of the first two options."""
    if stated is not None:
        return stated, "stated in the profile"
    spread = max((item.spread for item in feasible[:2]), default=Decimal(0))
    if spread > DEFAULT_MATERIALITY:
        return spread, "the spread between results on the same accelerator and size"
    return DEFAULT_MATERIALITY, "default"


def _margin(goal: Goal, feasible: Sequence[Ranked]) -> Decimal | None:
    if len(feasible) < 2:
        return None
    first, second = (_score(goal, item) for item in feasible[:2])
    if first == second:
        return Decimal(0)
    return second / first - 1 if first and second is not None else None


def _strength(
    goal: Goal,
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
    if not _beats_all(goal, feasible):
        return Strength.LIKELY, "it leads on the planning figures; the ranges of the evidence overlap"
    held = [item.holds_back for item in feasible if item.holds_back]
    if held:
        return Strength.LIKELY, f"its worst evidence beats every other option's best, but {held[0]}"
    return Strength.ROBUST, "its worst evidence beats every other option's best"


def _beats_all(goal: Goal, feasible: Sequence[Ranked]) -> bool:
    """Whether the first option's worst case is better than the best case of every other."""
    worst = _equalized(goal.worst_case(feasible[0].figures))
    others = [_equalized(goal.best_case(item.figures)) for item in feasible[1:]]
    return worst is not None and all(best is not None and worst < best for best in others)
