"""Which records have to be looked at again: their triggers judged against today's catalog and the day.

A trigger counts as answered by a re-check that was made after it went off and confirms the recommendation.
Closed records (rejected, superseded, expired) are not reviewed.
"""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.benchmarks import compatible_group, round_order
from rackrecord.catalog.store import Catalog
from rackrecord.claim_check.watch import WatchState, previews
from rackrecord.data import Data
from rackrecord.register.entries import Entry, PartFacts, RecheckFacts, TriggerFacts, Unreadable

CLOSED = frozenset({"rejected", "superseded", "expired"})
CONFIRMING = frozenset({"holds", "figures changed"})
"""Verdicts of a re-check that leave the recommendation standing."""
DEFAULT_WITHIN = 30


class DueState(StrEnum):
    """How urgent an item is; `waiting` is later than the days asked for."""

    OVERDUE = "overdue"
    DUE = "due"
    SOON = "soon"
    WAITING = "waiting"


_URGENCY = list(DueState)


class DueItem(Data):
    """One reason to look at one record.

    `kind` is that of the trigger, `re-check` for an earlier re-check that nobody has acted on, or
    `unreadable`.
    `due` is the day it went or goes off where one is known, `days` how long ago that is (negative: to come).
    """

    number: int
    folder: str
    title: str
    owner: str
    status: str
    kind: str
    subject: str
    state: DueState
    due: date | None
    days: int | None
    text: str


def due_items(
    entries: Iterable[Entry | Unreadable], catalog: Catalog, as_of: date, within: int = DEFAULT_WITHIN
) -> tuple[DueItem, ...]:
    """Every item of every open record, the most urgent first; `within` days ahead counts as soon."""
    judge = _Judge(catalog, as_of, within)
    found = [item for entry in entries for item in judge.items(entry)]
    return tuple(sorted(found, key=_urgency))


def is_due(items: Iterable[DueItem]) -> bool:
    """Whether something is due or overdue."""
    return any(item.state in (DueState.DUE, DueState.OVERDUE) for item in items)


def _urgency(item: DueItem) -> tuple[int, date, int, str, str]:
    return (_URGENCY.index(item.state), item.due or date.min, item.number, item.kind, item.subject)


class _Judge:
    """Judges entries against one catalog on one day; what it looks up in the catalog it looks up once."""

    def __init__(self, catalog: Catalog, as_of: date, within: int) -> None:
        self._catalog = catalog
        self._as_of = as_of
        self._within = within
        self._rounds = catalog.round_names()
        self._published = {info.round: info.published for info in catalog.rounds()}
        self._counts: dict[str, dict[str, int]] = {}
        self._returned: dict[str, dict[str, str]] = {}

    def items(self, entry: Entry | Unreadable) -> list[DueItem]:
        if isinstance(entry, Unreadable):
            return [self._unreadable(entry)]
        if entry.status in CLOSED:
            return []
        answered = (
            entry.recheck if entry.recheck is not None and entry.recheck.verdict in CONFIRMING else None
        )
        found = [item for trigger in entry.facts.triggers for item in self._trigger(entry, trigger, answered)]
        if entry.recheck is not None and entry.recheck.verdict not in CONFIRMING:
            text = f"the re-check of {entry.recheck.as_of} found: {entry.recheck.verdict}"
            found.append(self._item(entry, "re-check", "re-check", entry.recheck.as_of, text, happened=True))
        return found

    def _trigger(self, entry: Entry, trigger: TriggerFacts, answered: RecheckFacts | None) -> list[DueItem]:
        if trigger.kind == "next-round":
            return self._next_round(entry, trigger, answered)
        if trigger.kind == "preview-available":
            return self._preview(entry, trigger, answered)
        if trigger.due is None or _answers(answered, trigger.due, trigger.kind):
            return []
        text = trigger_text(entry, trigger, passed=trigger.due < self._as_of)
        return [self._item(entry, trigger.kind, trigger.subject, trigger.due, text)]

    def _next_round(
        self, entry: Entry, trigger: TriggerFacts, answered: RecheckFacts | None
    ) -> list[DueItem]:
        known = {info.round for info in entry.facts.catalog_rounds} | set(answered.rounds if answered else ())
        newest = max((round_order(name) for name in known), default=(0, 0))
        newer = [name for name in self._rounds if round_order(name) > newest]
        if not newer:
            return []
        latest = newer[-1]
        said = "; ".join(dict.fromkeys(self._on_benchmark(part, latest) for part in entry.facts.evidence))
        text = f"{' and '.join(newer)} published: {said}"
        return [self._item(entry, trigger.kind, latest, self._published[newer[0]], text, happened=True)]

    def _on_benchmark(self, part: PartFacts, latest: str) -> str:
        """What a new round has on the benchmark of a part of the workload."""
        if latest not in self._counts:
            self._counts[latest] = self._catalog.restricted((latest,)).counts()
        count = self._counts[latest].get(part.benchmark, 0)
        if not count:
            return f"{latest} has no results on {part.benchmark}"
        results = "1 result" if count == 1 else f"{count} results"
        text = f"{results} on {part.benchmark}"
        if part.newest_round is None:
            return text
        if part.newest_round in compatible_group(part.benchmark, part.scenario, latest):
            return f"{text}, comparable with {part.newest_round}"
        return f"{text}, not comparable with {part.newest_round} as far as is on record"

    def _preview(self, entry: Entry, trigger: TriggerFacts, answered: RecheckFacts | None) -> list[DueItem]:
        name = accelerator_name(trigger.subject)
        seen = set(answered.rounds if answered else ()) | {info.round for info in entry.facts.catalog_rounds}
        for part in entry.facts.evidence:
            returned = self._returned_on(part.benchmark).get(trigger.subject)
            if returned is not None:
                if returned in seen:
                    return []
                text = f"{name} is now available: results on {part.benchmark} in {returned}"
                published = self._published[returned]
                return [self._item(entry, trigger.kind, trigger.subject, published, text, happened=True)]
        if trigger.due is None or _answers(answered, trigger.due, trigger.kind):
            return []
        passed = trigger.due < self._as_of
        text = f"{name}, a preview, " + (
            f"was to be available by {trigger.due} and is not in the catalog"
            if passed
            else "has to return as available"
        )
        return [self._item(entry, trigger.kind, trigger.subject, trigger.due, text)]

    def _returned_on(self, benchmark: str) -> dict[str, str]:
        """Accelerator to the first round in which it returned from preview on a benchmark."""
        if benchmark not in self._returned:
            self._returned[benchmark] = {
                item.accelerator: item.returned_in
                for suite in ("edge", "datacenter")
                for item in previews(benchmark, self._catalog, self._as_of, suite=suite)
                if item.state is WatchState.RETURNED and item.returned_in is not None
            }
        return self._returned[benchmark]

    def _item(
        self, entry: Entry, kind: str, subject: str, due: date, text: str, *, happened: bool = False
    ) -> DueItem:
        """`happened` is an event that went off, which is due at once and never overdue."""
        days = (self._as_of - due).days
        if happened:
            state = DueState.DUE
        elif days > 0:
            state = DueState.OVERDUE
        elif days == 0:
            state = DueState.DUE
        else:
            state = DueState.SOON if -days <= self._within else DueState.WAITING
        return DueItem(
            number=entry.number,
            folder=entry.folder,
            title=entry.facts.title,
            owner=entry.facts.profile.owner,
            status=entry.status,
            kind=kind,
            subject=subject,
            state=state,
            due=due,
            days=days,
            text=text,
        )

    def _unreadable(self, entry: Unreadable) -> DueItem:
        return DueItem(
            number=entry.number,
            folder=entry.folder,
            title=entry.folder,
            owner="",
            status="unreadable",
            kind="unreadable",
            subject="record.json",
            state=DueState.DUE,
            due=None,
            days=None,
            text=entry.why,
        )


def trigger_text(entry: Entry, trigger: TriggerFacts, *, passed: bool = False) -> str:
    """What happens on the day of a trigger, or has happened."""
    if trigger.kind == "quote-expires":
        name = entry.facts.option_name(trigger.subject)
        return f"quote {'has ended' if passed else 'ends'}: {name}"
    if trigger.kind == "evidence-age":
        return f"the evidence from {trigger.subject} is " + ("over " if passed else "") + "a year old"
    if trigger.kind == "date":
        return "the review date " + ("has passed" if passed else "is reached")
    return trigger.text


def dated_triggers(entry: Entry) -> tuple[TriggerFacts, ...]:
    """The triggers of a record that fall on a day and that no re-check has answered, the earliest first."""
    answered = entry.recheck if entry.recheck is not None and entry.recheck.verdict in CONFIRMING else None
    found = [
        (t.due, t)
        for t in entry.facts.triggers
        if t.due is not None and not _answers(answered, t.due, t.kind)
    ]
    return tuple(
        trigger for _, trigger in sorted(found, key=lambda pair: (pair[0], pair[1].kind, pair[1].subject))
    )


def _answers(answered: RecheckFacts | None, due: date, kind: str) -> bool:
    """Whether a re-check was made when the trigger had gone off; a quote still holds on its last day."""
    if answered is None:
        return False
    return answered.as_of >= due if kind == "date" else answered.as_of > due
