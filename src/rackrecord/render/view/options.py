"""The options: at a glance, their inputs, their costs step by step, their limits and years."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import pairwise

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.economics.break_even import BreakEven
from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.limits import LimitCheck
from rackrecord.profile.fields import Money
from rackrecord.profile.models import Option, Rent
from rackrecord.quantities import compact, fixed, percent, significant, trimmed
from rackrecord.record import DecisionRecord
from rackrecord.render.view.table import Table, figure, table, text
from rackrecord.selection.select import accelerator_id

DASH = "–"

COLUMNS = 6
"""At most so many options stand side by side on a page."""
YEAR_COLUMNS = 3
"""The same where each option has two columns."""


def side_by_side(
    make: Callable[[DecisionRecord, Sequence[OptionFigures]], Table], record: DecisionRecord, most: int
) -> tuple[Table, ...]:
    """A table with columns for each ranked option, in several of like width where a page is full."""
    count = len(record.options)
    tables = -(-count // most)
    starts = [count * index // tables for index in range(tables)] + [count]
    return tuple(make(record, record.options[start:end]) for start, end in pairwise(starts))


def at_a_glance(record: DecisionRecord) -> Table:
    """The comparison an approver reads first: one row an option, the ranked ones in their order."""
    money = record.profile.currency
    order = {option: place for place, option in enumerate(record.comparison.ranking)}
    options = sorted(record.profile.options, key=lambda option: order.get(option.id, len(order)))
    rows = [_glance_row(record, option) for option in options]
    columns = (
        text("Option", 19),
        figure(f"{money} per million output tokens", 10),
        figure("range of the evidence", 14),
        figure("above the best", 8),
        figure("output tokens/s per rack", 10),
        figure("racks", 6),
        figure("kW", 7),
        figure(f"{money} a year", 8),
        figure(f"{money}, whole term", 8),
        text("limits", 10),
    )
    return table(columns, rows, marked=0 if record.comparison.best is not None else None)


def _glance_row(record: DecisionRecord, option: Option) -> list[str]:
    figures = record.figures(option.id)
    if figures is None:
        reason = next((item.reason for item in record.comparison.not_ranked if item.option == option.id), "")
        return [f"{option.name}: not ranked", *([DASH] * 8), _short(reason)]
    above = {
        item.option: percent(item.cost_above_best, signed=True)
        for item in record.comparison.break_even
        if item.cost_above_best is not None
    }
    failed = [check.limit for check in figures.limits if not check.passed]
    return [
        label(record, figures),
        significant(figures.cost_per_million_tokens),
        _range(figures),
        above.get(option.id, DASH),
        compact(figures.tokens_per_second),
        str(figures.racks),
        trimmed(figures.power_kw) if figures.power_kw is not None else "not stated",
        compact(figures.yearly_cost),
        compact(figures.term_cost),
        f"fails {', '.join(failed)}" if failed else ("passes all" if figures.limits else "none set"),
    ]


def label(record: DecisionRecord, figures: OptionFigures) -> str:
    """The option's name with what a reader must know of its figures wherever they stand.

    They are a benchmark ceiling where d or u is not stated, and rest on an older round where the option's
    newest result is not from the newest round used.
    """
    evidence = [(selection.evidence(figures.option), selection.newest_round) for selection in record.evidence]
    found = [(option.round, newest) for option, newest in evidence]
    older = sorted({round for round, newest in found if round is not None and round != newest})
    notes = ["benchmark ceiling"] if figures.ceiling else []
    if older and figures.basis == "verified":
        notes.append(f"evidence of {', '.join(older)}")
    name = record.profile.option(figures.option).name
    return f"{name} ({'; '.join(notes)})" if notes else name


def _range(figures: OptionFigures) -> str:
    if figures.cost_low == figures.cost_high:
        return "one figure"
    return f"{significant(figures.cost_low)}–{significant(figures.cost_high)}"


def _short(reason: str) -> str:
    return "no evidence" if reason.startswith("No ") else reason.removeprefix("not ranked: ")


def inputs(record: DecisionRecord) -> Table:
    """What the profile says of each option."""
    rows = [
        [
            option.name,
            f"{accelerator_name(accelerator_id(option.accelerator))}, {_system(option)}",
            price_text(option, record.profile.currency),
            _quote(option),
            f"{trimmed(option.power.kw.value)} kW, {option.power.basis}"
            if option.power is not None
            else "not stated",
            option.delivery.isoformat() if option.delivery is not None else "not stated",
        ]
        for option in record.profile.options
    ]
    columns = (
        text("Option", 18),
        text("Accelerators", 17),
        text("Price", 26),
        text("Quote", 19),
        text("Rack power", 10),
        text("Delivery", 10),
    )
    return table(columns, rows)


def _system(option: Option) -> str:
    if option.systems_per_rack == 1:
        return f"{option.accelerators_per_system} in a rack"
    return f"{option.systems_per_rack} systems of {option.accelerators_per_system} in a rack"


def price_text(option: Option, currency: str) -> str:
    """The price as quoted, in a few words."""
    if option.price is None:
        return "none: not ranked"
    if (rent := option.price.rent) is not None:
        for amount, unit in (
            (rent.per_accelerator_hour, "accelerator-hour"),
            (rent.per_rack_hour, "rack-hour"),
            (rent.per_rack_month, "rack-month"),
        ):
            if amount is not None:
                return _rent(f"{_money(amount.value, currency)} per {unit}", rent)
    purchase = option.price.purchase
    assert purchase is not None  # a price has one of the two
    parts = [f"{_money(purchase.per_rack.value, currency)} per rack"]
    if purchase.discount:
        parts.append(f"{percent(purchase.discount, 1)} discount")
    if purchase.residual.value:
        parts.append(f"residual {percent(purchase.residual.value, 0)}")
    if purchase.support_rate.value:
        parts.append(f"support {percent(purchase.support_rate.value, 1)} a year")
    for amount_once, what in (
        (purchase.installation_per_rack, "installation"),
        (purchase.support_per_year, "support a year"),
        (purchase.other_per_year, "other costs a year"),
    ):
        if amount_once is not None:
            parts.append(f"{_money(amount_once.value, currency)} {what}")
    return ", ".join(parts)


def _rent(price: str, rent: Rent) -> str:
    included = "power included" if rent.power_included else "power not included"
    reduced = f", {percent(rent.discount)} discount" if rent.discount else ""
    return f"{price}{reduced}, {rent.commitment.replace('-', ' ')}, {included}"


def _money(money: Money, currency: str) -> str:
    return f"{trimmed(money.amount, 9)} {money.currency or currency}"


def _quote(option: Option) -> str:
    quote = option.quote
    if quote is None:
        return "not stated"
    until = f", valid to {quote.valid_until.isoformat()}" if quote.valid_until is not None else ""
    source = f", {quote.source}" if quote.source is not None else ""
    return f"{quote.vendor}, {quote.quoted_on.isoformat()}{until}{source}"


def cost_lines(record: DecisionRecord, options: Sequence[OptionFigures]) -> Table:
    """C line by line, money per rack-hour, one column an option."""
    names = [line for figures in record.options for line in (item.line for item in figures.costs)]
    lines = list(dict.fromkeys(names))
    rows = [
        [line.value.capitalize(), *(_line_amount(figures, line) for figures in options)] for line in lines
    ]
    rows.append(["C, all in", *(fixed(figures.cost_per_hour, 4) for figures in options)])
    columns = [text(f"{record.profile.currency} per rack-hour")]
    columns += [figure(record.profile.option(figures.option).name) for figures in options]
    return table(columns, rows, marked=len(rows) - 1)


def _line_amount(figures: OptionFigures, line: object) -> str:
    amounts = [item.per_hour for item in figures.costs if item.line == line]
    return fixed(amounts[0], 4) if amounts else DASH


def all_figures(record: DecisionRecord, options: Sequence[OptionFigures]) -> Table:
    """Every figure of every ranked option, one column an option."""
    money = record.profile.currency

    def row(name: str, *cells: str) -> list[str]:
        return [name, *cells]

    def optional(value: Decimal | None, show: Callable[[Decimal], str]) -> str:
        return show(value) if value is not None else DASH

    rows = [
        row("r, output tokens/s per accelerator", *(fixed(o.rate_per_accelerator) for o in options)),
        row("lowest and highest evidence", *(f"{fixed(o.rate_low)}–{fixed(o.rate_high)}" for o in options)),
        row("A, accelerators per rack", *(str(o.accelerators) for o in options)),
        row("d, realized fraction", *(trimmed(o.realized_fraction) for o in options)),
        row("u, utilization", *(trimmed(o.utilization) for o in options)),
        row("T, output tokens/s per rack", *(fixed(o.tokens_per_second, 0) for o in options)),
        row(f"C, {money} per rack-hour", *(fixed(o.cost_per_hour, 4) for o in options)),
        row(
            f"T/C, tokens/s per rack per {money} an hour",
            *(optional(o.tokens_per_second_per_money_hour, fixed) for o in options),
        ),
        row(f"output tokens per {money}", *(optional(o.tokens_per_money, compact) for o in options)),
        row(
            f"{money} per million output tokens",
            *(significant(o.cost_per_million_tokens, 6) for o in options),
        ),
        row(
            "output tokens per joule, provisioned",
            *(optional(o.tokens_per_joule, significant) for o in options),
        ),
        row("racks", *(str(o.racks) for o in options)),
        row("power of all racks, kW", *(optional(o.power_kw, trimmed) for o in options)),
        row("energy a year with PUE, kWh", *(optional(o.energy_kwh_per_year, compact) for o in options)),
        row(f"purchase in the first year, {money}", *(optional(o.purchase, _whole) for o in options)),
        row(f"purchases of the whole term, {money}", *(optional(o.purchase_term, _whole) for o in options)),
        row(f"all-in cost of the first year, {money}", *(_whole(o.yearly_cost) for o in options)),
        row(f"whole term, present value, {money}", *(_whole(o.term_cost) for o in options)),
        row(
            "growth calls for the next rack after, years",
            *(optional(o.next_rack_in_years, fixed) for o in options),
        ),
    ]
    columns = [text("Figure"), *(figure(label(record, o)) for o in options)]
    return table(columns, rows)


def _whole(value: Decimal) -> str:
    return fixed(value, 0)


def years(record: DecisionRecord, options: Sequence[OptionFigures]) -> Table:
    """Racks and cost over the term, one row a year."""
    money = record.profile.currency
    columns = [figure("Year"), figure("peak demand")]
    for figures in options:
        name = label(record, figures)
        columns += [figure(f"{name}: racks"), figure(f"{name}: {money}")]
    rows = []
    for index, year in enumerate(options[0].years):
        cells = [str(year.year), compact(year.demand)]
        for figures in options:
            plan = figures.years[index]
            cells += [f"{plan.racks} (+{plan.added})" if plan.added else str(plan.racks), compact(plan.cost)]
        rows.append(cells)
    return table(columns, rows)


def limits(record: DecisionRecord, options: Sequence[OptionFigures]) -> Table:
    """Each limit against each option."""
    columns = [
        text("Limit"),
        figure("allowed"),
        *(text(record.profile.option(o.option).name) for o in options),
    ]
    checks = options[0].limits
    rows = []
    for index, check in enumerate(checks):
        allowed = (
            check.allowed_on.isoformat()
            if check.allowed_on is not None
            else _amount(check.allowed, check.unit)
        )
        rows.append([check.limit, allowed, *(_limit_cell(o.limits[index]) for o in options)])
    if rows:
        rows.append(["the one that binds", DASH, *(o.binding or DASH for o in options)])
    return table(columns, rows)


def _amount(value: Decimal | None, unit: str) -> str:
    return f"{trimmed(value, 9)} {unit}" if value is not None else DASH


def _limit_cell(check: LimitCheck) -> str:
    if check.found_on is not None:
        found = check.found_on.isoformat()
    elif check.found is not None:
        found = _amount(
            check.found.to_integral_value() if abs(check.found) > 1000 else check.found, check.unit
        )
    else:
        found = check.note or "not stated"
    year = f", from year {check.fails_in_year}" if check.fails_in_year is not None else ""
    return f"{'pass' if check.passed else 'FAIL'}: {found}{year}"


def would_win(record: DecisionRecord) -> Table:
    """What would have to change for each other option to win, one input at a time."""
    money = record.profile.currency
    columns = (
        text("Option"),
        figure("its price by"),
        figure("or its throughput by"),
        figure("or its utilization to"),
        figure(f"or electricity for all to {money} per kWh"),
        text("remark"),
    )
    return table(columns, [_break_even_row(record, item) for item in record.comparison.break_even])


def _break_even_row(record: DecisionRecord, item: BreakEven) -> list[str]:
    return [
        record.profile.option(item.option).name,
        percent(item.price_change, signed=True) if item.price_change is not None else "cannot",
        percent(item.throughput_change, signed=True) if item.throughput_change is not None else "cannot",
        percent(item.utilization) if item.utilization is not None else "cannot",
        significant(item.electricity_price) if item.electricity_price is not None else "cannot",
        "is ahead already, but fails a limit" if item.ahead else DASH,
    ]


def swings(record: DecisionRecord) -> Table:
    """The tornado as a table."""
    money = record.profile.currency
    columns = (
        text("Input"),
        figure("as planned"),
        figure("low"),
        figure("high"),
        figure(f"{money} per million tokens at low"),
        figure("at high"),
    )
    rows = [
        [
            f"{swing.input}, {swing.unit.replace('money', money)}" if swing.unit else swing.input,
            trimmed(swing.value, 7),
            trimmed(swing.low, 7),
            trimmed(swing.high, 7),
            significant(swing.cost_at_low),
            significant(swing.cost_at_high),
        ]
        for swing in record.comparison.tornado
    ]
    return table(columns, rows)


def parts(record: DecisionRecord) -> Table:
    """Each part of a mixed workload on each option; no rows where there is one part only."""
    money = record.profile.currency
    columns = (
        text("Option", 22),
        text("Part of the workload", 22),
        figure("share of tokens", 8),
        figure("output tokens/s of a rack that serves it alone", 16),
        figure("peak demand", 12),
        figure("racks", 8),
        figure(f"{money} per million output tokens", 12),
    )
    rows = [
        [
            label(record, figures),
            f"{part.benchmark}, {part.scenario}",
            percent(part.share, 0),
            fixed(part.tokens_per_second, 0),
            f"{compact(part.demand)} {part.demand_unit}",
            str(part.racks),
            significant(part.cost_per_million_tokens),
        ]
        for figures in record.options
        if len(figures.parts) > 1
        for part in figures.parts
    ]
    return table(columns, rows)
