"""Rows of the sheet Options: each limit, what is found, and whether it passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rackrecord.economics.finance import HOURS_PER_YEAR
from rackrecord.economics.inputs import Converter, RentTerms
from rackrecord.profile.fields import Money
from rackrecord.render.sheets.book import Value
from rackrecord.render.sheets.context import Context, purchase_of
from rackrecord.render.sheets.grid import Heading, Row
from rackrecord.render.sheets.model import OptionModel
from rackrecord.render.sheets.sizing import bought
from rackrecord.render.sheets.throughput import rates_at

PASS, FAIL = "pass", "FAIL"
_NOT_STATED, _NO_LIMIT = "not stated", "no limit"
_SPREADSHEET_EPOCH = date(1899, 12, 30)


@dataclass(frozen=True, slots=True)
class _Limit:
    """One limit: its name in the record, its input's, what it is held against, and whether rent covers it."""

    label: str
    key: str
    unit: str
    style: str
    found: Callable[[OptionModel], str]
    value: Callable[[OptionModel], Value]
    covered_by_rent: bool = False


def limit_rows(context: Context) -> list[Row | Heading]:
    """Two rows a limit, then whether all of them pass."""
    rows: list[Row | Heading] = [Heading("Limits, over the whole term")]
    for limit in _limits(context):
        key = limit.key
        rows.append(
            context.row(f"{key}_found", limit.label, limit.unit, limit.style, limit.found, limit.value)
        )
        rows.append(_check_row(context, limit))
    first, last = "limit_power_kw_found", "limit_deliver_by_check"

    def feasible(model: OptionModel) -> str:
        return f'IF(COUNTIF({context.grid.down(first, last, model)},"{FAIL}")=0,"yes","no")'

    def value(model: OptionModel) -> str:
        checks = (_check(context, model, limit) for limit in _limits(context))
        return "no" if FAIL in checks else "yes"

    rows.append(context.row("feasible", "passes every limit", "", "word-bold", feasible, value))
    return rows


def _check_row(context: Context, limit: _Limit) -> Row:
    def formula(model: OptionModel) -> str:
        found, allowed = context.cell(f"{limit.key}_found", model), context.inputs.name(limit.key)
        amount = _amount(context, limit.key, allowed)
        known = f'IF({found}<={amount}*(1+1E-12),"{PASS}","{FAIL}")'
        return f'IF({allowed}="","{_NO_LIMIT}",IF(ISNUMBER({found}),{known},"{_unknown(model, limit)}"))'

    return context.row(
        f"{limit.key}_check",
        f"{limit.label}: within the limit",
        "",
        "word",
        formula,
        lambda model: _check(context, model, limit),
    )


def _amount(context: Context, key: str, name: str) -> str:
    given = getattr(context.record.profile.limits, _field(key))
    return context.inputs.money(key, given) if isinstance(given, Money) else name


def _field(key: str) -> str:
    """The profile's field of a limit."""
    return key.removeprefix("limit_")


def _unknown(model: OptionModel, limit: _Limit) -> str:
    """What is not stated fails, but the power of a rack whose rent covers it stands at the provider's."""
    terms = model.inputs.terms
    elsewhere = terms is None or (isinstance(terms, RentTerms) and terms.power_included)
    return PASS if limit.covered_by_rent and elsewhere else FAIL


def _check(context: Context, model: OptionModel, limit: _Limit) -> str:
    allowed = getattr(context.record.profile.limits, _field(limit.key))
    if allowed is None:
        return _NO_LIMIT
    if model.figures is not None:
        checks = {check.limit: check.passed for check in model.figures.limits}
        return PASS if checks[limit.label] else FAIL
    found = limit.value(model)
    if not isinstance(found, (Decimal, int)):
        return _unknown(model, limit)
    return PASS if found <= _number(context, allowed) else FAIL


def _number(context: Context, allowed: Decimal | int | date | Money) -> Decimal:
    if isinstance(allowed, Money):
        return Converter(context.record.profile).amount(allowed)
    return Decimal(_serial(allowed)) if isinstance(allowed, date) else Decimal(allowed)


def _serial(day: date) -> int:
    """A date as a spreadsheet counts it."""
    return (day - _SPREADSHEET_EPOCH).days


def _limits(context: Context) -> tuple[_Limit, ...]:
    """The limits in the order of the record."""
    money, years = context.money, context.years

    def racks(model: OptionModel) -> Decimal:
        return Decimal(model.racks(rates_at(model, ""), context.parts, context.record.profile)[-1])

    def most(kind: str) -> Callable[[OptionModel], str]:
        return lambda model: f"MAX({years.all(kind, model)})"

    def stated(model: OptionModel, formula: str) -> str:
        kw = context.name("rack_kw", model)
        return f'IF({kw}="","{_NOT_STATED}",{formula.replace("{kw}", kw)})'

    def kilowatts(model: OptionModel, count: Decimal) -> Value:
        kw = model.inputs.site.rack_kw
        return count * kw.value if kw is not None else _NOT_STATED

    def purchases(model: OptionModel) -> str:
        return context.cell("purchase_term", model) if purchase_of(model) is not None else "0"

    def purchases_value(model: OptionModel) -> Value:
        return bought(context, model, -1) if purchase_of(model) is not None else Decimal(0)

    def yearly_value(model: OptionModel) -> Value:
        per_hour = model.per_hour()
        if model.figures is not None:
            return max(year.cost for year in model.figures.years)
        return racks(model) * per_hour * HOURS_PER_YEAR if per_hour is not None else None

    def delivery(model: OptionModel) -> str:
        name = context.name("delivery", model)
        return f'IF({name}="","{_NOT_STATED}",{name})'

    def delivery_value(model: OptionModel) -> Value:
        day = model.option.delivery
        return Decimal(_serial(day)) if day is not None else _NOT_STATED

    return (
        _Limit(
            "total power",
            "limit_power_kw",
            "kW, without PUE",
            "two",
            lambda model: stated(model, f"MAX({years.all('racks', model)})*{{kw}}"),
            lambda model: kilowatts(model, racks(model)),
            covered_by_rent=True,
        ),
        _Limit(
            "power per rack",
            "limit_rack_power_kw",
            "kW",
            "two",
            lambda model: stated(model, "{kw}"),
            lambda model: kilowatts(model, Decimal(1)),
            covered_by_rent=True,
        ),
        _Limit("purchase budget", "limit_purchase_budget", money, "whole", purchases, purchases_value),
        _Limit(
            "yearly budget", "limit_yearly_budget", f"{money} a year", "whole", most("cost"), yearly_value
        ),
        _Limit(
            "whole-term budget",
            "limit_term_budget",
            money,
            "whole",
            lambda model: context.cell("term", model),
            lambda model: model.figures.term_cost if model.figures is not None else None,
        ),
        _Limit("rack positions", "limit_racks", "racks", "count", most("racks"), racks),
        _Limit("delivery", "limit_deliver_by", "date", "day", delivery, delivery_value),
    )
