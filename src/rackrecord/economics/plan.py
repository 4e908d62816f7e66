"""Racks and money year by year."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.economics.finance import HOURS_PER_YEAR
from rackrecord.economics.sizing import PartDemand, racks_needed
from rackrecord.model import StrictModel
from rackrecord.profile.models import Profile


class YearPlan(StrictModel):
    """One year of the term: peak demand grown from the first year, racks in place, racks added.

    cost: all-in cost of the racks in place, money a year · purchase: money for the racks added, None for rent ·
    peak_load: share of the racks in place that the peak takes up.
    """

    year: int
    demand: Decimal
    racks: int
    added: int
    cost: Decimal
    purchase: Decimal | None
    peak_load: Decimal


def year_plan(
    profile: Profile,
    demands: Sequence[PartDemand],
    capacities: Sequence[Decimal],
    total_demand: Decimal,
    cost_per_hour: Decimal,
    rack_price: Decimal | None,
) -> tuple[YearPlan, ...]:
    """Racks follow the peak upward year by year; a falling peak gives none back, as they are paid for."""
    plan: list[YearPlan] = []
    before = 0
    filled = sum((demand.peak / capacity for demand, capacity in zip(demands, capacities, strict=True)), Decimal(0))
    for year in range(1, profile.term.years + 1):
        grown = (1 + profile.demand.yearly_growth) ** (year - 1)
        needed = racks_needed(demands, capacities, profile.demand.headroom, profile.demand.spares, grown)
        racks = max(before, needed)
        plan.append(
            YearPlan(
                year=year,
                demand=total_demand * grown,
                racks=racks,
                added=racks - before,
                cost=racks * cost_per_hour * HOURS_PER_YEAR,
                purchase=(racks - before) * rack_price if rack_price is not None else None,
                peak_load=filled * grown / racks,
            )
        )
        before = racks
    return tuple(plan)
