"""Facts on the MLPerf Inference benchmarks and rounds that decide whether two results may be compared."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec

from rackrecord.data import Data

FACTS_PATH = Path(__file__).parent / "data" / "benchmarks.json"

_ROUND = re.compile(r"v(\d{1,4})\.(\d{1,4})")


class ScenarioFacts(Data):
    """One scenario of a benchmark: what its figure counts, and the 99th percentile limits a result must meet.

    Limits are in milliseconds: `ttft_ms` time to first token, `tpot_ms` time per output token, `e2e_ms` the
    whole request. None means that the benchmark sets no limit on that metric.
    """

    name: str
    unit: str
    ttft_ms: Decimal | None = None
    tpot_ms: Decimal | None = None
    e2e_ms: Decimal | None = None
    note: str | None = None


class Benchmark(Data):
    """One benchmark.

    `compatible` maps a scenario, or `default`, to the groups of rounds whose results may be compared with one
    another. `accuracy_targets` are in percent of the reference accuracy, least strict first, empty where the
    benchmark has one target only. `mean_output_tokens` is per sample, as recorded in the published results.
    """

    id: str
    aliases: tuple[str, ...] = ()
    task: str | None = None
    scenarios: tuple[ScenarioFacts, ...] = ()
    accuracy_targets: tuple[str, ...] = ()
    compatible: dict[str, tuple[tuple[str, ...], ...]] = msgspec.field(default_factory=dict)
    incompatible_because: dict[str, str] = msgspec.field(default_factory=dict)
    mean_output_tokens: Decimal | None = None
    note: str | None = None

    def scenario(self, name: str) -> ScenarioFacts | None:
        """The facts of a scenario, None where none are on record."""
        return next((scenario for scenario in self.scenarios if scenario.name == name), None)


class RoundFacts(Data):
    """One round: the day its results were published or, for one to come, the month it is expected
    (`2027-04`).
    """

    id: str
    published: date | None = None
    expected: str | None = None
    note: str | None = None


class _Facts(Data):
    sources: tuple[str, ...]
    rounds: tuple[RoundFacts, ...]
    benchmarks: tuple[Benchmark, ...]


@cache
def _facts() -> _Facts:
    return _Facts.model_validate_json(FACTS_PATH.read_bytes())


@cache
def benchmarks() -> Mapping[str, Benchmark]:
    """Every benchmark on record, by id."""
    return MappingProxyType({benchmark.id: benchmark for benchmark in _facts().benchmarks})


@cache
def rounds() -> Mapping[str, RoundFacts]:
    """Every round on record, by name, oldest first; the last may be one that is only expected."""
    ordered = sorted(_facts().rounds, key=lambda facts: round_order(facts.id))
    return MappingProxyType({facts.id: facts for facts in ordered})


def next_round(after: str) -> RoundFacts | None:
    """The first round on record that follows `after`, None where none is on record."""
    order = round_order(after)
    return next((facts for facts in rounds().values() if round_order(facts.id) > order), None)


def sources() -> tuple[str, ...]:
    """Where these facts were taken from."""
    return _facts().sources


def is_round(text: str) -> bool:
    """Whether `text` has the form of a round's name, such as `v6.1`."""
    return _ROUND.fullmatch(text) is not None


@cache
def round_order(round: str) -> tuple[int, int]:
    """Sort key of a round's name: `v6.1` gives (6, 1). Raises ValueError for another form."""
    match = _ROUND.fullmatch(round)
    if match is None:
        raise ValueError(f"{round!r} is no round: expected a name such as v6.1")
    return int(match[1]), int(match[2])


@cache
def _names() -> Mapping[str, tuple[str, str | None]]:
    names: dict[str, tuple[str, str | None]] = {}
    for benchmark in benchmarks().values():
        for spelling in (benchmark.id, *benchmark.aliases):
            names[spelling.casefold()] = (benchmark.id, None)
            for target in benchmark.accuracy_targets:
                names[f"{spelling}-{target}".casefold()] = (benchmark.id, target)
    return names


def find_benchmark(name: str) -> tuple[str, str | None] | None:
    """The benchmark that a name, alias or name with accuracy target stands for, in any case.

    `llama2-70b-99.9` gives ("llama2-70b", "99.9"), `VLM` gives ("qwen3-vl-235b-a22b", None), an unknown name
    None.
    """
    return _names().get(name.strip().casefold())


def compatible_group(benchmark_id: str, scenario: str, round: str) -> tuple[str, ...]:
    """The rounds whose results may be compared with those of `round`, itself among them, oldest first.

    A benchmark, scenario or round without facts on record is comparable with itself only.
    """
    benchmark = benchmarks().get(benchmark_id)
    if benchmark is None:
        return (round,)
    groups = benchmark.compatible.get(scenario, benchmark.compatible.get("default", ()))
    group = next((group for group in groups if round in group), (round,))
    return tuple(sorted(group, key=round_order)) if len(group) > 1 else (round,)
