"""A sheet with one row a figure and one column an option; formulas refer to other rows of their column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rackrecord.render.sheets.book import Sheet, Value, address, span
from rackrecord.render.sheets.model import OptionModel

FIRST_COLUMN = 2
"""The first option's column; before it stand the figure's label and its unit."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of every option: its formula in the option's column, and what it gives.

    `formula` gives None for an option that the figure does not apply to.
    """

    key: str
    label: str
    unit: str
    style: str
    formula: Callable[[OptionModel], str | None]
    value: Callable[[OptionModel], Value]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading between rows."""

    text: str


class Grid:
    """Where the rows stand. Rows are added first, so that a formula can refer to one that comes later."""

    def __init__(self, sheet_name: str, models: Sequence[OptionModel], first_row: int) -> None:
        self._sheet_name = sheet_name
        self._models = tuple(models)
        self._next = first_row
        self._rows: dict[str, int] = {}
        self._written: list[tuple[int, Row | Heading]] = []
        self._names = ""

    def add_names(self, key: str) -> None:
        """Place the row of titles, with the options' names."""
        self._rows[key] = self._next
        self._names = key
        self._next += 1

    def add(self, items: Sequence[Row | Heading]) -> None:
        """Place the next rows."""
        for item in items:
            if isinstance(item, Heading):
                self._next += 1
            else:
                self._rows[item.key] = self._next
            self._written.append((self._next, item))
            self._next += 1

    def column(self, model: OptionModel) -> int:
        """The option's column."""
        return FIRST_COLUMN + self._models.index(model)

    def cell(self, key: str, model: OptionModel) -> str:
        """A figure of an option, for formulas of the same sheet."""
        return address(self._rows[key], self.column(model))

    def outside(self, key: str, model: OptionModel) -> str:
        """A figure of an option, for formulas of other sheets."""
        return f"{self._sheet_name}!{address(self._rows[key], self.column(model), fixed=True)}"

    def across(self, key: str) -> str:
        """A figure of all options."""
        row = self._rows[key]
        return span(row, FIRST_COLUMN, row, FIRST_COLUMN + len(self._models) - 1)

    def down(self, first: str, last: str, model: OptionModel) -> str:
        """Several figures of one option, from one row to another."""
        column = self.column(model)
        return span(self._rows[first], column, self._rows[last], column)

    def value(self, key: str, model: OptionModel) -> Value:
        """What the figure of an option is."""
        if key == self._names:
            return model.option.name
        row = next(item for _, item in self._written if isinstance(item, Row) and item.key == key)
        return row.value(model)

    def write(self, sheet: Sheet) -> None:
        """Write every row."""
        titles = ("Figure", "Unit", *(model.option.name for model in self._models))
        sheet.head(self._rows[self._names], titles, right=range(FIRST_COLUMN, len(titles)))
        for row, item in self._written:
            if isinstance(item, Heading):
                sheet.text(row, 0, item.text, "section")
                continue
            sheet.text(row, 0, item.label)
            sheet.text(row, 1, item.unit)
            for model in self._models:
                formula = item.formula(model)
                if formula is not None:
                    sheet.formula(row, self.column(model), formula, item.value(model), item.style)
        last = self._next - 1
        sheet.gray_errors(0, FIRST_COLUMN, last, FIRST_COLUMN + len(self._models) - 1)
