"""Rows of the sheet Options: from the evidence to the throughput of a rack."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.economics.figures import mean_rate
from rackrecord.economics.throughput import PartRate, rack_throughput
from rackrecord.render.sheets.context import Context
from rackrecord.render.sheets.grid import Heading, Row
from rackrecord.render.sheets.model import OptionModel, Part

# End of the key, name on the sheet Evidence, words.
ENDS = (
    ("", "planning", "planning figure"),
    ("_low", "minimum", "lowest evidence"),
    ("_high", "maximum", "highest evidence"),
)


def rates_at(model: OptionModel, end: str) -> Sequence[PartRate]:
    """The rates of the parts at one of `ENDS`."""
    evidence = model.evidence
    assert evidence is not None  # rows are only made for options with evidence
    return {"": evidence.planning, "_low": evidence.lowest, "_high": evidence.highest}[end]


def tokens_key(part: Part, end: str) -> str:
    """The row with the part's rate in output tokens/s."""
    return f"tokens{end}_{part.number}" if part.in_requests else f"rate{end}_{part.number}"


def throughput_of(model: OptionModel) -> Decimal:
    """T, output tokens/s of one rack."""
    if model.figures is not None:
        return model.figures.tokens_per_second
    inputs = model.inputs
    return rack_throughput(rates_at(model, ""), inputs.accelerators, inputs.realized_fraction.value)


def throughput_rows(context: Context) -> list[Row | Heading]:
    """Per-accelerator rates, r, A, d, u and T."""
    rows: list[Row | Heading] = [
        Heading("Evidence, per accelerator (derived, not an official MLPerf metric)")
    ]
    for part in context.parts:
        rows += _part_rows(context, part)
    for end, _, words in ENDS:
        rows.append(_mean_row(context, end, words))
    rows.append(Heading("Throughput of a rack"))
    rows += _rack_rows(context)
    return rows


def _part_rows(context: Context, part: Part) -> list[Row]:
    name = f"{part.selection.benchmark_name}, {part.selection.scenario}"
    rows = []
    for end, figure, words in ENDS:

        def formula(model: OptionModel, figure: str = figure) -> str:
            if not model.on_measured:
                return context.evidence.reference(part, model, figure)
            measured = context.name("measured_rate", model)
            if not part.in_requests:
                return measured
            return f"{measured}/{context.inputs.name(f'request_tokens_{part.number}')}"

        def value(model: OptionModel, end: str = end) -> Decimal:
            return rates_at(model, end)[part.number - 1].native

        unit = f"{part.selection.unit} per accelerator"
        rows.append(context.row(f"rate{end}_{part.number}", f"{name}: {words}", unit, "two", formula, value))
    return rows + (_token_rows(context, part, name) if part.in_requests else [])


def _token_rows(context: Context, part: Part, name: str) -> list[Row]:
    """Requests per second as output tokens per second: times the benchmark's own mean of a request."""
    rows = []
    for end, _, words in ENDS:

        def formula(model: OptionModel, end: str = end) -> str:
            if model.on_measured:
                return context.name("measured_rate", model)
            mean = context.inputs.name(f"benchmark_tokens_{part.number}")
            return f"{context.cell(f'rate{end}_{part.number}', model)}*{mean}"

        def value(model: OptionModel, end: str = end) -> Decimal:
            return rates_at(model, end)[part.number - 1].tokens

        label = f"{name}: {words} in tokens"
        unit = "output tokens/s per accelerator"
        rows.append(context.row(tokens_key(part, end), label, unit, "two", formula, value))
    return rows


def _mean_row(context: Context, end: str, words: str) -> Row:
    """r: for several parts the harmonic mean, weighted with the shares of the tokens."""

    def formula(model: OptionModel) -> str:
        cells = [context.cell(tokens_key(part, end), model) for part in context.parts]
        if len(cells) == 1:
            return cells[0]
        terms = [
            f"{context.inputs.name(f'share_{part.number}')}/{cell}"
            for part, cell in zip(context.parts, cells, strict=True)
        ]
        return f"1/({'+'.join(terms)})"

    def value(model: OptionModel) -> Decimal:
        if model.figures is None:
            return mean_rate(rates_at(model, end))
        figures = model.figures
        return {"": figures.rate_per_accelerator, "_low": figures.rate_low, "_high": figures.rate_high}[end]

    return context.row(f"r{end}", f"r, {words}", "output tokens/s per accelerator", "two", formula, value)


def _rack_rows(context: Context) -> list[Row]:
    def fraction(model: OptionModel) -> str:
        if model.fraction_is_measured:
            return f"{context.name('measured_rate', model)}/{context.cell('rate_1', model)}"
        return context.name("realized_fraction", model)

    def accelerators(model: OptionModel) -> str:
        return f"{context.name('accelerators_per_system', model)}*{context.name('systems_per_rack', model)}"

    def product(model: OptionModel) -> str:
        return "*".join(context.cell(key, model) for key in ("r", "accelerators", "fraction"))

    return [
        context.row(
            "accelerators",
            "A, accelerators",
            "per rack",
            "count",
            accelerators,
            lambda m: m.inputs.accelerators,
        ),
        context.row(
            "fraction",
            "d, realized fraction",
            "",
            "four",
            fraction,
            lambda m: m.inputs.realized_fraction.value,
        ),
        context.row(
            "utilization",
            "u, utilization",
            "",
            "four",
            lambda m: context.name("utilization", m),
            lambda m: m.inputs.utilization.value,
        ),
        context.row("throughput", "T = r·A·d", "output tokens/s per rack", "two", product, throughput_of),
    ]
