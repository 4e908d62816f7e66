"""How far the lead of the first option carries over the others."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from enum import StrEnum

from rackrecord.economics.objective import Goal, Ranked
from rackrecord.quantities import percent

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


def equalized(score: Decimal | None) -> Decimal | None:
    """The score to 20 digits, so that what differs by rounding only is equal."""
    return _EQUAL.plus(score) if score is not None else None


def materiality(stated: Decimal | None, first: Ranked | None, other: Ranked | None) -> tuple[Decimal, str]:
    """Up to which margin the first is no clear winner over the other, and where that is from.

    The stated one; else 5 %, or the larger spread of the two options' evidence, where it is not the same.
    """
    if stated is not None:
        return stated, "stated in the profile"
    if first is None or other is None or not first.grounds.same_as(other.grounds):
        spread = max((item.grounds.spread for item in (first, other) if item is not None), default=Decimal(0))
        if spread > DEFAULT_MATERIALITY:
            return spread, "the spread between results on the same accelerator and size"
    return DEFAULT_MATERIALITY, "default"


def margin(goal: Goal, first: Ranked, other: Ranked) -> Decimal | None:
    """How much worse the other is, relative to the first; None where the first costs nothing."""
    scores = equalized(goal.score(first.figures)), equalized(goal.score(other.figures))
    if scores[0] == scores[1]:
        return Decimal(0)
    return scores[1] / scores[0] - 1 if scores[0] and scores[1] is not None else None


def strength(
    goal: Goal, feasible: Sequence[Ranked], infeasible: Sequence[str], stated: Decimal | None
) -> tuple[Strength, str]:
    """How strong the lead of the first feasible option is, and why; `stated` is the policy's materiality."""
    if not feasible:
        if infeasible:
            return Strength.INFEASIBLE, "every option with evidence and a price fails a limit"
        return Strength.NO_EVIDENCE, "no option has verified, comparable evidence and a price"
    first, *others = feasible
    if not others:
        return Strength.LIKELY, "it is the only option that can be ranked and passes every limit"
    why_close = _why_close(goal, first, others, stated)
    if why_close is not None:
        return Strength.NO_CLEAR_WINNER, why_close
    if not all(_beats(goal, first, other) for other in others):
        return Strength.LIKELY, "it leads on the planning figures; the ranges of the evidence overlap"
    lead = _lead([first.grounds.same_as(other.grounds) for other in others])
    held = [item.grounds.holds_back for item in feasible if item.grounds.holds_back]
    return (Strength.LIKELY, f"{lead}, but {held[0]}") if held else (Strength.ROBUST, lead)


def _lead(on_same_results: Sequence[bool]) -> str:
    """How the first beats the others, of which each stands on its results or on other ones."""
    if all(on_same_results):
        return "all options stand on the same results, so only cost and use tell them apart"
    if any(on_same_results):
        return "its worst evidence beats the best of every option on other results; the rest stand on its own"
    return "its worst evidence beats every other option's best"


def _why_close(goal: Goal, first: Ranked, others: Sequence[Ranked], stated: Decimal | None) -> str | None:
    """Which option is within the materiality: the next one, or the next that stands on other results.

    A second offer of the same rack must not hide that the evidence does not tell a third one apart.
    """
    unlike = [other for other in others if not first.grounds.same_as(other.grounds)]
    for other in (others[0], *unlike[:1]):
        behind, (limit, _) = margin(goal, first, other), materiality(stated, first, other)
        if behind is not None and behind <= limit:
            if other is others[0]:
                return "the difference to the next option is within the materiality"
            spread = f"within the spread of the evidence, {percent(limit)}"
            return f"{other.name} is {percent(behind)} behind, {spread}"
    return None


def _beats(goal: Goal, first: Ranked, other: Ranked) -> bool:
    """Whether the first is better whatever the evidence: in its worst case better than the other's best.

    On the same results both have their worst case together, and their best.
    """
    worst, best = equalized(goal.worst_case(first.figures)), equalized(goal.best_case(first.figures))
    other_worst, other_best = (
        equalized(goal.worst_case(other.figures)),
        equalized(goal.best_case(other.figures)),
    )
    if worst is None or best is None or other_worst is None or other_best is None:
        return False
    if first.grounds.same_as(other.grounds):
        return worst < other_worst and best < other_best
    return worst < other_best
