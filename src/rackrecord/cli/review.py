"""`rackrecord review`: which records are due, overdue or soon to be looked at again, and why."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rackrecord.cli.catalog_option import catalog_option
from rackrecord.cli.options import as_of_option, day_of, records_option
from rackrecord.cli.text import printable, table
from rackrecord.errors import UserError

if TYPE_CHECKING:
    from rackrecord.register.due import DueItem


@click.command()
@records_option
@as_of_option
@click.option(
    "--within",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    metavar="DAYS",
    help="How many days ahead counts as soon.",
)
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "md"]), default="table", show_default=True
)
@catalog_option
def review(records: Path, as_of: date | None, within: int, form: str, catalog: Path) -> None:
    """List the records that are due, overdue or soon to be looked at again, each with its trigger.

    The exit code is 1 when something is due or overdue.
    """
    from rackrecord.catalog.store import load_catalog
    from rackrecord.register.due import DueState, due_items, is_due
    from rackrecord.register.entries import read_entries

    if not records.is_dir():
        raise UserError.of("is no folder; --records names the folder of the records", file=str(records))
    day = day_of(as_of)
    entries = tuple(read_entries(records))
    items = due_items(entries, load_catalog(catalog), day, within)
    shown = tuple(item for item in items if item.state is not DueState.WAITING)
    if form == "json":
        click.echo(_json(shown, day, within, len(entries)))
    elif form == "md":
        from rackrecord.register.reports import review_markdown

        click.echo(review_markdown(shown, day, within, len(entries)), nl=False)
    else:
        click.echo(_table(shown, items, day, within, len(entries)))
    if is_due(shown):
        click.get_current_context().exit(1)


def _table(
    shown: tuple[DueItem, ...], every: tuple[DueItem, ...], day: date, within: int, records: int
) -> str:
    counted = "1 record" if records == 1 else f"{records} records"
    if not shown:
        text = f"Nothing of {counted} is due on {day} or within {within} days."
        following = next((item for item in every if item.due is not None), None)
        if following is not None:
            text += f" Next: {following.number:04d} on {following.due}, {printable(following.text)}."
        return text
    rows = [
        (
            item.state.value,
            item.due.isoformat() if item.due is not None else "",
            f"{item.number:04d}",
            item.status,
            item.kind,
            item.text,
            item.title,
        )
        for item in shown
    ]
    return table(("", "Date", "No", "Status", "Trigger", "What", "Record"), rows)


def _json(items: tuple[DueItem, ...], day: date, within: int, records: int) -> str:
    import json

    content = {
        "as_of": day.isoformat(),
        "within_days": within,
        "records": records,
        "items": [item.model_dump(mode="json") for item in items],
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
