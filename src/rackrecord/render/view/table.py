"""A table of text, the same for Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec


class Column(msgspec.Struct, frozen=True):
    """A column: its head, whether it holds figures, and its share of the width (HTML only; 0: as needed)."""

    title: str
    kind: Literal["text", "figure"] = "text"
    width: int = 0


class Table(msgspec.Struct, frozen=True):
    """A table; `marked` is the index of the row to stand out, None for none."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: int | None = None

    def __post_init__(self) -> None:
        """Every row has a cell for each column; widths, where given, add up to the whole."""
        assert all(len(row) == len(self.columns) for row in self.rows), [
            column.title for column in self.columns
        ]
        assert sum(column.width for column in self.columns) in (0, 100), [
            column.title for column in self.columns
        ]


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], marked: int | None = None) -> Table:
    """A table from any sequences."""
    return Table(tuple(columns), tuple(tuple(row) for row in rows), marked)


def text(title: str, width: int = 0) -> Column:
    """A column of text."""
    return Column(title, "text", width)


def figure(title: str, width: int = 0) -> Column:
    """A column of figures."""
    return Column(title, "figure", width)
