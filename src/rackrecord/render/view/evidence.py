"""The evidence: planning figures, claims used, claims excluded with their reasons, the count of the rest."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.claim import Claim
from rackrecord.profile.models import Slo
from rackrecord.quantities import fixed, percent, significant, trimmed
from rackrecord.record import DecisionRecord
from rackrecord.render.view.options import DASH
from rackrecord.render.view.table import Table, figure, table, text
from rackrecord.selection.reasons import Reason
from rackrecord.selection.select import OptionEvidence, Selection


def planning(record: DecisionRecord, selection: Selection) -> Table:
    """The planning figure of each option with its range."""
    columns = (
        text("Option", 23),
        text("accelerator", 13),
        text("measured on", 9),
        text("round", 7),
        figure("results (submitters)", 10),
        figure(f"planning figure, {selection.unit} per accelerator", 13),
        figure("lowest", 9),
        figure("highest", 9),
        figure("spread", 7),
    )
    return table(columns, [_planning_row(record, evidence) for evidence in selection.options])


def _planning_row(record: DecisionRecord, evidence: OptionEvidence) -> list[str]:
    name = record.profile.option(evidence.option).name
    if evidence.planning is None or evidence.minimum is None or evidence.maximum is None:
        return [name, accelerator_name(evidence.accelerator), *([DASH] * 7)]
    return [
        name,
        accelerator_name(evidence.accelerator),
        ", ".join(str(size) for size in evidence.measured_sizes),
        evidence.round or DASH,
        f"{evidence.runs} ({len(evidence.submitters)})",
        rate(evidence.planning),
        rate(evidence.minimum),
        rate(evidence.maximum),
        percent(evidence.spread) if evidence.spread is not None else DASH,
    ]


def rate(value: Decimal) -> str:
    """A rate with two decimals, or four where it is below 100."""
    return fixed(value, 2) if abs(value) >= 100 else fixed(value, 4)


def used(record: DecisionRecord, selection: Selection) -> Table:
    """Every claim used, option by option, with the number of its citation."""
    place = {claim: index for index, option in enumerate(selection.options) for claim in option.used}
    notes = {claim_id: note.number for note in record.citations.footnotes for claim_id in note.claims}
    columns = (
        text("Submitter", 13),
        text("System", 32),
        text("Accelerators", 18),
        text("Round", 6),
        figure(f"Result, {selection.unit}", 12),
        figure("per accelerator (derived)", 12),
        figure("Note", 7),
    )
    rows = [
        [
            claim.submitter.replace("_", " "),
            claim.system,
            accelerators(claim),
            claim.round,
            rate(claim.value),
            rate(claim.per_accelerator) if claim.per_accelerator is not None else DASH,
            f"[{notes[claim.id]}]" if claim.id in notes else DASH,
        ]
        for claim in sorted(selection.used, key=lambda claim: (place[claim.id], claim.submitter, claim.id))
    ]
    return table(columns, rows)


def accelerators(claim: Claim) -> str:
    """`72 × NVIDIA GB300`."""
    names = " + ".join(accelerator_name(kind) for kind in claim.accelerators) or "none"
    return f"{claim.accelerator_count} × {names}" if claim.accelerator_count else names


def excluded(selection: Selection) -> Table:
    """Every claim excluded on the benchmark, with all its reasons."""
    columns = (
        text("Submitter", 11),
        text("System", 23),
        text("Accelerators", 15),
        text("Round, division, availability", 12),
        text("Scenario", 9),
        figure("Result", 14),
        text("Reasons", 16),
    )
    rows = [
        [
            item.claim.submitter.replace("_", " "),
            item.claim.system,
            accelerators(item.claim),
            f"{item.claim.round}, {item.claim.division}, {item.claim.availability}",
            item.claim.scenario,
            f"{significant(item.claim.value, 5)} {item.claim.unit}",
            ", ".join(reason.value for reason in item.reasons),
        ]
        for item in selection.excluded
    ]
    return table(columns, rows)


def excluded_statements(selection: Selection) -> Table:
    """The profile's own claims, with all their reasons."""
    columns = (text("Id", 14), text("Who", 16), text("Statement", 45), text("Reasons", 25))
    rows = [
        [item.id, item.who, item.statement, ", ".join(reason.value for reason in item.reasons)]
        for item in selection.excluded_statements
    ]
    return table(columns, rows)


def reason_counts(selection: Selection) -> Table:
    """How often each reason occurs, with its sentence; a claim may have several."""
    columns = (text("Code", 22), figure("claims", 8), text("Excluded because", 70))
    counts = counted_reasons(selection)
    return table(columns, [[reason.value, str(count), reason.sentence] for reason, count in counts.items()])


def counted_reasons(selection: Selection) -> dict[Reason, int]:
    """How many claims each reason excludes, in the order of `Reason`, without those that exclude none."""
    counts = Counter(reason for item in selection.excluded for reason in item.reasons)
    return {reason: counts[reason] for reason in Reason if counts[reason]}


def accounting(selection: Selection) -> Table:
    """used + excluded + out of scope = everything considered."""
    columns = (text("Claims"), figure("number"))
    elsewhere = sum(item.claims for item in selection.out_of_scope)
    rows = [
        ["used as evidence", str(len(selection.used))],
        ["excluded, each with its reasons", str(len(selection.excluded))],
        ["statements of the profile, excluded", str(len(selection.excluded_statements))],
        [f"out of scope, on {len(selection.out_of_scope)} other benchmarks", f"{elsewhere:,}"],
        ["all claims of the catalog and the profile", f"{selection.claims_considered:,}"],
    ]
    return table(columns, rows, marked=len(rows) - 1)


def out_of_scope(selection: Selection) -> str:
    """`bert 168, deepseek-r1 133, …`."""
    return ", ".join(f"{item.benchmark} {item.claims}" for item in selection.out_of_scope)


def workload_facts(record: DecisionRecord) -> Table:
    """What is asked of each part of the workload, beside what the benchmark measures."""
    columns = (
        text("Workload", 28),
        text("Objective", 30),
        text("Output tokens a request", 20),
        text("Rounds compared", 22),
    )
    rows = []
    for part, selection in zip(record.profile.parts, record.evidence, strict=True):
        own = (
            trimmed(part.output_tokens_per_request)
            if part.output_tokens_per_request is not None
            else "not stated"
        )
        mean = (
            trimmed(selection.mean_output_tokens)
            if selection.mean_output_tokens is not None
            else "not on record"
        )
        rows.append(
            [
                f"{selection.benchmark_name}, {selection.scenario}",
                _objective(part.slo),
                f"workload {own}, benchmark {mean}",
                ", ".join(selection.compatible_rounds) or DASH,
            ]
        )
    return table(columns, rows)


def _objective(slo: Slo | None) -> str:
    if slo is None:
        return "none set"
    named = (("TTFT", slo.ttft_ms), ("TPOT", slo.tpot_ms), ("whole request", slo.e2e_ms))
    limits = [f"{name} ≤ {trimmed(value)} ms" for name, value in named if value is not None]
    return f"p{trimmed(slo.percentile)}: {', '.join(limits)}"
