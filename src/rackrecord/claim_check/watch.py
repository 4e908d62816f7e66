"""Preview systems worth waiting for, and when the rules say that they have to return as available."""

from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum

from rackrecord.catalog.accelerators import accelerator_name, find_accelerator
from rackrecord.catalog.benchmarks import RoundFacts, find_benchmark, next_round, round_order
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog
from rackrecord.claim_check.results import COMPARED_DIVISIONS, scenario_order
from rackrecord.claim_check.wording import listed
from rackrecord.data import Data
from rackrecord.profile.models import Profile, Workload

RETURN_DAYS = 140
"""From the MLPerf submission rules: a preview system returns as available by the next round or 140 days
later, whichever is longer; otherwise its result is marked invalid. The days are counted from publication
here, since the day of submission is not on record.
"""


class WatchState(StrEnum):
    """Whether a preview has come back as an available system on the same benchmark.

    Unknown where the catalog lacks the round that it was due in, though it has later ones.
    """

    PENDING = "pending"
    RETURNED = "returned"
    OVERDUE = "overdue"
    UNKNOWN = "unknown"


class WatchItem(Data):
    """Preview results of one accelerator in one round.

    `candidate` tells whether an option of the profile uses the accelerator, `scenario_matches` whether the
    workload's scenario is among the `scenarios`. The system has to return as available by `next_round` or by
    `earliest` (publication plus 140 days), whichever is later; `due` is that day where it is known, and None
    where the next round is only `expected` (a month such as 2027-04, never a fact). `returned_in` names the
    later round that has the same accelerator as available on this benchmark.
    """

    accelerator: str
    name: str
    benchmark: str
    round: str
    published: date
    submitters: tuple[str, ...]
    systems: tuple[str, ...]
    sizes: tuple[int, ...]
    scenarios: tuple[str, ...]
    claims: tuple[str, ...]
    candidate: bool
    scenario_matches: bool
    next_round: str | None
    expected: str | None
    earliest: date
    due: date | None
    state: WatchState
    returned_in: str | None
    text: str


def watch_list(profile: Profile, workload: Workload, catalog: Catalog, as_of: date) -> tuple[WatchItem, ...]:
    """The previews on a workload's benchmark and suite that may still return, or should have.

    Those of the options' accelerators come first, then the newest round. A preview that was followed by an
    available result of the same accelerator is not watched any more.
    """
    candidates = frozenset(
        find_accelerator(option.accelerator) or option.accelerator for option in profile.options
    )
    items = previews(workload.benchmark, catalog, as_of, suite=workload.suite, scenario=workload.scenario)
    watched = [
        item.model_copy(update={"candidate": item.accelerator in candidates})
        for item in items
        if item.state in (WatchState.PENDING, WatchState.OVERDUE)
    ]
    return tuple(sorted(watched, key=lambda item: not item.candidate))


def previews(
    benchmark_name: str,
    catalog: Catalog,
    as_of: date,
    *,
    suite: str = "datacenter",
    scenario: str | None = None,
) -> tuple[WatchItem, ...]:
    """Every preview on a benchmark, newest round first, whatever has become of it."""
    found = find_benchmark(benchmark_name)
    benchmark = found[0] if found is not None else benchmark_name
    claims = [
        claim
        for claim in catalog.claims(benchmark)
        if suite in claim.suites and claim.division in COMPARED_DIVISIONS
    ]
    parts: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        if claim.availability == "preview" and claim.accelerator:
            parts.setdefault((claim.round, claim.accelerator), []).append(claim)
    rounds = catalog.round_names()
    items = [_item(part, _returned_in(part[0], claims), rounds, as_of, scenario) for part in parts.values()]
    return tuple(sorted(items, key=_newest_first))


def _newest_first(item: WatchItem) -> tuple[int, int, str]:
    major, minor = round_order(item.round)
    return (-major, -minor, item.accelerator)


def _returned_in(preview: Claim, claims: Sequence[Claim]) -> str | None:
    """The first later round with an available result of the same accelerator."""
    later = {
        claim.round
        for claim in claims
        if claim.availability == "available"
        and claim.accelerator == preview.accelerator
        and round_order(claim.round) > round_order(preview.round)
    }
    return min(later, key=round_order, default=None)


def _item(
    part: Sequence[Claim], returned: str | None, rounds: Sequence[str], as_of: date, scenario: str | None
) -> WatchItem:
    first = part[0]
    following = next_round(first.round)
    earliest = first.published + timedelta(days=RETURN_DAYS)
    due = max(earliest, following.published) if following and following.published else None
    state = _state(returned, following, due, rounds, as_of)
    submitters = tuple(sorted({claim.submitter for claim in part}))
    scenarios = sorted({claim.scenario for claim in part}, key=lambda name: (scenario_order(name), name))
    name = accelerator_name(first.accelerator)
    start = f"{name}: preview in {first.round} on {first.benchmark} by {listed(submitters)}"
    return WatchItem(
        accelerator=first.accelerator,
        name=name,
        benchmark=first.benchmark,
        round=first.round,
        published=first.published,
        submitters=submitters,
        systems=tuple(sorted({claim.system for claim in part})),
        sizes=tuple(sorted({claim.accelerator_count for claim in part if claim.accelerator_count})),
        scenarios=tuple(scenarios),
        claims=tuple(sorted(claim.id for claim in part)),
        candidate=False,
        scenario_matches=scenario is None or scenario in scenarios,
        next_round=following.id if following is not None else None,
        expected=following.expected if following is not None else None,
        earliest=earliest,
        due=due,
        state=state,
        returned_in=returned,
        text=f"{start}; {_outlook(state, returned, following, due, earliest)}.",
    )


def _state(
    returned: str | None, following: RoundFacts | None, due: date | None, rounds: Sequence[str], as_of: date
) -> WatchState:
    if returned is not None:
        return WatchState.RETURNED
    if due is None or due >= as_of:
        return WatchState.PENDING
    return WatchState.OVERDUE if following is not None and following.id in rounds else WatchState.UNKNOWN


def _outlook(
    state: WatchState, returned: str | None, following: RoundFacts | None, due: date | None, earliest: date
) -> str:
    name = following.id if following is not None else "the next round"
    if state == WatchState.RETURNED:
        return f"returned as available in {returned}"
    if state == WatchState.OVERDUE:
        return f"due to return as available by {due}, and not there on this benchmark"
    if state == WatchState.UNKNOWN:
        return f"due to return as available by {due}; {name} is not in the catalog"
    if due is not None:
        return f"to return as available by {due}"
    expected = f" (expected {following.expected})" if following is not None and following.expected else ""
    return f"to return as available by {name}{expected} or {earliest}, whichever is later"
