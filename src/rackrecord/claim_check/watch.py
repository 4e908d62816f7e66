"""Preview systems worth waiting for, and when the rules say that they have to return as available."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum

from rackrecord.catalog.accelerators import accelerator_name, find_accelerator
from rackrecord.catalog.benchmarks import find_benchmark, next_round, round_order
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog
from rackrecord.claim_check.results import scenario_order
from rackrecord.claim_check.wording import listed
from rackrecord.model import StrictModel
from rackrecord.profile.models import Profile, Workload

RETURN_DAYS = 140
"""MLPerf submission rules: a preview returns as available by the next round or 140 days later, whichever is
longer.
"""


class WatchState(StrEnum):
    """Whether a preview has come back as an available system."""

    PENDING = "pending"
    RETURNED = "returned"
    OVERDUE = "overdue"


class WatchItem(StrictModel):
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
    """The previews on a workload's benchmark and suite, those of the options' accelerators first, newest
    round first.

    A preview that has been followed by an available result of the same accelerator is not watched any more.
    """
    candidates = frozenset(
        find_accelerator(option.accelerator) or option.accelerator for option in profile.options
    )
    items = previews(workload.benchmark, catalog, as_of, suite=workload.suite, scenario=workload.scenario)
    watched = [
        item.model_copy(update={"candidate": item.accelerator in candidates})
        for item in items
        if item.state != WatchState.RETURNED
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
    """Every preview on a benchmark, newest round first, those that have returned among them."""
    found = find_benchmark(benchmark_name)
    benchmark = found[0] if found is not None else benchmark_name
    claims = [
        claim for claim in catalog.claims(benchmark) if suite in claim.suites and claim.division != "open"
    ]
    parts: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        if claim.availability == "preview" and claim.accelerator:
            parts.setdefault((claim.round, claim.accelerator), []).append(claim)
    items = [_item(part, claims, catalog.round_names(), as_of, scenario) for part in parts.values()]
    return tuple(sorted(items, key=_newest_first))


def _newest_first(item: WatchItem) -> tuple[int, int, str]:
    major, minor = round_order(item.round)
    return (-major, -minor, item.accelerator)


def _item(
    part: Sequence[Claim], claims: Sequence[Claim], rounds: Sequence[str], as_of: date, scenario: str | None
) -> WatchItem:
    first = part[0]
    following = next_round(first.round)
    earliest = first.published + timedelta(days=RETURN_DAYS)
    published = following.published if following is not None else None
    due = max(earliest, published) if published is not None else None
    returned = _returned_in(first, claims)
    state = (
        WatchState.RETURNED if returned else WatchState.OVERDUE if due and due < as_of else WatchState.PENDING
    )
    scenarios = sorted({claim.scenario for claim in part}, key=lambda name: (scenario_order(name), name))
    return WatchItem(
        accelerator=first.accelerator,
        name=accelerator_name(first.accelerator),
        benchmark=first.benchmark,
        round=first.round,
        published=first.published,
        submitters=tuple(sorted({claim.submitter for claim in part})),
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
        text=_text(
            first,
            part,
            following.id if following else None,
            following.expected if following else None,
            due,
            earliest,
            state,
            returned,
        ),
    )


def _returned_in(preview: Claim, claims: Sequence[Claim]) -> str | None:
    """The first later round with an available result of the same accelerator on the same benchmark."""
    later = {
        claim.round
        for claim in claims
        if claim.availability == "available"
        and claim.accelerator == preview.accelerator
        and round_order(claim.round) > round_order(preview.round)
    }
    return min(later, key=round_order, default=None)


def _text(
    first: Claim,
    part: Sequence[Claim],
    next_name: str | None,
    expected: str | None,
    due: date | None,
    earliest: date,
    state: WatchState,
    returned: str | None,
) -> str:
    who = listed(sorted({claim.submitter for claim in part}))
    start = f"{accelerator_name(first.accelerator)}: preview in {first.round} by {who}"
    if returned is not None:
        return f"{start}, returned as available in {returned}."
    if state == WatchState.OVERDUE:
        return f"{start}; it had to return as available by {due} and has not on this benchmark."
    if due is not None:
        return f"{start}; the rules ask for its return as available by {due}."
    following = f"the next round ({next_name}, expected {expected})" if next_name else "the next round"
    when = f"{following} or {earliest}, whichever is later"
    return f"{start}; the rules ask for its return as available by {when}."
