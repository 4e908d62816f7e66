"""`rackrecord register`: the index of a folder of records."""

from __future__ import annotations

from pathlib import Path

import click

from rackrecord.cli.options import records_option
from rackrecord.cli.text import printable
from rackrecord.errors import Problem, UserError


@click.command()
@records_option
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where the index is not current.")
def register(records: Path, check: bool) -> None:
    """Write the index of the records: README.md, index.html and reviews.ics.

    They follow from the records alone, so they are the same on any day and any machine. The exit code is 1
    when a record cannot be read; the index then says so.
    """
    from rackrecord.register.entries import Unreadable, read_entries
    from rackrecord.register.folder import locked, replace_file
    from rackrecord.register.index import index_files

    if not records.is_dir():
        raise UserError.of("is no folder; --records names the folder of the records", file=str(records))
    entries = tuple(read_entries(records))
    files = index_files(entries)
    stale = [name for name, content in files.items() if _content(records / name) != content]
    if check:
        for name in stale:
            click.echo(f"{records / name} is not current; `rackrecord register` writes it")
    else:
        _refuse_foreign(records, stale)
        with locked(records):
            for name in stale:
                replace_file(records / name, files[name])
        counted = "1 record" if len(entries) == 1 else f"{len(entries)} records"
        click.echo(f"{counted}; written: {', '.join(stale) or 'nothing, all is current'}")
    unreadable = [entry for entry in entries if isinstance(entry, Unreadable)]
    for entry in unreadable:
        click.echo(printable(f"{entry.folder} cannot be read: {entry.why}"), err=True)
    if unreadable or (check and stale):
        click.get_current_context().exit(1)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _refuse_foreign(records: Path, names: list[str]) -> None:
    """UserError where a file that would be replaced is somebody's own."""
    from rackrecord.register.index import MARKS

    problems = [
        Problem(
            str(records / name),
            None,
            None,
            "",
            "was not made by rackrecord register; move or rename it first",
        )
        for name in names
        if (found := _content(records / name)) is not None and MARKS[name].encode() not in found
    ]
    if problems:
        raise UserError(problems)
