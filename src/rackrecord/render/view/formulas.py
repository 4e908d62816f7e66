"""Each option's arithmetic, step by step with its numbers, so that a reader can do it again by hand."""

from __future__ import annotations

from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.trace import Amount, PowerTrace, PurchaseTrace, RentTrace
from rackrecord.quantities import fixed, significant, trimmed
from rackrecord.record import DecisionRecord
from rackrecord.render.view.options import label

Step = tuple[str, str]


def formulas(record: DecisionRecord) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For each option with figures its name and the steps of its arithmetic."""
    return tuple((label(record, f), _steps(record, f)) for f in record.options)


def _steps(record: DecisionRecord, figures: OptionFigures) -> tuple[str, ...]:
    money = record.profile.currency
    steps = [_throughput(record, figures)]
    inputs = figures.inputs
    if inputs.rent is not None:
        steps += _rent(inputs.rent, figures, money)
    if inputs.purchase is not None:
        steps += _purchase(inputs.purchase, money)
    if inputs.power.counted:
        steps += _power(inputs.power, money)
    steps.append(f"C = {_sum(figures)} = {fixed(figures.cost_per_hour, 4)} {money} per rack-hour")
    if figures.tokens_per_second_per_money_hour is not None:
        steps.append(
            f"T/C = {fixed(figures.tokens_per_second, 2)} ÷ {fixed(figures.cost_per_hour, 4)} = "
            f"{fixed(figures.tokens_per_second_per_money_hour)} output tokens/s per rack per {money} an hour"
        )
    steps.append(
        "Cost per million output tokens = C · 10⁶ ÷ (3600 · T · u) = "
        f"{fixed(figures.cost_per_hour, 4)} · 10⁶ ÷ "
        f"(3600 · {fixed(figures.tokens_per_second, 2)} · {trimmed(figures.utilization)}) = "
        f"{significant(figures.cost_per_million_tokens, 6)} {money}"
    )
    if figures.tokens_per_joule is not None and figures.rack_kw is not None:
        steps.append(
            "Output tokens per joule, provisioned = T ÷ (1000 · P) = "
            f"{fixed(figures.tokens_per_second)} ÷ (1000 · {trimmed(figures.rack_kw)}) = "
            f"{significant(figures.tokens_per_joule)}"
        )
    steps.append(_racks(record, figures))
    return tuple(steps)


def _throughput(record: DecisionRecord, figures: OptionFigures) -> str:
    if len(record.evidence) > 1:
        return (
            "T = A · d ÷ Σ(share ÷ r) over the parts of the workload = "
            f"{fixed(figures.tokens_per_second)} output tokens/s per rack"
        )
    selection = record.evidence[0]
    planning = selection.evidence(figures.option).planning
    steps = ""
    if selection.unit != "Tokens/s" and planning is not None and selection.mean_output_tokens is not None:
        steps = (
            f"r = {fixed(planning, 4)} {selection.unit} · "
            f"{trimmed(selection.mean_output_tokens)} output tokens (the benchmark's own mean) = "
            f"{fixed(figures.rate_per_accelerator, 4)} output tokens/s; "
        )
    return (
        f"{steps}T = r · A · d = {fixed(figures.rate_per_accelerator, 2)} · {figures.accelerators} · "
        f"{trimmed(figures.realized_fraction)} = {fixed(figures.tokens_per_second)} output tokens/s per rack"
    )


def _amount(amount: Amount, money: str) -> str:
    if amount.currency == money:
        return f"{trimmed(amount.given, 9)} {money}"
    day = f" on {amount.exchange_date.isoformat()}" if amount.exchange_date is not None else ""
    return (
        f"{trimmed(amount.given, 9)} {amount.currency} · {trimmed(amount.exchange_rate)}{day} = "
        f"{trimmed(amount.value, 9)} {money}"
    )


def _rent(rent: RentTrace, figures: OptionFigures, money: str) -> list[str]:
    discount = f" · (1 − {trimmed(rent.discount)})" if rent.discount else ""
    factor = {
        "accelerator-hour": f" · {figures.accelerators} accelerators",
        "rack-hour": "",
        "rack-month": " · 12 ÷ 8760",
    }[rent.unit]
    return [
        f"Rent = {_amount(rent.price, money)}{discount}{factor} = "
        f"{fixed(rent.per_rack_hour, 4)} {money} per rack-hour"
    ]


def _purchase(purchase: PurchaseTrace, money: str) -> list[str]:
    discount = f" · (1 − {trimmed(purchase.discount)})" if purchase.discount else ""
    steps = [
        f"Price paid = {_amount(purchase.price, money)}{discount} = {fixed(purchase.paid)} {money} per rack"
    ]
    if purchase.installation is not None:
        steps.append(f"Installation = {_amount(purchase.installation, money)} per rack, once")
    straight = " (straight line)" if purchase.rate == 0 else ""
    steps.append(
        f"Capital recovery factor at {trimmed(purchase.rate * 100)} % over {purchase.years} years = "
        f"{fixed(purchase.capital_recovery_factor, 6)}{straight}"
    )
    if purchase.residual:
        steps.append(
            f"Residual value = {trimmed(purchase.residual)} · {fixed(purchase.paid)} = "
            f"{fixed(purchase.residual_value)} {money} at the end, "
            f"a yearly {fixed(purchase.sinking_fund_factor, 6)} of it (sinking fund factor)"
        )
    if purchase.support_rate:
        steps.append(f"Support = {trimmed(purchase.support_rate)} · {fixed(purchase.paid, 2)} {money} a year")
    for amount, name in ((purchase.support_per_year, "Support"), (purchase.other_per_year, "Other costs")):
        if amount is not None:
            steps.append(f"{name} = {_amount(amount, money)} a year per rack")
    return steps


def _power(power: PowerTrace, money: str) -> list[str]:
    steps = []
    if power.electricity_per_kwh is not None and power.rack_kw is not None:
        steps.append(
            f"Electricity = P · PUE · price = {trimmed(power.rack_kw)} kW ({power.basis}) · "
            f"{trimmed(power.pue)} · "
            f"{_amount(power.electricity_per_kwh, money)} per kWh"
        )
    if power.colocation_per_kw_month is not None and power.rack_kw is not None:
        steps.append(
            f"Colocation = {trimmed(power.rack_kw)} kW · "
            f"{_amount(power.colocation_per_kw_month, money)} per kW-month · 12 ÷ 8760"
        )
    return steps


def _sum(figures: OptionFigures) -> str:
    if len(figures.costs) == 1:
        return figures.costs[0].line.value
    terms = [f"{item.line.value} {fixed(item.per_hour, 4)}" for item in figures.costs]
    return " + ".join(terms)


def _racks(record: DecisionRecord, figures: OptionFigures) -> str:
    headroom, spares = trimmed(1 + figures.inputs.headroom), figures.inputs.spares
    if len(record.evidence) > 1:
        return (
            "Racks = Σ⌈D · (1 + h) ÷ T⌉ over the parts, each with racks of its own, "
            f"+ {spares} spare = {figures.racks}"
        )
    capacity = fixed(figures.tokens_per_second, 2)
    if figures.demand_unit == "requests/s":
        capacity = (
            f"({fixed(figures.tokens_per_second, 2)} ÷ {trimmed(record.evidence[0].mean_output_tokens or 1)})"
        )
    return (
        "Racks = ⌈D · (1 + h) ÷ T⌉ + s = "
        f"⌈{trimmed(figures.demand, 9)} · {headroom} ÷ {capacity}⌉ + {spares} = "
        f"{figures.racks} ({figures.demand_unit})"
    )
