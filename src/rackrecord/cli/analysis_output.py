"""How the analyses of published results are shown on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.claim_check.absolute import AbsoluteCheck
from rackrecord.claim_check.efficiency import EfficiencyFinding
from rackrecord.claim_check.multiplier import Comparison, ScenarioCheck
from rackrecord.claim_check.results import Group
from rackrecord.claim_check.rounds import RoundDiff, ScenarioDiff
from rackrecord.claim_check.scaling import ScalingCurve
from rackrecord.claim_check.software import ScenarioGains
from rackrecord.claim_check.spread import Spread
from rackrecord.claim_check.vendor import ClaimCheck
from rackrecord.claim_check.wording import published_text, rate_text
from rackrecord.cli.text import printable, table
from rackrecord.quantities import fixed, percent

DERIVED = "Figures per accelerator, medians and ratios are derived; they are not official MLPerf® metrics."


def _ratio(value: Decimal) -> str:
    return fixed(value, 3)


def _marked(group: Group) -> str:
    return f"{group.name} (preview)" if group.preview else group.name


def claim_check(check: ClaimCheck) -> str:
    """One statement: what it says, its class, its verdict, and the results that speak to it."""
    against = f" against {check.baseline}" if check.baseline is not None else ""
    on = f" on {check.benchmark}" if check.benchmark is not None else ""
    lines = [
        f"{check.id}: {check.subject}{against}, {check.claimed}{on}",
        f"  verdict  {check.verdict.value}: {check.sentence}",
        f"  class    {check.classification.value}: {check.why}",
    ]
    lines += [f"  conflict {item.text}" for item in check.disagreements]
    lines = [printable(line) for line in lines]
    if check.scenarios:
        lines += ["", _comparisons(check.scenarios)]
    if check.absolute is not None and check.absolute.standings:
        lines += ["", _standings(check.absolute)]
    if check.efficiency is not None and check.efficiency.checks:
        lines += ["", _efficiencies(check.efficiency)]
    return "\n".join(lines)


def _comparisons(checks: Sequence[ScenarioCheck]) -> str:
    header = (
        *("SCENARIO", "SIDE", "SUBMITTER", "SYSTEM", "AVAILABILITY", "ROUND", "SIZE", "RESULT", "UNIT"),
        *("PER ACCELERATOR", "MEDIAN", "RESULTS", "RATIO", "OF MEDIANS", "REACHES"),
    )
    rows: list[tuple[str, ...]] = []
    for check in checks:
        for comparison in check.compared:
            rows += _two_rows(check.scenario, comparison, "yes" if comparison.reaches else "no")
        for comparison in check.elsewhere:
            label = "other size" if comparison.subject.size != comparison.baseline.size else "other round"
            rows += _two_rows(check.scenario, comparison, label)
    notes = [printable(f"{check.scenario}: {check.missing}") for check in checks if check.missing is not None]
    return "\n".join([table(header, rows, right=(6, 7, 9, 10, 11, 12, 13)), *notes] if rows else notes)


def _two_rows(scenario: str, comparison: Comparison, reaches: str) -> list[tuple[str, ...]]:
    ratios = (fixed(comparison.ratio_best, 2), fixed(comparison.ratio_median, 2), reaches)
    return [
        (scenario, "subject", *_side(comparison.subject), *ratios),
        ("", "baseline", *_side(comparison.baseline), "", "", ""),
    ]


def _side(group: Group) -> tuple[str, ...]:
    best = group.best
    return (
        best.submitter,
        best.system,
        best.availability,
        group.round,
        str(group.size),
        published_text(best.value),
        group.unit,
        rate_text(best.per_accelerator),
        rate_text(group.median),
        str(group.results),
    )


def _standings(check: AbsoluteCheck) -> str:
    rows = [
        (
            str(standing.group.size),
            str(standing.group.results),
            rate_text(standing.group.best.per_accelerator),
            rate_text(standing.group.median),
            percent(standing.share_of_median),
        )
        for standing in check.standings
    ]
    return table(("SIZE", "RESULTS", "BEST", "MEDIAN", "CLAIM'S FIGURE OF MEDIAN"), rows, right=range(5))


def _efficiencies(finding: EfficiencyFinding) -> str:
    rows = [
        (
            check.scenario,
            str(check.group.size),
            str(step.smaller.size),
            percent(step.efficiency_best),
            percent(step.efficiency_median),
            "yes" if step.reaches else "no",
        )
        for check in finding.checks
        for step in check.steps
    ]
    return table(
        ("SCENARIO", "SIZE", "AGAINST", "OF BEST", "OF MEDIANS", "REACHES"), rows, right=(1, 2, 3, 4)
    )


def gains(accelerator: str, benchmark: str, older: str, newer: str, found: Sequence[ScenarioGains]) -> str:
    """The gains from one round to another, and what either round lacks."""
    title = f"{accelerator_name(accelerator)} on {benchmark}, {older} to {newer}, per accelerator"
    if not found:
        return f"{title}\nNo result of an available system in either round."
    rows = [
        (
            gain.scenario,
            str(gain.size),
            rate_text(gain.older.best.per_accelerator),
            rate_text(gain.newer.best.per_accelerator),
            _ratio(gain.gain_best),
            rate_text(gain.older.median),
            rate_text(gain.newer.median),
            _ratio(gain.gain_median),
            f"{gain.older.results} and {gain.newer.results}",
            gain.newer.unit,
        )
        for scenario in found
        for gain in scenario.gains
    ]
    header = (
        *("SCENARIO", "SIZE", f"BEST {older}", f"BEST {newer}", "GAIN", f"MEDIAN {older}"),
        *(f"MEDIAN {newer}", "GAIN", "RESULTS", "UNIT"),
    )
    lines = [title, table(header, rows, right=range(1, 8))] if rows else [title]
    return "\n".join([*lines, *_gain_notes(older, newer, found), DERIVED])


def _gain_notes(older: str, newer: str, found: Sequence[ScenarioGains]) -> list[str]:
    notes = []
    for scenario in found:
        if scenario.note is not None:
            notes.append(f"{scenario.scenario}: {scenario.note}")
        only = [
            f"{size} only in {name}"
            for name, sizes, others in (
                (older, scenario.older_sizes, scenario.newer_sizes),
                (newer, scenario.newer_sizes, scenario.older_sizes),
            )
            for size in sizes
            if size not in others
        ]
        if only:
            notes.append(f"{scenario.scenario}: system sizes of one round: {', '.join(only)}")
    return notes


def scaling(curves: Sequence[ScalingCurve]) -> str:
    """Every curve, one line a system size."""
    if not curves:
        return "No accelerator has comparable results on more than one system size."
    rows = [
        (
            _marked(point.group) if index == 0 else "",
            curve.scenario if index == 0 else "",
            curve.round if index == 0 else "",
            str(point.group.size),
            str(point.group.results),
            point.group.best.submitter,
            rate_text(point.group.best.per_accelerator),
            percent(point.efficiency_best),
            rate_text(point.group.median),
            percent(point.efficiency_median),
            curve.unit,
        )
        for curve in curves
        for index, point in enumerate(curve.points)
    ]
    header = (
        *("ACCELERATOR", "SCENARIO", "ROUND", "SIZE", "RESULTS", "BEST BY", "BEST", "EFFICIENCY"),
        *("MEDIAN", "EFFICIENCY", "UNIT"),
    )
    note = "Efficiency is the rate per accelerator over that of the smallest size shown."
    return "\n".join([table(header, rows, right=(3, 4, 6, 7, 8, 9)), note, DERIVED])


def spreads(found: Sequence[Spread]) -> str:
    """Every group with more than one result, and its outliers below."""
    if not found:
        return "No accelerator and system size has more than one result."
    rows = [
        (
            spread.group.name,
            spread.group.scenario,
            spread.group.round,
            str(spread.group.size),
            str(spread.group.results),
            str(len(spread.by_submitter)),
            rate_text(spread.group.minimum),
            rate_text(spread.group.median),
            rate_text(spread.group.best.per_accelerator),
            percent(spread.spread),
            percent(spread.between_submitters) if spread.between_submitters is not None else "-",
            spread.group.unit,
        )
        for spread in found
    ]
    header = (
        *("ACCELERATOR", "SCENARIO", "ROUND", "SIZE", "RESULTS", "SUBMITTERS", "LOWEST", "MEDIAN"),
        *("HIGHEST", "SPREAD", "BETWEEN SUBMITTERS", "UNIT"),
    )
    outliers = [f"below 60 % of the median: {claim}" for spread in found for claim in spread.outliers]
    note = "Spread is highest over lowest, less one; between submitters, of their medians."
    return "\n".join([table(header, rows, right=range(3, 11)), *outliers, note, DERIVED])


def diff(found: RoundDiff) -> str:
    """Everything that differs between two rounds."""
    lines = [f"{found.older} to {found.newer}, {found.suite}, closed and network divisions"]
    lines += _named("benchmarks new", found.new_benchmarks)
    lines += _named("benchmarks gone", found.gone_benchmarks)
    lines += [f"not comparable: {s.not_comparable}" for s in found.scenarios if s.not_comparable is not None]
    for item in found.now_available:
        was = f"preview in {found.older}" if item.was_preview else f"not in {found.older}"
        lines.append(f"now available: {item.name} ({was}), on {', '.join(item.benchmarks)}")
    lines.append("")
    lines.append(_changes(found))
    lines += ["", *(line for scenario in found.scenarios for line in _comings(found, scenario)), DERIVED]
    return "\n".join(printable(line) if "\n" not in line else line for line in lines)


def _named(what: str, names: Sequence[str]) -> list[str]:
    return [f"{what}: {', '.join(names)}"] if names else []


def _changes(found: RoundDiff) -> str:
    rows = [
        (
            scenario.benchmark,
            scenario.scenario,
            change.newer.name,
            str(change.newer.size),
            rate_text(change.older.best.per_accelerator),
            rate_text(change.newer.best.per_accelerator),
            _ratio(change.ratio_best),
            _ratio(change.ratio_median),
            change.direction.value,
            change.newer.unit,
        )
        for scenario in found.scenarios
        for change in scenario.changes
    ]
    header = (
        *("BENCHMARK", "SCENARIO", "ACCELERATOR", "SIZE", f"BEST {found.older}", f"BEST {found.newer}"),
        *("RATIO", "OF MEDIANS", "BEST IS", "UNIT"),
    )
    return table(header, rows, right=range(3, 8)) if rows else "No accelerator and size is in both rounds."


def _comings(found: RoundDiff, scenario: ScenarioDiff) -> list[str]:
    topic = f"{scenario.benchmark} {scenario.scenario}"
    lines = []
    for word, groups in (
        (f"new in {found.newer}", scenario.new),
        (f"gone since {found.older}", scenario.gone),
    ):
        if groups:
            listed = ", ".join(f"{_marked(group)} on {group.size}" for group in groups)
            lines.append(f"{word}: {topic}: {listed}")
    return lines
