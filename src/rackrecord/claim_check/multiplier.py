"""A multiplier against the published results: subject over baseline, scenario by scenario, at one system
size.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import msgspec

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.benchmarks import round_order
from rackrecord.claim_check.results import (
    Group,
    compatible,
    no_result,
    scenario_order,
    size_ratio,
    sizes_text,
)
from rackrecord.claim_check.wording import listed, why_incompatible
from rackrecord.data import Data


class Comparison(Data):
    """Two groups of results side by side.

    `ratio_best` is the subject's best per-accelerator figure over the baseline's, `ratio_median` that of the
    medians; `rounded` is `ratio_best` at the claim's own precision, and `reaches` tells whether that is the
    claim or above it. `differences` are the differences between the two best results that a comparison has to
    state.
    """

    scenario: str
    subject: Group
    baseline: Group
    ratio_best: Decimal
    ratio_median: Decimal
    rounded: Decimal
    reaches: bool
    differences: tuple[str, ...]

    @property
    def other_rounds(self) -> bool:
        """Whether the two sides are of different rounds."""
        return self.subject.round != self.baseline.round


class ScenarioCheck(Data):
    """What the results say in one scenario.

    `named` tells whether the statement speaks of this scenario (one that names none speaks of all); only then
    does it count. `compared` are on the same system size in compatible rounds, the largest first. `elsewhere`
    are on different sizes or in other rounds than the statement's and never count: the nearest pair where
    nothing could be compared, else a pair that would reach the claim. `missing` says what a comparison lacked
    and what there is.
    """

    scenario: str
    named: bool
    compared: tuple[Comparison, ...]
    elsewhere: tuple[Comparison, ...]
    incompatible: bool
    missing: str | None


class Multiple(msgspec.Struct, frozen=True):
    """A multiplier to be checked, with its names resolved.

    `baseline_round` is None where the statement names no round: then, scenario by scenario, it is the
    subject's round or, where the baseline has no result in that, the newest compatible one where it has.
    """

    benchmark: str
    subject: str
    baseline: str
    round: str
    baseline_round: str | None
    multiplier: Decimal
    scenario: str | None
    size: int | None


def at_precision(value: Decimal, claimed: Decimal) -> Decimal:
    """`value` rounded, halves up, to the decimal places that the claim was printed with."""
    exponent = claimed.as_tuple().exponent
    places = min(int(exponent), 0)
    return value.quantize(Decimal(1).scaleb(places), rounding=ROUND_HALF_UP)


def check_multiplier(asked: Multiple, found: Sequence[Group]) -> tuple[ScenarioCheck, ...]:
    """The check in every scenario where either side has results, and in the named one in any case."""
    subject = [group for group in found if group.accelerator == asked.subject]
    baseline = [group for group in found if group.accelerator == asked.baseline]
    scenarios = {group.scenario for group in subject if group.round == asked.round}
    scenarios |= {
        group.scenario for group in baseline if group.round == (asked.baseline_round or asked.round)
    }
    if asked.scenario is not None:
        scenarios.add(asked.scenario)
    return tuple(
        _check_scenario(asked, scenario, subject, baseline)
        for scenario in sorted(scenarios, key=lambda name: (scenario_order(name), name))
    )


def _check_scenario(
    asked: Multiple, scenario: str, subject: Sequence[Group], baseline: Sequence[Group]
) -> ScenarioCheck:
    named = asked.scenario in (None, scenario)
    ours = [group for group in subject if group.scenario == scenario]
    theirs = [group for group in baseline if group.scenario == scenario]
    against = asked.baseline_round or _open_round(asked, scenario, theirs)
    if not compatible(asked.benchmark, scenario, asked.round, against):
        return ScenarioCheck(
            scenario=scenario,
            named=named,
            compared=(),
            elsewhere=(),
            incompatible=True,
            missing=why_incompatible(asked.benchmark, scenario, against, asked.round),
        )
    pairs = [
        (ours_one, theirs_one)
        for ours_one in ours
        for theirs_one in theirs
        if ours_one.unit == theirs_one.unit
        and compatible(asked.benchmark, scenario, ours_one.round, theirs_one.round)
    ]
    same = [pair for pair in pairs if _is_asked(asked, against, *pair)]
    compared = tuple(
        compare(*pair, claimed=asked.multiplier) for pair in sorted(same, key=lambda pair: -pair[0].size)
    )
    others = [pair for pair in pairs if pair not in same]
    return ScenarioCheck(
        scenario=scenario,
        named=named,
        compared=compared,
        elsewhere=_elsewhere(asked, against, compared, others),
        incompatible=False,
        missing=None if compared else _missing(asked, against, scenario, ours, theirs),
    )


def _open_round(asked: Multiple, scenario: str, theirs: Sequence[Group]) -> str:
    """The baseline's round for a statement without rounds."""
    rounds = {
        group.round for group in theirs if compatible(asked.benchmark, scenario, asked.round, group.round)
    }
    earlier = {name for name in rounds if round_order(name) < round_order(asked.round)}
    return asked.round if asked.round in rounds or not earlier else max(earlier, key=round_order)


def _is_asked(asked: Multiple, against: str, subject: Group, baseline: Group) -> bool:
    return (
        subject.size == baseline.size
        and asked.size in (None, subject.size)
        and (subject.round, baseline.round) == (asked.round, against)
    )


def compare(subject: Group, baseline: Group, *, claimed: Decimal) -> Comparison:
    """Subject over baseline, best over best and median over median, held against a claimed ratio."""
    ratio = subject.best.per_accelerator / baseline.best.per_accelerator
    rounded = at_precision(ratio, claimed)
    return Comparison(
        scenario=subject.scenario,
        subject=subject,
        baseline=baseline,
        ratio_best=ratio,
        ratio_median=subject.median / baseline.median,
        rounded=rounded,
        reaches=rounded >= claimed,
        differences=differences(subject, baseline),
    )


def differences(subject: Group, baseline: Group) -> tuple[str, ...]:
    """What differs between two best results: version, division, category, accelerator count, submitter."""
    pairs = (
        ("round", subject.round, baseline.round),
        ("division", subject.best.division, baseline.best.division),
        ("availability", subject.best.availability, baseline.best.availability),
        ("accelerators", f"{subject.size}", f"{baseline.size}"),
        ("submitter", subject.best.submitter, baseline.best.submitter),
    )
    return tuple(f"{what}: {one} against {other}" for what, one, other in pairs if one != other)


def _elsewhere(
    asked: Multiple, against: str, compared: Sequence[Comparison], others: Sequence[tuple[Group, Group]]
) -> tuple[Comparison, ...]:
    """The nearest pair where nothing was compared; where nothing reaches the claim, one that would."""
    if any(comparison.reaches for comparison in compared):
        return ()
    nearest_first = sorted(others, key=lambda pair: _distance(asked, against, *pair))
    candidates = (compare(*pair, claimed=asked.multiplier) for pair in nearest_first)
    if not compared:
        return tuple(candidates)[:1]
    in_rounds = (
        candidate
        for candidate in candidates
        if (candidate.subject.round, candidate.baseline.round) == (asked.round, against)
    )
    return tuple(candidate for candidate in in_rounds if candidate.reaches)[:1]


def _distance(
    asked: Multiple, against: str, subject: Group, baseline: Group
) -> tuple[bool, Decimal, Decimal, tuple[int, ...], int]:
    """How far a pair is from what was asked: other rounds, the ratio of sizes, the size asked for."""
    strange = (subject.round, baseline.round) != (asked.round, against)
    apart = size_ratio(subject.size, baseline.size)
    off = size_ratio(subject.size, asked.size) if asked.size is not None else Decimal(1)
    newest_first = tuple(-part for one in (subject, baseline) for part in round_order(one.round))
    return (strange, apart, off, newest_first, -subject.size)


def _missing(
    asked: Multiple, against: str, scenario: str, ours: Sequence[Group], theirs: Sequence[Group]
) -> str:
    """What a comparison lacked, and what there is."""
    sides = ((asked.subject, asked.round, ours), (asked.baseline, against, theirs))
    lacking = [
        no_result(accelerator, scenario, round, asked.size, found)
        for accelerator, round, found in sides
        if not any(g.round == round and asked.size in (None, g.size) for g in found)
    ]
    if lacking:
        return "; ".join(dict.fromkeys(lacking))
    here = [
        f"{accelerator_name(accelerator)} on {sizes_text(g for g in found if g.round == round)}"
        for accelerator, round, found in sides
    ]
    return f"no system size has results of both in {scenario}: {listed(here)}"
