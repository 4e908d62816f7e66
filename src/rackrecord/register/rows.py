"""The register's rows: each record as the index shows it, as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from rackrecord.register.due import CLOSED, dated_triggers, trigger_text
from rackrecord.register.entries import Entry, Unreadable

_FILES = (("PDF", "record.pdf"), ("Markdown", "record.md"), ("Excel", "record.xlsx"), ("JSON", "record.json"))
_NO_OPTION = {
    "no clear winner": "no clear winner",
    "infeasible": "none passes the limits",
    "no evidence": "none",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A link relative to the register's folder."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class Row:
    """One record. `due` is the earliest day on which it has to be looked at, `review` says for what."""

    number: str
    title: str
    href: str
    status: str
    as_of: str
    recommended: str
    strength: str
    owner: str
    due: str
    review: str
    history: tuple[str, ...]
    links: tuple[Link, ...]
    related: tuple[tuple[str, Link], ...]
    recheck: str


def rows(entries: Iterable[Entry | Unreadable]) -> tuple[Row, ...]:
    """The rows of a register, by number."""
    found = tuple(entries)
    hrefs = {entry.number: _main_file(entry) for entry in found if isinstance(entry, Entry)}
    return tuple(
        _row(entry, hrefs) if isinstance(entry, Entry) else _unreadable(entry)
        for entry in sorted(found, key=lambda entry: (entry.number, entry.folder))
    )


def _row(entry: Entry, hrefs: dict[int, str]) -> Row:
    facts = entry.facts
    decision = facts.capacity_decision_record.decision
    due, review = _review(entry)
    links = tuple(Link(label, f"{entry.folder}/{name}") for label, name in _FILES if name in entry.files)
    related = [("supersedes", facts.supersedes), ("superseded by", entry.successor)]
    return Row(
        number=f"{entry.number:04d}",
        title=facts.title,
        href=_main_file(entry),
        status=entry.status,
        as_of=facts.as_of.isoformat(),
        recommended=facts.option_name(decision.recommended)
        if decision.recommended is not None
        else _NO_OPTION.get(decision.strength, decision.strength),
        strength=decision.strength if decision.recommended is not None else "",
        owner=facts.profile.owner,
        due=due.isoformat() if due is not None else "",
        review=review,
        history=tuple(
            f"{step.status} by {step.by} on {step.on.isoformat()}" + (f": {step.note}" if step.note else "")
            for step in entry.steps
        ),
        links=links,
        related=tuple(
            (word, Link(f"{number:04d}", hrefs.get(number, "")))
            for word, number in related
            if number is not None
        ),
        recheck=f"{entry.recheck.verdict}, {entry.recheck.as_of.isoformat()}"
        if entry.recheck is not None
        else "",
    )


def _main_file(entry: Entry) -> str:
    """The file that a record's title leads to."""
    for name in ("record.pdf", "record.md"):
        if name in entry.files:
            return f"{entry.folder}/{name}"
    return f"{entry.folder}/record.json"


def _review(entry: Entry) -> tuple[date | None, str]:
    """The earliest open date of a record and what it is for; then the next round, where that counts too."""
    if entry.status in CLOSED:
        return None, ""
    dated = dated_triggers(entry)
    parts = [trigger_text(entry, dated[0])] if dated else []
    following = entry.facts.capacity_decision_record.review_due
    if following.next_round is not None:
        parts.append(
            f"next MLPerf® round ({', '.join(filter(None, (following.next_round, following.expected)))})"
        )
    return (dated[0].due if dated else None), "; ".join(parts)


def _unreadable(entry: Unreadable) -> Row:
    return Row(
        number=f"{entry.number:04d}",
        title=entry.folder,
        href=f"{entry.folder}/",
        status="unreadable",
        as_of="",
        recommended="",
        strength="",
        owner="",
        due="",
        review=entry.why,
        history=(),
        links=(),
        related=(),
        recheck="",
    )
