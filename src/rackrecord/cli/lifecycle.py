"""`rackrecord propose`, `approve`, `reject`, `supersede` and `expire`: the steps of a record's life."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rackrecord.cli.options import Day, day_of, one_line, records_option, templates_option
from rackrecord.cli.text import printable
from rackrecord.errors import UserError

if TYPE_CHECKING:
    from rackrecord.record import DecisionRecord, Status, StatusChange
    from rackrecord.register.lifecycle import Afterwards
    from rackrecord.register.stored import Stored

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _who_and_when(command: _Command) -> _Command:
    """RECORD, and who takes the step, on which day, with which remark."""
    for option in (
        records_option,
        click.option("--note", metavar="TEXT", help="What else the history should say."),
        click.option("--on", type=Day(), metavar="DATE", help="Day of the step; default: today."),
        click.option("--by", required=True, metavar="NAME", help="Who takes the step."),
        click.argument("record"),
    ):
        command = option(command)
    return command


def _step_command(name: str, status: Status, text: str) -> click.Command:
    """A command that takes a record a step on, up to the decision."""

    @click.command(name, help=text)
    @_who_and_when
    @templates_option
    def command(
        record: str, by: str, on: date | None, note: str | None, records: Path, templates: Path | None
    ) -> None:
        from rackrecord.record import StatusChange
        from rackrecord.register.folder import find_record

        folder = find_record(records, record)
        change = StatusChange(status=status, by=one_line(by, "--by"), on=day_of(on), note=_note(note))
        for line in _step(folder, change, templates):
            click.echo(printable(line), err=line.startswith("warning: "))

    return command


propose = _step_command(
    "propose",
    "proposed",
    """Put the draft RECORD up for a decision.

    RECORD is its folder, its record.json, or its number in --records. Its files are made anew.""",
)
approve = _step_command(
    "approve",
    "approved",
    """Approve the proposed RECORD.

    RECORD is its folder, its record.json, or its number in --records. Its files are made anew, with the
    approval in them and a new digest, and never change after that. A record that it supersedes is then
    superseded.""",
)
reject = _step_command(
    "reject",
    "rejected",
    """Reject the proposed RECORD.

    RECORD is its folder, its record.json, or its number in --records. Its files are made anew, with the
    rejection in them, and never change after that. A record that it was to supersede is in force again.""",
)


@click.command()
@_who_and_when
@click.option("--with", "successor", required=True, metavar="RECORD", help="The record that takes its place.")
@templates_option
def supersede(
    record: str,
    by: str,
    on: date | None,
    note: str | None,
    records: Path,
    successor: str,
    templates: Path | None,
) -> None:
    """Let another record take the place of the decided RECORD, linked both ways.

    The files of RECORD stay as they are; afterwards.json beside them names the successor. The successor says
    in its own files which record it supersedes: because it was made with `rackrecord record --supersedes`, or
    because it is not decided yet; then its files are made anew.
    """
    from rackrecord.register.folder import find_record, locked
    from rackrecord.register.lifecycle import Afterward, followed, linked
    from rackrecord.register.stored import load

    old, new = find_record(records, record), find_record(records, successor)
    with locked(old.parent):
        before, after = load(old), load(new)
        _check_successor(before, after)
        change = Afterward(
            status="superseded",
            by=one_line(by, "--by"),
            on=day_of(on),
            note=_note(note),
            successor=_number(after),
        )
        afterwards = followed(before.record, before.afterwards, change)
        link = linked(after.record, _number(before))
        # The successor first: killed in between, the same command completes the work.
        warnings = _rewrite(after, link, templates) if link is not after.record else ()
        _write_afterwards(old, afterwards)
    for warning in warnings:
        click.echo(printable(warning), err=True)
    click.echo(f"{old.name} is superseded by {new.name}")


@click.command()
@_who_and_when
def expire(record: str, by: str, on: date | None, note: str | None, records: Path) -> None:
    """Let the decided RECORD end without a successor; its files stay as they are."""
    from rackrecord.register.folder import find_record, locked
    from rackrecord.register.lifecycle import Afterward, followed
    from rackrecord.register.stored import load

    folder = find_record(records, record)
    with locked(folder.parent):
        stored = load(folder)
        change = Afterward(
            status="expired", by=one_line(by, "--by"), on=day_of(on), note=_note(note), successor=None
        )
        _write_afterwards(folder, followed(stored.record, stored.afterwards, change))
    click.echo(f"{folder.name} is expired")


def _step(folder: Path, change: StatusChange, templates: Path | None) -> list[str]:
    """Take the step and say what was done; warnings first."""
    from rackrecord.register.folder import locked
    from rackrecord.register.lifecycle import advance
    from rackrecord.register.stored import load

    with locked(folder.parent):
        stored = load(folder)
        record = advance(stored.record, change)
        other = _predecessor(folder.parent, record, change)
        # In the order in which the same command completes the work of one that was killed in between.
        if other is not None and change.status == "rejected":
            _write_afterwards(*other)
        lines = [*_ended_quotes(record, change.on), *_rewrite(stored, record, templates)]
        if other is not None and change.status == "approved":
            _write_afterwards(*other)
    lines.append(
        f"{folder.name} is {change.status}: {record.capacity_decision_record.decision.recommendation}"
    )
    if other is not None:
        then = "is superseded by it" if change.status == "approved" else "is in force again"
        lines.append(f"{other[0].name} {then}")
    return lines


def _predecessor(
    register: Path, record: DecisionRecord, change: StatusChange
) -> tuple[Path, Afterwards] | None:
    """The folder of the record that this one supersedes and what has to be written there, if anything."""
    from rackrecord.register.folder import find_record
    from rackrecord.register.lifecycle import DECIDED, Afterward, followed, reinstated, successor_of
    from rackrecord.register.stored import load

    if record.supersedes is None or record.number is None or change.status == "proposed":
        return None
    folder = find_record(register, str(record.supersedes))
    before = load(folder)
    marked = successor_of(before.afterwards) == record.number
    if change.status == "rejected":
        back = reinstated(before.record, before.afterwards, record.number, change) if marked else None
        return (folder, back) if back is not None else None
    if marked:
        return None
    if before.record.status not in DECIDED:
        message = (
            f"supersedes {record.supersedes:04d}, which is {before.record.status}; decide on that one first"
        )
        raise UserError.of(f"record {record.number:04d} {message}")
    step = Afterward(
        status="superseded", by=change.by, on=change.on, note=change.note, successor=record.number
    )
    return folder, followed(before.record, before.afterwards, step)


def _check_successor(before: Stored, after: Stored) -> None:
    from rackrecord.register.lifecycle import status_of

    name = str(after.folder)
    if before.folder.resolve() == after.folder.resolve():
        raise UserError.of("--with: a record cannot supersede itself", file=name)
    if before.folder.parent.resolve() != after.folder.parent.resolve():
        raise UserError.of(
            f"--with: expected a record of the same register, {before.folder.parent}", file=name
        )
    status = status_of(after.record, after.afterwards)
    if status not in ("proposed", "approved"):
        raise UserError.of(f"--with: is {status}; expected a proposed or approved record", file=name)


def _rewrite(stored: Stored, record: DecisionRecord, templates: Path | None) -> tuple[str, ...]:
    """Make the files of a record anew, whole or not at all; what was noticed on the way."""
    from rackrecord.register.checksums import with_checksums
    from rackrecord.register.folder import rewrite_folder
    from rackrecord.register.stored import rendered

    files = rendered(stored, record, templates)
    rewrite_folder(stored.folder, with_checksums(files.files))
    return tuple(f"warning: {text}" for text in files.warnings)


def _write_afterwards(folder: Path, afterwards: Afterwards) -> None:
    from rackrecord.canonical import canonical_json
    from rackrecord.register.entries import AFTERWARDS
    from rackrecord.register.folder import replace_file

    replace_file(folder / AFTERWARDS, canonical_json(afterwards))


def _ended_quotes(record: DecisionRecord, day: date) -> list[str]:
    """Prices that no longer hold on the day of an approval."""
    ended = [
        f"warning: the price of {option.name} ended on {option.quote.valid_until}; ask for a new quote"
        for option in record.profile.options
        if option.quote is not None
        and option.quote.valid_until is not None
        and option.quote.valid_until < day
    ]
    return ended if record.status == "approved" else []


def _number(stored: Stored) -> int:
    if stored.record.number is None:
        raise UserError.of("has no number, so it is in no register", file=str(stored.folder))
    return stored.record.number


def _note(text: str | None) -> str | None:
    return one_line(text, "--note") if text is not None else None
