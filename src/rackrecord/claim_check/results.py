"""The published results that an analysis may lay side by side, as figures and as groups of one size."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from statistics import median

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.benchmarks import compatible_group, round_order
from rackrecord.catalog.claim import SCENARIOS, Claim
from rackrecord.claim_check.wording import listed
from rackrecord.data import Data

COMPARED_DIVISIONS = frozenset({"closed", "network"})
"""The divisions that hold model and accuracy to the reference."""

_RATE = "/s"


class Figure(Data):
    """One published result as it is laid beside another.

    `value` is the whole system's, in `unit`, as published; `per_accelerator` is derived from it and is not an
    official MLPerf metric.
    """

    claim: str
    submitter: str
    system: str
    platform: str
    accelerator: str
    round: str
    division: str
    availability: str
    scenario: str
    accelerators: int
    value: Decimal
    unit: str
    per_accelerator: Decimal
    inferred: bool


class Group(Data):
    """The results of one accelerator, scenario, round and system size. Figures are per accelerator, in
    `unit`.

    `results` counts runs: one published under two accuracy targets is one. `claims` are the ids of all of
    them.
    """

    accelerator: str
    name: str
    scenario: str
    round: str
    size: int
    unit: str
    results: int
    submitters: tuple[str, ...]
    best: Figure
    median: Decimal
    minimum: Decimal
    claims: tuple[str, ...]

    @property
    def preview(self) -> bool:
        """Whether the best result is of a system that was not on sale."""
        return self.best.availability == "preview"


def figure_of(claim: Claim) -> Figure:
    """The figure of a result with a known accelerator count; ValueError for one without."""
    per_accelerator = claim.per_accelerator
    if per_accelerator is None or claim.accelerator_count is None:
        raise ValueError(f"{claim.id} has no accelerator count")
    return Figure(
        claim=claim.id,
        submitter=claim.submitter,
        system=claim.system,
        platform=claim.platform,
        accelerator=claim.accelerator,
        round=claim.round,
        division=claim.division,
        availability=claim.availability,
        scenario=claim.scenario,
        accelerators=claim.accelerator_count,
        value=claim.value,
        unit=claim.unit,
        per_accelerator=per_accelerator,
        inferred=claim.inferred,
    )


def comparable(
    claims: Iterable[Claim],
    *,
    suite: str = "datacenter",
    accuracy: str | None = None,
    availabilities: Iterable[str] = ("available", "preview"),
) -> tuple[Claim, ...]:
    """The results fit to be laid side by side per accelerator.

    Closed or network division, valid, of the suite, at the accuracy target or a stricter one, a rate, one
    kind of accelerator and a clear count of it. Results of previews are among them unless `availabilities`
    leaves them out.
    """
    allowed = frozenset(availabilities)
    return tuple(
        claim
        for claim in claims
        if claim.division in COMPARED_DIVISIONS
        and claim.valid
        and claim.availability in allowed
        and suite in claim.suites
        and claim.unit.endswith(_RATE)
        and len(claim.accelerators) == 1
        and claim.accelerator_count
        and _meets(claim.accuracy_target, accuracy)
    )


def _meets(target: str | None, asked: str | None) -> bool:
    return asked is None or target is None or Decimal(target) >= Decimal(asked)


def distinct_runs(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """One result a run: of a run published under two accuracy targets the stricter one stands, in order of
    ids.
    """
    strictest_first = sorted(claims, key=lambda claim: (-Decimal(claim.accuracy_target or 0), claim.id))
    runs: dict[tuple[str, str, str, str, Decimal], Claim] = {}
    for claim in strictest_first:
        runs.setdefault((claim.round, claim.submitter, claim.platform, claim.scenario, claim.value), claim)
    return tuple(sorted(runs.values(), key=lambda claim: claim.id))


def group_of(claims: Sequence[Claim]) -> Group:
    """The group that one or more results of one accelerator, scenario, round, size and unit make."""
    runs = distinct_runs(claims)
    best = figure_of(min(runs, key=lambda claim: (-claim.value, claim.id)))
    rates = [claim.value / best.accelerators for claim in runs]
    return Group(
        accelerator=best.accelerator,
        name=accelerator_name(best.accelerator),
        scenario=best.scenario,
        round=best.round,
        size=best.accelerators,
        unit=best.unit,
        results=len(runs),
        submitters=tuple(sorted({claim.submitter for claim in runs})),
        best=best,
        median=median(rates),
        minimum=min(rates),
        claims=tuple(sorted(claim.id for claim in claims)),
    )


def alike(claims: Iterable[Claim]) -> tuple[tuple[Claim, ...], ...]:
    """Comparable results parted by accelerator, scenario, round, system size and unit."""
    parts: dict[tuple[str, str, str, int, str], list[Claim]] = {}
    for claim in claims:
        key = (claim.accelerator, claim.scenario, claim.round, claim.accelerator_count or 0, claim.unit)
        parts.setdefault(key, []).append(claim)
    return tuple(tuple(part) for part in parts.values())


def groups(claims: Iterable[Claim]) -> tuple[Group, ...]:
    """Every group among comparable results: by accelerator, scenario, round (oldest first) and size (smallest
    first).

    Where one scenario is published in two units, the units do not share a group.
    """
    found = [group_of(part) for part in alike(claims)]
    return tuple(sorted(found, key=group_order))


def group_order(group: Group) -> tuple[str, int, tuple[int, int], int, str]:
    """Sort key of a group: accelerator, scenario, round (oldest first), size, unit."""
    return (
        group.accelerator,
        scenario_order(group.scenario),
        round_order(group.round),
        group.size,
        group.unit,
    )


def scenario_order(scenario: str) -> int:
    """Sort key of a scenario: Offline, Server, Interactive, SingleStream, MultiStream, then any other."""
    return SCENARIOS.index(scenario) if scenario in SCENARIOS else len(SCENARIOS)


def compatible(benchmark: str, scenario: str, first: str, second: str) -> bool:
    """Whether results of two rounds may be compared on this benchmark and scenario."""
    return first == second or second in compatible_group(benchmark, scenario, first)


def size_ratio(one: int, other: int) -> Decimal:
    """The larger of two system sizes over the smaller."""
    return Decimal(max(one, other)) / min(one, other)


def no_result(
    accelerator: str, scenario: str | None, round: str, size: int | None, found: Iterable[Group]
) -> str:
    """That an accelerator has no result in a scenario, round and size, and where among `found` it has one."""
    at = f" on {size} accelerators" if size is not None else ""
    of_scenario = f" {scenario}" if scenario is not None else ""
    text = f"no{of_scenario} result of {accelerator_name(accelerator)} in {round}{at}"
    rounds: dict[str, list[Group]] = {}
    for group in found:
        rounds.setdefault(group.round, []).append(group)
    where = [f"{name} on {sizes_text(rounds[name])}" for name in sorted(rounds, key=round_order)]
    return (
        f"{text} (there are in {listed(where)})"
        if where
        else f"{text}, nor in any other round of the catalog"
    )


def sizes_text(found: Iterable[Group]) -> str:
    """The system sizes of groups: `4, 8 and 72`."""
    return listed([str(size) for size in sorted({group.size for group in found})])
