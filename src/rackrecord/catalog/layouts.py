"""The official summary files as rows of cells: which layout, where each row stands, our name of each column.

Layouts: `summary_results.json` (v4.1 to v6.0: a list of objects), `summary.json` (v6.1: one object whose keys
are row numbers) and `summary.csv` (v6.1). A row's cells keep the published text: numbers in JSON become
Decimal.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from rackrecord.errors import UserError

MAX_CELL = 10_000
"""Characters that a cell may have; the longest in the published files has fewer than 1,500."""

# our name of a column -> its name up to v6.0
SUMMARY_RESULTS = {
    "submitter": "Submitter",
    "availability": "Availability",
    "division": "Category",
    "suites": "Suite",
    "system": "System",
    "platform": "Platform",
    "model": "UsedModel",
    "benchmark": "Model",
    "scenario": "Scenario",
    "accuracy": "Accuracy",
    "nodes": "Nodes",
    "accelerator": "Accelerator",
    "per_node": "a#",
    "location": "Location",
    "software": "Software",
    "notes": "Notes",
    "compliance": "compliance",
    "errors": "errors",
    "round": "version",
    "inferred": "inferred",
    "precision": "weight_data_types",
    "value": "Performance_Result",
    "unit": "Performance_Units",
}
SUMMARY_RESULTS_OPTIONAL = {
    "result_id": "ID",
    "total": "Total Accelerators",
    "power": "Power_Result",
    "power_unit": "Power_Units",
}

# our name of a column -> its name in v6.1
SUMMARY = {
    "submitter": "Organization",
    "availability": "Availability",
    "division": "Division",
    "suites": "SystemType",
    "system": "SystemName",
    "platform": "Platform",
    "model": "Model",
    "benchmark": "MlperfModel",
    "scenario": "Scenario",
    "accuracy": "Accuracy",
    "nodes": "number_of_nodes",
    "accelerator": "accelerator_model_name",
    "per_node": "accelerators_per_node",
    "total": "total_accelerators",
    "location": "Location",
    "software": "framework",
    "notes": "notes",
    "compliance": "compliance",
    "errors": "errors",
    "round": "version",
    "inferred": "inferred",
    "precision": "weight_data_types",
    "value": "Result",
    "unit": "Units",
}
SUMMARY_OPTIONAL = {"result_id": "ID", "power": "Power_Result", "power_unit": "Power_Units"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Which official column holds what: `required` and `optional` map our names to theirs."""

    name: str
    required: dict[str, str]
    optional: dict[str, str]


LAYOUTS = (
    Layout("summary_results (v4.1 to v6.0)", SUMMARY_RESULTS, SUMMARY_RESULTS_OPTIONAL),
    Layout("summary (v6.1)", SUMMARY, SUMMARY_OPTIONAL),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a summary file: the line it starts on, its number from 1, its cells by official column name.

    `done` is the share of the file that is read with it, from 0 to 1.
    """

    line: int
    number: int
    done: float
    cells: dict[str, object]


def rows_of(data: bytes, name: str) -> Iterator[Row]:
    """The rows of a summary file, JSON or CSV by its first character, one at a time.

    Raises UserError, with line and column, where the file is no text, is cut off or is no summary at all.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError.of(
            f"not UTF-8 text: byte {error.start} is {data[error.start]:#04x}; "
            "expected an official summary in JSON or CSV",
            file=name,
        ) from None
    start = text.lstrip()[:1]
    if not start:
        raise UserError.of("the file is empty; expected an official summary in JSON or CSV", file=name)
    return _json_rows(text, name) if start in "[{" else _csv_rows(text, name)


def layout_of(row: Row, name: str) -> Layout:
    """The layout whose columns the first row has. Raises UserError that names what is missing."""
    missing = {
        layout.name: [column for column in layout.required.values() if column not in row.cells]
        for layout in LAYOUTS
    }
    nearest = min(LAYOUTS, key=lambda layout: len(missing[layout.name]))
    lacking = missing[nearest.name]
    if not lacking:
        return nearest
    if len(lacking) > len(nearest.required) // 2:
        found = ", ".join(sorted(row.cells)[:6]) or "nothing"
        raise UserError.of(
            f"no official summary layout: found the columns {found[:200]}; expected those of "
            + " or of ".join(layout.name for layout in LAYOUTS),
            file=name,
            line=row.line,
        )
    raise UserError.of(
        f"missing column{'s' if len(lacking) > 1 else ''} {', '.join(lacking)} of the layout {nearest.name}",
        file=name,
        line=row.line,
    )


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    cells = dict(pairs)
    if len(cells) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:60]!r} occurs twice in one object")
    return cells


_DECODER = json.JSONDecoder(
    parse_float=_decimal, parse_int=_decimal, parse_constant=Decimal, object_pairs_hook=_unique
)
_SPACE = re.compile(r"[ \t\r\n]*")


class _JsonReader:
    """Walks the rows of a JSON summary one by one, so that each has its line and a large file needs little
    memory.
    """

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.line = 1
        self.counted = 0
        self.position = 0

    def fail(self, message: str, position: int) -> UserError:
        line = self.text.count("\n", 0, position) + 1
        column = position - self.text.rfind("\n", 0, position)
        return UserError.of(message, file=self.name, line=line, column=column)

    def skip_space(self) -> str:
        """Moves past white space; the character found there, empty at the end of the file."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.text[self.position : self.position + 1]

    def expect(self, characters: str) -> str:
        found = self.skip_space()
        if not found:
            raise self.fail("the file ends in the middle: it is cut off", self.position)
        if found not in characters:
            expected = " or ".join(f"'{character}'" for character in characters)
            raise self.fail(f"not valid JSON: found {found!r}, expected {expected}", self.position)
        self.position += 1
        return found

    def value(self) -> tuple[int, object]:
        """The JSON value here and the line it starts on."""
        self.skip_space()
        start = self.position
        self.line += self.text.count("\n", self.counted, start)
        self.counted = start
        try:
            value, self.position = _DECODER.raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            cut = error.pos >= len(self.text.rstrip()) or "Unterminated" in error.msg
            found = (
                "the file ends in the middle: it is cut off"
                if cut
                else f"not valid JSON: {error.msg.lower()}"
            )
            raise self.fail(found, error.pos) from None
        except RecursionError:
            raise self.fail("nested too deeply; expected a flat object for each result", start) from None
        except ValueError as error:
            raise self.fail(f"{error}; expected each column once", start) from None
        return self.line, value


def _json_rows(text: str, name: str) -> Iterator[Row]:
    reader = _JsonReader(text, name)
    opening = reader.expect("[{")
    closing = "]" if opening == "[" else "}"
    number = 0
    if reader.skip_space() == closing:
        raise UserError.of("no results in the file", file=name, line=1)
    while True:
        if opening == "{":
            _, key = reader.value()
            if not isinstance(key, str) or not key.isdecimal():
                raise reader.fail(
                    f"no official summary layout: found the key {str(key)[:60]!r}, expected row numbers "
                    'such as "0" or a list of results',
                    reader.counted,
                )
            reader.expect(":")
        line, cells = reader.value()
        number += 1
        if not isinstance(cells, dict):
            found = type(cells).__name__ if cells is not None else "null"
            raise reader.fail(
                f"row {number}: found {found}, expected an object with one result", reader.counted
            )
        yield Row(line, number, reader.position / len(text), cells)
        if reader.expect("," + closing) == closing:
            break
    if reader.skip_space():
        raise reader.fail("text after the end of the results; expected nothing", reader.position)


def _csv_rows(text: str, name: str) -> Iterator[Row]:
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    total = text.count("\n") + 1
    try:
        header = next(lines, [])
        if len(set(header)) < len(header):
            twice = next(column for column in header if header.count(column) > 1)
            raise UserError.of(f"the column {twice!r} occurs twice; expected each once", file=name, line=1)
        line, number = lines.line_num + 1, 0
        for cells in lines:
            if cells:
                number += 1
                if len(cells) != len(header):
                    raise UserError.of(
                        f"row {number}: found {len(cells)} cells, expected {len(header)} as in the header",
                        file=name,
                        line=line,
                    )
                yield Row(line, number, line / total, dict(zip(header, cells, strict=True)))
            line = lines.line_num + 1
    except csv.Error as error:
        found = str(error)
        if "unexpected end of data" in found:
            found = "the file ends in the middle of a cell: it is cut off"
        elif "field larger" in found:
            found = f"a cell longer than {MAX_CELL} characters"
        raise UserError.of(found, file=name, line=lines.line_num) from None
    if number == 0:
        raise UserError.of("no results in the file", file=name, line=1)
