"""Scaling: the rate per accelerator by system size, for one accelerator, scenario and round."""

from collections.abc import Iterable
from decimal import Decimal
from itertools import groupby

from rackrecord.catalog.claim import Claim
from rackrecord.claim_check.results import Group, groups
from rackrecord.data import Data


class ScalingPoint(Data):
    """One system size.

    An efficiency is the rate per accelerator over that of the curve's smallest size: of the best results and
    of the medians. Derived, not an official MLPerf metric.
    """

    group: Group
    efficiency_best: Decimal
    efficiency_median: Decimal


class ScalingCurve(Data):
    """One accelerator in one scenario and round, smallest system first."""

    accelerator: str
    name: str
    scenario: str
    round: str
    unit: str
    points: tuple[ScalingPoint, ...]


def scaling_curves(claims: Iterable[Claim]) -> tuple[ScalingCurve, ...]:
    """The curves of comparable results on one benchmark, by accelerator, scenario and round."""
    ordered = sorted(groups(claims), key=_curve_of)
    return tuple(_curve(tuple(part)) for _, part in groupby(ordered, key=_curve_of))


def _curve_of(group: Group) -> tuple[str, str, str, str]:
    return (group.accelerator, group.scenario, group.round, group.unit)


def _curve(sizes: tuple[Group, ...]) -> ScalingCurve:
    smallest = sizes[0]
    return ScalingCurve(
        accelerator=smallest.accelerator,
        name=smallest.name,
        scenario=smallest.scenario,
        round=smallest.round,
        unit=smallest.unit,
        points=tuple(
            ScalingPoint(
                group=group,
                efficiency_best=group.best.per_accelerator / smallest.best.per_accelerator,
                efficiency_median=group.median / smallest.median,
            )
            for group in sizes
        ),
    )
