"""Software first: what the newest compatible round gains over an older one on the same accelerator and system
size.
"""

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from rackrecord.catalog.accelerators import accelerator_name, find_accelerator
from rackrecord.catalog.benchmarks import benchmarks, compatible_group, find_benchmark, round_order
from rackrecord.catalog.store import Catalog
from rackrecord.claim_check.results import (
    Group,
    comparable,
    compatible,
    groups,
    no_result,
    scenario_order,
    size_ratio,
)
from rackrecord.claim_check.wording import listed, rate_text, ratio_text, why_incompatible
from rackrecord.data import Data
from rackrecord.profile.models import Fleet, Workload
from rackrecord.quantities import percent

TOKENS = "Tokens/s"


class RoundGain(Data):
    """One scenario and system size in two rounds: newer over older, of the best and of the medians."""

    scenario: str
    size: int
    older: Group
    newer: Group
    gain_best: Decimal
    gain_median: Decimal


class ScenarioGains(Data):
    """The gains in one scenario at every size that both rounds have; `note` says why there are none."""

    scenario: str
    gains: tuple[RoundGain, ...]
    older_sizes: tuple[int, ...]
    newer_sizes: tuple[int, ...]
    note: str | None


class SoftwareGain(Data):
    """What newer software would add to a fleet, before any rack is bought.

    `same_size` is the verified gain at the fleet's own system size; `nearest` the one at the nearest size
    that both rounds have, where they lack the fleet's. Where there is neither, `elsewhere` has the gains in
    the benchmark's other scenarios, as a direction. Only the first is worth anything: `added` (from the
    medians) and `added_best`, in `unit`, are the fleet's accelerators times the realized fraction times the
    gain per accelerator, `added_tokens` is `added` in output tokens/s. `fleet_now` is what the fleet serves
    with its own round's median. `shortfall` is the demand less that, in `unit`, and `shortfall_covered` the
    share of it that `added` is, at most 1.
    """

    benchmark: str
    scenario: str
    accelerator: str
    name: str
    size: int
    accelerators: int
    from_round: str
    to_round: str | None
    same_size: RoundGain | None
    nearest: RoundGain | None
    unit: str | None
    realized_fraction: Decimal
    fleet_now: Decimal | None
    added: Decimal | None
    added_best: Decimal | None
    added_tokens: Decimal | None
    shortfall: Decimal | None
    shortfall_covered: Decimal | None
    sentence: str
    elsewhere: tuple[RoundGain, ...] = ()

    @property
    def shown(self) -> tuple[RoundGain, ...]:
        """Every gain that is stated."""
        own = tuple(gain for gain in (self.same_size, self.nearest) if gain is not None)
        return own + self.elsewhere

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the published results that the gains stand on, sorted."""
        return tuple(
            sorted({claim for gain in self.shown for claim in (*gain.older.claims, *gain.newer.claims)})
        )


def software_first(
    fleet: Fleet | None,
    workload: Workload,
    catalog: Catalog,
    *,
    realized_fraction: Decimal = Decimal(1),
    demand: Decimal | None = None,
) -> SoftwareGain | None:
    """The verified gain of the newest compatible round over the fleet's, None without a fleet.

    `demand` is what the fleet is asked to serve of this workload (with headroom), in the unit of the
    benchmark's scenario: output tokens/s, or requests/s where the benchmark counts queries or samples.
    """
    if fleet is None:
        return None
    benchmark, scenarios = _fleet_results(fleet, workload, catalog)
    found = scenarios.pop(workload.scenario, ())
    accelerator, size, older = _accelerator_of(fleet), fleet.accelerators_per_system, fleet.software_round
    newer = _newest(benchmark, workload.scenario, older, found)
    gain = _gain_at(size, benchmark, older, found)
    same, nearest = (gain, None) if gain is not None and gain.size == size else (None, gain)
    others = [_gain_at(size, benchmark, older, other) for other in scenarios.values()]
    elsewhere = tuple(other for other in others if other is not None and gain is None)
    now = next((group for group in found if group.round == older and group.size == size), None)
    accelerators = size * fleet.systems_per_rack * fleet.racks
    worth = _worth(same, now, accelerators * realized_fraction, demand)
    what = _sentence(benchmark, workload.scenario, accelerator, size, older, newer, found, same, nearest)
    what += _elsewhere_text(elsewhere)
    return SoftwareGain(
        benchmark=benchmark,
        scenario=workload.scenario,
        accelerator=accelerator,
        name=accelerator_name(accelerator),
        size=size,
        accelerators=accelerators,
        from_round=older,
        to_round=newer,
        same_size=same,
        nearest=nearest,
        elsewhere=elsewhere,
        unit=worth.unit,
        realized_fraction=realized_fraction,
        fleet_now=worth.now,
        added=worth.added,
        added_best=worth.added_best,
        added_tokens=_tokens(worth.added, worth.unit, benchmark),
        shortfall=worth.shortfall,
        shortfall_covered=worth.covered,
        sentence=what + _worth_text(worth),
    )


def _accelerator_of(fleet: Fleet) -> str:
    """The canonical id of a fleet's accelerator; an unknown name stays as it is."""
    return find_accelerator(fleet.accelerator) or fleet.accelerator


def _fleet_results(
    fleet: Fleet, workload: Workload, catalog: Catalog
) -> tuple[str, dict[str, tuple[Group, ...]]]:
    """The benchmark's id, and the available results of the fleet's accelerator by scenario."""
    benchmark, accuracy = find_benchmark(workload.benchmark) or (workload.benchmark, None)
    if workload.accuracy is not None:
        accuracy = str(workload.accuracy)
    accelerator = _accelerator_of(fleet)
    claims = (claim for claim in catalog.claims(benchmark) if claim.accelerator == accelerator)
    usable = comparable(claims, suite=workload.suite, accuracy=accuracy, availabilities=("available",))
    found = groups(usable)
    scenarios = sorted({group.scenario for group in found}, key=lambda name: (scenario_order(name), name))
    return benchmark, {name: tuple(g for g in found if g.scenario == name) for name in scenarios}


class _Worth(msgspec.Struct, frozen=True):
    """What a gain is worth to a fleet, in `unit`."""

    unit: str | None
    now: Decimal | None
    added: Decimal | None = None
    added_best: Decimal | None = None
    shortfall: Decimal | None = None
    covered: Decimal | None = None


def _worth(same: RoundGain | None, now: Group | None, scale: Decimal, demand: Decimal | None) -> _Worth:
    """`scale` is the fleet's accelerators times the realized fraction."""
    if now is None:
        return _Worth(unit=None, now=None)
    serves = now.median * scale
    shortfall = max(demand - serves, Decimal(0)) if demand is not None else None
    if same is None:
        return _Worth(unit=now.unit, now=serves, shortfall=shortfall)
    added = (same.newer.median - same.older.median) * scale
    return _Worth(
        unit=now.unit,
        now=serves,
        added=added,
        added_best=(same.newer.best.per_accelerator - same.older.best.per_accelerator) * scale,
        shortfall=shortfall,
        covered=min(max(added / shortfall, Decimal(0)), Decimal(1)) if shortfall else None,
    )


def _newest(benchmark: str, scenario: str, older: str, found: Sequence[Group]) -> str | None:
    """The newest round after `older` that may be compared with it and has a result."""
    group = compatible_group(benchmark, scenario, older)
    later = {g.round for g in found if g.round in group and round_order(g.round) > round_order(older)}
    return max(later, key=round_order, default=None)


def _gain_at(size: int, benchmark: str, older: str, found: Sequence[Group]) -> RoundGain | None:
    """The gain of the newest round over `older` at that size, else at the nearest that both rounds have.

    `found` are of one accelerator and scenario.
    """
    newer = _newest(benchmark, found[0].scenario, older, found) if found else None
    gains = _gains(found, older, newer) if newer is not None else ()
    return min(gains, key=lambda gain: (size_ratio(gain.size, size), -gain.size), default=None)


def _gains(found: Sequence[Group], older: str, newer: str) -> tuple[RoundGain, ...]:
    """The gain at every size that both rounds have, smallest first; `found` are of one accelerator and
    scenario.
    """
    before = {(group.size, group.unit): group for group in found if group.round == older}
    return tuple(
        RoundGain(
            scenario=after.scenario,
            size=after.size,
            older=before[after.size, after.unit],
            newer=after,
            gain_best=after.best.per_accelerator / before[after.size, after.unit].best.per_accelerator,
            gain_median=after.median / before[after.size, after.unit].median,
        )
        for after in found
        if after.round == newer and (after.size, after.unit) in before
    )


def _tokens(rate: Decimal | None, unit: str | None, benchmark: str) -> Decimal | None:
    """A rate as output tokens/s: requests times the benchmark's own recorded mean output tokens."""
    if rate is None or unit == TOKENS:
        return rate
    facts = benchmarks().get(benchmark)
    mean = facts.mean_output_tokens if facts is not None else None
    return rate * mean if mean is not None and unit in ("Queries/s", "Samples/s") else None


def _sentence(
    benchmark: str,
    scenario: str,
    accelerator: str,
    size: int,
    older: str,
    to_round: str | None,
    found: Sequence[Group],
    same: RoundGain | None,
    nearest: RoundGain | None,
) -> str:
    name = accelerator_name(accelerator)
    topic = f"{name} on {benchmark} {scenario}"
    if to_round is None:
        return _nothing_newer(benchmark, scenario, topic, older, found)
    if same is not None:
        return f"{topic}, {size} accelerators, {older} to {to_round}: {_gain_text(same)}."
    lacking = [
        no_result(accelerator, scenario, round, size, found)
        for round in (older, to_round)
        if not any(g.round == round and g.size == size for g in found)
    ]
    text = f"{topic}: {listed(lacking)}."
    if nearest is not None:
        text += f" The nearest size that both rounds have is {nearest.size}: {_gain_text(nearest)}."
    return text


def _nothing_newer(benchmark: str, scenario: str, topic: str, older: str, found: Sequence[Group]) -> str:
    later = sorted({g.round for g in found if round_order(g.round) > round_order(older)}, key=round_order)
    if later:
        return f"{topic}: no gain can be stated. {why_incompatible(benchmark, scenario, older, later[-1])}."
    if not found:
        return f"{topic}: no verified result in any round."
    return f"{topic}: no round after {older} has a verified result, so no gain can be stated."


def _gain_text(gain: RoundGain) -> str:
    return f"{ratio_text(gain.gain_median)} of the medians, {ratio_text(gain.gain_best)} best over best"


def _elsewhere_text(gains: Sequence[RoundGain]) -> str:
    """The gains in other scenarios than the workload's: a direction, worth no figure."""
    parts = [
        f"{gain.scenario} on {gain.size} accelerators, "
        f"{gain.older.round} to {gain.newer.round}, {_gain_text(gain)}"
        for gain in gains
    ]
    return f" A direction from other scenarios: {'; '.join(parts)}." if parts else ""


def _worth_text(worth: _Worth) -> str:
    if worth.added is None:
        return ""
    if worth.added <= 0:
        return " The newer results are no higher, so software adds nothing."
    text = f" That is {rate_text(worth.added)} {worth.unit} more from the racks in place"
    if worth.shortfall == 0:
        return f"{text}; there is no shortfall."
    covered = worth.covered
    return f"{text}, {percent(covered)} of the shortfall." if covered is not None else f"{text}."


def software_gains(
    accelerator: str,
    benchmark: str,
    older: str,
    newer: str,
    catalog: Catalog,
    *,
    accuracy: str | None = None,
    suite: str = "datacenter",
) -> tuple[ScenarioGains, ...]:
    """The gains of one accelerator (canonical id) between two rounds, in every scenario that either round
    has.
    """
    claims = (
        claim
        for claim in catalog.claims(benchmark)
        if claim.accelerator == accelerator and claim.round in (older, newer)
    )
    found = groups(comparable(claims, suite=suite, accuracy=accuracy, availabilities=("available",)))
    scenarios = sorted({g.scenario for g in found}, key=lambda name: (scenario_order(name), name))
    return tuple(
        _scenario_gains(benchmark, scenario, older, newer, [g for g in found if g.scenario == scenario])
        for scenario in scenarios
    )


def _scenario_gains(
    benchmark: str, scenario: str, older: str, newer: str, found: Sequence[Group]
) -> ScenarioGains:
    before = tuple(g.size for g in found if g.round == older)
    after = tuple(g.size for g in found if g.round == newer)
    fit = compatible(benchmark, scenario, older, newer)
    gains = _gains(found, older, newer) if fit else ()
    note = None
    if not fit:
        note = why_incompatible(benchmark, scenario, older, newer)
    elif not before or not after:
        note = f"no result in {older if not before else newer}"
    elif not gains:
        note = "no system size has results in both rounds"
    return ScenarioGains(scenario=scenario, gains=gains, older_sizes=before, newer_sizes=after, note=note)
