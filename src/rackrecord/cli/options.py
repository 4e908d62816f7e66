"""Options and arguments that several commands share: the register, dates, names and notes."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from pathlib import Path

import click

from rackrecord.cli.text import printable
from rackrecord.errors import UserError

_LONGEST = 2000
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


class Day(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.5 on
    """A day, such as 2026-12-31."""

    name = "date"

    def convert(self, value: date | str, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The day; click's usage error for anything else."""
        if isinstance(value, date):
            return value
        if match := _DATE.fullmatch(value):
            with suppress(ValueError):  # 2026-02-30
                return date(int(match[1]), int(match[2]), int(match[3]))
        self.fail(f"{value!r} is no day; expected one such as 2026-12-31.", param, ctx)


records_option = click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("records"),
    show_default=True,
    help="Folder of the records.",
)
as_of_option = click.option(
    "--as-of",
    type=Day(),
    metavar="DATE",
    help="The day that counts as today; default: today.",
)
templates_option = click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the templates of your own that the record was made with.",
)


def day_of(given: date | None) -> date:
    """The day that a date option gives, today without one."""
    return given if given is not None else date.today()


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
