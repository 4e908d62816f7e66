"""An option's own load tests as a curve: throughput against latency, with the SLO and the point chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rackrecord.economics.replay import MeasuredPoint, OptionMeasurement
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.quantities import significant, trimmed
from rackrecord.record import DecisionRecord
from rackrecord.render.chart_canvas import (
    DARK,
    INK,
    LIGHT,
    PAPER,
    TEXT_WIDTH_MM,
    Canvas,
    Chart,
    drawing,
    shown,
    tick_label,
    ticks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES = {"ttft": "time to first token", "tpot": "time per output token", "e2e": "whole request"}
_SMALL = 7


@dataclass(frozen=True, slots=True)
class _Panel:
    """What one panel has across: latencies in ms or load, None where a point does not record it."""

    title: str
    across: tuple[float | None, ...]
    limit: float | None


def sweep_charts(record: DecisionRecord) -> tuple[Chart, ...]:
    """A chart for every option with load tests at several points."""
    drawn = (_chart(record, measured) for measured in record.measurements)
    return tuple(chart for chart in drawn if chart is not None)


def sweep_text(record: DecisionRecord, measured: OptionMeasurement) -> str:
    """The load tests of one option as text: every point with its throughput, latencies and standing."""
    unit = "per accelerator" if _per_accelerator(measured.points) else "of the whole system"
    points = []
    for index, point in enumerate(measured.points):
        facts = [f"{significant(_rate(point, measured.points))} output tokens/s"]
        facts += [
            f"{_NAMES[result.metric]} {_milliseconds(result.measured_ms)}"
            f" at p{trimmed(result.percentile)}, limit {trimmed(result.limit_ms)} ms"
            for result in point.results
        ]
        facts.append(
            "chosen" if index == measured.chosen else "meets the SLO" if point.meets else "misses the SLO"
        )
        points.append(f"{_load(point) or f'point {index + 1}'}: {', '.join(facts)}")
    name = shown(record.profile.option(measured.option).name)
    return f"Own load tests of {name}, output tokens/s {unit}. {'; '.join(points)}."


def _milliseconds(value: float | None) -> str:
    return f"{significant(value)} ms" if value is not None else "not recorded"


def _per_accelerator(points: Sequence[MeasuredPoint]) -> bool:
    return all(point.measurement.accelerators is not None for point in points)


def _rate(point: MeasuredPoint, points: Sequence[MeasuredPoint]) -> float:
    """Output tokens/s: per accelerator where the number of them is known of every point, else in total."""
    per_accelerator = point.measurement.output_tokens_per_second_per_accelerator
    if _per_accelerator(points) and per_accelerator is not None:
        return per_accelerator
    return point.measurement.output_tokens_per_second


def _load(point: MeasuredPoint) -> str:
    """What the point was tested at, in words; empty where the file does not say."""
    measurement = point.measurement
    if measurement.concurrency is not None:
        return f"concurrency {trimmed(measurement.concurrency)}"
    if measurement.request_rate is not None:
        return f"{trimmed(measurement.request_rate)} requests/s"
    return ""


def _load_number(point: MeasuredPoint) -> float | None:
    measurement = point.measurement
    return measurement.concurrency if measurement.concurrency is not None else measurement.request_rate


def _panels(points: Sequence[MeasuredPoint]) -> list[_Panel]:
    """One panel a metric of the SLO; without any, the latencies recorded; without any, the load."""
    panels = []
    for index, result in enumerate(points[0].results):
        values = tuple(point.results[index].measured_ms for point in points)
        title = f"{_NAMES[result.metric]}, p{trimmed(result.percentile)}, ms"
        panels.append(_Panel(title, values, result.limit_ms))
    if not panels:
        for metric, name in _NAMES.items():
            summaries: list[LatencySummary | None] = [getattr(point.measurement, metric) for point in points]
            means = tuple(summary.mean_ms if summary is not None else None for summary in summaries)
            panels.append(_Panel(f"{name}, mean, ms", means, None))
    drawn = [panel for panel in panels if _known(panel.across) >= 2]
    if not drawn:
        loads = _Panel(
            "load: concurrency or requests/s", tuple(_load_number(point) for point in points), None
        )
        drawn = [loads] if _known(loads.across) >= 2 else []
    return drawn


def _known(values: Sequence[float | None]) -> int:
    return sum(value is not None for value in values)


def _chart(record: DecisionRecord, measured: OptionMeasurement) -> Chart | None:
    """Throughput over latency, one panel a metric; None where fewer than two points can be placed."""
    points = measured.points
    panels = _panels(points) if points else []
    if not panels:
        return None
    height, foot, head, left, gap = 64.0, 14.0, 7.0, 15.0, 6.0
    width = (TEXT_WIDTH_MM - left - gap * (len(panels) - 1)) / len(panels)
    rates = [_rate(point, points) for point in points]
    top = max(rates) * 1.15 or 1.0
    with drawing():
        canvas = Canvas(height)
        unit = "per accelerator" if _per_accelerator(points) else "of the whole system"
        canvas.text(0, height - 3, f"output tokens/s {unit}", size=_SMALL, bold=True)
        _scale_up(canvas, left, foot, height - foot - head, top)
        for index, panel in enumerate(panels):
            place = (left + index * (width + gap), foot, width, height - foot - head)
            _panel(canvas, place, panel, measured, rates, top)
        _key(canvas, measured)
        return canvas.chart(sweep_text(record, measured))


def _scale_up(canvas: Canvas, left: float, bottom: float, height: float, top: float) -> None:
    for tick in ticks(top, 5):
        canvas.text(left - 1.5, bottom + height * tick / top, tick_label(tick), size=_SMALL, anchor="right")


def _panel(
    canvas: Canvas,
    place: tuple[float, float, float, float],
    panel: _Panel,
    measured: OptionMeasurement,
    rates: Sequence[float],
    top: float,
) -> None:
    left, bottom, width, height = place
    placed = [(x, rates[index], index) for index, x in enumerate(panel.across) if x is not None]
    ends = [x for x, _, _ in placed] + ([panel.limit] if panel.limit is not None else [])
    right = max(ends) * 1.08 or 1.0
    axes = canvas.axes(*place)
    axes.set_xlim(0, right)
    axes.set_ylim(0, top)
    for tick in ticks(top, 5):
        axes.plot([0, right], [tick, tick], color=LIGHT, linewidth=0.4, zorder=1)
    for tick in ticks(right, 4):
        axes.plot([tick, tick], [0, top], color=LIGHT, linewidth=0.4, zorder=1)
        canvas.text(left + width * tick / right, bottom - 2.4, tick_label(tick), size=_SMALL, anchor="center")
    axes.plot([0, right], [0, 0], color=INK, linewidth=0.8, zorder=2, clip_on=False)
    axes.plot([0, 0], [0, top], color=INK, linewidth=0.8, zorder=2, clip_on=False)
    canvas.text(left + width / 2, bottom - 6.4, panel.title, size=_SMALL, anchor="center")
    if panel.limit is not None:
        axes.plot([panel.limit] * 2, [0, top], color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=2)
        x = left + width * panel.limit / right
        canvas.text(
            x - 1, bottom + height + 1.8, f"limit {trimmed(panel.limit)}", size=_SMALL, anchor="center"
        )
    _curve(axes, placed, measured)
    for x, y, index in placed:
        number = _load_number(measured.points[index])
        if number is not None and len(placed) <= 16:
            at_x, at_y = left + width * x / right, bottom + height * y / top
            # The curve comes from the lower left: the figure stands above it, unless beside the scale.
            if at_x - left > 9:
                canvas.text(at_x - 1.4, at_y + 2.3, trimmed(number), size=_SMALL, anchor="right")
            else:
                canvas.text(at_x + 1.4, at_y - 2.3, trimmed(number), size=_SMALL)


def _curve(axes: Axes, placed: Sequence[tuple[float, float, int]], measured: OptionMeasurement) -> None:
    """The points, joined in the order of their load where it is known, else from left to right."""

    def order(item: tuple[float, float, int]) -> tuple[float, float]:
        number = _load_number(measured.points[item[2]])
        return (number if number is not None else 0.0, item[0])

    in_order = sorted(placed, key=order)
    axes.plot([x for x, _, _ in in_order], [y for _, y, _ in in_order], color=DARK, linewidth=0.8, zorder=3)
    for x, y, index in placed:
        axes.plot([x], [y], color=INK, zorder=4, clip_on=False, linestyle="none", **_sign(measured, index))


def _sign(measured: OptionMeasurement, index: int) -> dict[str, Any]:
    """How a point is drawn: a diamond for the chosen one, full where it meets the SLO, else open."""
    if index == measured.chosen:
        return {"marker": "D", "markersize": 6.5, "markerfacecolor": INK}
    meets = measured.points[index].meets
    return {"marker": "o", "markersize": 4.5, "markerfacecolor": DARK if meets else PAPER}


def _key(canvas: Canvas, measured: OptionMeasurement) -> None:
    """What the signs mean, along the lower edge."""
    signs = (
        (True, False, "chosen"),
        (False, True, "meets the SLO"),
        (False, False, "misses it, or not recorded"),
    )
    x = 15.0
    for chosen, meets, words in signs:
        marker: dict[str, Any] = {"marker": "D" if chosen else "o", "markersize": 5 if chosen else 4.5}
        axes = canvas.axes(x, 1.0, 2.5, 2.5)
        axes.set_xlim(-1, 1)
        axes.set_ylim(-1, 1)
        fill = INK if chosen else DARK if meets else PAPER
        axes.plot([0], [0], color=INK, markerfacecolor=fill, clip_on=False, linestyle="none", **marker)
        canvas.text(x + 3.5, 2.2, words, size=_SMALL)
        x += 12.0 + 1.3 * len(words)
    loads = {_load(point).split(" ")[0] for point in measured.points} - {""}
    if loads:
        word = "concurrency" if "concurrency" in loads else "requests/s offered"
        canvas.text(x, 2.2, f"numbers: {word}", size=_SMALL)
