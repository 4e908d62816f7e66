"""Several records side by side: the same facts of each, and whether they differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rackrecord.economics.figures import OptionFigures
from rackrecord.profile.models import Demand
from rackrecord.quantities import compact, percent, significant, trimmed
from rackrecord.record import DecisionRecord

NONE = "–"

Plain = str | int | float | None
"""A fact as data."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a record, for reading and as data."""

    text: str
    plain: Plain


@dataclass(frozen=True, slots=True)
class Line:
    """One fact of every record; `differs` where they are not all the same."""

    name: str
    facts: tuple[Fact, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The lines, and what to mind before the figures are held against each other."""

    lines: tuple[Line, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A record and its present status, which may be later than what its JSON says."""

    record: DecisionRecord
    status: str


def side_by_side(standings: Sequence[Standing]) -> SideBySide:
    """Put records side by side. Figures are those of each record's leading option."""
    lines = []
    for name, read in _FACTS:
        facts = tuple(read(standing) for standing in standings)
        lines.append(Line(name, facts, differs=len({fact.text for fact in facts}) > 1))
    return SideBySide(tuple(lines), _notes([standing.record for standing in standings]))


def _text(text: str) -> Fact:
    return Fact(text, text)


def _number(standing: Standing) -> Fact:
    number = standing.record.number
    return Fact(f"{number:04d}" if number is not None else NONE, number)


def _demand(standing: Standing) -> Fact:
    demand = standing.record.profile.demand
    growth = demand.yearly_growth
    grown = f", {percent(growth, 0, signed=True)} a year" if growth else ""
    return _text(f"{_peak(demand)}{grown}")


def _peak(demand: Demand) -> str:
    if demand.output_tokens_per_second is not None:
        return f"{compact(demand.output_tokens_per_second.value)} output tokens/s"
    if demand.requests_per_second is not None:
        return f"{compact(demand.requests_per_second.value)} requests/s"
    users = demand.users
    assert users is not None  # one of the three forms, checked when the profile was read
    return f"{compact(users.concurrent)} users at {trimmed(users.tokens_per_second_each)} tokens/s"


def _rounds(record: DecisionRecord) -> str:
    used = {claim.round for selection in record.evidence for claim in selection.used}
    return ", ".join(sorted(used)) or "none"


def _recommended(standing: Standing) -> Fact:
    decision = standing.record.capacity_decision_record.decision
    if decision.recommended is not None:
        return _text(standing.record.profile.option(decision.recommended).name)
    return _text("none")


def _leading(standing: Standing) -> Fact:
    best = standing.record.comparison.best
    return _text(standing.record.profile.option(best).name) if best is not None else Fact(NONE, None)


def _figure(
    read: Callable[[OptionFigures], Decimal | int | None], show: Callable[[Decimal], str], unit: str
) -> Callable[[Standing], Fact]:
    """A figure of the leading option; in `unit`, `money` stands for the record's currency."""

    def fact(standing: Standing) -> Fact:
        best = standing.record.comparison.best
        figures = standing.record.figures(best) if best is not None else None
        value = read(figures) if figures is not None else None
        if value is None:
            return Fact(NONE, None)
        text = f"{show(Decimal(value))} {unit.replace('money', standing.record.profile.currency)}".rstrip()
        return Fact(text, value if isinstance(value, int) else float(value))

    return fact


def _basis(standing: Standing) -> Fact:
    best = standing.record.comparison.best
    figures = standing.record.figures(best) if best is not None else None
    if figures is None:
        return Fact(NONE, None)
    use = f"d {trimmed(figures.realized_fraction)}, u {trimmed(figures.utilization)}"
    return _text(f"{use}, a benchmark ceiling" if figures.ceiling else use)


def _next_best(standing: Standing) -> Fact:
    comparison = standing.record.comparison
    if comparison.margin is None:
        return Fact(NONE, None)
    name = standing.record.profile.option(comparison.ranking[1]).name
    return _text(f"{name}, {percent(comparison.margin)} behind")


def _decided(standing: Standing) -> Fact:
    decision = standing.record.capacity_decision_record.decision
    return _text(decision.decided) if decision.decided is not None else Fact("open", None)


def _review_due(standing: Standing) -> Fact:
    due = standing.record.capacity_decision_record.review_due
    parts = [due.date.isoformat()] if due.date is not None else []
    if due.next_round is not None:
        expected = f" ({due.expected})" if due.expected is not None else ""
        parts.append(f"round {due.next_round}{expected}")
    return _text("; ".join(parts) or NONE)


_FACTS: tuple[tuple[str, Callable[[Standing], Fact]], ...] = (
    ("number", _number),
    ("title", lambda s: _text(s.record.title)),
    ("status", lambda s: _text(s.status)),
    ("as of", lambda s: _text(s.record.as_of.isoformat())),
    ("owner", lambda s: _text(s.record.profile.owner)),
    ("workload", lambda s: _text(s.record.capacity_decision_record.workload)),
    ("peak demand", _demand),
    ("ranked by", lambda s: _text(s.record.comparison.objective)),
    ("currency", lambda s: _text(s.record.profile.currency)),
    ("evidence of round", lambda s: _text(_rounds(s.record))),
    ("recommended", _recommended),
    ("strength", lambda s: _text(s.record.comparison.strength.value)),
    ("leading option", _leading),
    ("realized fraction, utilization", _basis),
    ("racks", _figure(lambda f: f.racks, lambda v: trimmed(v, 9), "")),
    (
        "output tokens/s per rack",
        _figure(lambda f: f.tokens_per_second, compact, ""),
    ),
    (
        "cost per million output tokens",
        _figure(lambda f: f.cost_per_million_tokens, significant, "money"),
    ),
    ("all-in cost, first year", _figure(lambda f: f.yearly_cost, compact, "money")),
    ("whole term, present value", _figure(lambda f: f.term_cost, compact, "money")),
    ("power of all racks, kW", _figure(lambda f: f.power_kw, trimmed, "")),
    ("next best", _next_best),
    ("decided", _decided),
    ("review due", _review_due),
)


def _notes(records: Sequence[DecisionRecord]) -> tuple[str, ...]:
    """Why figures are not on one basis, where they are not."""
    bases: tuple[tuple[str, set[object]], ...] = (
        ("workload", {tuple((s.benchmark, s.scenario) for s in record.evidence) for record in records}),
        ("currency", {record.profile.currency for record in records}),
        ("kind of evidence", {figures.basis for record in records for figures in record.options}),
    )
    differing = [name for name, found in bases if len(found) > 1]
    notes = []
    if differing:
        notes.append(
            f"The records differ in {' and '.join(differing)}, so they are not on one basis: "
            "their figures are not to be held against each other."
        )
    rounds = sorted({_rounds(record) for record in records})
    if len(rounds) > 1:
        notes.append(f"The evidence is from different rounds: {'; '.join(rounds)}.")
    return tuple(notes)
