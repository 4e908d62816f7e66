"""Page one: what the approver needs, line by line."""

from __future__ import annotations

from collections import Counter

from rackrecord.claim_check.vendor import Verdict
from rackrecord.quantities import percent
from rackrecord.record import DecisionRecord
from rackrecord.render.view.evidence import counted_reasons

CLAIMS = 4
"""So many vendor statements have room on page one."""
_FIRST = (Verdict.NOT_SUPPORTED, Verdict.SUPPORTED_IN_PART, Verdict.CANNOT_BE_CHECKED, Verdict.SUPPORTED)


def record_name(record: DecisionRecord) -> str:
    """`0001`, or `draft` for a record that no register holds yet."""
    return f"{record.number:04d}" if record.number is not None else "unnumbered"


def headline(record: DecisionRecord) -> str:
    """The record's one-line identity."""
    text = (
        f"Capacity decision record {record_name(record)} · {record.status} · as of {record.as_of.isoformat()}"
    )
    return f"{text} · supersedes {record.supersedes:04d}" if record.supersedes is not None else text


def review_line(record: DecisionRecord) -> str:
    """When it is reviewed."""
    due = record.capacity_decision_record.review_due
    parts = []
    if due.next_round is not None:
        parts.append(
            f"next MLPerf® round ({due.next_round}" + (f", {due.expected})" if due.expected else ")")
        )
    if due.date is not None:
        parts.append(due.date.isoformat())
    return ", at the latest ".join(parts) if parts else "no review is set"


def strength_line(record: DecisionRecord) -> str:
    """How strong the recommendation is, on what, and how far the next option is."""
    decision = record.capacity_decision_record.decision
    text = f"{decision.strength.value}: {decision.why}. {evidence_line(record)}"
    comparison = record.comparison
    if comparison.margin is not None and len(comparison.ranking) > 1:
        second = record.profile.option(comparison.ranking[1]).name
        text += f" Next best: {second}, {percent(comparison.margin)} behind; "
        text += f"{percent(comparison.materiality)} would be material."
    return text


def evidence_line(record: DecisionRecord) -> str:
    """What the recommended (or leading) option's figure stands on."""
    best = record.comparison.best
    if best is None:
        return f"Measured by {record.capacity_decision_record.measured_by}."
    parts = []
    for selection in record.evidence:
        found = selection.evidence(best)
        results = "1 verified result" if found.runs == 1 else f"{found.runs} verified results"
        submitters = "1 submitter" if len(found.submitters) == 1 else f"{len(found.submitters)} submitters"
        parts.append(
            f"{results} by {submitters} ({found.round}, closed division, available, {selection.scenario}) "
            f"for {record.profile.option(best).name}"
        )
    return f"It stands on {'; '.join(parts)}."


def decided_line(record: DecisionRecord) -> str:
    """What people decided, or who will."""
    decision = record.capacity_decision_record.decision
    who = f" by {decision.by}" if decision.by is not None else ""
    on = f" on {decision.on.isoformat()}" if decision.on is not None else ""
    if decision.decided is None:
        return f"open{', to be decided' + who if who else ''}"
    text = f"{decision.decided} Decided{who}{on}."
    if decision.follows is True:
        text += " As recommended."
    elif decision.follows is False:
        text += " Otherwise than recommended."
    if decision.because is not None:
        text += f" Because: {decision.because}"
    last = record.history[-1] if record.status in ("approved", "rejected") else None
    if last is not None and (last.by, last.on) != (decision.by, decision.on):
        text += f" {record.status.capitalize()} by {last.by} on {last.on.isoformat()}."
    return text


def left_out_line(record: DecisionRecord) -> str:
    """How many results were left out, and the most frequent reasons."""
    parts = []
    for selection in record.evidence:
        whole = len(selection.used) + len(selection.excluded)
        counts = counted_reasons(selection)
        frequent = sorted(counts, key=lambda reason: -counts[reason])[:3]
        listed = ", ".join(f"{counts[reason]} {reason.value}" for reason in frequent)
        parts.append(
            f"{len(selection.excluded)} of {whole} results on {selection.benchmark_name}, "
            "each with its reasons" + (f" ({listed}, …)" if listed else "")
        )
    return "; ".join(parts) + "."


def claim_lines(record: DecisionRecord) -> tuple[str, ...]:
    """What vendor statements say and what the published results say, a line each.

    Of many, page one has the least supported; the last line counts the others.
    """
    checks = record.vendor_claims
    if len(checks) > CLAIMS:
        checks = tuple(sorted(checks, key=lambda check: _FIRST.index(check.verdict)))
    lines = [f"“{check.statement}” ({check.who}): {check.sentence}" for check in checks[:CLAIMS]]
    if others := Counter(check.verdict for check in checks[CLAIMS:]):
        counts = ", ".join(f"{count} {verdict.replace('-', ' ')}" for verdict, count in others.items())
        lines.append(f"{others.total()} more in section 5: {counts}.")
    return tuple(lines)


def catalog_line(record: DecisionRecord) -> str:
    """The rounds that the catalog held."""
    return "; ".join(
        f"{info.round} ({info.results:,} results, published {info.published.isoformat()})"
        for info in record.catalog_rounds
    )
