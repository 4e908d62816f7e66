"""A claimed scaling efficiency against the published results: the rate per accelerator at one size over
smaller ones.
"""

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.claim_check.multiplier import at_precision
from rackrecord.claim_check.results import Figure, Group, no_result
from rackrecord.claim_check.wording import listed
from rackrecord.data import Data
from rackrecord.quantities import percent


class EfficiencyStep(Data):
    """The rate per accelerator of the claimed size over that of a smaller one, best over best and of the
    medians.
    """

    smaller: Group
    efficiency_best: Decimal
    efficiency_median: Decimal
    reaches: bool


class EfficiencyCheck(Data):
    """The claimed size in one scenario against every smaller size of the same accelerator and round."""

    scenario: str
    named: bool
    group: Group
    steps: tuple[EfficiencyStep, ...]


class EfficiencyFinding(Data):
    """What the results say about a scaling efficiency; `others` are results of other accelerators on that
    size.
    """

    checks: tuple[EfficiencyCheck, ...]
    others: tuple[Figure, ...]
    missing: str | None


class Efficiency(msgspec.Struct, frozen=True):
    """A scaling efficiency to be checked, with its names resolved."""

    benchmark: str
    subject: str
    round: str
    scenario: str | None
    size: int
    efficiency: Decimal


def check_efficiency(asked: Efficiency, found: Sequence[Group]) -> EfficiencyFinding:
    """Hold a scaling efficiency against the results of the same accelerator, round and scenario on smaller
    systems.
    """
    mine = [group for group in found if group.accelerator == asked.subject and group.round == asked.round]
    checks = tuple(
        EfficiencyCheck(
            scenario=group.scenario,
            named=asked.scenario in (None, group.scenario),
            group=group,
            steps=tuple(_step(asked, group, smaller) for smaller in mine if _is_smaller(smaller, group)),
        )
        for group in mine
        if group.size == asked.size
    )
    others = tuple(
        group.best
        for group in found
        if group.size == asked.size and group.accelerator != asked.subject and group.round == asked.round
    )
    return EfficiencyFinding(checks=checks, others=others, missing=_missing(asked, checks, others, found))


def _is_smaller(smaller: Group, group: Group) -> bool:
    return (smaller.scenario, smaller.unit) == (group.scenario, group.unit) and smaller.size < group.size


def _step(asked: Efficiency, group: Group, smaller: Group) -> EfficiencyStep:
    best = group.best.per_accelerator / smaller.best.per_accelerator
    return EfficiencyStep(
        smaller=smaller,
        efficiency_best=best,
        efficiency_median=group.median / smaller.median,
        reaches=at_precision(best, asked.efficiency) >= asked.efficiency,
    )


def _missing(
    asked: Efficiency, checks: Sequence[EfficiencyCheck], others: Sequence[Figure], found: Sequence[Group]
) -> str | None:
    named = [check for check in checks if check.named]
    if any(check.steps for check in named):
        return None
    if named:
        name = accelerator_name(asked.subject)
        return f"no result of {name} in {asked.round} on fewer than {asked.size} accelerators"
    mine = [g for g in found if g.accelerator == asked.subject and asked.scenario in (None, g.scenario)]
    text = no_result(asked.subject, asked.scenario, asked.round, asked.size, mine)
    names = sorted({accelerator_name(figure.accelerator) for figure in others})
    return f"{text}; on {asked.size} there are results of {listed(names)}" if names else text


def efficiency_text(step: EfficiencyStep) -> str:
    """`93.1 % against 72`."""
    return f"{percent(step.efficiency_best)} against {step.smaller.size}"
