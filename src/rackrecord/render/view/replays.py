"""Own load tests: every point against the SLO, and what was chosen."""

from __future__ import annotations

from rackrecord.economics.replay import MeasuredPoint, OptionMeasurement
from rackrecord.quantities import fixed, trimmed
from rackrecord.render.view.options import DASH
from rackrecord.render.view.table import Table, figure, table, text


def points(replay: OptionMeasurement) -> Table:
    """The measured points of one option."""
    columns = (
        text("Point", 20),
        text("Tool", 11),
        figure("output tokens/s", 12),
        figure("per accelerator", 11),
        text("against the SLO", 24),
        text("meets it", 7),
        text("checks", 15),
    )
    return table(columns, [_row(point) for point in replay.points], marked=replay.chosen)


def _row(point: MeasuredPoint) -> list[str]:
    measured = point.measurement
    per_accelerator = measured.output_tokens_per_second_per_accelerator
    results = [
        f"{r.metric.upper()} p{trimmed(r.percentile)} "
        + (
            f"{trimmed(r.measured_ms, 5)} of {trimmed(r.limit_ms)} ms"
            if r.measured_ms is not None
            else "not recorded"
        )
        for r in point.results
    ]
    return [
        f"{measured.file}: {measured.label}" if measured.label else measured.file,
        f"{measured.tool} {measured.tool_version or ''}".strip(),
        fixed(measured.output_tokens_per_second, 2),
        fixed(per_accelerator, 2) if per_accelerator is not None else "count unknown",
        "; ".join(results) or "no objective set",
        "yes" if point.meets else "no",
        ", ".join(check.code.value for check in measured.checks) or DASH,
    ]
