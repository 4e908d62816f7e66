"""The sheet Excluded: every claim in scope that is no evidence, with its reasons, and the count of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.render.sheets.book import Book, Sheet, span
from rackrecord.render.sheets.model import Part
from rackrecord.selection.reasons import Reason
from rackrecord.selection.select import Selection

_TITLES = (
    "Benchmark, scenario",
    "Kind",
    "Claim",
    "Reasons",
    "Why",
    "Round",
    "Division",
    "Availability",
    "Submitter or source",
    "System or statement",
    "Accelerator",
    "Accelerators",
    "Scenario measured",
    "Result",
    "Unit",
)
_WIDTHS = (28, 14, 40, 34, 70, 8, 10, 12, 22, 44, 22, 12, 16, 16, 12)
_COUNT_TITLES = ("Benchmark, scenario", "Used", "Excluded", "Out of scope", "Sum", "Claims considered")


@dataclass(frozen=True, slots=True)
class _Counts:
    part: Part
    row: int
    first: int
    last: int


def write_excluded(book: Book, parts: Sequence[Part]) -> None:
    """Write what was left out, and that nothing is missing from the sum."""
    sheet = book.sheet("Excluded", _WIDTHS)
    sheet.text(0, 0, "Excluded", "title")
    sheet.text(1, 0, "Every claim in scope that is no evidence, with all the reasons that apply.", "note")
    for column, title in enumerate(_COUNT_TITLES):
        sheet.text(3, column, title, "head")
    titles = 4 + len(parts) + 1
    for column, title in enumerate(_TITLES):
        sheet.text(titles, column, title, "head")
    row = titles + 1
    for place, part in enumerate(parts):
        first = row
        row = _write_claims(sheet, part, row)
        _write_counts(sheet, _Counts(part, 4 + place, first, row - 1))
    sheet.filter(titles, row - 1, len(_TITLES) - 1)


def _write_claims(sheet: Sheet, part: Part, row: int) -> int:
    """The excluded claims and statements of one part; the row after them."""
    name = _name(part.selection)
    for excluded in part.selection.excluded:
        claim = excluded.claim
        cells = {
            0: name,
            1: "result",
            2: claim.id,
            3: ", ".join(excluded.reasons),
            4: _sentences(excluded.reasons),
            5: claim.round,
            6: claim.division,
            7: claim.availability,
            8: claim.submitter,
            9: claim.system,
            10: ", ".join(accelerator_name(kind) for kind in claim.accelerators),
            12: claim.scenario,
            14: claim.unit,
        }
        for column, text in cells.items():
            sheet.text(row, column, text)
        if claim.accelerator_count is not None:
            sheet.number(row, 11, claim.accelerator_count, "count")
        sheet.number(row, 13, claim.value)
        row += 1
    for statement in part.selection.excluded_statements:
        cells = {
            0: name,
            1: statement.kind,
            2: statement.id,
            3: ", ".join(statement.reasons),
            4: _sentences(statement.reasons),
            8: statement.who,
            9: statement.statement,
        }
        for column, text in cells.items():
            sheet.text(row, column, text)
        row += 1
    return row


def _write_counts(sheet: Sheet, counts: _Counts) -> None:
    selection = counts.part.selection
    excluded = len(selection.excluded) + len(selection.excluded_statements)
    elsewhere = sum(item.claims for item in selection.out_of_scope)
    row = counts.row
    listed = span(counts.first, 2, counts.last, 2)
    sheet.text(row, 0, _name(selection))
    sheet.number(row, 1, len(selection.used), "count")
    if excluded:
        sheet.formula(row, 2, f"COUNTA({listed})", excluded, "count")
    else:
        sheet.number(row, 2, 0, "count")
    sheet.number(row, 3, elsewhere, "count")
    whole = len(selection.used) + excluded + elsewhere
    sheet.formula(row, 4, f"SUM({span(row, 1, row, 3)})", whole, "count")
    sheet.number(row, 5, selection.claims_considered, "count")


def _sentences(reasons: Sequence[Reason]) -> str:
    return "; ".join(reason.sentence for reason in reasons)


def _name(selection: Selection) -> str:
    return f"{selection.benchmark_name}, {selection.scenario}"
