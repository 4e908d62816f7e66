"""Claims as CSV and back: facts only, one row a claim, the same bytes for the same claims."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from rackrecord.catalog.claim import Caveat, CaveatCode, Claim

SEPARATOR = "|"
"""Joins the values of a cell that has several; `\\|` is the character itself and `\\\\` a backslash."""


def join(values: Iterable[str]) -> str:
    """Several values as one cell."""
    return SEPARATOR.join(
        value.replace("\\", "\\\\").replace(SEPARATOR, "\\" + SEPARATOR) for value in values
    )


def split(cell: str) -> tuple[str, ...]:
    """The values that `join` made a cell of. The empty cell has none."""
    if not cell:
        return ()
    if "\\" not in cell:
        return tuple(cell.split(SEPARATOR))
    values, value, escaped = [], "", False
    for character in cell:
        if escaped:
            value, escaped = value + character, False
        elif character == "\\":
            escaped = True
        elif character == SEPARATOR:
            values.append(value)
            value = ""
        else:
            value += character
    return (*values, value)


def _caveats(cell: str) -> tuple[Caveat, ...]:
    parts = (text.partition(": ") for text in split(cell))
    return tuple(Caveat(code=CaveatCode(code), text=text) for code, _, text in parts)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _flag(cell: str) -> bool:
    if cell not in ("true", "false"):
        raise ValueError(f"found {cell!r}, expected true or false")
    return cell == "true"


def _write_flag(value: bool) -> str:
    return "true" if value else "false"


def _write_caveats(caveats: Iterable[Caveat]) -> str:
    return join(f"{caveat.code}: {caveat.text}" for caveat in caveats)


def _optional(read: Callable[[str], object]) -> Callable[[str], object]:
    return lambda cell: read(cell) if cell else None


def _number(cell: str) -> Decimal:
    number = Decimal(cell)
    if not number.is_finite():
        raise ValueError(f"found {cell!r}, expected a finite number")
    return number


_Writer = Callable[..., str]
_Reader = Callable[[str], object]

# a field, how its cell is read, and the cells read so far
_ColumnReader = tuple[str, _Reader, dict[str, object]]

_PLAIN: tuple[_Writer, _Reader] = (_text, str)
_OPTIONAL: tuple[_Writer, _Reader] = (_text, _optional(str))
_COUNT: tuple[_Writer, _Reader] = (_text, _optional(int))
_NUMBER: tuple[_Writer, _Reader] = (_text, _optional(_number))
_SEVERAL: tuple[_Writer, _Reader] = (join, split)
_FLAG: tuple[_Writer, _Reader] = (_write_flag, _flag)

COLUMNS: Mapping[str, tuple[_Writer, _Reader]] = {
    "id": _PLAIN,
    "submitter": _PLAIN,
    "system": _PLAIN,
    "platform": _PLAIN,
    "division": _PLAIN,
    "availability": _PLAIN,
    "suites": _SEVERAL,
    "accuracy_target": _OPTIONAL,
    "scenario": _PLAIN,
    "value": (_text, _number),
    "unit": _PLAIN,
    "accelerator": _PLAIN,
    "accelerator_count": _COUNT,
    "nodes": _COUNT,
    "accelerators_per_node": _COUNT,
    "accelerator_as_submitted": _PLAIN,
    "precision": _SEVERAL,
    "precision_as_submitted": _PLAIN,
    "software": _PLAIN,
    "benchmark_as_submitted": _PLAIN,
    "model_as_submitted": _PLAIN,
    "inferred": _FLAG,
    "valid": _FLAG,
    "mean_output_tokens": _NUMBER,
    "power": _NUMBER,
    "power_unit": _OPTIONAL,
    "result_id": _OPTIONAL,
    "location": _PLAIN,
    "caveats": (_write_caveats, _caveats),
}
"""The columns in their order, each a field of Claim, with how a value becomes a cell and a cell a value."""


def to_csv(claims: Iterable[Claim]) -> bytes:
    """Claims of one partition as CSV (UTF-8, `\\n`), sorted by id."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    # csv quotes a cell with the line end that it writes, not one with the other that it reads as one too
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    for claim in sorted(claims, key=lambda claim: claim.id):
        cells = [write(getattr(claim, field)) for field, (write, _) in COLUMNS.items()]
        (quoting if any("\r" in cell for cell in cells) else writer).writerow(cells)
    return text.getvalue().encode()


def ids_of(data: bytes) -> tuple[str, ...]:
    """The ids in a partition, without its other cells."""
    rows = _rows(data)
    next(rows, None)
    return tuple(row[0] for row in rows)


def from_csv(data: bytes, facts: Mapping[str, object]) -> tuple[Claim, ...]:
    """The claims of a partition. `facts` are the fields that the manifest has, once for all its rows.

    The file is one that `to_csv` wrote of valid claims, as its digest says, so each cell is read with its
    type but the claims are not validated again. Equal cells become one object: a large partition has many.

    Raises ValueError where the columns or the number of cells are others, or a cell has the wrong type.
    """
    rows = _rows(data)
    header = next(rows, [])
    if header != list(COLUMNS):
        raise ValueError(f"found the columns {', '.join(header)[:200]!r}, expected {', '.join(COLUMNS)}")
    readers: list[_ColumnReader] = [(field, read, {}) for field, (_, read) in COLUMNS.items()]
    return tuple(_claim(row, readers, facts) for row in rows)


def _rows(data: bytes) -> Iterator[list[str]]:
    return csv.reader(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline=""), strict=True)


def _claim(row: list[str], readers: list[_ColumnReader], facts: Mapping[str, Any]) -> Claim:
    values = dict(facts)
    for (field, read, known), cell in zip(readers, row, strict=True):
        try:
            values[field] = known[cell]
        except KeyError:
            values[field] = known[cell] = read(cell)
    return Claim(**values)
