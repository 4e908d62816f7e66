"""`rackrecord claims gains`, `scaling`, `spread` and `diff`: what the published results say together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rackrecord.cli.catalog_option import catalog_option
from rackrecord.errors import UserError

if TYPE_CHECKING:
    from rackrecord.catalog.claim import Claim
    from rackrecord.catalog.store import Catalog
    from rackrecord.data import Data

_Command = TypeVar("_Command", bound=Callable[..., Any])

_format = click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True
)
_suite = click.option(
    "--suite", type=click.Choice(["datacenter", "edge"]), default="datacenter", show_default=True
)
_benchmark = click.option(
    "--benchmark",
    required=True,
    metavar="NAME",
    help="gpt-oss-120b, or llama2-70b-99.9 for one target.",
)


def _narrowing(command: _Command) -> _Command:
    """The options that narrow a question down to an accelerator, a scenario or a round."""
    for name, text in (
        ("--round", "Round.  [default: the newest with results on the benchmark]"),
        ("--scenario", "Scenario.  [default: all]"),
        ("--accelerator", 'Accelerator: nvidia-gb300, "NVIDIA GB300" or GB300.  [default: all]'),
    ):
        command = click.option(name, metavar="NAME", help=text)(command)
    return command


@click.command("gains")
@click.option("--accelerator", required=True, metavar="NAME", help='nvidia-gb300, "NVIDIA GB300" or GB300.')
@_benchmark
@click.option("--from", "older", required=True, metavar="ROUND", help="The older round.")
@click.option("--to", "newer", required=True, metavar="ROUND", help="The newer round.")
@_suite
@_format
@catalog_option
def gains(
    accelerator: str, benchmark: str, older: str, newer: str, suite: str, form: str, catalog: Path
) -> None:
    """What software gained between two rounds.

    On the same accelerator, scenario and system size; available systems only, best over best and median over
    median.
    """
    from rackrecord.claim_check.software import software_gains
    from rackrecord.cli import analysis_output

    loaded = _load(catalog)
    name, accuracy = _names(loaded, benchmark, [older, newer])
    kind = _accelerator(loaded, accelerator)
    found = software_gains(kind, name, older, newer, loaded, accuracy=accuracy, suite=suite)
    click.echo(
        _json(gains=found) if form == "json" else analysis_output.gains(kind, name, older, newer, found)
    )


@click.command("scaling")
@_benchmark
@_narrowing
@_suite
@_format
@catalog_option
def scaling(
    benchmark: str,
    accelerator: str | None,
    scenario: str | None,
    round: str | None,
    suite: str,
    form: str,
    catalog: Path,
) -> None:
    """The rate per accelerator by system size.

    With its efficiency against the smallest size. Without an accelerator, those measured on more than one
    size.
    """
    from rackrecord.claim_check.scaling import scaling_curves
    from rackrecord.cli import analysis_output

    claims = _claims(_load(catalog), benchmark, accelerator, scenario, round, suite)
    curves = scaling_curves(claims)
    if accelerator is None:
        curves = tuple(curve for curve in curves if len(curve.points) > 1)
    click.echo(_json(curves=curves) if form == "json" else analysis_output.scaling(curves))


@click.command("spread")
@_benchmark
@_narrowing
@_suite
@_format
@catalog_option
def spread(
    benchmark: str,
    accelerator: str | None,
    scenario: str | None,
    round: str | None,
    suite: str,
    form: str,
    catalog: Path,
) -> None:
    """How far results on like systems lie apart.

    On the same accelerator, system size, scenario and round, over all results and between submitters;
    available systems only.
    """
    from rackrecord.claim_check.spread import spreads
    from rackrecord.cli import analysis_output

    claims = _claims(_load(catalog), benchmark, accelerator, scenario, round, suite, ("available",))
    found = spreads(claims)
    click.echo(_json(spreads=found) if form == "json" else analysis_output.spreads(found))


@click.command("diff")
@click.argument("older", metavar="OLDER")
@click.argument("newer", metavar="NEWER")
@click.option("--benchmark", multiple=True, metavar="NAME", help="Benchmark.  [default: all]")
@_suite
@_format
@catalog_option
def diff(older: str, newer: str, benchmark: tuple[str, ...], suite: str, form: str, catalog: Path) -> None:
    """What differs between two rounds.

    New, gone, better, worse, not comparable, and accelerators that have become available. OLDER and NEWER are
    rounds, such as v6.0 and v6.1.
    """
    from rackrecord.catalog.query import build_query
    from rackrecord.claim_check.rounds import diff_rounds
    from rackrecord.cli import analysis_output

    loaded = _load(catalog)
    query = build_query(loaded, benchmarks=benchmark, rounds=[older, newer])
    if query.rounds[0] == query.rounds[1]:
        raise UserError.of(f"found {older} twice; expected two rounds")
    names = dict.fromkeys(name for name, _ in query.benchmarks)
    found = diff_rounds(loaded, query.rounds[0], query.rounds[1], benchmarks=names, suite=suite)
    click.echo(_json(diff=(found,)) if form == "json" else analysis_output.diff(found))


def _load(folder: Path) -> Catalog:
    from rackrecord.catalog.store import load_catalog

    return load_catalog(folder)


def _names(catalog: Catalog, benchmark: str, rounds: Iterable[str]) -> tuple[str, str | None]:
    """The benchmark's id and accuracy target; UserError for an unknown name."""
    from rackrecord.catalog.query import build_query

    return build_query(catalog, benchmarks=[benchmark], rounds=rounds).benchmarks[0]


def _accelerator(catalog: Catalog, text: str) -> str:
    """The canonical id of an accelerator; UserError with what the text may have meant."""
    from rackrecord.claim_check.subjects import find_subject, near_subjects
    from rackrecord.claim_check.wording import listed
    from rackrecord.suggest import did_you_mean

    found = find_subject(text, catalog.accelerators())
    if found is None:
        near = near_subjects(text)
        hint = f"; it may mean {listed(near, 'or')}" if near else did_you_mean(text, catalog.accelerators())
        raise UserError.of(f"{text!r} names no single accelerator{hint}", path="--accelerator")
    return found


def _claims(
    catalog: Catalog,
    benchmark: str,
    accelerator: str | None,
    scenario: str | None,
    round: str | None,
    suite: str,
    availabilities: tuple[str, ...] = ("available", "preview"),
) -> tuple[Claim, ...]:
    """The comparable results that are asked for; the newest round with any where none is named."""
    from rackrecord.catalog.benchmarks import round_order
    from rackrecord.catalog.query import build_query
    from rackrecord.claim_check.results import comparable

    query = build_query(
        catalog,
        benchmarks=[benchmark],
        scenarios=[scenario] if scenario is not None else [],
        rounds=[round] if round is not None else [],
    )
    name, accuracy = query.benchmarks[0]
    kind = _accelerator(catalog, accelerator) if accelerator is not None else None
    found = [
        claim
        for claim in comparable(
            catalog.claims(name), suite=suite, accuracy=accuracy, availabilities=availabilities
        )
        if kind in (None, claim.accelerator) and (not query.scenarios or claim.scenario in query.scenarios)
    ]
    newest = max((claim.round for claim in found), key=round_order, default=None)
    asked = query.rounds[0] if query.rounds else newest
    return tuple(claim for claim in found if claim.round == asked)


def _json(**results: Iterable[Data]) -> str:
    data = {name: [item.model_dump(mode="json") for item in items] for name, items in results.items()}
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True)
