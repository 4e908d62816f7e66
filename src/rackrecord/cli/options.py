"""Options and arguments that several commands share: the register, dates, names and notes."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import click

from rackrecord.cli.text import printable
from rackrecord.errors import UserError

_LONGEST = 2000

records_option = click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("records"),
    show_default=True,
    help="Folder of the records.",
)
as_of_option = click.option(
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="The day that counts as today; default: today.",
)
templates_option = click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the templates of your own that the record was made with.",
)


def day_of(given: datetime | None) -> date:
    """The day that a date option gives, today without one."""
    return given.date() if given is not None else date.today()


def one_line(text: str, option: str) -> str:
    """A name or a note as given, on one line and without characters that are not seen.

    Raises:
        UserError: it is empty, too long, or has such characters.
    """
    line = " ".join(text.split())
    if not line or len(line) > _LONGEST or printable(line) != line:
        raise UserError.of(
            f"{option}: found {printable(text)!r}; expected one line of at most {_LONGEST} characters"
        )
    return line
