"""The cells of one row of an official summary, read with their types."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from rackrecord.catalog.layouts import MAX_CELL, Layout, Row
from rackrecord.errors import Problem

MAX_COUNT = 10_000_000

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LARGEST = Decimal(10) ** 15


class Cells:
    """One row's cells, read by our names of the columns; what is wrong goes to the list `problems`.

    `texts` keeps the texts of all rows, so that equal ones are one object in memory.
    """

    def __init__(
        self, row: Row, layout: Layout, name: str, problems: list[Problem], texts: dict[str, str]
    ) -> None:
        self.row = row
        self.columns = {**layout.optional, **layout.required}
        self.optional = layout.optional
        self.name = name
        self.problems = problems
        self.texts = texts
        self.reported: set[str] = set()

    def problem(self, field: str, found: object, expected: str) -> None:
        """Notes what was found in a cell and what is expected, once a cell."""
        if field in self.reported:
            return
        self.reported.add(field)
        shown = repr(found if not isinstance(found, Decimal) else str(found))
        shown = shown if len(shown) <= 80 else f"{shown[:60]}… ({len(str(found))} characters)"
        self.problems.append(
            Problem(
                self.name,
                self.row.line,
                None,
                f"row {self.row.number}, {self.columns[field]}",
                f"found {shown}, expected {expected}",
            )
        )

    def raw(self, field: str) -> object:
        """A cell as it was read: text, Decimal, bool, None, or something that no cell should be."""
        column = self.columns.get(field, "")
        if column not in self.row.cells:
            if column and field not in self.optional:
                self.problem(field, "no such column", "a value")
            return None
        return self.row.cells[column]

    def text(self, field: str, *, required: bool = False) -> str:
        """A text cell without surrounding space; empty for null or an absent column."""
        value = self.raw(field)
        if value is None:
            value = ""
        if not isinstance(value, str):
            self.problem(field, value, "text")
            return ""
        if len(value) > MAX_CELL:
            self.problem(field, value, f"at most {MAX_CELL} characters")
            return ""
        if _UNPRINTABLE.search(value):
            self.problem(field, value, "text without control characters")
            return ""
        if required and not value.strip():
            self.problem(field, value, "a value")
        text = value.strip()
        return self.texts.setdefault(text, text)

    def choice(self, field: str, choices: tuple[str, ...]) -> str:
        """A text cell that must be one of `choices`, in any case."""
        value = self.text(field)
        if value.casefold() not in choices:
            self.problem(field, value, "one of " + ", ".join(choices))
        return value.casefold()

    def number(self, field: str) -> Decimal | None:
        """A number as published, None for an empty cell."""
        value = self.raw(field)
        if value is None or (isinstance(value, str) and value.strip().casefold() in ("", "n/a", "none")):
            return None
        try:
            number = Decimal(value.strip()) if isinstance(value, str) and len(value) < 100 else value
        except InvalidOperation:
            number = value
        if not isinstance(number, Decimal):
            self.problem(field, value, "a number")
            return None
        if not number.is_finite():
            self.problem(field, value, "a finite number")
            return None
        if number < 0 or number > _LARGEST or (number and number.adjusted() < -30):
            self.problem(field, value, "a number from 0 to 1e15")
            return None
        return number

    def figure(self, field: str) -> Decimal:
        """A number that must be there."""
        number = self.number(field)
        if number is None:
            self.problem(field, self.raw(field), "a number")
        return number if number is not None else Decimal(0)

    def count(self, field: str) -> int | None:
        """A whole number, None for an empty cell; `8.0`, as in v4.1, is 8."""
        number = self.number(field)
        if number is None:
            return None
        if number != number.to_integral_value() or number > MAX_COUNT:
            self.problem(field, number, f"a whole number up to {MAX_COUNT}")
            return None
        return int(number)

    def flag(self, field: str) -> bool:
        """True for true, 1 and "True"; false for false, 0 and "False"."""
        text = self.loose(field)
        if text not in ("1", "true", "0", "false"):
            self.problem(field, self.raw(field), "0, 1, true or false")
        return text in ("1", "true")

    def loose(self, field: str) -> str:
        """A cell that holds text, a number or a boolean, as lower-case text."""
        value = self.raw(field)
        if not isinstance(value, str | bool | Decimal):
            self.problem(field, value, "text, a number or a boolean")
            return ""
        return str(value).strip().casefold()[:MAX_CELL]
