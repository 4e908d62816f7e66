"""What one field cannot know: checks across fields and against the names that the catalog knows.

They read the raw document, so that they report beside the errors of single fields, all at once. Each check tolerates
any shape; what has the wrong type is another check's finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from rackrecord.catalog.accelerators import find_accelerator
from rackrecord.catalog.benchmarks import benchmarks, find_benchmark
from rackrecord.errors import Problem
from rackrecord.model import StrictModel
from rackrecord.profile.currencies import CURRENCIES
from rackrecord.suggest import did_you_mean
from rackrecord.yaml_file import Document, FieldPath

Finding = tuple[FieldPath, str]


class KnownNames(StrictModel):
    """The names a catalog knows."""

    benchmarks: frozenset[str]
    accelerators: frozenset[str]
    rounds: frozenset[str]


def cross_check(document: Document, names: KnownNames) -> tuple[Problem, ...]:
    """Every finding of every check, with its place."""
    data = document.data
    if not isinstance(data, Mapping):
        return ()
    return tuple(document.problem(path, message) for check in _CHECKS for path, message in check(data, names))


def workload_nodes(data: Mapping[str, Any]) -> Iterator[tuple[FieldPath, Mapping[str, Any]]]:
    """Each part of the workload with its path."""
    if isinstance(single := data.get("workload"), Mapping):
        yield ("workload",), single
    for index, part in enumerate(_items(data.get("workloads"))):
        if isinstance(part, Mapping):
            yield ("workloads", index), part


def _items(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else ()


def _workload_form(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    single, several = data.get("workload"), data.get("workloads")
    if single is None and several is None:
        yield ("workload",), "is missing"
    if single is not None and several is not None:
        yield ("workloads",), "found workload and workloads; expected one of them"
    shares = [part.get("share") for _, part in workload_nodes(data)] if several is not None else []
    if shares and all(isinstance(share, (int, Decimal)) for share in shares):
        total = sum(Decimal(share) for share in shares)  # type: ignore[arg-type]  # checked above
        if total != 1:
            yield ("workloads",), f"found shares that add up to {total}; expected 1"
    elif shares:
        for index, share in enumerate(shares):
            if share is None:
                yield ("workloads", index, "share"), "is missing; each part states its share of the output tokens"


def _workload_names(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    for path, part in workload_nodes(data):
        name = part.get("benchmark")
        if not isinstance(name, str):
            continue
        found = find_benchmark(name)
        if found is None and name not in names.benchmarks:
            known = sorted(names.benchmarks)
            yield (*path, "benchmark"), f"unknown benchmark {name!r}{did_you_mean(name, known) or _list(known)}"
        elif found is not None:
            yield from _benchmark_fields(path, part, found[0])


def _benchmark_fields(path: FieldPath, part: Mapping[str, Any], benchmark_id: str) -> Iterator[Finding]:
    facts = benchmarks()[benchmark_id]
    scenario = part.get("scenario")
    known = [s.name for s in facts.scenarios]
    if isinstance(scenario, str) and known and scenario not in known:
        yield (*path, "scenario"), f"found {scenario!r}; {benchmark_id} is measured in {', '.join(known)}"
    accuracy = part.get("accuracy")
    if isinstance(accuracy, (int, Decimal)) and not isinstance(accuracy, bool):
        targets = facts.accuracy_targets
        if not targets:
            yield (*path, "accuracy"), f"{benchmark_id} has one accuracy target; leave the field out"
        elif str(accuracy) not in targets:
            yield (*path, "accuracy"), f"found {accuracy}; {benchmark_id} has the targets {', '.join(targets)}"


def _list(names: list[str]) -> str:
    return f"; expected one of {', '.join(names)}"


def _accelerators(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    places: list[tuple[FieldPath, Any]] = [
        (("options", index, "accelerator"), option.get("accelerator"))
        for index, option in enumerate(_items(data.get("options")))
        if isinstance(option, Mapping)
    ]
    if isinstance(fleet := data.get("fleet"), Mapping):
        places.append((("fleet", "accelerator"), fleet.get("accelerator")))
    for path, name in places:
        if isinstance(name, str) and find_accelerator(name) is None and name not in names.accelerators:
            nearest = did_you_mean(name, names.accelerators)
            yield path, f"unknown accelerator {name!r}{nearest or '; `rackrecord claims list` shows the known ones'}"


def _rounds(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    places: list[tuple[FieldPath, Any]] = []
    if isinstance(fleet := data.get("fleet"), Mapping):
        places.append((("fleet", "software_round"), fleet.get("software_round")))
    for index, claim in enumerate(_items(data.get("vendor_claims"))):
        if isinstance(claim, Mapping):
            for field in ("round", "baseline_round"):
                places.append((("vendor_claims", index, field), claim.get(field)))
    for path, name in places:
        if isinstance(name, str) and name not in names.rounds:
            yield path, f"unknown round {name!r}{_list(sorted(names.rounds))}"


def _unique_ids(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    for field in ("options", "vendor_claims"):
        seen: dict[str, int] = {}
        for index, item in enumerate(_items(data.get(field))):
            name = item.get("id") if isinstance(item, Mapping) else None
            if isinstance(name, str):
                if name in seen:
                    yield (field, index, "id"), f"found {name!r} again; entry {seen[name]} has that id"
                seen.setdefault(name, index + 1)


def _decided_option(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    decision = data.get("decision")
    name = decision.get("option") if isinstance(decision, Mapping) else None
    known = [str(o["id"]) for o in _items(data.get("options")) if isinstance(o, Mapping) and "id" in o]
    if isinstance(name, str) and name not in known:
        yield ("decision", "option"), f"found {name!r}{did_you_mean(name, known) or _list(known)}"


def _currencies(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    own = data.get("currency")
    rates = [r.get("currency") for r in _items(data.get("exchange_rates")) if isinstance(r, Mapping)]
    for index, rate in enumerate(rates):
        if rate == own and isinstance(own, str):
            yield ("exchange_rates", index, "currency"), f"found {own}, the profile's own currency"
        elif isinstance(rate, str) and rate in rates[:index]:
            yield ("exchange_rates", index, "currency"), f"found a second rate for {rate}"
    if not isinstance(own, str):
        return
    for path, code in _money_codes({key: data.get(key) for key in ("facility", "options", "limits")}, ()):
        if code in CURRENCIES and code != own and code not in rates:
            yield path, f"is in {code} but the profile is in {own}; add the rate to exchange_rates, with its date"


_MONEY_FIELDS = frozenset(
    """electricity_per_kwh colocation_per_kw_month per_accelerator_hour per_rack_hour per_rack_month per_rack
    installation_per_rack support_per_year other_per_year purchase_budget yearly_budget term_budget""".split()
)


def _money_codes(value: Any, path: FieldPath, *, money: bool = False) -> Iterator[tuple[FieldPath, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _money_codes(item, (*path, key), money=key in _MONEY_FIELDS or money)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _money_codes(item, (*path, index))
    elif money and isinstance(value, str) and " " in value and path[-1] != "source":
        yield path, value.rsplit(" ", 1)[-1]


def _requests_need_length(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    demand = data.get("demand")
    if not isinstance(demand, Mapping) or "requests_per_second" not in demand:
        return
    for path, part in workload_nodes(data):
        found = find_benchmark(name) if isinstance(name := part.get("benchmark"), str) else None
        in_queries = found is not None and any(
            s.unit != "Tokens/s" for s in benchmarks()[found[0]].scenarios if s.name == part.get("scenario")
        )
        if part.get("output_tokens_per_request") is None and not in_queries:
            yield (*path, "output_tokens_per_request"), "is missing; demand in requests per second needs it"


_CHECKS: tuple[Callable[[Mapping[str, Any], KnownNames], Iterator[Finding]], ...] = (
    _workload_form,
    _workload_names,
    _accelerators,
    _rounds,
    _unique_ids,
    _decided_option,
    _currencies,
    _requests_need_length,
)
