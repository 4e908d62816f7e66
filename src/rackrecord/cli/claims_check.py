"""`rackrecord claims check`: what vendors state, held against the published results."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rackrecord.cli.catalog_option import catalog_option
from rackrecord.errors import Problem, UserError

if TYPE_CHECKING:
    from rackrecord.catalog.store import Catalog
    from rackrecord.claim_check.vendor import ClaimCheck
    from rackrecord.profile.models import VendorClaim

_NUMBERS = ("multiplier", "value", "efficiency")


@click.command("check")
@click.argument("profile", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--subject", metavar="NAME", help='What is praised: "NVIDIA Vera Rubin".')
@click.option("--baseline", metavar="NAME", help='What it is compared with: "NVIDIA GB300".')
@click.option("--benchmark", metavar="NAME", help="The benchmark that the statement names.")
@click.option("--multiplier", metavar="X", help="Subject over baseline: 3.7.")
@click.option("--value", metavar="FIGURE", help="An absolute figure of the whole system: 5750000.")
@click.option("--unit", metavar="UNIT", help="Unit of the figure: Tokens/s, Queries/s or Samples/s.")
@click.option("--efficiency", metavar="E", help="Scaling efficiency at --accelerators: 0.99.")
@click.option("--accelerators", type=int, metavar="N", help="System size that the statement names.")
@click.option("--scenario", metavar="NAME", help="Scenario that the statement names.")
@click.option("--round", metavar="ROUND", help="Round that the statement names: v6.1.")
@click.option("--baseline-round", metavar="ROUND", help="The baseline's round, if it is another.")
@click.option(
    "--stage", default="published", show_default=True, help="published, preview, after-deadline or marketing."
)
@click.option("--up-to", is_flag=True, help="The statement says `up to`.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@catalog_option
def check_claims(profile: Path | None, form: str, catalog: Path, **stated: Any) -> None:
    """Hold vendors' statements against the results.

    The statements of PROFILE, or the one that the options describe. A statement is classified (comparable,
    directional, excluded, unclassified) and checked in each scenario: best result per accelerator over best,
    on one system size. None of this makes a statement evidence.
    """
    from rackrecord.catalog.store import load_catalog

    loaded = load_catalog(catalog)
    given = {name: value for name, value in stated.items() if value not in (None, False)}
    given.pop("stage")
    if profile is not None and given:
        raise UserError.of(f"found PROFILE and --{next(iter(given))}; expected one or the other")
    if profile is None and "subject" not in given:
        raise UserError.of("expected PROFILE, or --subject with what is stated of it")
    if profile is not None:
        checks = _of_profile(profile, loaded)
    else:
        checks = (_of_statement({**given, "stage": stated["stage"]}, loaded),)
    click.echo(_as_json(checks, whole=profile is not None) if form == "json" else _as_text(checks))


def _of_profile(path: Path, catalog: Catalog) -> tuple[ClaimCheck, ...]:
    from rackrecord.claim_check.vendor import check_vendor_claims
    from rackrecord.profile import load_profile

    return check_vendor_claims(load_profile(path, catalog), catalog)


def _of_statement(given: dict[str, Any], catalog: Catalog) -> ClaimCheck:
    from rackrecord.catalog.query import build_query
    from rackrecord.claim_check.vendor import check_claim

    rounds = [given[name] for name in ("round", "baseline_round") if name in given]
    build_query(catalog, benchmarks=[given["benchmark"]] if "benchmark" in given else [], rounds=rounds)
    return check_claim(_statement(given), catalog)


def _statement(given: dict[str, Any]) -> VendorClaim:
    """The statement that the options describe; UserError with every option that is wrong."""
    from pydantic import ValidationError

    from rackrecord.profile.models import VendorClaim

    values = dict(given)
    problems = []
    for name in _NUMBERS:
        try:
            if name in values:
                values[name] = Decimal(values[name])
        except InvalidOperation:
            problems.append(_problem(name, f"found {values.pop(name)!r}; expected a number such as 3.7"))
    if "efficiency" in values:
        values["scaling_efficiency"] = values.pop("efficiency")
    if "baseline_round" in values:  # a gain of software: the same accelerator in an earlier round
        values.setdefault("baseline", values["subject"])
    if problems:
        raise UserError(problems)
    origin = {"id": "statement", "who": "not stated", "where": "command line", "date": date.today()}
    try:
        return VendorClaim.model_validate({**origin, "statement": "not quoted", **values})
    except ValidationError as error:
        raise UserError(_problem(_option(item["loc"]), _message(item)) for item in error.errors()) from None


def _problem(option: str, message: str) -> Problem:
    return Problem("", None, None, f"--{option.replace('_', '-')}" if option else "", message)


def _option(place: tuple[int | str, ...]) -> str:
    name = str(place[0]) if place else ""
    return "efficiency" if name == "scaling_efficiency" else name


def _message(item: Any) -> str:
    expected = item.get("ctx", {}).get("expected")
    if expected is not None:
        return f"found {item['input']!r}; expected {expected}"
    return str(item["msg"]).replace("scaling_efficiency", "efficiency")


def _as_json(checks: tuple[ClaimCheck, ...], *, whole: bool) -> str:
    """The checks as data, less the fields on where a statement was read for one given by options."""
    import json

    left_out = () if whole else ("id", "who", "where", "date", "statement")
    listed = [check.model_dump(mode="json", exclude=left_out) for check in checks]
    return json.dumps({"checks": listed}, ensure_ascii=False, indent=2, sort_keys=True)


def _as_text(checks: tuple[ClaimCheck, ...]) -> str:
    from rackrecord.cli import analysis_output

    if not checks:
        return "The profile states no vendor claims."
    blocks = [analysis_output.claim_check(check) for check in checks]
    return "\n\n".join([*blocks, analysis_output.DERIVED])
