"""Vendor claims beside the published results, software first, the watch list, the triggers."""

from __future__ import annotations

from rackrecord.claim_check.multiplier import Comparison
from rackrecord.claim_check.results import Figure
from rackrecord.claim_check.software import RoundGain, SoftwareGain
from rackrecord.claim_check.vendor import ClaimCheck
from rackrecord.quantities import fixed, percent
from rackrecord.record import DecisionRecord
from rackrecord.render.view.evidence import rate
from rackrecord.render.view.options import DASH
from rackrecord.render.view.table import Table, figure, table, text


def statements(record: DecisionRecord) -> Table:
    """Every statement with its class and verdict."""
    columns = (
        text("Id", 12),
        text("Statement", 23),
        text("Said by", 15),
        text("Class", 12),
        text("Verdict", 38),
    )
    rows = [
        [
            check.id,
            check.statement,
            f"{check.who}, {check.date.isoformat()}, {check.stage}",
            check.classification.value,
            check.sentence,
        ]
        for check in record.vendor_claims
    ]
    return table(columns, rows)


def comparisons(check: ClaimCheck) -> Table:
    """One multiplier, scenario by scenario: both sides and their ratio."""
    columns = (
        text("Scenario", 13),
        text("Subject, best result", 25),
        text("Baseline, best result", 25),
        figure("per accelerator", 15),
        figure("ratio of best", 7),
        figure("ratio of medians", 8),
        text("reaches it", 7),
    )
    rows = []
    for scenario in check.scenarios:
        if not scenario.compared and not scenario.elsewhere:
            rows.append([scenario.scenario, scenario.missing or "no result", *([DASH] * 5)])
        rows += [_comparison_row(scenario.scenario, item) for item in scenario.compared]
        rows += [_comparison_row(f"{scenario.scenario}, other size", item) for item in scenario.elsewhere]
    return table(columns, rows)


def _comparison_row(scenario: str, item: Comparison) -> list[str]:
    subject, baseline = item.subject.best, item.baseline.best
    return [
        scenario,
        _side(subject),
        _side(baseline),
        f"{rate(subject.per_accelerator)} / {rate(baseline.per_accelerator)} {subject.unit}",
        fixed(item.ratio_best, 2),
        fixed(item.ratio_median, 2),
        "yes" if item.reaches else "no",
    ]


def _side(side: Figure) -> str:
    submitter = side.submitter.replace("_", " ")
    return f"{submitter}, {side.system}, {side.accelerators} accelerators, {side.round}, {side.availability}"


def standings(check: ClaimCheck) -> Table:
    """One absolute figure beside the results of the same accelerator at other sizes."""
    columns = (
        figure("Accelerators"), figure("results"), figure("median per accelerator"), text("best by"),
        figure("the claim's figure is, of the median"),
    )  # fmt: skip
    rows = (
        [
            [
                f"{item.group.size}" + (" (same size)" if item.same_size else ""),
                str(item.group.results),
                f"{rate(item.group.median)} {item.group.unit}",
                item.group.best.submitter.replace("_", " "),
                percent(item.share_of_median),
            ]
            for item in check.absolute.standings
        ]
        if check.absolute is not None
        else []
    )
    return table(columns, rows)


def efficiencies(check: ClaimCheck) -> Table:
    """One scaling claim beside the efficiency that published results give."""
    columns = (
        text("Scenario"),
        figure("size"),
        figure("against size"),
        figure("best over best"),
        figure("medians"),
        text("reaches it"),
    )
    rows = [
        [
            item.scenario,
            str(item.group.size),
            str(step.smaller.size),
            percent(step.efficiency_best),
            percent(step.efficiency_median),
            "yes" if step.reaches else "no",
        ]
        for item in (check.efficiency.checks if check.efficiency is not None else ())
        for step in item.steps
    ]
    return table(columns, rows)


def gains(gain: SoftwareGain) -> Table:
    """The verified gain between two rounds of software."""
    columns = (
        figure("Accelerators"), text("Rounds"), figure("best, older and newer"), figure("gain of best"),
        figure("medians"), figure("gain of medians"),
    )  # fmt: skip
    return table(columns, [_gain_row(item) for item in gain.shown])


def _gain_row(item: RoundGain) -> list[str]:
    older, newer = item.older, item.newer
    return [
        str(item.size),
        f"{older.round} to {newer.round}, {newer.scenario}",
        f"{rate(older.best.per_accelerator)} / {rate(newer.best.per_accelerator)} {newer.unit}",
        f"{fixed(item.gain_best, 2)}×",
        f"{rate(older.median)} / {rate(newer.median)} {newer.unit}",
        f"{fixed(item.gain_median, 2)}×",
    ]


def triggers(record: DecisionRecord) -> Table:
    """When to look again."""
    columns = (text("When", 16), text("Trigger", 18), text("What", 66))
    rows = [
        [t.due.isoformat() if t.due is not None else "when it happens", t.kind.value, t.text]
        for t in record.triggers
    ]
    return table(columns, rows)


def caveats(record: DecisionRecord) -> Table:
    """Every caveat with its code; what several options share, such as the same results, stands once."""
    columns = (text("Code", 20), text("What the reader must know", 80))
    options = sorted((f"{option.name}: " for option in record.profile.options), key=len, reverse=True)
    shared: dict[tuple[str, str], list[str]] = {}
    for caveat in record.caveats:
        of = next((name for name in options if caveat.text.startswith(name)), "")
        shared.setdefault((caveat.code.value, caveat.text.removeprefix(of)), []).append(of.removesuffix(": "))
    rows = [
        [code, f"{'; '.join(names)}: {said}" if any(names) else said]
        for (code, said), names in shared.items()
    ]
    return table(columns, rows)
