"""The figures of one option: throughput, cost, racks, totals, limits. Money is in the record's currency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from rackrecord.economics.cost import CostItem, hourly_cost, total
from rackrecord.economics.finance import HOURS_PER_YEAR, present_value
from rackrecord.economics.inputs import Converter, PurchaseTerms, RackInputs
from rackrecord.economics.sizing import (
    PartDemand,
    peak_demand,
    rack_capacity,
    racks_needed,
    years_until_next_rack,
)
from rackrecord.economics.throughput import (
    PartRate,
    cost_per_million_tokens,
    rack_throughput,
    tokens_per_joule,
    tokens_per_money,
)
from rackrecord.model import StrictModel
from rackrecord.profile.fields import Money
from rackrecord.profile.models import Option, Profile


class LimitCheck(StrictModel):
    """One limit of the profile against one option, over the whole term.

    Amounts are in `unit`, None where not stated; a delivery limit has dates instead.
    """

    limit: str
    unit: str
    allowed: Decimal | None
    found: Decimal | None
    allowed_on: date | None
    found_on: date | None
    passed: bool


class YearPlan(StrictModel):
    """One year of the term: peak demand grown from the first year, racks in place, racks added, all-in cost."""

    year: int
    demand: Decimal
    racks: int
    added: int
    cost: Decimal


class OptionFigures(StrictModel):
    """What one option yields and costs. All per-rack, per-money and per-joule figures are derived.

    rate_per_accelerator r: output tokens/s · accelerators A: per rack · realized_fraction d, utilization u ·
    tokens_per_second T: of one rack · cost_per_hour C: money per rack-hour · cost_per_million_tokens, with
    cost_low and cost_high at the evidence's highest and lowest figure · tokens_per_joule: provisioned rack power ·
    demand: peak in `demand_unit` · power_kw: all racks, without PUE · energy_kwh_per_year: with PUE · yearly_cost:
    all racks, first year · term_cost: present value over the term.
    """

    option: str
    basis: Literal["verified", "measured"]
    rate_per_accelerator: Decimal
    rate_low: Decimal
    rate_high: Decimal
    accelerators: int
    realized_fraction: Decimal
    utilization: Decimal
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
    demand_unit: Literal["output tokens/s", "requests/s"]
    racks: int
    power_kw: Decimal | None
    energy_kwh_per_year: Decimal | None
    purchase: Decimal | None
    yearly_cost: Decimal
    term_cost: Decimal
    term_cost_low: Decimal
    term_cost_high: Decimal
    years: tuple[YearPlan, ...]
    next_rack_in_years: Decimal | None
    limits: tuple[LimitCheck, ...]

    @property
    def feasible(self) -> bool:
        """Whether every limit is passed."""
        return all(check.passed for check in self.limits)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Planning, lowest and highest rate of each part of the workload."""

    planning: tuple[PartRate, ...]
    lowest: tuple[PartRate, ...]
    highest: tuple[PartRate, ...]
    basis: Literal["verified", "measured"] = "verified"


def unit_cost(inputs: RackInputs, parts: Sequence[PartRate]) -> Decimal:
    """Money per million output tokens with these inputs and rates; CostGap where a price is missing."""
    throughput = rack_throughput(parts, inputs.accelerators, inputs.realized_fraction.value)
    return cost_per_million_tokens(total(hourly_cost(inputs)), throughput, inputs.utilization.value)


def option_figures(
    profile: Profile, option: Option, inputs: RackInputs, evidence: Evidence, units: Sequence[str]
) -> OptionFigures:
    """The figures of one option; CostGap where a price is missing."""
    costs = hourly_cost(inputs)
    per_hour = total(costs)
    fraction, use = inputs.realized_fraction.value, inputs.utilization.value
    throughput = rack_throughput(evidence.planning, inputs.accelerators, fraction)
    demands = peak_demand(profile.demand, profile.parts, units)

    def capacities(parts: Sequence[PartRate]) -> list[Decimal]:
        pairs = zip(parts, demands, strict=True)
        return [rack_capacity(part, demand, inputs.accelerators, fraction) for part, demand in pairs]

    def plan(parts: Sequence[PartRate]) -> tuple[YearPlan, ...]:
        return _years(profile, demands, capacities(parts), per_hour)

    def term_cost(parts: Sequence[PartRate]) -> Decimal:
        return present_value(profile.term.rate, tuple(year.cost for year in plan(parts)))

    years = plan(evidence.planning)
    racks = years[0].racks
    kw = inputs.site.rack_kw.value if inputs.site.rack_kw is not None else None
    price = _rack_price(inputs)
    figures = OptionFigures(
        option=option.id,
        basis=evidence.basis,
        rate_per_accelerator=mean_rate(evidence.planning),
        rate_low=mean_rate(evidence.lowest),
        rate_high=mean_rate(evidence.highest),
        accelerators=inputs.accelerators,
        realized_fraction=fraction,
        utilization=use,
        ceiling=len(inputs.stated) < 2,
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
        demand=sum((demand.peak for demand in demands), Decimal(0)),
        demand_unit="requests/s" if demands[0].in_requests else "output tokens/s",
        racks=racks,
        power_kw=racks * kw if kw is not None else None,
        energy_kwh_per_year=racks * kw * inputs.site.pue.value * HOURS_PER_YEAR if kw is not None else None,
        purchase=racks * price if price is not None else None,
        yearly_cost=years[0].cost,
        term_cost=term_cost(evidence.planning),
        term_cost_low=term_cost(evidence.highest),
        term_cost_high=term_cost(evidence.lowest),
        years=years,
        next_rack_in_years=years_until_next_rack(
            demands, capacities(evidence.planning), profile.demand.headroom, profile.demand.yearly_growth
        ),
        limits=(),
    )
    return figures.model_copy(update={"limits": _limits(profile, option, figures)})


def mean_rate(parts: Sequence[PartRate]) -> Decimal:
    """Output tokens/s of one accelerator over all parts of the workload."""
    return rack_throughput(parts, 1, Decimal(1))


def _rack_price(inputs: RackInputs) -> Decimal | None:
    """What buying one rack takes at once: price after discount and installation; None for rent."""
    terms = inputs.terms
    return terms.price.value + terms.installation if isinstance(terms, PurchaseTerms) else None


def _years(
    profile: Profile, demands: Sequence[PartDemand], capacities: Sequence[Decimal], per_hour: Decimal
) -> tuple[YearPlan, ...]:
    """Racks follow the peak upward year by year; a falling peak gives none back, as they are paid for."""
    plan: list[YearPlan] = []
    before = 0
    for year in range(1, profile.term.years + 1):
        grown = (1 + profile.demand.yearly_growth) ** (year - 1)
        needed = racks_needed(demands, capacities, profile.demand.headroom, profile.demand.spares, grown)
        racks = max(before, needed)
        plan.append(
            YearPlan(
                year=year,
                demand=sum((demand.peak for demand in demands), Decimal(0)) * grown,
                racks=racks,
                added=racks - before,
                cost=racks * per_hour * HOURS_PER_YEAR,
            )
        )
        before = racks
    return tuple(plan)


def _limits(profile: Profile, option: Option, figures: OptionFigures) -> tuple[LimitCheck, ...]:
    """Every limit that the profile sets, against the most racks of the term."""
    limits, convert = profile.limits, Converter(profile)
    racks = max(year.racks for year in figures.years)
    bought = racks * figures.rack_price if figures.rack_price is not None else Decimal(0)
    highest_year = max(year.cost for year in figures.years)
    power = racks * figures.rack_kw if figures.rack_kw is not None else None

    def money(amount: Money | None) -> Decimal | None:
        return convert.amount(amount) if amount is not None else None

    rows: tuple[tuple[str, str, Decimal | None, Decimal | None], ...] = (
        ("total power", "kW", limits.power_kw, power),
        ("power per rack", "kW", limits.rack_power_kw, figures.rack_kw),
        ("purchase budget", profile.currency, money(limits.purchase_budget), bought),
        ("yearly budget", f"{profile.currency} a year", money(limits.yearly_budget), highest_year),
        ("whole-term budget", profile.currency, money(limits.term_budget), figures.term_cost),
        ("rack positions", "racks", Decimal(limits.racks) if limits.racks else None, Decimal(racks)),
    )
    checks = [
        LimitCheck(
            limit=name,
            unit=unit,
            allowed=allowed,
            found=found,
            allowed_on=None,
            found_on=None,
            passed=found is not None and found <= allowed,
        )
        for name, unit, allowed, found in rows
        if allowed is not None
    ]
    if limits.deliver_by is not None:
        checks.append(_delivery(limits.deliver_by, option.delivery))
    return tuple(checks)


def _delivery(allowed: date, found: date | None) -> LimitCheck:
    return LimitCheck(
        limit="delivery",
        unit="date",
        allowed=None,
        found=None,
        allowed_on=allowed,
        found_on=found,
        passed=found is not None and found <= allowed,
    )
