"""The sheet Inputs: every number that the figures start from, in a cell of its own with a name of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, get_args

from rackrecord.economics.inputs import Converter, rent_price
from rackrecord.profile.fields import Money, Ranged
from rackrecord.profile.models import Objective, Option, Policy, Profile, Quote
from rackrecord.record import DecisionRecord
from rackrecord.render.sheets.book import Book, Sheet
from rackrecord.render.sheets.model import OptionModel, Part

STATISTICS: tuple[str, ...] = get_args(Policy.model_fields["statistic"].annotation)
OBJECTIVES: tuple[str, ...] = get_args(Objective)
_DEFAULT = "not stated in the profile"
_CEILING = "not stated in the profile: 1, a benchmark ceiling"
_TITLES = ("Subject", "Input", "Value", "Unit", "Low", "High", "Source or note", "Name in formulas")
_LARGE = 10_000


@dataclass(frozen=True, slots=True)
class Input:
    """One input cell. `key` tells the inputs of one subject apart; a value of None leaves the cell empty.

    formula: what the cell holds where the input follows another one · choices: the words allowed.
    """

    subject: str
    key: str
    label: str
    value: Decimal | int | date | str | None
    unit: str
    low: Decimal | None = None
    high: Decimal | None = None
    note: str = ""
    formula: str | None = None
    choices: tuple[str, ...] = ()
    option: str = ""


class Inputs:
    """The inputs of a record and the names that formulas reach them by."""

    def __init__(
        self, record: DecisionRecord, book: Book, parts: Sequence[Part], models: Sequence[OptionModel]
    ):
        self._convert = Converter(record.profile)
        self._names: dict[tuple[str, str], str] = {}
        self._rates: dict[str, str] = {}
        self.rows: list[Input] = []
        for row in (*_general(record, parts, models), *_of_options(record, parts, models)):
            self.rows.append(row)
            wanted = f"{row.key}_{row.option}" if row.option else row.key
            self._names[row.option, row.key] = book.unique_name(wanted)
            if row.key.startswith("fx_"):
                self._rates[row.key.removeprefix("fx_")] = self._names[row.option, row.key]

    def name(self, key: str, option: str = "") -> str:
        """The name of an input, the option's own before the general one."""
        return self._names.get((option, key)) or self._names["", key]

    def has(self, key: str, option: str = "") -> bool:
        """Whether there is such an input."""
        return (option, key) in self._names

    def money(self, key: str, given: Money | Ranged[Money] | None, option: str = "") -> str:
        """The name of an amount, times the rate of its currency where that is a foreign one."""
        name = self.name(key, option)
        money = given.value if isinstance(given, Ranged) else given
        rate = self._rates.get(money.currency or "") if money is not None else None
        return f"{name}*{rate}" if rate else name

    def write(self, book: Book) -> None:
        """Write the sheet and define the names."""
        sheet = book.sheet("Inputs", (32, 38, 22, 26, 16, 16, 90, 40))
        sheet.text(0, 0, "Inputs", "title")
        sheet.text(
            1,
            0,
            "Change a yellow cell and the other sheets follow. An empty cell is an input not given.",
            "note",
        )
        sheet.head(3, _TITLES, right=(2, 4, 5))
        for row, item in enumerate(self.rows, start=4):
            self._write_row(book, sheet, row, item)
        sheet.filter(3, 3 + len(self.rows), len(_TITLES) - 1)

    def _write_row(self, book: Book, sheet: Sheet, row: int, item: Input) -> None:
        sheet.text(row, 0, item.subject)
        sheet.text(row, 1, item.label)
        _write_value(sheet, row, item)
        sheet.text(row, 3, item.unit, "unit")
        for column, end in ((4, item.low), (5, item.high)):
            if end is not None:
                sheet.number(row, column, end, "large" if end >= _LARGE else "general")
        sheet.text(row, 6, item.note, "unit")
        name = self._names[item.option, item.key]
        sheet.text(row, 7, name, "name")
        book.define(name, sheet, row, 2)
        if item.choices:
            sheet.choices(row, 2, item.choices)


def _write_value(sheet: Sheet, row: int, item: Input) -> None:
    value = item.value
    if item.formula is not None and isinstance(value, int | Decimal):
        sheet.formula(row, 2, item.formula, Decimal(value), "input")
    elif value is None:
        sheet.blank(row, 2, "input")
    elif isinstance(value, date):
        sheet.day(row, 2, value, "input-day")
    elif isinstance(value, str):
        sheet.text(row, 2, value, "input-text")
    else:
        number = Decimal(value)
        sheet.number(row, 2, number, "input-large" if number >= _LARGE else "input")


def _ranged(
    subject: str,
    key: str,
    label: str,
    given: Ranged[Decimal] | None,
    unit: str,
    note: str = "",
    option: str = "",
) -> Input:
    if given is None:
        return Input(subject, key, label, None, unit, note=note or _DEFAULT, option=option)
    return Input(
        subject, key, label, given.value, unit, given.low, given.high, given.source or note, option=option
    )


def _money(
    subject: str,
    key: str,
    label: str,
    given: Ranged[Money] | Money | None,
    per: str,
    currency: str,
    note: str = "",
    option: str = "",
) -> Input:
    """An amount in the currency that it is given in."""
    if given is None:
        return Input(subject, key, label, None, f"{currency}{per}", note=note or _DEFAULT, option=option)
    if isinstance(given, Money):
        return Input(
            subject, key, label, given.amount, f"{given.currency or currency}{per}", note=note, option=option
        )
    ends: list[Any] = [given.low, given.high]
    low, high = (end.amount if end is not None else None for end in ends)
    unit = f"{given.value.currency or currency}{per}"
    said = "; ".join(text for text in (note, given.source or "") if text)
    return Input(subject, key, label, given.value.amount, unit, low, high, said, option=option)


def _general(record: DecisionRecord, parts: Sequence[Part], models: Sequence[OptionModel]) -> Iterator[Input]:
    profile = record.profile
    yield from _policy(record)
    yield from _demand(profile, parts)
    yield from _workload(profile, parts, models)
    yield from _use("All options", profile.use.realized_fraction, profile.use.utilization, "", _CEILING)
    yield from _site(profile)
    yield from _limits(profile)


def _policy(record: DecisionRecord) -> Iterator[Input]:
    profile, comparison = record.profile, record.comparison
    yield Input("Term", "term_years", "years of the comparison", profile.term.years, "years, 15 at most")
    yield Input(
        "Term", "term_rate", "rate at which later costs are discounted", profile.term.rate, "per year"
    )
    objective, statistic = profile.policy.objective, profile.policy.statistic
    yield Input("Policy", "objective", "options are ranked by", objective, "", choices=OBJECTIVES)
    yield Input("Policy", "statistic", "planning figure among the results", statistic, "", choices=STATISTICS)
    yield Input(
        "Policy",
        "materiality",
        "difference that decides nothing",
        comparison.materiality,
        "fraction",
        note=comparison.materiality_basis,
    )


def _demand(profile: Profile, parts: Sequence[Part]) -> Iterator[Input]:
    demand, subject = profile.demand, "Demand"
    if demand.output_tokens_per_second is not None:
        given = demand.output_tokens_per_second
        yield _ranged(subject, "demand_tokens_per_second", "peak", given, "output tokens/s")
    elif demand.users is not None:
        users = demand.users
        yield Input(subject, "demand_users", "users at the same moment, at peak", users.concurrent, "users")
        each = users.tokens_per_second_each
        yield Input(subject, "demand_tokens_per_user", "given to each user", each, "output tokens/s")
    else:
        yield _ranged(subject, "demand_requests_per_second", "peak", demand.requests_per_second, "requests/s")
    yield Input(subject, "headroom", "capacity kept free above the peak", demand.headroom, "fraction of it")
    yield Input(subject, "spares", "racks in reserve", demand.spares, "racks")
    yield Input(subject, "yearly_growth", "growth of the peak", demand.yearly_growth, "fraction per year")


def _workload(profile: Profile, parts: Sequence[Part], models: Sequence[OptionModel]) -> Iterator[Input]:
    """Shares, and tokens per request where a figure depends on them."""
    by_requests = profile.demand.requests_per_second is not None
    on_measured = any(model.on_measured for model in models)
    for part in parts:
        subject = f"{part.selection.benchmark_name}, {part.selection.scenario}"
        number = part.number
        if len(parts) > 1:
            yield Input(subject, f"share_{number}", "share of the output tokens", part.share, "fraction")
        mean = part.selection.mean_output_tokens
        if part.in_requests and mean is not None:
            label, unit = "the benchmark's own mean of a request", "output tokens"
            yield Input(subject, f"benchmark_tokens_{number}", label, mean, unit)
        if by_requests or (on_measured and part.in_requests):
            own = part.workload.output_tokens_per_request
            note = "" if own is not None else f"{_DEFAULT}: the benchmark's own mean"
            label, unit = "mean of a production request", "output tokens"
            yield Input(subject, f"request_tokens_{number}", label, part.length, unit, note=note)


def _use(
    subject: str,
    fraction: Ranged[Decimal] | None,
    utilization: Ranged[Decimal] | None,
    option: str,
    ceiling: str = "",
) -> Iterator[Input]:
    """d and u; with a `ceiling`, 1 stands for what is not stated."""
    rows = (
        ("realized_fraction", "d, production over benchmark throughput", fraction),
        ("utilization", "u, share of the capacity used over the term", utilization),
    )
    for key, label, given in rows:
        if given is not None:
            yield _ranged(subject, key, label, given, "fraction", option=option)
        elif ceiling:
            yield Input(subject, key, label, Decimal(1), "fraction", note=ceiling, option=option)


def _site(profile: Profile) -> Iterator[Input]:
    facility, currency, subject = profile.facility, profile.currency, "Facility"
    given = facility.electricity_per_kwh
    yield _money(subject, "electricity_per_kwh", "price of electricity", given, " per kWh", currency)
    yield _ranged(subject, "pue", "power usage effectiveness", facility.pue, "site power / rack power")
    given = facility.colocation_per_kw_month
    yield _money(subject, "colocation_per_kw_month", "colocation price", given, " per kW and month", currency)
    for rate in profile.exchange_rates:
        unit = f"{currency} for 1 {rate.currency}"
        note = f"{rate.date.isoformat()}{f', {rate.source}' if rate.source else ''}"
        yield Input("Exchange rate", f"fx_{rate.currency}", rate.currency, rate.rate, unit, note=note)


def _limits(profile: Profile) -> Iterator[Input]:
    limits, currency, subject = profile.limits, profile.currency, "Limit"
    none = "no limit while empty"

    def number(key: str, label: str, value: Decimal | int | None, unit: str) -> Input:
        return Input(subject, key, label, value, unit, note=none if value is None else "")

    def money(key: str, label: str, given: Money | None, per: str = "") -> Input:
        return _money(subject, key, label, given, per, currency, none if given is None else "")

    yield number("limit_power_kw", "power of all racks", limits.power_kw, "kW, without PUE")
    yield number("limit_rack_power_kw", "power of one rack", limits.rack_power_kw, "kW")
    yield money("limit_purchase_budget", "money for buying, over the term", limits.purchase_budget)
    yield money("limit_yearly_budget", "all-in cost of a year", limits.yearly_budget, " a year")
    yield money("limit_term_budget", "all-in cost of the term, present value", limits.term_budget)
    yield number("limit_racks", "rack positions", limits.racks, "racks")
    due = limits.deliver_by
    yield Input(subject, "limit_deliver_by", "latest delivery", due, "date", note="" if due else none)


def _of_options(
    record: DecisionRecord, parts: Sequence[Part], models: Sequence[OptionModel]
) -> Iterator[Input]:
    for model in models:
        option = model.option
        name, key = option.name, option.id
        size = option.accelerators_per_system
        yield Input(name, "accelerators_per_system", "accelerators of one system", size, "", option=key)
        yield Input(name, "systems_per_rack", "systems in a rack", option.systems_per_rack, "", option=key)
        kw = option.power.kw if option.power is not None else None
        basis = option.power.basis if option.power is not None else _DEFAULT
        yield _ranged(name, "rack_kw", "power of one rack", kw, "kW", basis, key)
        yield from _price(option, record.profile)
        own = option.use
        if model.on_measured:
            yield from _use(name, None, own.utilization if own is not None else None, key)
            label, note = "d, production over benchmark throughput", "1: the own load test is of production"
            yield Input(name, "realized_fraction", label, Decimal(1), "fraction", note=note, option=key)
        elif own is not None:
            yield from _use(name, own.realized_fraction, own.utilization, key)
        yield from _measured(model, parts[0])
        yield Input(name, "delivery", "first rack can serve", option.delivery, "date", option=key)


def _measured(model: OptionModel, part: Part) -> Iterator[Input]:
    """The own load test that the option's rate or realized fraction rests on."""
    if model.measured is None or not (model.on_measured or model.fraction_is_measured):
        return
    unit = "output tokens/s" if model.on_measured or not part.in_requests else "requests/s"
    yield Input(
        model.option.name,
        "measured_rate",
        "own load test, the best point that meets the SLO",
        model.measured,
        f"{unit} per accelerator",
        note="not reviewed by MLCommons",
        option=model.option.id,
    )


def _price(option: Option, profile: Profile) -> Iterator[Input]:
    name, key, currency = option.name, option.id, profile.currency
    note = _quote(option.quote)
    if option.price is None:
        hint = "no price in the profile; with one per rack-hour, power included, the option is ranked"
        yield _money(name, "price", "rent", None, " per rack-hour", currency, hint, key)
        yield Input(name, "discount", "discount on it", Decimal(0), "fraction", option=key)
    elif option.price.rent is not None:
        rent = option.price.rent
        given, unit = rent_price(rent)
        terms = f"{rent.commitment}, power {'included' if rent.power_included else 'not included'}"
        said = "; ".join(text for text in (terms, note) if text)
        yield _money(name, "price", "rent", given, f" per {unit}", currency, said, key)
        yield Input(name, "discount", "discount on it", rent.discount, "fraction", option=key)
    elif option.price.purchase is not None:
        yield from _purchase(option, profile, note)


def _purchase(option: Option, profile: Profile, note: str) -> Iterator[Input]:
    assert option.price is not None
    purchase = option.price.purchase
    assert purchase is not None  # the caller asked
    name, key, currency = option.name, option.id, profile.currency
    yield _money(name, "price", "list price", purchase.per_rack, " per rack", currency, note, key)
    yield Input(name, "discount", "discount on it", purchase.discount, "fraction", option=key)
    optional = (
        ("installation", "delivery and installation, once", purchase.installation_per_rack, " per rack"),
        ("support_per_year", "support, as an amount", purchase.support_per_year, " per rack and year"),
        ("other_per_year", "other yearly costs", purchase.other_per_year, " per rack and year"),
    )
    for field, label, given, per in optional:
        yield _money(name, field, label, given, per, currency, option=key)
    yield _following(name, "rate", "cost of capital", purchase.rate, profile.term.rate, "per year", key)
    yield _following(name, "years", "years of use", purchase.years, profile.term.years, "years", key)
    yield _ranged(name, "residual", "residual value", purchase.residual, "of the price paid", option=key)
    share = purchase.support_rate
    yield _ranged(name, "support_rate", "support", share, "of the price paid, a year", option=key)


def _following(
    name: str,
    key: str,
    label: str,
    own: Ranged[Decimal] | int | None,
    term: Decimal | int,
    unit: str,
    option: str,
) -> Input:
    """An input that is the term's where the option has none of its own."""
    if isinstance(own, Ranged):
        return _ranged(name, key, label, own, unit, option=option)
    if own is not None:
        return Input(name, key, label, own, unit, option=option)
    note = f"{_DEFAULT}: the term's"
    return Input(name, key, label, term, unit, note=note, formula=f"term_{key}", option=option)


def _quote(quote: Quote | None) -> str:
    if quote is None:
        return "no quote stated"
    until = f", valid until {quote.valid_until.isoformat()}" if quote.valid_until is not None else ""
    source = f", {quote.source}" if quote.source is not None else ""
    assumed = ", illustrative" if quote.illustrative else ""
    return f"{quote.vendor}, {quote.quoted_on.isoformat()}{until}{source}{assumed}"
