"""Rows of the sheet Options: the cost of a rack-hour line by line, and of tokens."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from rackrecord.economics.cost import CostLine
from rackrecord.economics.finance import HOURS_PER_YEAR, MONTHS_PER_YEAR
from rackrecord.economics.inputs import PurchaseTerms, rent_price
from rackrecord.economics.throughput import MILLION, SECONDS_PER_HOUR, tokens_per_joule
from rackrecord.render.sheets.book import Value
from rackrecord.render.sheets.context import Context, figure, purchase_of, rent_of
from rackrecord.render.sheets.grid import Heading, Row
from rackrecord.render.sheets.model import OptionModel
from rackrecord.render.sheets.throughput import throughput_of

_Build = Callable[[Context, OptionModel], str | None]

NONE = "none"
"""What a line says whose price the profile leaves out, where another line covers power."""


def cost_rows(context: Context) -> list[Row | Heading]:
    """The price paid, the lines of C, and C."""
    unit = f"{context.money} per rack-hour"
    lines = (
        (CostLine.RENT, _rent),
        (CostLine.CAPITAL, _capital),
        (CostLine.RESIDUAL, _residual),
        (CostLine.SUPPORT, _support),
        (CostLine.OTHER, _other),
        (CostLine.ELECTRICITY, _electricity),
        (CostLine.COLOCATION, _colocation),
    )
    rows: list[Row | Heading] = [Heading("Cost of a rack-hour"), _paid_row(context)]
    rows += [_line_row(context, line, build, unit) for line, build in lines]
    rows.append(
        context.row(
            "per_hour", "C, all in", unit, "four-bold", lambda m: _total(context, m), lambda m: m.per_hour()
        )
    )
    return rows


def _line_row(context: Context, line: CostLine, build: _Build, unit: str) -> Row:
    return context.row(
        line.name.lower(),
        line.value,
        unit,
        "four",
        lambda model: build(context, model),
        lambda model: _line_value(context, model, line),
    )


def _paid_row(context: Context) -> Row:
    def formula(model: OptionModel) -> str | None:
        purchase = purchase_of(model)
        if purchase is None:
            return None
        price, discount = context.name("price", model), context.name("discount", model)
        amount = context.inputs.money("price", purchase.per_rack, model.option.id)
        return f'IF({price}="",NA(),{amount}*(1-{discount}))'

    def value(model: OptionModel) -> Value:
        terms = model.inputs.terms
        return terms.price.value if isinstance(terms, PurchaseTerms) else None

    return context.row(
        "paid", "price paid, after discount", f"{context.money} per rack", "two", formula, value
    )


def _line_value(context: Context, model: OptionModel, line: CostLine) -> Value:
    facility = context.record.profile.facility
    if line is CostLine.ELECTRICITY and facility.electricity_per_kwh is None:
        return NONE
    if line is CostLine.COLOCATION and facility.colocation_per_kw_month is None:
        return NONE
    # A line of a bought rack that comes to nothing is left out of the record.
    return model.cost_lines().get(line, Decimal(0))


def _rent(context: Context, model: OptionModel) -> str | None:
    rent = rent_of(model)
    if rent is None and purchase_of(model) is not None:
        return None
    price, discount = context.name("price", model), context.name("discount", model)
    given, unit = rent_price(rent) if rent is not None else (None, "rack-hour")
    amount = context.inputs.money("price", given, model.option.id)
    factors = {
        "accelerator-hour": f"*{context.cell('accelerators', model)}",
        "rack-hour": "",
        "rack-month": f"*{MONTHS_PER_YEAR}/{HOURS_PER_YEAR}",
    }
    return f'IF({price}="",NA(),{amount}*(1-{discount}){factors[unit]})'


def _capital(context: Context, model: OptionModel) -> str | None:
    purchase = purchase_of(model)
    if purchase is None:
        return None
    rate, years = context.name("rate", model), context.name("years", model)
    installation = context.inputs.money("installation", purchase.installation_per_rack, model.option.id)
    return f"-PMT({rate},{years},{context.cell('paid', model)}+{installation})/{HOURS_PER_YEAR}"


def _residual(context: Context, model: OptionModel) -> str | None:
    if purchase_of(model) is None:
        return None
    rate, years = context.name("rate", model), context.name("years", model)
    value = f"{context.cell('paid', model)}*{context.name('residual', model)}"
    return f"PMT({rate},{years},0,{value})/{HOURS_PER_YEAR}"


def _support(context: Context, model: OptionModel) -> str | None:
    purchase = purchase_of(model)
    if purchase is None:
        return None
    share = f"{context.cell('paid', model)}*{context.name('support_rate', model)}"
    amount = context.inputs.money("support_per_year", purchase.support_per_year, model.option.id)
    return f"({share}+{amount})/{HOURS_PER_YEAR}"


def _other(context: Context, model: OptionModel) -> str | None:
    purchase = purchase_of(model)
    if purchase is None:
        return None
    amount = context.inputs.money("other_per_year", purchase.other_per_year, model.option.id)
    return f"{amount}/{HOURS_PER_YEAR}"


def _electricity(context: Context, model: OptionModel) -> str | None:
    given = context.record.profile.facility.electricity_per_kwh
    amount = context.inputs.money("electricity_per_kwh", given)
    return _power(context, model, "electricity_per_kwh", f"{context.inputs.name('pue')}*{amount}")


def _colocation(context: Context, model: OptionModel) -> str | None:
    given = context.record.profile.facility.colocation_per_kw_month
    amount = context.inputs.money("colocation_per_kw_month", given)
    return _power(context, model, "colocation_per_kw_month", f"{amount}*{MONTHS_PER_YEAR}/{HOURS_PER_YEAR}")


def _power(context: Context, model: OptionModel, price: str, per_kw: str) -> str | None:
    if not model.power_counted:
        return None
    kw = context.name("rack_kw", model)
    return f'IF({context.inputs.name(price)}="","{NONE}",IF({kw}="",NA(),{kw}*{per_kw}))'


def _total(context: Context, model: OptionModel) -> str:
    lines = f"SUM({context.grid.down('rent', 'colocation', model)})"
    if not model.power_counted:
        return lines
    prices = ",".join(
        f'{context.inputs.name(name)}=""' for name in ("electricity_per_kwh", "colocation_per_kw_month")
    )
    return f"IF(AND({prices}),NA(),{lines})"


def token_cost_rows(context: Context) -> list[Row | Heading]:
    """Cost per million tokens with its range, and the figures that are its like."""
    money = context.money

    def per_million(model: OptionModel, rate: str) -> str:
        per_hour, size, fraction, use = (
            context.cell(key, model) for key in ("per_hour", "accelerators", "fraction", "utilization")
        )
        tokens = f"{context.cell(rate, model)}*{size}*{fraction}*{use}"
        return f"{per_hour}*{MILLION}/({SECONDS_PER_HOUR}*{tokens})"

    def unless_free(model: OptionModel, formula: str) -> str:
        return f"IF({context.cell('per_hour', model)}<=0,NA(),{formula})"

    def per_hour_of_money(model: OptionModel) -> str:
        return unless_free(model, f"{context.cell('throughput', model)}/{context.cell('per_hour', model)}")

    def per_money(model: OptionModel) -> str:
        throughput, use, cost = (
            context.cell(key, model) for key in ("throughput", "utilization", "per_hour")
        )
        return unless_free(model, f"{SECONDS_PER_HOUR}*{throughput}*{use}/{cost}")

    def per_joule(model: OptionModel) -> str:
        kw = context.name("rack_kw", model)
        return f"IF({kw}=0,NA(),{context.cell('throughput', model)}/(1000*{kw}))"

    tokens = f"{money} per million output tokens"
    return [
        Heading("Cost of tokens"),
        context.row(
            "cost",
            "cost, planned",
            tokens,
            "six-bold",
            lambda m: per_million(m, "r"),
            figure("cost_per_million_tokens"),
        ),
        context.row(
            "cost_low",
            "cost, evidence at its highest",
            tokens,
            "six",
            lambda m: per_million(m, "r_high"),
            figure("cost_low"),
        ),
        context.row(
            "cost_high",
            "cost, evidence at its lowest",
            tokens,
            "six",
            lambda m: per_million(m, "r_low"),
            figure("cost_high"),
        ),
        context.row(
            "per_money_hour",
            "T/C",
            f"output tokens/s per rack, per {money} an hour",
            "two",
            per_hour_of_money,
            figure("tokens_per_second_per_money_hour"),
        ),
        context.row(
            "per_money",
            "tokens per money",
            f"output tokens per {money}",
            "whole",
            per_money,
            figure("tokens_per_money"),
        ),
        context.row(
            "per_joule",
            "tokens per joule, provisioned",
            "output tokens per joule of rack power",
            "six",
            per_joule,
            _tokens_per_joule,
        ),
    ]


def _tokens_per_joule(model: OptionModel) -> Value:
    kw = model.inputs.site.rack_kw
    if kw is None:
        return None
    return tokens_per_joule(throughput_of(model), kw.value)
