"""`rackrecord check`: every mistake in a profile, or how the profile is understood."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rackrecord.cli.catalog_option import catalog_option
from rackrecord.cli.text import printable
from rackrecord.errors import Problem, UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rackrecord.catalog.store import Catalog
    from rackrecord.profile import Examined, KnownNames


@click.command()
@click.argument(
    "profiles",
    metavar="PROFILE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
)
@catalog_option
def check(profiles: tuple[Path, ...], catalog: Path) -> None:
    """Check each PROFILE: list all its mistakes, or say how it is understood and what it leaves open.

    Exit code 2 when one of them has mistakes. Nothing is written.
    """
    from rackrecord.catalog.store import load_catalog
    from rackrecord.profile import known_names

    loaded = load_catalog(catalog)
    names = known_names(loaded)
    problems: list[Problem] = []
    for path in profiles:
        try:
            examined = _examine(path, names, loaded)
        except UserError as error:
            problems += error.problems
        else:
            click.echo(report(path, examined))
    if problems:
        raise UserError(problems)


def _examine(path: Path, names: KnownNames, catalog: Catalog) -> Examined:
    """The profile at `path`. Raises UserError with every problem in it and in the measurements it names."""
    from rackrecord.profile import examine
    from rackrecord.yaml_file import read_text_file

    examined = examine(read_text_file(path), str(path), names)
    if absent := list(_absent_files(examined, path.parent)):
        raise UserError(absent)
    if any(option.measurements is not None for option in examined.profile.options):
        from rackrecord.cli.inputs import read_inputs

        read_inputs(path, catalog)
    return examined


def _absent_files(examined: Examined, folder: Path) -> Iterable[Problem]:
    for index, option in enumerate(examined.profile.options):
        for number, name in enumerate(option.measurements.files if option.measurements is not None else ()):
            if not (folder / name).is_file():
                text = f"found {name!r}, no such file; expected its path from the profile's folder"
                yield examined.document.problem(("options", index, "measurements", "files", number), text)


def report(path: Path, examined: Examined) -> str:
    """How a profile is understood, what it leaves open, and what may not be meant."""
    from rackrecord.profile.reading import left_open, reading

    lines = [f"{path}: OK"]
    heading = ""
    for name, text in reading(examined.profile):
        lines.append(f"  {name if name != heading else '':<10}  {text}")
        heading = name
    for index, (field, meaning) in enumerate(left_open(examined.profile)):
        lines.append(f"  {'not given' if index == 0 else '':<10}  {field}: {meaning}")
    lines += [f"caution: {problem}" for problem in examined.cautions]
    return "\n".join(printable(" ".join(line.split("\n"))) for line in lines)
