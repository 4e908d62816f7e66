"""`rackrecord claims`: look at published results, and import more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from difflib import SequenceMatcher
from heapq import nlargest
from pathlib import Path
from typing import Any, TypeVar

import click

from rackrecord.cli import claims_analysis, claims_check
from rackrecord.cli.catalog_option import catalog_option, catalog_target_option
from rackrecord.cli.options import Day, day_of
from rackrecord.errors import UserError

# the rest of the package is imported where it is used: `--help` needs none of it

_Command = TypeVar("_Command", bound=Callable[..., Any])

_BIG_FILE = 4_000_000
_SHOWN_CHANGES = 20


@click.group()
def claims() -> None:
    """Published benchmark results: list, show, import."""


def _filters(command: _Command) -> _Command:
    """The options of `claims list`, each of which may be given several times."""
    options = (
        ("--submitter", "Submitting organization."),
        ("--availability", "available, preview or rdi."),
        ("--division", "closed, network or open."),
        ("--round", "Round, such as v6.1."),
        ("--accelerator", "Accelerator by id, name or spelling: nvidia-gb300."),
        ("--scenario", "Offline, Server, Interactive, SingleStream or MultiStream."),
        ("--benchmark", "Benchmark, such as gpt-oss-120b; llama2-70b-99.9 for one accuracy target."),
    )
    for name, text in options:
        command = click.option(name, multiple=True, metavar="NAME", help=text)(command)
    return command


@claims.command("list")
@_filters
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
@catalog_option
def list_claims(
    benchmark: tuple[str, ...],
    scenario: tuple[str, ...],
    accelerator: tuple[str, ...],
    round: tuple[str, ...],
    division: tuple[str, ...],
    availability: tuple[str, ...],
    submitter: tuple[str, ...],
    form: str,
    catalog: Path,
) -> None:
    """List results, filtered. A filter given twice allows either value.

    Figures per accelerator are derived, not an official MLPerf metric.
    """
    from rackrecord.catalog.query import build_query, select
    from rackrecord.catalog.store import load_catalog
    from rackrecord.cli import claims_output

    loaded = load_catalog(catalog)
    query = build_query(
        loaded,
        benchmarks=benchmark,
        scenarios=scenario,
        accelerators=accelerator,
        rounds=round,
        divisions=division,
        availabilities=availability,
        submitters=submitter,
    )
    found = select(loaded, query)
    if form == "csv":
        for line in claims_output.as_csv(found):
            click.echo(line, nl=False)
    elif form == "json":
        click.echo(claims_output.as_json(found))
    else:
        click.echo(claims_output.as_table(list(found)))


@claims.command("show")
@click.argument("claim_id", metavar="ID")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@catalog_option
def show_claim(claim_id: str, form: str, catalog: Path) -> None:
    """Show a result with every field, its caveats, and what a citation needs.

    ID is the id that `claims list` shows, or an official result id, which may stand for all results of a
    system.
    """
    from rackrecord.catalog.store import load_catalog
    from rackrecord.cli import claims_output

    loaded = load_catalog(catalog)
    result = loaded.find(claim_id)
    found = [result] if result else [claim for claim in loaded.all_claims() if claim.result_id == claim_id]
    if not found:
        near = nearest_ids(claim_id, (claim.id for claim in loaded.all_claims()))
        expected = (
            f"the nearest ids are: {', '.join(near)}" if near else "expected an id that `claims list` shows"
        )
        raise UserError.of(f"no result {claim_id!r} in the catalog; {expected}", path="ID")
    if form == "json":
        click.echo(claims_output.as_json(found))
    else:
        click.echo("\n\n".join(claims_output.in_full(claim) for claim in found))


def nearest_ids(wanted: str, ids: Any, number: int = 3) -> list[str]:
    """The ids most like `wanted`: by the parts they share, then letter by letter."""
    parts = {part.casefold() for part in wanted.split("/")}

    def shared(claim_id: str) -> int:
        return len(parts & {part.casefold() for part in claim_id.split("/")})

    candidates = nlargest(200, sorted(ids), key=shared)
    likeness = {
        claim_id: SequenceMatcher(None, wanted.casefold(), claim_id.casefold()).ratio()
        for claim_id in candidates
    }
    return [
        claim_id
        for claim_id in nlargest(number, candidates, key=likeness.__getitem__)
        if likeness[claim_id] > 0.5
    ]


@claims.command("rounds")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@catalog_option
def list_rounds(form: str, catalog: Path) -> None:
    """List the rounds in the catalog: when they were published, how many results, from which source."""
    from rackrecord.catalog.benchmarks import next_round
    from rackrecord.catalog.store import load_catalog
    from rackrecord.cli import claims_output

    loaded = load_catalog(catalog)
    if form == "json":
        click.echo(claims_output.rounds_json(loaded.rounds()))
        return
    click.echo(claims_output.rounds_table(loaded.rounds()))
    following = next_round(loaded.round_names()[-1])
    if following is not None and following.expected is not None:
        click.echo(f"{following.id}: expected {following.expected}; {following.note}")
    click.echo(f"{loaded.total:,} results, catalog digest {loaded.digest}")


@claims.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@catalog_target_option
@click.option(
    "--retrieved",
    type=Day(),
    metavar="DATE",
    help="Day the file was fetched.  [default: today]",
)
@click.option("--source", metavar="TEXT", help="Where it was published.  [default: the file's name]")
@click.option(
    "--published",
    type=Day(),
    metavar="DATE",
    help="Day the round was published; needed for one that is not on record.",
)
def import_claims(
    file: Path, catalog: Path, retrieved: date | None, source: str | None, published: date | None
) -> None:
    """Import an official result summary: summary_results.json, summary.json or summary.csv.

    Results that the catalog has are skipped. Those it has with other figures are reported and left as they
    are; the exit code is then 1.
    """
    from rackrecord.catalog.imports import plan_import, write_import
    from rackrecord.catalog.mlperf import read_summary
    from rackrecord.catalog.store import load_catalog

    loaded = load_catalog(catalog)
    data = file.read_bytes()
    with click.progressbar(
        length=1000, label=f"Reading {file.name}", file=sys.stderr, hidden=len(data) < _BIG_FILE
    ) as bar:
        imported = read_summary(
            data,
            str(file),
            source=source or file.name,
            retrieved=day_of(retrieved),
            published=published,
            progress=lambda share: bar.update(int(share * 1000) - bar.pos),
        )
    plan = plan_import(imported, loaded)
    folder = write_import(plan, catalog)
    if imported.ignored_columns:
        click.echo(f"columns not used: {', '.join(imported.ignored_columns)}", err=True)
    for change in plan.changed[:_SHOWN_CHANGES]:
        click.echo(f"differs: {change.id}: {change.field} is {change.old!r}, in the file {change.new!r}")
    if len(plan.changed) > _SHOWN_CHANGES:
        click.echo(f"differs: {len(plan.changed) - _SHOWN_CHANGES:,} more fields")
    click.echo(
        f"{imported.round}: {imported.rows:,} results read, {len(plan.added):,} added, "
        f"{plan.same:,} there already, {plan.changed_results:,} different and left as they were"
    )
    click.echo(f"written to {folder}" if folder else "nothing new, nothing written")
    if plan.changed:
        click.get_current_context().exit(1)


claims.add_command(claims_check.check_claims)
claims.add_command(claims_analysis.gains)
claims.add_command(claims_analysis.scaling)
claims.add_command(claims_analysis.spread)
claims.add_command(claims_analysis.diff)
