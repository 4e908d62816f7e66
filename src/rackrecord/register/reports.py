"""The reports of the review and the re-check as Markdown: figures formatted, no arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rackrecord.quantities import compact, fixed, percent, significant, trimmed
from rackrecord.register.changes import (
    EvidenceChange,
    EvidenceState,
    ExclusionChange,
    Fate,
    OptionChange,
    OptionState,
    Possible,
    Recheck,
    ResultChange,
)
from rackrecord.register.due import DueItem
from rackrecord.render.environment import render_template
from rackrecord.render.view.table import Table, figure, table, text
from rackrecord.selection.reasons import Reason

_SHOWN_EXCLUSIONS = 100


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One option's evidence on one part of the workload, before and now."""

    title: str
    sentence: str
    results: Table


def review_markdown(items: Sequence[DueItem], as_of: date, within: int, records: int) -> str:
    """The list of the review, fit for an issue."""
    rows = [
        (
            item.state.value,
            item.due.isoformat() if item.due is not None else "",
            f"{item.number:04d}",
            item.title,
            item.status,
            item.owner,
            item.text,
        )
        for item in items
    ]
    columns = [text(name) for name in ("", "Date", "No", "Record", "Status", "Owner", "Why")]
    values = {"as_of": as_of.isoformat(), "within": within, "records": records, "items": table(columns, rows)}
    return render_template("review.md.j2", values)


def recheck_markdown(report: Recheck) -> str:
    """`reviews/DATE.md`."""
    changed = [(option, part) for option in report.options for part in option.evidence if not part.same]
    values = {
        "report": report,
        "name": f"{report.number:04d}" if report.number is not None else "without a number",
        "new_rounds": [name for name in report.rounds if name not in report.rounds_before],
        "lost_rounds": [name for name in report.rounds_before if name not in report.rounds],
        "options": _options(report),
        "planning": _planning(report),
        "evidence": [_evidence(option, part) for option, part in changed],
        "newly_possible": [_newly(report, item) for item in report.newly_possible],
        "no_longer_possible": [f"{item.name}: {item.why_not}" for item in report.no_longer_possible],
        "not_ranked": [
            f"{option.name}: {option.now.why_no_rank}"
            for option in report.options
            if option.before.rank is None and option.now.rank is None
        ],
        "exclusion_counts": _exclusion_counts(report.exclusions),
        "exclusions": _exclusions(report.exclusions),
        "exclusions_in_full": len(report.exclusions),
    }
    return render_template("recheck.md.j2", values)


def recheck_line(report: Recheck) -> str:
    """The report in a line or two for a terminal."""
    name = f"{report.number:04d}" if report.number is not None else "record"
    lines = [f"{name} {report.verdict.value}: {report.why_not or report.stands}"]
    for option in report.options:
        for part in option.evidence:
            if not part.same:
                lines.append(f"  {option.name}, {_title(part)}: {_sentence(part)}")
    lines += [f"  newly possible: {_newly(report, item)}" for item in report.newly_possible]
    lines += [f"  no longer possible: {item.name}: {item.why_not}" for item in report.no_longer_possible]
    return "\n".join(lines)


def _options(report: Recheck) -> Table:
    money = report.currency or ""
    rows = [
        (
            option.name,
            _arrow(_rank(option.before), _rank(option.now)),
            _arrow(_cost(option.before), _cost(option.now)),
            _signed(option.cost_change),
            _arrow(_whole(option.before.racks), _whole(option.now.racks)),
            _arrow(_compact(option.before.yearly_cost), _compact(option.now.yearly_cost)),
        )
        for option in report.options
    ]
    columns = (
        text("Option"),
        text("Rank"),
        figure(f"{money} per million output tokens"),
        figure("Change"),
        figure("Racks"),
        figure(f"{money} a year"),
    )
    return table(columns, rows)


def _planning(report: Recheck) -> Table:
    rows = [
        (
            option.name,
            _title(part),
            _state(part.before, part.unit),
            _state(part.now, part.unit),
            _signed(part.change),
        )
        for option in report.options
        for part in option.evidence
    ]
    columns = (
        text("Option"),
        text("Workload"),
        text("Per accelerator, in the record"),
        text("Per accelerator, now"),
        figure("Change"),
    )
    return table(columns, rows)


def _evidence(option: OptionChange, part: EvidenceChange) -> EvidenceView:
    rows = [
        (
            item.result.id,
            item.result.submitter,
            item.result.system,
            f"{trimmed(item.result.value, 12)} {item.result.unit}",
            _fixed(item.result.per_accelerator),
            _fate(item),
        )
        for item in part.results
    ]
    columns = (
        text("Result"),
        text("Submitter"),
        text("System"),
        figure("Published"),
        figure("Per accelerator"),
        text("What became of it"),
    )
    sentence = f"The planning figure goes from {_sentence(part)}."
    return EvidenceView(f"{option.name}: {_title(part)}", sentence, table(columns, rows))


def _title(part: EvidenceChange) -> str:
    return f"{part.benchmark} {part.scenario} on {part.deployment_size}"


def _sentence(part: EvidenceChange) -> str:
    change = f", {_signed(part.change)}" if part.change is not None else ""
    return f"{_named_state(part.before, part.unit)} to {_named_state(part.now, part.unit)}{change}"


def _state(state: EvidenceState, unit: str) -> str:
    if state.planning is None:
        return "no evidence"
    return f"{fixed(state.planning, 2)} {unit} ({state.round}, {_counts(state)})"


def _named_state(state: EvidenceState, unit: str) -> str:
    if state.planning is None:
        return "no evidence"
    names = ", ".join(state.submitters)
    return f"{fixed(state.planning, 2)} {unit} per accelerator ({state.round}, {_counts(state)}: {names})"


def _counts(state: EvidenceState) -> str:
    results = "1 result" if state.results == 1 else f"{state.results} results"
    submitters = "1 submitter" if len(state.submitters) == 1 else f"{len(state.submitters)} submitters"
    return f"{results}, {submitters}"


def _fate(item: ResultChange) -> str:
    if item.fate is Fate.ALTERED and item.value_before is not None:
        return f"{item.fate.value}: {trimmed(item.value_before, 12)} in the record"
    text = item.fate.value
    if item.reasons:
        text += f": {', '.join(reason.value for reason in item.reasons)}"
    if item.replaced_by is not None:
        text += f"; replaced by the {item.replaced_by.partition('/')[0]} result of {item.result.submitter}"
    return text


def _newly(report: Recheck, item: Possible) -> str:
    """An option that can be ranked now, with its figures."""
    state = next(option.now for option in report.options if option.option == item.option)
    money = report.currency or ""
    figures = (
        f"{_cost(state)} {money} per million output tokens, "
        f"{_compact(state.tokens_per_second)} output tokens/s a rack, {_whole(state.racks)} racks, "
        f"{_compact(state.yearly_cost)} {money} a year, rank {_rank(state)}"
    )
    returned = f" ({'; '.join(item.returned)})" if item.returned else ""
    return f"{item.name}{returned}: {figures}. In the record: {item.why_not.rstrip('.')}."


def _exclusion_counts(changes: Sequence[ExclusionChange]) -> Table:
    """How many claims changed, by what they were and are."""
    counts = Counter((_group(change.before), _group(change.now)) for change in changes)
    rows = [(was, now, str(count)) for (was, now), count in sorted(counts.items())]
    return table((text("In the record"), text("Now"), figure("Claims")), rows)


def _exclusions(changes: Sequence[ExclusionChange]) -> Table:
    rows = [
        (change.claim, f"{change.benchmark}, {change.scenario}", _group(change.before), _group(change.now))
        for change in _moved(changes)[:_SHOWN_EXCLUSIONS]
    ]
    return table((text("Claim"), text("Workload"), text("In the record"), text("Now")), rows)


def _moved(changes: Sequence[ExclusionChange]) -> list[ExclusionChange]:
    """The claims left out in the record that count now, and those that are gone; the rest is counted."""
    return [change for change in changes if (change.before and change.now == ()) or change.now is None]


def _group(reasons: tuple[Reason, ...] | None) -> str:
    if reasons is None:
        return "not in the catalog"
    return ", ".join(reason.value for reason in reasons) or "used"


def _rank(state: OptionState) -> str:
    if state.rank is not None:
        return str(state.rank)
    return "fails a limit" if state.failed_limits else "not ranked"


def _cost(state: OptionState) -> str:
    return significant(state.cost_per_million_tokens) if state.cost_per_million_tokens is not None else "none"


def _compact(value: Decimal | None) -> str:
    return compact(value) if value is not None else "none"


def _whole(value: int | None) -> str:
    return f"{value:,}" if value is not None else "none"


def _fixed(value: Decimal | None) -> str:
    return fixed(value, 2) if value is not None else ""


def _signed(value: Decimal | None) -> str:
    return percent(value, signed=True) if value is not None else ""


def _arrow(before: str, now: str) -> str:
    return before if before == now else f"{before} → {now}"
