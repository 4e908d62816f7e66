"""When a record has to be looked at again: triggers from the profile, the evidence, the watch list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from rackrecord.catalog.benchmarks import next_round
from rackrecord.citations import MONTHS
from rackrecord.claim_check.watch import WatchItem
from rackrecord.profile.models import Profile
from rackrecord.record import ReviewDue, Trigger, TriggerKind
from rackrecord.selection.select import Selection

EVIDENCE_YEAR = timedelta(days=365)


def review_due(profile: Profile, newest: str | None) -> ReviewDue:
    """The review that the profile asks for; the next round is named as expected where one is on record.

    `newest` is the newest round in the catalog, whether it has results on the workload or not.
    """
    following = next_round(newest) if profile.review.next_round and newest is not None else None
    expected = None
    if following is not None and following.published is None and following.expected is not None:
        expected = f"expected {month(following.expected)}"
    name = following.id if following is not None else "the round after the newest one in the catalog"
    return ReviewDue(
        next_round=name if profile.review.next_round else None,
        expected=expected,
        date=profile.review.date,
    )


def month(text: str) -> str:
    """`2027-04` as `April 2027`."""
    year, number = text.split("-")[:2]
    return f"{MONTHS[int(number) - 1]} {year}"


def triggers(
    profile: Profile, selections: Sequence[Selection], watched: Sequence[WatchItem], due: ReviewDue
) -> tuple[Trigger, ...]:
    """Every trigger, those with a day first, in the order of their days."""
    found: list[Trigger] = []
    if due.next_round is not None:
        when = f", {due.expected}" if due.expected else ""
        text = f"The next MLPerf® round is published ({due.next_round}{when})."
        found.append(Trigger(kind=TriggerKind.NEXT_ROUND, subject=due.next_round, due=None, text=text))
    if due.date is not None:
        found.append(
            Trigger(kind=TriggerKind.DATE, subject="review", due=due.date, text="The review date is reached.")
        )
    found += [
        _quote(option.id, option.name, option.quote.valid_until)
        for option in profile.options
        if option.quote is not None and option.quote.valid_until is not None
    ]
    found += [
        Trigger(kind=TriggerKind.PREVIEW_AVAILABLE, subject=item.accelerator, due=item.due, text=item.text)
        for item in watched
    ]
    found += _evidence_age(selections)
    return tuple(sorted(found, key=lambda t: (t.due is None, t.due or date.min, t.kind.value, t.subject)))


def _quote(option_id: str, name: str, valid_until: date) -> Trigger:
    return Trigger(
        kind=TriggerKind.QUOTE_EXPIRES, subject=option_id, due=valid_until, text=f"The price of {name} ends."
    )


def _evidence_age(selections: Sequence[Selection]) -> list[Trigger]:
    published = {claim.round: claim.published for selection in selections for claim in selection.used}
    return [
        Trigger(
            kind=TriggerKind.EVIDENCE_AGE,
            subject=name,
            due=day + EVIDENCE_YEAR,
            text=f"The evidence from {name} is a year old.",
        )
        for name, day in sorted(published.items())
    ]
