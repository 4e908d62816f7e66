"""Text for a terminal or a spreadsheet: foreign text made harmless, tables, figures."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def printable(text: str) -> str:
    """Text without control, direction and other unseen characters, which could rewrite the screen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) not in _HIDDEN)


def spreadsheet_safe(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe before a leading = + - @, tab or return."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def figure(value: Decimal | None) -> str:
    """A figure as published, with thousands parted; empty for None."""
    return f"{value:,f}" if value is not None else ""


def derived_figure(value: Decimal | None) -> str:
    """A derived figure: two decimals from 100 on, four significant digits below; empty for None."""
    if value is None:
        return ""
    if abs(value) >= 100 or not value:
        return f"{value:,.2f}"
    return f"{value:,.{max(3 - value.adjusted(), 2)}f}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> str:
    """Rows in columns two spaces apart, those of `right` aligned to the right, without trailing space."""
    cells = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    to_right = frozenset(right)
    lines = []
    for row in cells:
        padded = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - _width(cell))
            padded.append(space + cell if index in to_right else cell + space)
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    """Columns that a text takes: two for a wide East Asian character, none for a combining one."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)
