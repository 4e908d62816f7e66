"""The figures of one option: throughput, cost, racks, totals, limits. Money is in the record's currency."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import msgspec

from rackrecord.data import Data
from rackrecord.economics.cost import CostItem, hourly_cost, total
from rackrecord.economics.finance import HOURS_PER_YEAR, present_value
from rackrecord.economics.inputs import PurchaseTerms, RackInputs
from rackrecord.economics.limits import LimitCheck, binding_limit, check_limits
from rackrecord.economics.plan import YearPlan, year_plan
from rackrecord.economics.sizing import (
    PartDemand,
    Sizing,
    peak_demand,
    rack_capacity,
    serving_racks,
    years_until_next_rack,
)
from rackrecord.economics.throughput import (
    PartRate,
    cost_per_million_tokens,
    rack_throughput,
    tokens_per_joule,
    tokens_per_money,
)
from rackrecord.economics.trace import OptionInputs, option_inputs
from rackrecord.profile.models import Option, Profile
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection

DemandUnit = Literal["output tokens/s", "requests/s"]


class PartFigures(Data):
    """One part of the workload on one option; a workload of one benchmark has one.

    rate: planning figure per accelerator in `unit`, as published · output_tokens_per_request: the
    benchmark's own mean where `unit` counts requests · tokens_per_accelerator: rate as output tokens/s ·
    tokens_per_second: of a rack that serves this part alone · demand, capacity: peak and what one rack
    serves, in `demand_unit` · racks: serving racks in the first year, without headroom's spares ·
    cost_per_million_tokens: of this part's tokens.
    """

    benchmark: str
    scenario: str
    share: Decimal
    unit: str
    rate: Decimal
    output_tokens_per_request: Decimal | None
    tokens_per_accelerator: Decimal
    tokens_per_second: Decimal
    demand: Decimal
    demand_unit: DemandUnit
    capacity: Decimal
    racks: int
    cost_per_million_tokens: Decimal


class OptionFigures(Data):
    """What one option yields and costs. All per-rack, per-money and per-joule figures are derived.

    rate_per_accelerator r: output tokens/s · accelerators A: per rack · realized_fraction d, utilization u
    · ceiling: one of the two is not stated · tokens_per_second T: of one rack · cost_per_hour C: money per
    rack-hour, the sum of `costs` · rack_price: money to buy one rack · cost_per_million_tokens, with
    cost_low and cost_high at the evidence's highest and lowest figure · tokens_per_joule: provisioned rack
    power · demand: peak in `demand_unit`, in output tokens/s for several parts · racks: first year ·
    power_kw: all of them, without PUE · energy_kwh_per_year: all of them at full provisioned power, with
    PUE · purchase, yearly_cost: first year · purchase_term: all purchases of the term · term_cost: present
    value of the yearly costs of the term · attainable_utilization: what u would be if demand stood at its
    peak all the term · binding: the limit that decides, see `binding_limit`.
    """

    option: str
    basis: Literal["verified", "measured"]
    inputs: OptionInputs
    parts: tuple[PartFigures, ...]
    rate_per_accelerator: Decimal
    rate_low: Decimal
    rate_high: Decimal
    accelerators: int
    realized_fraction: Decimal
    utilization: Decimal
    attainable_utilization: Decimal
    ceiling: bool
    tokens_per_second: Decimal
    costs: tuple[CostItem, ...]
    cost_per_hour: Decimal
    rack_price: Decimal | None
    tokens_per_second_per_money_hour: Decimal | None
    tokens_per_money: Decimal | None
    cost_per_million_tokens: Decimal
    cost_low: Decimal
    cost_high: Decimal
    tokens_per_joule: Decimal | None
    rack_kw: Decimal | None
    power_basis: str | None
    demand: Decimal
    demand_unit: DemandUnit
    racks: int
    power_kw: Decimal | None
    energy_kwh_per_year: Decimal | None
    purchase: Decimal | None
    purchase_term: Decimal | None
    yearly_cost: Decimal
    term_cost: Decimal
    term_cost_low: Decimal
    term_cost_high: Decimal
    years: tuple[YearPlan, ...]
    next_rack_in_years: Decimal | None
    limits: tuple[LimitCheck, ...]
    binding: str | None

    @property
    def feasible(self) -> bool:
        """Whether every limit is passed."""
        return all(check.passed for check in self.limits)


class Evidence(msgspec.Struct, frozen=True):
    """Planning, lowest and highest rate of each part of the workload."""

    planning: tuple[PartRate, ...]
    lowest: tuple[PartRate, ...]
    highest: tuple[PartRate, ...]
    basis: Literal["verified", "measured"] = "verified"


def unit_cost(inputs: RackInputs, parts: Sequence[PartRate]) -> Decimal:
    """Money per million output tokens with these inputs and rates; CostGap where a price is missing."""
    throughput = rack_throughput(parts, inputs.accelerators, inputs.realized_fraction.value)
    return cost_per_million_tokens(total(hourly_cost(inputs)), throughput, inputs.utilization.value)


def mean_rate(parts: Sequence[PartRate]) -> Decimal:
    """Output tokens/s of one accelerator over all parts of the workload."""
    return rack_throughput(parts, 1, Decimal(1))


def term_cost(
    profile: Profile, inputs: RackInputs, parts: Sequence[PartRate], selections: Sequence[Selection]
) -> Decimal:
    """Present value of the yearly costs of the term; CostGap where a price is missing."""
    demands = peak_demand(profile.demand, profile.parts, selections)
    plan = _plan(profile, inputs, parts, demands, total(hourly_cost(inputs)))
    return present_value(profile.term.rate, [year.cost for year in plan])


def option_figures(
    profile: Profile, option: Option, inputs: RackInputs, evidence: Evidence, selections: Sequence[Selection]
) -> OptionFigures:
    """The figures of one option; CostGap where a price is missing."""
    costs = hourly_cost(inputs)
    per_hour = total(costs)
    fraction, use = inputs.realized_fraction.value, inputs.utilization.value
    throughput = rack_throughput(evidence.planning, inputs.accelerators, fraction)
    demands = peak_demand(profile.demand, profile.parts, selections)
    capacities = _capacities(inputs, evidence.planning, demands)
    years = _plan(profile, inputs, evidence.planning, demands, per_hour)
    racks, price = years[0].racks, _rack_price(inputs)
    demand, demand_unit = _total_demand(demands)
    kw = inputs.site.rack_kw.value if inputs.site.rack_kw is not None else None
    whole_term = present_value(profile.term.rate, [year.cost for year in years])
    limits = check_limits(profile, option, inputs, years, price, whole_term)
    return OptionFigures(
        option=option.id,
        basis=evidence.basis,
        inputs=option_inputs(profile, option, inputs),
        parts=_parts(profile, inputs, evidence.planning, demands, selections, per_hour),
        rate_per_accelerator=mean_rate(evidence.planning),
        rate_low=mean_rate(evidence.lowest),
        rate_high=mean_rate(evidence.highest),
        accelerators=inputs.accelerators,
        realized_fraction=fraction,
        utilization=use,
        attainable_utilization=_attainable(years),
        ceiling=inputs.ceiling,
        tokens_per_second=throughput,
        costs=costs,
        cost_per_hour=per_hour,
        rack_price=price,
        tokens_per_second_per_money_hour=throughput / per_hour if per_hour > 0 else None,
        tokens_per_money=tokens_per_money(per_hour, throughput, use),
        cost_per_million_tokens=cost_per_million_tokens(per_hour, throughput, use),
        cost_low=unit_cost(inputs, evidence.highest),
        cost_high=unit_cost(inputs, evidence.lowest),
        tokens_per_joule=tokens_per_joule(throughput, kw) if kw is not None else None,
        rack_kw=kw,
        power_basis=option.power.basis if option.power is not None else None,
        demand=demand,
        demand_unit=demand_unit,
        racks=racks,
        power_kw=racks * kw if kw is not None else None,
        energy_kwh_per_year=racks * kw * inputs.site.pue.value * HOURS_PER_YEAR if kw is not None else None,
        purchase=racks * price if price is not None else None,
        purchase_term=years[-1].racks * price if price is not None else None,
        yearly_cost=years[0].cost,
        term_cost=whole_term,
        term_cost_low=term_cost(profile, inputs, evidence.highest, selections),
        term_cost_high=term_cost(profile, inputs, evidence.lowest, selections),
        years=years,
        next_rack_in_years=years_until_next_rack(
            [demand.peak for demand in demands], capacities, Sizing.of(profile)
        ),
        limits=limits,
        binding=binding_limit(limits),
    )


def _rack_price(inputs: RackInputs) -> Decimal | None:
    """What buying one rack takes at once: price after discount and installation; None for rent."""
    terms = inputs.terms
    return terms.price.value + terms.installation.value if isinstance(terms, PurchaseTerms) else None


def _capacities(
    inputs: RackInputs, parts: Sequence[PartRate], demands: Sequence[PartDemand]
) -> list[Decimal]:
    fraction = inputs.realized_fraction.value
    pairs = zip(parts, demands, strict=True)
    return [rack_capacity(part, demand, inputs.accelerators, fraction) for part, demand in pairs]


def _plan(
    profile: Profile,
    inputs: RackInputs,
    parts: Sequence[PartRate],
    demands: Sequence[PartDemand],
    per_hour: Decimal,
) -> tuple[YearPlan, ...]:
    total_demand, _ = _total_demand(demands)
    return year_plan(
        [demand.peak for demand in demands],
        _capacities(inputs, parts, demands),
        Sizing.of(profile),
        total_demand,
        per_hour,
        _rack_price(inputs),
    )


def _total_demand(demands: Sequence[PartDemand]) -> tuple[Decimal, DemandUnit]:
    """The peak of all parts: in its own unit for one part, in output tokens/s for several."""
    if len(demands) == 1 and demands[0].in_requests:
        return demands[0].peak, "requests/s"
    return sum((demand.tokens for demand in demands), Decimal(0)), "output tokens/s"


def _attainable(years: Sequence[YearPlan]) -> Decimal:
    filled = sum((year.peak_load * year.racks for year in years), Decimal(0))
    return filled / sum(year.racks for year in years)


def _parts(
    profile: Profile,
    inputs: RackInputs,
    rates: Sequence[PartRate],
    demands: Sequence[PartDemand],
    selections: Sequence[Selection],
    per_hour: Decimal,
) -> tuple[PartFigures, ...]:
    found: list[PartFigures] = []
    capacities = _capacities(inputs, rates, demands)
    for rate, demand, capacity, selection in zip(rates, demands, capacities, selections, strict=True):
        tokens = rate.tokens * inputs.accelerators * inputs.realized_fraction.value
        found.append(
            PartFigures(
                benchmark=selection.benchmark_name,
                scenario=selection.scenario,
                share=rate.share,
                unit=selection.unit,
                rate=rate.native,
                output_tokens_per_request=selection.mean_output_tokens
                if selection.unit != TOKEN_UNIT
                else None,
                tokens_per_accelerator=rate.tokens,
                tokens_per_second=tokens,
                demand=demand.peak,
                demand_unit="requests/s" if demand.in_requests else "output tokens/s",
                capacity=capacity,
                racks=serving_racks(demand.peak, capacity, profile.demand.headroom),
                cost_per_million_tokens=cost_per_million_tokens(per_hour, tokens, inputs.utilization.value),
            )
        )
    return tuple(found)
