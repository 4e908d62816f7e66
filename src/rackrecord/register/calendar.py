"""`reviews.ics`: the days on which records have to be looked at, as calendar entries (RFC 5545)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

import icalendar

from rackrecord.register.due import CLOSED, trigger_text
from rackrecord.register.entries import Entry, TriggerFacts, Unreadable
from rackrecord.render.markdown_text import visible

PRODUCT = "-//rackrecord//reviews//EN"
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "rackrecord:reviews")


def calendar(entries: Iterable[Entry | Unreadable]) -> bytes:
    """The calendar of a register: a whole-day entry for each dated trigger of each open record.

    An entry keeps its UID when its record is approved, moved or re-checked; its stamp is the day of the
    record's last step.
    """
    found = icalendar.Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    found.add("x-wr-calname", "Capacity decision records: reviews")
    for entry in entries:
        if isinstance(entry, Entry) and entry.status not in CLOSED:
            for trigger in entry.facts.triggers:
                if trigger.due is not None:
                    found.add_component(_event(entry, trigger, trigger.due))
    return bytes(found.to_ical())


def _event(entry: Entry, trigger: TriggerFacts, due: date) -> icalendar.Event:
    facts = entry.facts
    name = f"{entry.number:04d}"
    what = visible(trigger_text(entry, trigger))
    event = icalendar.Event()
    event.add("uid", str(_uid(entry, trigger)))
    event.add("dtstamp", datetime.combine(entry.steps[-1].on if entry.steps else facts.as_of, time(), UTC))
    event.add("sequence", len(entry.steps))
    event.add("dtstart", due)
    event.add("dtend", due + timedelta(days=1))
    event.add("summary", f"Record {name}: {what}")
    lines = (
        visible(facts.title),
        f"Status: {entry.status}",
        f"Owner: {visible(facts.profile.owner)}",
        entry.folder,
    )
    event.add("description", "\n".join(lines))
    event.add("categories", [trigger.kind])
    event.add("transp", "TRANSPARENT")
    return event


def _uid(entry: Entry, trigger: TriggerFacts) -> uuid.UUID:
    """The same for the same record and trigger, wherever the register lies."""
    parts = (entry.number, entry.facts.as_of, entry.facts.profile_sha256, trigger.kind, trigger.subject)
    return uuid.uuid5(_NAMESPACE, "\n".join(map(str, parts)))
