"""A workbook under construction: cells that cannot be taken for formulas, named inputs, formats.

The only module that loads XlsxWriter. Text is stored as text in cells formatted as text, so that neither
opening the file nor editing a cell turns it into a formula; a formula is always the project's own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from rackrecord.render import fonts

Value = Decimal | int | float | str | None
"""What a formula gives: a number, text, or None where it is not available."""

NOT_AVAILABLE = "#N/A"
MOST_LETTERS = 32_000
"""A cell holds 32,767; what is longer ends in an ellipsis."""

_FONT = {"font_name": "Calibri", "font_size": 10, "valign": "top"}
_INPUT = {"bg_color": "#FFF7D6", "border": 1, "border_color": "#999999", "align": "right"}
_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14, "num_format": "@"},
    "note": {"italic": True, "font_color": "#444444", "num_format": "@"},
    "head": {"bold": True, "bg_color": "#E4E4E4", "bottom": 1, "text_wrap": True, "num_format": "@"},
    "section": {"bold": True, "bottom": 1, "num_format": "@"},
    "text": {"num_format": "@"},
    "unit": {"num_format": "@", "indent": 1},
    "head-right": {
        "bold": True,
        "bg_color": "#E4E4E4",
        "bottom": 1,
        "text_wrap": True,
        "num_format": "@",
        "align": "right",
    },
    "name": {"num_format": "@", "font_color": "#444444", "font_name": "Consolas", "font_size": 9},
    "input": {**_INPUT, "num_format": "General"},
    "input-large": {**_INPUT, "num_format": "#,##0.00"},
    "input-text": {**_INPUT, "num_format": "@"},
    "input-day": {**_INPUT, "num_format": "yyyy-mm-dd"},
    "general": {"num_format": "General", "align": "right"},
    "large": {"num_format": "#,##0.00", "align": "right"},
    "scientific": {"num_format": "0.00000E+00", "align": "right"},
    "day": {"num_format": "yyyy-mm-dd", "align": "right"},
    "text-left": {"num_format": "General"},
    "word": {"align": "right", "num_format": "General"},
    "count": {"num_format": "#,##0", "align": "right"},
    "whole": {"num_format": "#,##0", "align": "right"},
    "two": {"num_format": "#,##0.00", "align": "right"},
    "four": {"num_format": "#,##0.0000", "align": "right"},
    "six": {"num_format": "#,##0.000000", "align": "right"},
    "percent": {"num_format": "0.0%", "align": "right"},
}
_ROW_HEIGHTS = {"title": 21, "head": 29, "head-right": 29}
_BOLD = {
    f"{name}-bold": {**_STYLES[name], "bold": True} for name in ("count", "six", "word", "four", "whole")
}


class Book:
    """A workbook; the same calls give the same bytes."""

    def __init__(self, title: str, created: date) -> None:
        import xlsxwriter

        self._buffer = io.BytesIO()
        self._book = xlsxwriter.Workbook(self._buffer, {"in_memory": True})
        self._formats = {
            name: self._book.add_format({**_FONT, **style}) for name, style in {**_STYLES, **_BOLD}.items()
        }
        self._names: set[str] = set()
        moment = datetime(created.year, created.month, created.day)
        self._book.set_properties({"title": safe(title)[:255], "created": moment, "comments": "rackrecord"})

    def sheet(self, name: str, widths: Sequence[float]) -> Sheet:
        """A new sheet with those column widths in letters, set to print on as many pages as it takes."""
        sheet = self._book.add_worksheet(name)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&C&A&RPage &P of &N")
        return Sheet(sheet, name, self._formats)

    def unique_name(self, wanted: str) -> str:
        """A defined name like `wanted`: letters, digits and underscores, different from all before."""
        base = re.sub(r"[^a-z0-9]", "_", wanted.lower())
        name, number = base, 2
        while name in self._names:
            name, number = f"{base}_{number}", number + 1
        self._names.add(name)
        return name

    def define(self, name: str, sheet: Sheet, row: int, column: int) -> None:
        """Give the name to a cell."""
        self._book.define_name(name, f"={sheet.name}!{address(row, column, fixed=True)}")

    def content(self) -> bytes:
        """The finished file."""
        self._book.close()
        return self._buffer.getvalue()


class Sheet:
    """One sheet; rows and columns are counted from 0."""

    def __init__(self, sheet: Any, name: str, formats: dict[str, Any]) -> None:
        self._sheet = sheet
        self._formats = formats
        self.name = name

    def text(self, row: int, column: int, text: str, style: str = "text") -> None:
        """Text, whatever it looks like."""
        self._sheet.write_string(row, column, safe(text), self._formats[style])
        if style in _ROW_HEIGHTS:
            self._sheet.set_row(row, _ROW_HEIGHTS[style])

    def head(self, row: int, titles: Sequence[str], right: Collection[int] = ()) -> None:
        """A row of column titles, those of `right` above numbers; it stays in sight and on every page."""
        for column, title in enumerate(titles):
            self.text(row, column, title, "head-right" if column in right else "head")
        self._sheet.freeze_panes(row + 1, 0)
        self._sheet.repeat_rows(row)

    def number(self, row: int, column: int, number: Decimal | int | float, style: str = "general") -> None:
        """A number."""
        self._sheet.write_number(row, column, float(number), self._formats[style])

    def day(self, row: int, column: int, day: date, style: str = "day") -> None:
        """A date."""
        moment = datetime(day.year, day.month, day.day)
        self._sheet.write_datetime(row, column, moment, self._formats[style])

    def blank(self, row: int, column: int, style: str) -> None:
        """An empty cell with a format."""
        self._sheet.write_blank(row, column, None, self._formats[style])

    def formula(self, row: int, column: int, formula: str, value: Value, style: str = "general") -> None:
        """One of the project's own formulas, and what it gives."""
        self._sheet.write_formula(row, column, f"={formula}", self._formats[style], _stored(value))

    def choices(self, row: int, column: int, choices: Sequence[str]) -> None:
        """Allow these words only."""
        self._sheet.data_validation(row, column, row, column, {"validate": "list", "source": list(choices)})

    def freeze(self, row: int, column: int) -> None:
        """Keep the rows above and the columns to the left in sight."""
        self._sheet.freeze_panes(row, column)

    def filter(self, row: int, last_row: int, last_column: int) -> None:
        """Offer to filter the rows below `row`, its titles."""
        self._sheet.autofilter(row, 0, max(last_row, row), last_column)

    def gray_errors(self, row: int, column: int, last_row: int, last_column: int) -> None:
        """Show what is not available in light gray."""
        style = self._formats["note"]
        self._sheet.conditional_format(
            row, column, last_row, last_column, {"type": "errors", "format": style}
        )


def _stored(value: Value) -> str | float:
    """A formula's result as the file has it; unlike a text cell's, XlsxWriter writes it as it is."""
    if value is None:
        return NOT_AVAILABLE
    if not isinstance(value, str):
        return float(value)
    # `_x0041_` would be read as the character of that number.
    return re.sub("(_x[0-9A-Fa-f]{4}_)", r"_x005F\1", safe(value))


def safe(text: str) -> str:
    """Text that every spreadsheet holds: what would hide or reorder made visible, no longer than a cell."""
    shown = fonts.visible_controls(text)
    return shown if len(shown) <= MOST_LETTERS else f"{shown[:MOST_LETTERS]}\u2026"


def letters(column: int) -> str:
    """The column's letters, A for 0."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def address(row: int, column: int, *, fixed: bool = False) -> str:
    """A cell's address, such as C7 or $C$7."""
    return f"${letters(column)}${row + 1}" if fixed else f"{letters(column)}{row + 1}"


def span(row: int, column: int, last_row: int, last_column: int) -> str:
    """A range's address, such as $C$7:$F$7."""
    return f"{address(row, column, fixed=True)}:{address(last_row, last_column, fixed=True)}"
