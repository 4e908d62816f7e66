"""`rackrecord compare`: several records side by side as one table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from rackrecord.cli.options import records_option
from rackrecord.cli.text import printable, spreadsheet_safe, table
from rackrecord.errors import Problem, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rackrecord.render.side_by_side import Line, SideBySide, Standing

DIFFERS = "\u2260"
_CELL = 36
"""Letters of a line in a cell of the table for reading."""


@click.command()
@click.argument("record", nargs=-1, required=True, metavar="RECORD RECORD...")
@records_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "csv", "json"]),
    default="text",
    show_default=True,
    help="A table for reading, a Markdown table, or data.",
)
def compare(record: tuple[str, ...], records: Path, form: str) -> None:
    """Put records side by side: what was asked, what is recommended, what it costs.

    RECORD is a record's folder, its record.json, or its number in --records. Figures are those of each
    record's leading option. A line whose facts differ is marked.
    """
    from rackrecord.render.side_by_side import side_by_side

    if len(record) < 2:
        raise UserError.of(f"found one record, {record[0]}; expected two or more")
    compared = side_by_side(_read(records, record))
    shown = {"text": as_text, "md": as_markdown, "csv": as_csv, "json": as_json}[form](compared)
    click.echo(shown)


def _read(records: Path, names: Sequence[str]) -> list[Standing]:
    """The records named. Raises one UserError with the problems of all of them."""
    found, problems = [], list[Problem]()
    for name in names:
        try:
            found.append(_standing(records, name))
        except UserError as error:
            problems += error.problems
    if problems:
        raise UserError(problems)
    return found


def _standing(records: Path, name: str) -> Standing:
    from rackrecord.record import read_record
    from rackrecord.register.entries import AFTERWARDS
    from rackrecord.register.folder import RECORD_JSON, find_record
    from rackrecord.register.lifecycle import read_afterwards, status_of
    from rackrecord.register.stored import check_digest, read_file
    from rackrecord.render.side_by_side import Standing

    folder = find_record(records, name)
    path = folder / RECORD_JSON
    data = read_file(path)
    check_digest(data, str(path))
    record = read_record(data, str(path))
    later = folder / AFTERWARDS
    afterwards = read_afterwards(read_file(later), str(later)) if later.exists() else None
    return Standing(record, status_of(record, afterwards))


def as_text(compared: SideBySide) -> str:
    """A table for a terminal, one column a record; lines that differ begin with a sign."""
    rows = []
    for line in compared.lines:
        cells = [wrap(printable(fact.text), _CELL) or [""] for fact in line.facts]
        for index in range(max(map(len, cells))):
            first = (DIFFERS if line.differs else "", line.name) if index == 0 else ("", "")
            rows.append((*first, *(cell[index] if index < len(cell) else "" for cell in cells)))
    header = ("", "", *(f"record {place}" for place in range(1, len(compared.lines[0].facts) + 1)))
    lines = [table(header, rows), "", f"{DIFFERS} the records differ"]
    return "\n".join([*lines, *map(printable, compared.notes)])


def as_markdown(compared: SideBySide) -> str:
    """A Markdown table; where the records differ, the line is bold."""
    from rackrecord.render.markdown_text import escape

    count = len(compared.lines[0].facts)
    lines = [
        f"| | {' | '.join(f'record {place}' for place in range(1, count + 1))} |",
        "|" + " --- |" * (count + 1),
    ]
    for line in compared.lines:
        cells = [escape(fact.text) for fact in line.facts]
        name = f"**{line.name}**" if line.differs else line.name
        lines.append(f"| {name} | {' | '.join(f'**{c}**' if line.differs else c for c in cells)} |")
    lines += ["", "Bold: the records differ."]
    return "\n".join([*lines, *(note for text in compared.notes for note in ("", escape(text)))])


def as_csv(compared: SideBySide) -> str:
    """CSV, one row a fact: its name, whether it differs, then the records; figures are numbers."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    places = range(1, len(compared.lines[0].facts) + 1)
    writer.writerow(["fact", "differs", *(f"record {place}" for place in places)])
    for line in compared.lines:
        writer.writerow([line.name, "yes" if line.differs else "no", *map(_csv_cell, _plain(line))])
    return buffer.getvalue().rstrip("\n")


def _csv_cell(value: str | int | float | None) -> str | int | float:
    if value is None:
        return ""
    return spreadsheet_safe(printable(value)) if isinstance(value, str) else value


def _plain(line: Line) -> list[str | int | float | None]:
    return [fact.plain for fact in line.facts]


def as_json(compared: SideBySide) -> str:
    """JSON: the facts of each record by name, the names of those that differ, and the notes."""
    count = len(compared.lines[0].facts)
    content = {
        "records": [
            {line.name: line.facts[place].plain for line in compared.lines} for place in range(count)
        ],
        "differs": [line.name for line in compared.lines if line.differs],
        "notes": list(compared.notes),
    }
    return json.dumps(content, ensure_ascii=False, indent=2)
