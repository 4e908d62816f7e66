"""`rackrecord recheck`: does the decision still hold on today's catalog?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rackrecord.cli.catalog_option import catalog_option
from rackrecord.cli.options import as_of_option, day_of, records_option
from rackrecord.cli.text import printable
from rackrecord.errors import UserError

if TYPE_CHECKING:
    from rackrecord.catalog.store import Catalog
    from rackrecord.register.changes import Recheck


@dataclass(frozen=True, slots=True)
class _Done:
    """One record's report, ready to be written and shown."""

    folder: Path
    finding: bool
    changed: bool
    line: str
    markdown: str
    json: bytes


@click.command()
@click.argument("record", nargs=-1)
@records_option
@as_of_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="What is printed: a few lines a record, or the reports in full.",
)
@click.option("--write/--no-write", default=True, help="Write reviews/DATE.md and .json beside each record.")
@catalog_option
def recheck(
    record: tuple[str, ...], records: Path, as_of: date | None, form: str, write: bool, catalog: Path
) -> None:
    """Decide the stored profile of each RECORD again on today's catalog, and say what differs.

    RECORD is a record's folder, its record.json, or its number in --records; without any, every record that
    is not rejected, superseded or expired. Per record: holds, figures changed, recommendation changes,
    evidence withdrawn, or cannot be re-run.

    The exit code is 1 when a recommendation changes, evidence is withdrawn or a record cannot be re-run.
    """
    from rackrecord.cli.workers import each
    from rackrecord.register.folder import find_record

    day = day_of(as_of)
    folders = tuple(find_record(records, text) for text in record) if record else _open_records(records)
    finding, changed = False, 0
    shown: list[str] = []
    for done in each(_recheck, folders, "Re-checking", prepare=_prepare, arguments=(catalog, day)):
        finding = finding or done.finding
        changed += done.changed
        if write:
            _write(done, day)
        shown.append(_shown(done, form))
    click.echo(_joined(shown, changed, form), nl=False)
    if finding:
        click.get_current_context().exit(1)


def _open_records(records: Path) -> tuple[Path, ...]:
    """The records of the register that are still in force or to be decided, and those that cannot be read."""
    from rackrecord.register.due import CLOSED
    from rackrecord.register.entries import Entry, read_entries

    if not records.is_dir():
        raise UserError.of("is no folder; --records names the folder of the records", file=str(records))
    found = (
        records / entry.folder
        for entry in read_entries(records)
        if not (isinstance(entry, Entry) and entry.status in CLOSED)
    )
    return tuple(found)


_catalog: Catalog | None = None
_day = date.min


def _prepare(folder: Path, day: date) -> None:
    """What every record needs, once a process."""
    global _catalog, _day
    from rackrecord.catalog.store import load_catalog

    _catalog, _day = load_catalog(folder), day


def _recheck(folder: Path) -> _Done:
    from rackrecord.canonical import canonical_json
    from rackrecord.register.changes import FINDINGS, Verdict
    from rackrecord.register.reports import recheck_line, recheck_markdown

    report = _report(folder)
    return _Done(
        folder=folder,
        finding=report.verdict in FINDINGS,
        changed=report.verdict is not Verdict.HOLDS,
        line=recheck_line(report),
        markdown=recheck_markdown(report),
        json=canonical_json(report),
    )


def _report(folder: Path) -> Recheck:
    from rackrecord.register.folder import number_of
    from rackrecord.register.recheck import cannot, recheck
    from rackrecord.register.stored import load

    assert _catalog is not None  # _prepare ran first
    try:
        stored = load(folder)
    except UserError as error:
        why = "; ".join(f"{Path(problem.file).name} {problem.message}" for problem in error.problems)
        return cannot(number_of(folder), folder.name, why, _day)
    return recheck(stored.record, stored.afterwards, _catalog, _day)


def _write(done: _Done, day: date) -> None:
    from rackrecord.register.entries import REVIEWS
    from rackrecord.register.folder import locked, own_subfolder, replace_file

    with locked(done.folder.parent):
        folder = own_subfolder(done.folder, REVIEWS)
        replace_file(folder / f"{day.isoformat()}.md", done.markdown.encode())
        replace_file(folder / f"{day.isoformat()}.json", done.json)


def _shown(done: _Done, form: str) -> str:
    if form == "json":
        return done.json.decode()
    return done.markdown if form == "md" else "\n".join(map(printable, done.line.split("\n")))


def _joined(shown: list[str], changed: int, form: str) -> str:
    if form == "json":
        return "[" + ",\n".join(shown) + "]\n"
    if form == "md":
        return "\n".join(shown)
    counted = "1 record" if len(shown) == 1 else f"{len(shown)} records"
    return "\n".join([*shown, f"{counted} re-checked, {changed} with differences."]) + "\n"
