"""The sheet Options: from the evidence and the inputs to every figure of every option."""

from __future__ import annotations

from collections.abc import Sequence

from rackrecord.record import DecisionRecord
from rackrecord.render.sheets.book import Book
from rackrecord.render.sheets.context import Context
from rackrecord.render.sheets.costs import cost_rows, token_cost_rows
from rackrecord.render.sheets.evidence import EvidenceSheet
from rackrecord.render.sheets.grid import FIRST_COLUMN, Grid
from rackrecord.render.sheets.inputs import Inputs
from rackrecord.render.sheets.limits import limit_rows
from rackrecord.render.sheets.model import OptionModel, Part
from rackrecord.render.sheets.ranking import ranking_rows
from rackrecord.render.sheets.sizing import sizing_rows, total_rows
from rackrecord.render.sheets.throughput import throughput_rows
from rackrecord.render.sheets.years import YearsSheet

_TITLES_ROW = 3


def context_of(
    record: DecisionRecord,
    parts: Sequence[Part],
    models: Sequence[OptionModel],
    inputs: Inputs,
    evidence: EvidenceSheet,
    years: YearsSheet,
) -> Context:
    """The context with every row of the sheet Options placed."""
    grid = Grid("Options", models, _TITLES_ROW)
    context = Context(record, parts, models, inputs, evidence, years, grid)
    grid.add_names("name")
    for rows in (
        ranking_rows,
        throughput_rows,
        cost_rows,
        token_cost_rows,
        sizing_rows,
        total_rows,
        limit_rows,
    ):
        grid.add(rows(context))
    return context


def write_options(book: Book, context: Context) -> None:
    """Write the sheet."""
    sheet = book.sheet("Options", (46, 36, *[22] * len(context.models)))
    sheet.text(0, 0, "Options", "title")
    sheet.text(
        1, 0, "Symbols and formulas as in the record; #N/A marks what an input is missing for.", "note"
    )
    context.grid.write(sheet)
    sheet.freeze(_TITLES_ROW + 1, FIRST_COLUMN)
