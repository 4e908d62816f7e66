"""What one section cannot know: checks across sections and against the names that the catalog knows.

They read the profile as written, so that they report beside the errors of single fields, all at once. Each
check tolerates any shape; what has the wrong type is another check's finding.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from rackrecord.catalog.accelerators import accelerators, find_accelerator
from rackrecord.catalog.benchmarks import (
    Benchmark,
    ScenarioFacts,
    benchmarks,
    find_benchmark,
    round_order,
    rounds,
)
from rackrecord.catalog.precision import weight_formats
from rackrecord.data import Data
from rackrecord.errors import Problem
from rackrecord.profile.currencies import CURRENCIES
from rackrecord.profile.fields import LONGEST_LINE, currency_of
from rackrecord.profile.validation import given
from rackrecord.suggest import did_you_mean, nearest
from rackrecord.yaml_file import Document, FieldPath, quoted

Finding = tuple[FieldPath, str]
Check = Callable[[Mapping[str, Any], "KnownNames"], Iterator[Finding]]


class KnownNames(Data):
    """The names a catalog knows."""

    benchmarks: frozenset[str]
    accelerators: frozenset[str]
    rounds: frozenset[str]


def cross_check(document: Document, names: KnownNames) -> tuple[Problem, ...]:
    """Every finding of every check, with its place."""
    return findings(document, names, _CHECKS)


def findings(document: Document, names: KnownNames, checks: Iterable[Check]) -> tuple[Problem, ...]:
    """The findings of some checks as problems."""
    data = given(document.data)
    if not isinstance(data, Mapping):
        return ()
    return tuple(document.problem(path, message) for check in checks for path, message in check(data, names))


def entries(data: Mapping[str, Any], field: str) -> Iterator[tuple[FieldPath, Mapping[str, Any]]]:
    """Each entry of a list of sections, with its path."""
    value = data.get(field)
    for index, item in enumerate(value if isinstance(value, tuple) else ()):
        if isinstance(item, Mapping):
            yield (field, index), item


def section(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """A section's fields; none where it is absent or no section."""
    value: Any = data
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def workload_nodes(data: Mapping[str, Any]) -> Iterator[tuple[FieldPath, Mapping[str, Any]]]:
    """Each part of the workload with its path."""
    if isinstance(single := data.get("workload"), Mapping):
        yield ("workload",), single
    yield from entries(data, "workloads")


def facts_of(part: Mapping[str, Any]) -> tuple[Benchmark, ScenarioFacts | None] | None:
    """What is on record about a workload's benchmark and scenario."""
    name, scenario = part.get("benchmark"), part.get("scenario")
    found = find_benchmark(name) if isinstance(name, str) else None
    if found is None:
        return None
    facts = benchmarks()[found[0]]
    return facts, facts.scenario(scenario) if isinstance(scenario, str) else None


def _unknown(name: str, kind: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return (
        f"found {quoted(name)}, no known {kind}{did_you_mean(name, names) or '; expected ' + _either(names)}"
    )


def _either(names: list[str]) -> str:
    return f"one of {', '.join(names)}" if len(names) > 1 else "".join(names)


def _shares(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """The parts of a workload state their shares, which add up to 1; a single workload has none."""
    single = section(data, "workload")
    if "share" in single:
        yield ("workload", "share"), "found with a single workload; expected shares in workloads only"
    parts = list(entries(data, "workloads"))
    for path, part in parts:
        if "share" not in part:
            yield (*path, "share"), "is missing; expected: This part's share of the output tokens"
    shares = [part.get("share") for _, part in parts]
    numbers = [Decimal(s) for s in shares if isinstance(s, (int, Decimal)) and not isinstance(s, bool)]
    if parts and len(numbers) == len(parts) and all(0 < n <= 1 for n in numbers) and sum(numbers) != 1:
        yield ("workloads",), f"found shares that add up to {sum(numbers)}; expected 1"


def _workload_names(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    for path, part in workload_nodes(data):
        name = part.get("benchmark")
        if not isinstance(name, str):
            continue
        facts = facts_of(part)
        if facts is not None:
            yield from _benchmark_fields(path, part, facts[0])
        elif name not in names.benchmarks:
            yield (*path, "benchmark"), _unknown(name, "benchmark", names.benchmarks)


def _benchmark_fields(path: FieldPath, part: Mapping[str, Any], facts: Benchmark) -> Iterator[Finding]:
    scenario = part.get("scenario")
    known = [s.name for s in facts.scenarios]
    if isinstance(scenario, str) and known and scenario not in known:
        text = f"found {quoted(scenario)}; expected a scenario of {facts.id}: {', '.join(known)}"
        yield (*path, "scenario"), f"{text}{did_you_mean(scenario, known)}"
    accuracy = part.get("accuracy")
    if not isinstance(accuracy, (int, Decimal)) or isinstance(accuracy, bool):
        return
    targets = facts.accuracy_targets
    if not targets:
        yield (*path, "accuracy"), f"found {accuracy}; expected none, as {facts.id} has one target"
    elif str(accuracy) not in targets:
        yield (
            (*path, "accuracy"),
            f"found {accuracy}; expected a target of {facts.id}: {' or '.join(targets)}",
        )


def _accelerators(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    places = [(path, entry.get("accelerator")) for path, entry in entries(data, "options")]
    places.append((("fleet",), section(data, "fleet").get("accelerator")))
    for path, name in places:
        if not isinstance(name, str) or name in names.accelerators:
            continue
        found = find_accelerator(name)
        if found is None:
            yield (*path, "accelerator"), f"found {quoted(name)}, {_similar(name)}"
        elif "+" in found:
            text = f"found {quoted(name)}, several kinds; expected one accelerator"
            yield (*path, "accelerator"), text


def _similar(name: str) -> str:
    """The accelerators that a name may mean: those it is a part of, else the nearest."""
    full = {accelerator.name: accelerator.vendor for accelerator in accelerators().values()}
    wanted = " ".join(name.casefold().split())
    kinds = sorted(known for known in full if f" {wanted} " in f" {known.casefold()} ")
    if 1 < len(kinds) <= 8 and wanted:
        return f"of which there are several kinds; expected {', '.join(kinds)}"
    short = {known.removeprefix(f"{vendor} "): known for known, vendor in full.items()}
    near = nearest(name, full, cutoff=0.8)
    if near is None and (near_short := nearest(name, short, cutoff=0.6)) is not None:
        near = short[near_short]
    if near is None:
        return "no known accelerator; expected a name that `rackrecord claims list` shows"
    return f"no known accelerator (did you mean {near}?)"


def _rounds(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """The fleet's software is compared with results; a statement may be about any round there was."""
    name = section(data, "fleet").get("software_round")
    if isinstance(name, str) and name not in names.rounds:
        text = f"found {quoted(name)}, no round with results; expected {_either(_in_order(names.rounds))}"
        yield ("fleet", "software_round"), text
    for path, claim in entries(data, "vendor_claims"):
        for field in ("round", "baseline_round"):
            name = claim.get(field)
            known = names.rounds | rounds().keys()
            if isinstance(name, str) and name not in known:
                text = f"found {quoted(name)}, no known round; expected {_either(_in_order(known))}"
                yield (*path, field), text


def _in_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=round_order)


def _unique(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    for field in ("options", "vendor_claims"):
        seen: dict[str, int] = {}
        for path, entry in entries(data, field):
            name = entry.get("id")
            if isinstance(name, str):
                if name in seen:
                    text = f"found {quoted(name)} again; expected an id of its own"
                    yield (*path, "id"), f"{text} (entry {seen[name]} has this one)"
                seen.setdefault(name, int(path[-1]) + 1)


def _decided_option(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    name = section(data, "decision").get("option")
    known = [entry["id"] for _, entry in entries(data, "options") if isinstance(entry.get("id"), str)]
    if isinstance(name, str) and known and name not in known:
        near = nearest(name, known)
        listed = ", ".join(quoted(other) for other in known[:20])
        expected = f" (did you mean {quoted(near)}?)" if near is not None else f"; expected {listed}"
        yield ("decision", "option"), f"found {quoted(name)}, no id of an option{expected}"


def _exchange_rates(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    own = data.get("currency")
    seen: set[str] = set()
    for path, entry in entries(data, "exchange_rates"):
        code = entry.get("currency")
        if not isinstance(code, str):
            continue
        if code == own:
            yield (
                (*path, "currency"),
                f"found {quoted(code)}, the profile's own currency; expected another one",
            )
        elif code in seen:
            yield (*path, "currency"), f"found {quoted(code)} again; expected one rate for a currency"
        seen.add(code)


def _currencies(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    """An amount in another currency needs a rate."""
    own = data.get("currency")
    rates = [entry.get("currency") for _, entry in entries(data, "exchange_rates")]
    if not isinstance(own, str) or own not in CURRENCIES:
        return
    for path, code in currencies_used(data):
        if code in CURRENCIES and code != own and code not in rates:
            text = (
                f"found an amount in {code}, without its rate; expected {own}, or the rate in exchange_rates"
            )
            yield path, text


_MONEY_FIELDS = frozenset(
    {
        "electricity_per_kwh",
        "colocation_per_kw_month",
        "per_accelerator_hour",
        "per_rack_hour",
        "per_rack_month",
        "per_rack",
        "installation_per_rack",
        "support_per_year",
        "other_per_year",
        "purchase_budget",
        "yearly_budget",
        "term_budget",
    }
)


def currencies_used(data: Mapping[str, Any]) -> Iterator[tuple[FieldPath, str]]:
    """Each amount that names a currency: its path and that currency. Of a range only the value."""

    def is_money(path: FieldPath) -> bool:
        return path[-1] in _MONEY_FIELDS or (path[-1] == "value" and path[-2] in _MONEY_FIELDS)

    def walk(value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from walk(item, (*path, key))
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                yield from walk(item, (*path, index))
        elif is_money(path) and (code := currency_of(value)) is not None:
            yield path, code

    for name in ("facility", "options", "limits"):
        yield from walk(data.get(name), (name,))


def _requests_need_length(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    if "requests_per_second" not in section(data, "demand"):
        return
    for path, part in workload_nodes(data):
        facts = facts_of(part)
        in_queries = facts is not None and facts[1] is not None and facts[1].unit != "Tokens/s"
        if "output_tokens_per_request" not in part and not in_queries:
            text = (
                "is missing; expected: Mean output tokens of a production request, as demand is in requests"
            )
            yield (*path, "output_tokens_per_request"), text


def _precisions(data: Mapping[str, Any], names: KnownNames) -> Iterator[Finding]:
    value = section(data, "policy").get("precisions")
    for index, name in enumerate(value if isinstance(value, tuple) else ()):
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_LINE:
            continue
        formats = weight_formats(name)
        if formats != (name,):
            known = (
                f"expected {', '.join(formats)}"
                if formats
                else "expected a format such as fp4, fp8, bf16 or int8"
            )
            yield ("policy", "precisions", index), f"found {quoted(name)}; {known}"


_CHECKS: tuple[Check, ...] = (
    _shares,
    _workload_names,
    _accelerators,
    _rounds,
    _unique,
    _decided_option,
    _exchange_rates,
    _currencies,
    _requests_need_length,
    _precisions,
)
