"""Round against round: new, gone, better, worse, what may not be compared, what has become available."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import StrEnum

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog
from rackrecord.claim_check.results import Group, comparable, compatible, groups, scenario_order
from rackrecord.claim_check.wording import why_incompatible
from rackrecord.data import Data


class Direction(StrEnum):
    """Which way the best result per accelerator went."""

    BETTER = "better"
    SAME = "same"
    WORSE = "worse"


class Change(Data):
    """One accelerator and system size in both rounds: newer over older, of the best and of the medians."""

    older: Group
    newer: Group
    ratio_best: Decimal
    ratio_median: Decimal
    direction: Direction


class ScenarioDiff(Data):
    """One benchmark and scenario in both rounds.

    `not_comparable` says why results may not be compared; then there are no changes. `new` and `gone` are the
    accelerators and system sizes that one round alone has.
    """

    benchmark: str
    scenario: str
    not_comparable: str | None
    changes: tuple[Change, ...]
    new: tuple[Group, ...]
    gone: tuple[Group, ...]


class NowAvailable(Data):
    """An accelerator with available results in the newer round and none in the older.

    `was_preview` tells whether the older round has it as a preview; `benchmarks` are those of the newer
    round.
    """

    accelerator: str
    name: str
    was_preview: bool
    benchmarks: tuple[str, ...]


class RoundDiff(Data):
    """Everything that differs between two rounds in one suite, closed and network divisions."""

    older: str
    newer: str
    suite: str
    new_benchmarks: tuple[str, ...]
    gone_benchmarks: tuple[str, ...]
    scenarios: tuple[ScenarioDiff, ...]
    now_available: tuple[NowAvailable, ...]


def diff_rounds(
    catalog: Catalog,
    older: str,
    newer: str,
    *,
    benchmarks: Iterable[str] = (),
    suite: str = "datacenter",
) -> RoundDiff:
    """The differences between two rounds, on every benchmark or on those given by id."""
    names = tuple(benchmarks) or catalog.benchmarks()
    usable = {
        name: [
            claim for claim in comparable(catalog.claims(name), suite=suite) if claim.round in (older, newer)
        ]
        for name in names
    }
    rounds_of = {name: {claim.round for claim in claims} for name, claims in usable.items()}
    both = [name for name in names if rounds_of[name] == {older, newer}]
    return RoundDiff(
        older=older,
        newer=newer,
        suite=suite,
        new_benchmarks=tuple(name for name in names if rounds_of[name] == {newer} != {older}),
        gone_benchmarks=tuple(name for name in names if rounds_of[name] == {older} != {newer}),
        scenarios=tuple(diff for name in both for diff in _benchmark(name, older, newer, usable[name])),
        now_available=_now_available(older, newer, usable),
    )


def _benchmark(benchmark: str, older: str, newer: str, claims: Sequence[Claim]) -> list[ScenarioDiff]:
    parts: dict[str, list[Claim]] = {}
    for claim in claims:
        parts.setdefault(claim.scenario, []).append(claim)
    scenarios = sorted(parts, key=lambda name: (scenario_order(name), name))
    return [_scenario(benchmark, scenario, older, newer, groups(parts[scenario])) for scenario in scenarios]


def _scenario(benchmark: str, scenario: str, older: str, newer: str, found: Sequence[Group]) -> ScenarioDiff:
    before = {_key(group): group for group in found if group.round == older}
    after = {_key(group): group for group in found if group.round == newer}
    fit = compatible(benchmark, scenario, older, newer)
    return ScenarioDiff(
        benchmark=benchmark,
        scenario=scenario,
        not_comparable=None if fit else why_incompatible(benchmark, scenario, older, newer),
        changes=tuple(_change(before[key], group) for key, group in after.items() if fit and key in before),
        new=tuple(group for key, group in after.items() if key not in before),
        gone=tuple(group for key, group in before.items() if key not in after),
    )


def _key(group: Group) -> tuple[str, int, str]:
    return (group.accelerator, group.size, group.unit)


def _change(older: Group, newer: Group) -> Change:
    ratio = newer.best.per_accelerator / older.best.per_accelerator
    direction = Direction.BETTER if ratio > 1 else Direction.WORSE if ratio < 1 else Direction.SAME
    return Change(
        older=older,
        newer=newer,
        ratio_best=ratio,
        ratio_median=newer.median / older.median,
        direction=direction,
    )


def _now_available(older: str, newer: str, usable: dict[str, list[Claim]]) -> tuple[NowAvailable, ...]:
    claims = [claim for found in usable.values() for claim in found]
    before = {
        claim.accelerator for claim in claims if claim.round == older and claim.availability == "available"
    }
    previewed = {
        claim.accelerator for claim in claims if claim.round == older and claim.availability == "preview"
    }
    benchmarks: dict[str, set[str]] = {}
    for claim in claims:
        if claim.round == newer and claim.availability == "available" and claim.accelerator not in before:
            benchmarks.setdefault(claim.accelerator, set()).add(claim.benchmark)
    return tuple(
        NowAvailable(
            accelerator=accelerator,
            name=accelerator_name(accelerator),
            was_preview=accelerator in previewed,
            benchmarks=tuple(sorted(benchmarks[accelerator])),
        )
        for accelerator in sorted(benchmarks)
    )
