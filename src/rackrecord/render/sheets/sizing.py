"""Rows of the sheet Options: demand, racks, power, and what they cost in total."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from rackrecord.economics.finance import HOURS_PER_YEAR
from rackrecord.economics.inputs import PurchaseTerms
from rackrecord.economics.sizing import Sizing, serving_racks, years_until_next_rack
from rackrecord.render.sheets.book import Value
from rackrecord.render.sheets.context import Context, figure, purchase_of
from rackrecord.render.sheets.grid import Heading, Row
from rackrecord.render.sheets.model import OptionModel, Part
from rackrecord.render.sheets.throughput import ENDS, rates_at, tokens_key


def sizing_rows(context: Context) -> list[Row | Heading]:
    """Demand and capacity of each part, racks, power."""
    rows: list[Row | Heading] = [Heading("Demand and racks")]
    for part in context.parts:
        rows += _part_rows(context, part)
    return rows + _rack_rows(context)


def demand_formula(context: Context, part: Part) -> str:
    """The peak of one part, in the unit of its demand."""
    inputs, demand = context.inputs, context.record.profile.demand
    several = len(context.parts) > 1
    share = f"*{inputs.name(f'share_{part.number}')}" if several else ""
    if demand.output_tokens_per_second is not None:
        return f"{inputs.name('demand_tokens_per_second')}{share}"
    if demand.users is not None:
        return f"{inputs.name('demand_users')}*{inputs.name('demand_tokens_per_user')}{share}"
    requests = inputs.name("demand_requests_per_second")
    if several:
        # A share is of the tokens; of the requests it is share/length over the sum of these.
        weights = {
            p.number: f"{inputs.name(f'share_{p.number}')}/{_length(context, p)}" for p in context.parts
        }
        requests = f"{requests}*({weights[part.number]})/({'+'.join(weights.values())})"
    return requests if part.demand.in_requests else f"{requests}*{_length(context, part)}"


def _length(context: Context, part: Part) -> str:
    return context.inputs.name(f"request_tokens_{part.number}")


def _part_rows(context: Context, part: Part) -> list[Row]:
    number = part.number
    in_requests = part.demand.in_requests
    unit = "requests/s" if in_requests else "output tokens/s"
    suffix = f" {part.selection.benchmark_name}, {part.selection.scenario}" if len(context.parts) > 1 else ""
    headroom = context.record.profile.demand.headroom

    def serving(model: OptionModel) -> str:
        peak, one = context.cell(f"demand_{number}", model), context.cell(f"capacity_{number}", model)
        return f"ROUNDUP({peak}*(1+{context.inputs.name('headroom')})/{one}*(1-1E-12),0)"

    rows = [
        context.row(
            f"demand_{number}",
            f"D, peak demand{suffix}",
            unit,
            "two",
            lambda model: demand_formula(context, part),
            lambda model: part.demand.peak,
        )
    ]
    for end, _, words in ENDS:
        rows.append(_capacity_row(context, part, end, f"capacity of a rack{suffix}, {words}", unit))
    rows.append(
        context.row(
            f"serving_{number}",
            f"racks for the peak and headroom{suffix}",
            "racks",
            "count",
            serving,
            lambda model: serving_racks(
                part.demand.peak, model.capacity(rates_at(model, ""), part), headroom
            ),
        )
    )
    return rows


def _capacity_row(context: Context, part: Part, end: str, label: str, unit: str) -> Row:
    rate = f"rate{end}_{part.number}" if part.demand.in_requests else tokens_key(part, end)

    def formula(model: OptionModel) -> str:
        return "*".join(context.cell(key, model) for key in (rate, "accelerators", "fraction"))

    return context.row(
        f"capacity{end}_{part.number}",
        label,
        unit,
        "two",
        formula,
        lambda model: model.capacity(rates_at(model, end), part),
    )


def _rack_rows(context: Context) -> list[Row | Heading]:
    years, inputs, grid = context.years, context.inputs, context

    def power(model: OptionModel) -> str:
        kw = context.name("rack_kw", model)
        return f'IF({kw}="",NA(),{grid.cell("racks", model)}*{kw})'

    def energy(model: OptionModel) -> str:
        return f"{grid.cell('power', model)}*{inputs.name('pue')}*{HOURS_PER_YEAR}"

    return [
        context.row(
            "racks",
            "racks, first year, with spares",
            "racks",
            "count-bold",
            lambda m: years.first("racks", m),
            lambda m: Decimal(_racks(context, m)[0]),
        ),
        context.row(
            "attainable",
            "utilization if demand stood at its peak",
            "",
            "four",
            lambda m: _attainable_formula(context, m),
            lambda m: _attainable(context, m),
        ),
        context.row(
            "next_rack",
            "growth fills the serving racks after",
            "years",
            "two",
            lambda m: _next_rack_formula(context, m),
            lambda m: _next_rack(context, m),
        ),
        context.row(
            "power", "power of all racks, first year", "kW, without PUE", "two", power, _power(context)
        ),
        context.row(
            "energy",
            "energy of all racks, first year",
            "kWh a year, with PUE",
            "whole",
            energy,
            _energy(context),
        ),
    ]


def _racks(context: Context, model: OptionModel) -> tuple[int, ...]:
    return model.racks(rates_at(model, ""), context.parts, context.record.profile)


def _attainable_formula(context: Context, model: OptionModel) -> str:
    filled = "+".join(
        f"{context.cell(f'demand_{p.number}', model)}/{context.cell(f'capacity_{p.number}', model)}"
        for p in context.parts
    )
    return f"({filled})*SUM({context.years.growth()})/SUM({context.years.all('racks', model)})"


def _attainable(context: Context, model: OptionModel) -> Value:
    if model.figures is not None:
        return model.figures.attainable_utilization
    profile = context.record.profile
    filled = sum(
        (part.demand.peak / model.capacity(rates_at(model, ""), part) for part in context.parts), Decimal(0)
    )
    grown = sum((1 + profile.demand.yearly_growth) ** year for year in range(profile.term.years))
    return filled * grown / sum(_racks(context, model))


def _next_rack_formula(context: Context, model: OptionModel) -> str:
    growth, headroom = context.inputs.name("yearly_growth"), context.inputs.name("headroom")
    terms = []
    for part in context.parts:
        serving, capacity, peak = (
            context.cell(f"{key}_{part.number}", model) for key in ("serving", "capacity", "demand")
        )
        terms.append(f"LN({serving}*{capacity}/({peak}*(1+{headroom})))")
    return f"IF({growth}<=0,NA(),MAX(0,MIN({','.join(terms)})/LN(1+{growth})))"


def _next_rack(context: Context, model: OptionModel) -> Value:
    if model.figures is not None:
        return model.figures.next_rack_in_years
    peaks = [part.demand.peak for part in context.parts]
    capacities = [model.capacity(rates_at(model, ""), part) for part in context.parts]
    return years_until_next_rack(peaks, capacities, Sizing.of(context.record.profile))


def _power(context: Context) -> Callable[[OptionModel], Value]:
    def value(model: OptionModel) -> Value:
        kw = model.inputs.site.rack_kw
        return _racks(context, model)[0] * kw.value if kw is not None else None

    return value


def _energy(context: Context) -> Callable[[OptionModel], Value]:
    power = _power(context)

    def value(model: OptionModel) -> Value:
        if model.figures is not None:
            return model.figures.energy_kwh_per_year
        kw = power(model)
        return kw * model.inputs.site.pue.value * HOURS_PER_YEAR if isinstance(kw, Decimal) else None

    return value


def total_rows(context: Context) -> list[Row | Heading]:
    """What the racks cost to buy, in a year and over the term."""
    money, years, inputs = context.money, context.years, context.inputs

    def price(model: OptionModel) -> str | None:
        purchase = purchase_of(model)
        if purchase is None:
            return None
        installation = inputs.money("installation", purchase.installation_per_rack, model.option.id)
        return f"{context.cell('paid', model)}+{installation}"

    def purchases(model: OptionModel, racks: str) -> str | None:
        return f"{racks}*{context.cell('rack_price', model)}" if purchase_of(model) is not None else None

    def present_value(model: OptionModel) -> str:
        return f"NPV({inputs.name('term_rate')},{years.all('cost', model)})"

    def at_end(model: OptionModel, kind: str) -> str:
        hours = f"NPV({inputs.name('term_rate')},{years.all(kind, model)})*{HOURS_PER_YEAR}"
        return f"{hours}*{context.cell('per_hour', model)}"

    return [
        Heading("Totals"),
        context.row("rack_price", "price and installation", f"{money} per rack", "two", price, _rack_price),
        context.row(
            "purchase",
            "purchase, first year",
            money,
            "whole",
            lambda m: purchases(m, context.cell("racks", m)),
            lambda m: bought(context, m, 0),
        ),
        context.row(
            "purchase_term",
            "purchases of the term",
            money,
            "whole",
            lambda m: purchases(m, f"MAX({years.all('racks', m)})"),
            lambda m: bought(context, m, -1),
        ),
        context.row(
            "yearly",
            "all-in cost, first year",
            f"{money} a year",
            "whole",
            lambda m: years.first("cost", m),
            figure("yearly_cost"),
        ),
        context.row(
            "term",
            "whole term, present value",
            money,
            "whole-bold",
            present_value,
            figure("term_cost"),
        ),
        context.row(
            "term_low",
            "whole term, evidence at its highest",
            money,
            "whole",
            lambda m: at_end(m, "racks at highest"),
            figure("term_cost_low"),
        ),
        context.row(
            "term_high",
            "whole term, evidence at its lowest",
            money,
            "whole",
            lambda m: at_end(m, "racks at lowest"),
            figure("term_cost_high"),
        ),
    ]


def _rack_price(model: OptionModel) -> Value:
    terms = model.inputs.terms
    return terms.price.value + terms.installation.value if isinstance(terms, PurchaseTerms) else None


def bought(context: Context, model: OptionModel, year: int) -> Value:
    """What the racks in place in that year (counted from 0) cost to buy, money."""
    price = _rack_price(model)
    return _racks(context, model)[year] * price if isinstance(price, Decimal) else None
