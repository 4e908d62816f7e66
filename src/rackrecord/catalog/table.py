"""Claims as CSV and back: facts only, one row a claim, the same bytes for the same claims."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

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


_Writer = Callable[..., str]
_Reader = Callable[[str], object]

_PLAIN: tuple[_Writer, _Reader] = (_text, str)
_OPTIONAL: tuple[_Writer, _Reader] = (_text, _optional(str))
_COUNT: tuple[_Writer, _Reader] = (_text, _optional(int))
_NUMBER: tuple[_Writer, _Reader] = (_text, _optional(Decimal))
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
    "value": (_text, Decimal),
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
    writer.writerow(COLUMNS)
    for claim in sorted(claims, key=lambda claim: claim.id):
        writer.writerow([write(getattr(claim, field)) for field, (write, _) in COLUMNS.items()])
    return text.getvalue().encode()


def from_csv(data: bytes, facts: Mapping[str, object]) -> tuple[Claim, ...]:
    """The claims of a partition. `facts` are the fields that the manifest has, once for all its rows.

    Raises ValueError where the table is none that `to_csv` wrote, a cell has the wrong type or a claim is
    invalid.
    """
    rows = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
    header = next(rows, [])
    if header != list(COLUMNS):
        raise ValueError(f"found the columns {', '.join(header)[:200]!r}, expected {', '.join(COLUMNS)}")
    readers = [(field, read) for field, (_, read) in COLUMNS.items()]
    claims = []
    for row in rows:
        values: dict[str, object] = dict(facts)
        values.update({field: read(cell) for (field, read), cell in zip(readers, row, strict=True)})
        claims.append(Claim.model_validate(values))
    return tuple(claims)
