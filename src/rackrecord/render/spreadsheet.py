"""`record.xlsx`: the record as a workbook with live formulas, from the inputs to the ranking."""

from __future__ import annotations

from rackrecord.record import DecisionRecord


def render_spreadsheet(record: DecisionRecord) -> bytes:
    """The workbook, the same bytes for the same record.

    Every figure is a formula over the sheet Inputs and the results on the sheet Evidence; the values stored
    with the formulas are the record's, so that a reader without a spreadsheet program sees the same.
    """
    from rackrecord.render.sheets.book import Book
    from rackrecord.render.sheets.evidence import EvidenceSheet
    from rackrecord.render.sheets.excluded import write_excluded
    from rackrecord.render.sheets.inputs import Inputs
    from rackrecord.render.sheets.model import options_of, parts_of
    from rackrecord.render.sheets.options import context_of, write_options
    from rackrecord.render.sheets.ranking import write_ranking
    from rackrecord.render.sheets.sensitivity import write_sensitivity
    from rackrecord.render.sheets.years import YearsSheet

    book = Book(record.title, record.as_of)
    parts = parts_of(record)
    models = options_of(record, parts)
    inputs = Inputs(record, book, parts, models)
    evidence = EvidenceSheet(parts, models)
    years = YearsSheet(record, parts, models)
    context = context_of(record, parts, models, inputs, evidence, years)
    write_ranking(book, context)
    write_options(book, context)
    inputs.write(book)
    evidence.write(book, inputs)
    write_excluded(book, parts)
    years.write(book, inputs, context.grid.outside)
    write_sensitivity(book, record)
    return book.content()
