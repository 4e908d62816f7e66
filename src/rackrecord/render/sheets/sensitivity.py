"""The sheet Sensitivity: what moves the best option's cost, what would make another one win, as recorded."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.record import DecisionRecord
from rackrecord.render.sheets.book import Book, Sheet

_SWING_TITLES = (
    "Input of the best option",
    "Unit",
    "As planned",
    "Low",
    "High",
    "Cost at low",
    "Cost at high",
)
_EVEN_TITLES = (
    "Option draws level with the best",
    "Cost above the best",
    "Price changed by",
    "or throughput changed by",
    "or utilization at",
    "or electricity for all at",
    "Remark",
)


def write_sensitivity(book: Book, record: DecisionRecord) -> None:
    """Write both tables; they are figures of the record and do not follow the inputs."""
    money = record.profile.currency
    sheet = book.sheet("Sensitivity", (46, 30, 18, 22, 18, 22, 34))
    sheet.text(0, 0, "Sensitivity", "title")
    sheet.text(1, 0, "Figures of the record; unlike the other sheets they do not follow the inputs.", "note")
    _titles(sheet, 3, _SWING_TITLES)
    row = 4
    for swing in record.comparison.tornado:
        sheet.text(row, 0, swing.input)
        sheet.text(row, 1, swing.unit.replace("money", money))
        for column, value in enumerate((swing.value, swing.low, swing.high), start=2):
            sheet.number(row, column, value)
        for column, value in enumerate((swing.cost_at_low, swing.cost_at_high), start=5):
            sheet.number(row, column, value, "six")
        row += 1
    sheet.text(row, 0, f"Costs are {money} per million output tokens.", "note")
    row += 2
    _titles(sheet, row, _EVEN_TITLES)
    for item in record.comparison.break_even:
        row += 1
        sheet.text(row, 0, record.profile.option(item.option).name)
        changes = (item.cost_above_best, item.price_change, item.throughput_change)
        _numbers(sheet, row, 1, changes, "percent")
        _numbers(sheet, row, 4, (item.utilization,), "four")
        _numbers(sheet, row, 5, (item.electricity_price,), "four")
        sheet.text(row, 6, "is ahead already, but fails a limit" if item.ahead else "", "unit")
    sheet.text(row + 1, 0, f"One change at a time; electricity in {money} per kWh.", "note")


def _titles(sheet: Sheet, row: int, titles: Sequence[str]) -> None:
    for column, title in enumerate(titles):
        sheet.text(row, column, title, "head")


def _numbers(sheet: Sheet, row: int, column: int, values: Sequence[Decimal | None], style: str) -> None:
    for place, value in enumerate(values, start=column):
        if value is None:
            sheet.text(row, place, "cannot")
        else:
            sheet.number(row, place, value, style)
