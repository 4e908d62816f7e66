"""Racks and money year by year."""

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.data import Data
from rackrecord.economics.finance import HOURS_PER_YEAR
from rackrecord.economics.sizing import Sizing, racks_by_year


class YearPlan(Data):
    """One year of the term: its peak demand, racks in place, racks added.

    cost: all-in cost of the racks in place, money a year · purchase: money for the racks added, None
    for rent · peak_load: share of the capacity in place that the peak takes up.
    """

    year: int
    demand: Decimal
    racks: int
    added: int
    cost: Decimal
    purchase: Decimal | None
    peak_load: Decimal


def year_plan(
    peaks: Sequence[Decimal],
    capacities: Sequence[Decimal],
    sizing: Sizing,
    demand: Decimal,
    cost_per_hour: Decimal,
    rack_price: Decimal | None,
) -> tuple[YearPlan, ...]:
    """The years of the term. `peaks` and `capacities` are the parts', `demand` is the peak of all of them."""
    filled = sum((peak / capacity for peak, capacity in zip(peaks, capacities, strict=True)), Decimal(0))
    plan: list[YearPlan] = []
    before = 0
    for year, racks in enumerate(racks_by_year(peaks, capacities, sizing), start=1):
        grown = (1 + sizing.growth) ** (year - 1)
        plan.append(
            YearPlan(
                year=year,
                demand=demand * grown,
                racks=racks,
                added=racks - before,
                cost=racks * cost_per_hour * HOURS_PER_YEAR,
                purchase=(racks - before) * rack_price if rack_price is not None else None,
                peak_load=filled * grown / racks,
            )
        )
        before = racks
    return tuple(plan)
