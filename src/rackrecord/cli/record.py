"""`rackrecord record`: from a profile to a decision record."""

from __future__ import annotations

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
    from rackrecord.record import DecisionRecord

FORMATS = ("md", "pdf", "xlsx")


def formats_of(text: str) -> tuple[str, ...]:
    """The formats in a comma-separated list; UserError for an unknown one."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in (*FORMATS, "json")]
    if unknown:
        raise UserError.of(f"--formats: found {', '.join(unknown)}; expected some of {', '.join(FORMATS)}")
    return names


@click.command()
@click.argument("profile", type=click.Path(dir_okay=False, path_type=Path))
@records_option
@as_of_option
@click.option(
    "--formats", default=",".join(FORMATS), show_default=True, help="Beside record.json, comma-separated."
)
@click.option("--title", help="Title of the record; default: the profile's.")
@click.option(
    "--supersedes",
    metavar="RECORD",
    help="The record that this one is to supersede; it is superseded when this one is approved.",
)
@click.option(
    "--rounds",
    metavar="ROUNDS",
    help="Rounds whose results count, comma-separated, as if no other were in the catalog; default: all.",
)
@click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with templates of your own; what it lacks comes from the project.",
)
@click.option("--page-size", type=click.Choice(["A4", "Letter"]), default="A4", show_default=True)
@catalog_option
def record(
    profile: Path,
    records: Path,
    as_of: date | None,
    formats: str,
    title: str | None,
    supersedes: str | None,
    rounds: str | None,
    templates: Path | None,
    page_size: str,
    catalog: Path,
) -> None:
    """Make the decision record of PROFILE: select the evidence, work out the costs, write the files."""
    from rackrecord.catalog.store import load_catalog
    from rackrecord.cli.inputs import read_inputs

    wanted = formats_of(formats)
    loaded = load_catalog(catalog)
    inputs = read_inputs(profile, loaded)

    # Only now: a wrong profile needs none of it, and pydantic, which the profile loads, costs more at the end
    # of a longer chain of imports, where each call fetches a piece of stack and gives it back.
    from rackrecord.pipeline import decide
    from rackrecord.register.folder import create_record, find_record, number_of
    from rackrecord.render.files import RecordFiles, record_files

    if rounds is not None:
        loaded = loaded.restricted(_rounds_of(rounds, loaded))
    predecessor = number_of(find_record(records, supersedes)) if supersedes is not None else None
    made: list[tuple[DecisionRecord, RecordFiles]] = []

    def make(number: int) -> dict[str, bytes]:
        decided = decide(
            inputs.profile,
            loaded,
            day_of(as_of),
            measurements=inputs.measurements,
            profile_sha256=inputs.sha256,
            number=number,
            title=title,
            supersedes=predecessor,
        )
        files = record_files(
            decided,
            inputs.text,
            formats=wanted,
            templates=templates,
            page_size="Letter" if page_size == "Letter" else "A4",
        )
        made.append((decided, files))
        return files.files

    folder = create_record(records, title or inputs.profile.title, make)
    decided, files = made[0]
    for warning in files.warnings:
        click.echo(printable(f"warning: {warning}"), err=True)
    click.echo(_summary(decided, folder))


def _rounds_of(text: str, catalog: Catalog) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    known = catalog.round_names()
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        found = ", ".join(map(printable, unknown)) or "none"
        raise UserError.of(f"--rounds: found {found}; expected some of {', '.join(known)}")
    return names


def _summary(record: DecisionRecord, folder: Path) -> str:
    decision = record.capacity_decision_record.decision
    lines = [f"{folder.name}: {decision.strength.value}", decision.recommendation]
    lines += [
        f"  {option.name}: {text}"
        for option in record.profile.options
        if (text := _option(record, option.id))
    ]
    used = sum(len(selection.used) for selection in record.evidence)
    left_out = sum(len(selection.excluded) for selection in record.evidence)
    results = "1 result" if used == 1 else f"{used} results"
    lines.append(f"Evidence: {results} used, {left_out} excluded, each with its reasons.")
    lines += [f"Vendor claim {check.id}: {check.sentence}" for check in record.vendor_claims]
    names = sorted(path.name for path in folder.iterdir())
    lines.append(f"Files: {folder}/ {', '.join(names)}")
    return "\n".join(printable(line) for line in lines)


def _option(record: DecisionRecord, option_id: str) -> str:
    from rackrecord.quantities import compact, percent, significant

    figures = record.figures(option_id)
    if figures is None:
        return next((item.reason for item in record.comparison.not_ranked if item.option == option_id), "")
    above = {item.option: item.cost_above_best for item in record.comparison.break_even}
    distance = above.get(option_id)
    money = record.profile.currency
    text = f"{significant(figures.cost_per_million_tokens)} {money} per million output tokens, "
    text += f"{figures.racks} racks, "
    text += f"{compact(figures.yearly_cost)} {money} a year"
    if distance is not None:
        text += f" ({percent(distance, signed=True)})"
    return (
        text
        if figures.feasible
        else f"{text}; fails {', '.join(c.limit for c in figures.limits if not c.passed)}"
    )
