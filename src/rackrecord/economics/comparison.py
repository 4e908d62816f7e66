"""Ranking the options, and what stands behind the ranking."""

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.data import Data
from rackrecord.economics.break_even import BreakEven, break_even, fraction_floor
from rackrecord.economics.objective import GOALS, Ranked
from rackrecord.economics.strength import Strength, equalized, margin, materiality, strength
from rackrecord.economics.tornado import Swing, tornado
from rackrecord.profile.models import Objective


class NotRanked(Data):
    """An option without a place in the ranking, and why."""

    option: str
    reason: str


class Comparison(Data):
    """The ranking and what stands behind it.

    ranking: the options that pass every limit, best first · infeasible: those that fail one, best first ·
    margin: how much worse the second is than the first in the objective, relative to the first, None where
    the first costs nothing · materiality: the margin up to which
    the first is no clear winner over the second · break_even:
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
    stated: Decimal | None,
) -> Comparison:
    """Rank the options; ties keep the profile's order. `stated` is the policy's materiality."""
    goal = GOALS[objective]
    scores = {item.figures.option: equalized(goal.score(item.figures)) for item in ranked}
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
    second = feasible[1] if len(feasible) > 1 else None
    pair = (best, second) if best is not None and second is not None else None
    limit, basis = materiality(stated, best, second)
    found, why = strength(goal, feasible, infeasible, stated)
    return Comparison(
        objective=objective,
        ranking=tuple(item.figures.option for item in feasible),
        not_ranked=(*not_ranked, *unscored),
        infeasible=tuple(infeasible),
        best=best.figures.option if best is not None else None,
        strength=found,
        why=why,
        margin=margin(goal, *pair) if pair is not None else None,
        materiality=limit,
        materiality_basis=basis,
        break_even=tuple(
            break_even(objective, item, best) for item in scored if best is not None and item is not best
        ),
        fraction_floor=fraction_floor(objective, *(x.figures for x in pair)) if pair is not None else None,
        tornado=tornado(best.inputs, best.evidence) if best is not None else (),
    )
