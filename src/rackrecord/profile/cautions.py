"""What a profile may say, yet hardly means: parts that defeat one another. None of these stops a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rackrecord.catalog.benchmarks import find_benchmark
from rackrecord.errors import Problem
from rackrecord.profile.checks import (
    Check,
    Finding,
    KnownNames,
    currencies_used,
    entries,
    facts_of,
    findings,
    section,
    workload_nodes,
)
from rackrecord.profile.fields import size_of
from rackrecord.suggest import did_you_mean
from rackrecord.yaml_file import Document, quoted

METRICS = {"ttft_ms": "time to first token", "tpot_ms": "time per output token", "e2e_ms": "whole request"}
SHAPE_FACTOR = 2
"""From this factor between the output lengths of workload and benchmark on, a verdict is at best likely."""


def cautions(document: Document, names: KnownNames) -> tuple[Problem, ...]:
    """What may not be meant, in reading order; `document` is a profile without mistakes."""
    found = findings(document, names, _CAUTIONS)
    return tuple(sorted(found, key=lambda problem: (problem.line or 0, problem.column or 0, problem.path)))


def _latency(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """Objectives that no published result can answer, since the benchmark's own limits are looser."""
    for path, part in workload_nodes(data):
        slo, facts = section(part, "slo"), facts_of(part)
        if facts is None or facts[1] is None:
            continue
        where = f"{facts[0].id} {facts[1].name}"
        for name, metric in METRICS.items():
            asked, limit = size_of(slo.get(name)), getattr(facts[1], name)
            if asked is None or (limit is not None and limit <= asked):
                continue
            own = (
                f"limits the {metric} to {limit} ms only"
                if limit is not None
                else f"sets no limit on the {metric}"
            )
            yield (*path, "slo", name), f"{where} {own}: every result is left out as looser-latency"
        percentile = size_of(slo.get("percentile"))
        if percentile is not None and percentile > 99:
            text = (
                f"{where} holds its limits at the 99th percentile: every result is left out as looser-latency"
            )
            yield (*path, "slo", "percentile"), text
        first, whole = size_of(slo.get("ttft_ms")), size_of(slo.get("e2e_ms"))
        if first is not None and whole is not None and whole < first:
            yield (*path, "slo", "e2e_ms"), "the whole request has less time than its first token"


def _lengths(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """Requests much longer or shorter than the benchmark's."""
    for path, part in workload_nodes(data):
        facts, own = facts_of(part), size_of(part.get("output_tokens_per_request"))
        mean = facts[0].mean_output_tokens if facts is not None else None
        if facts is None or own is None or mean is None:
            continue
        if own > SHAPE_FACTOR * mean or own * SHAPE_FACTOR < mean:
            text = f"{facts[0].id} has {mean} output tokens a request, far from {own}"
            yield (*path, "output_tokens_per_request"), f"{text}: the verdict is at best likely"


def _power(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """An objective or limit on power, and options whose power is not stated."""
    lacking = [path for path, option in entries(data, "options") if "power" not in option]
    options = _counted(len(lacking), "option states", "options state")
    if lacking and section(data, "policy").get("objective") == "tokens-per-joule":
        yield ("policy", "objective"), f"{options} no power and cannot be ranked by tokens per joule"
    for name in ("power_kw", "rack_power_kw"):
        if lacking and name in section(data, "limits"):
            yield ("limits", name), f"{options} no power, so that this limit cannot be judged"


def _delivery(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    lacking = [path for path, option in entries(data, "options") if "delivery" not in option]
    if lacking and "deliver_by" in section(data, "limits"):
        options = _counted(len(lacking), "option states", "options state")
        yield ("limits", "deliver_by"), f"{options} no delivery, so that this limit cannot be judged"


def _measured_basis(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """Ranking on measurements needs them for every option, and one workload."""
    if section(data, "policy").get("basis") != "measured":
        return
    lacking = [path for path, option in entries(data, "options") if "measurements" not in option]
    if lacking:
        options = _counted(len(lacking), "option has", "options have")
        text = f"{options} no measurements: the ranking falls back to verified results"
        yield ("policy", "basis"), text
    elif "workloads" in data:
        text = "a measurement speaks for one part of the workload: the ranking falls back to verified results"
        yield ("policy", "basis"), text


def _quotes(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    for path, option in entries(data, "options"):
        if "quote" in option and "price" not in option:
            yield (*path, "quote"), "a quote without a price: the option is not ranked"


def _twins(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """Options that differ in name only."""
    seen: list[tuple[dict[str, Any], int]] = []
    for path, option in entries(data, "options"):
        facts = {key: value for key, value in option.items() if key not in ("id", "name")}
        for other, entry in seen:
            if other == facts:
                yield path, f"the same as option {entry} apart from its name"
                break
        seen.append((facts, int(path[-1]) + 1))


def _files_twice(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    for path, option in entries(data, "options"):
        files: Any = section(option, "measurements").get("files", ())
        for index, name in enumerate(files):
            if name in files[:index]:
                yield (*path, "measurements", "files", index), f"{quoted(str(name))} is listed twice"


def _unused_rates(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    used = {code for _, code in currencies_used(data)}
    for path, entry in entries(data, "exchange_rates"):
        if (code := entry.get("currency")) not in used:
            yield path, f"no amount is in {code}: the rate is not used"


def _statements(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """Vendor claims that name what the catalog does not know, or have a unit that the benchmark has not."""
    for path, claim in entries(data, "vendor_claims"):
        name = claim.get("benchmark")
        if not isinstance(name, str):
            continue
        facts = facts_of(claim)
        if facts is None:
            if name not in names.benchmarks and find_benchmark(name) is None:
                near = did_you_mean(name, names.benchmarks)
                yield (*path, "benchmark"), f"no known benchmark{near}: the statement cannot be checked"
            continue
        scenarios = [scenario.name for scenario in facts[0].scenarios]
        if "scenario" in claim and scenarios and claim["scenario"] not in scenarios:
            text = f"{facts[0].id} is measured in {', '.join(scenarios)}: the statement cannot be checked"
            yield (*path, "scenario"), text
        if facts[1] is not None and "unit" in claim and claim["unit"] != facts[1].unit:
            text = f"{facts[0].id} {facts[1].name} is published in {facts[1].unit}"
            yield (*path, "unit"), f"{text}: the figures cannot be compared"


def _counted(number: int, one: str, several: str) -> str:
    return f"1 {one}" if number == 1 else f"{number} {several}"


_CAUTIONS: tuple[Check, ...] = (
    _latency,
    _lengths,
    _power,
    _delivery,
    _measured_basis,
    _quotes,
    _twins,
    _files_twice,
    _unused_rates,
    _statements,
)
