"""The record's charts: cost per million tokens, what moves it, racks and cost over the years, own load tests.

Bars and signs differ in shape and shade and carry their figures, so that black and white loses nothing. Each
chart has the same facts as text; where there is nothing to draw, there is no chart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rackrecord.economics.figures import OptionFigures
from rackrecord.quantities import compact, fixed, significant, trimmed
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
    text_width_mm,
    tick_label,
    ticks,
    wrapped,
)
from rackrecord.render.sweep_chart import sweep_charts, sweep_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_OPTIONS = 24
"""Options that a chart has room for on a page; the tables have them all."""

_NAME_MM = 50
_LABEL_MM = 38
_GAP_MM = 3
_SMALL, _NORMAL = 7, 8


@dataclass(frozen=True, slots=True)
class Charts:
    """The charts of one record; None where there is nothing to draw."""

    cost: Chart | None
    tornado: Chart | None
    years: Chart | None
    sweeps: tuple[Chart, ...]


NO_CHARTS = Charts(None, None, None, ())


def draw_charts(record: DecisionRecord) -> Charts:
    """Every chart of the record."""
    return Charts(cost_chart(record), tornado_chart(record), years_chart(record), sweep_charts(record))


@dataclass(frozen=True, slots=True)
class _Row:
    """One option in a chart: its place in the ranking if it has one, its figures if any, a remark if any."""

    place: int | None
    name: str
    figures: OptionFigures | None
    remark: str


def _rows(record: DecisionRecord) -> list[_Row]:
    """The options in the order of the ranking, then those that fail a limit, then those not ranked."""
    comparison = record.comparison
    rows = [
        _Row(place, record.profile.option(option).name, record.figures(option), "")
        for place, option in enumerate(comparison.ranking, start=1)
    ]
    for option in comparison.infeasible:
        figures = record.figures(option)
        failed = [check.limit for check in figures.limits if not check.passed] if figures is not None else []
        words = (
            f"fails {failed[0]}" if len(failed) == 1 else f"fails {len(failed)} limits: {', '.join(failed)}"
        )
        rows.append(_Row(None, record.profile.option(option).name, figures, words))
    for item in comparison.not_ranked:
        reason = f"not ranked: {item.reason.removeprefix('not ranked: ').rstrip('.')}"
        rows.append(_Row(None, record.profile.option(item.option).name, record.figures(item.option), reason))
    return sorted(rows, key=lambda row: row.figures is None)


def cost_text(record: DecisionRecord) -> str:
    """The cost chart as text: each option with its cost, the range of the evidence, and its standing."""
    money = record.profile.currency
    sentences = []
    for row in _rows(record):
        start = f"{row.place}. {shown(row.name)}" if row.place is not None else shown(row.name)
        if row.figures is None:
            sentences.append(f"{start}: {shown(row.remark)}")
            continue
        facts = [f"{significant(row.figures.cost_per_million_tokens)} {money}"]
        if span := _cost_range(row.figures):
            facts.append(f"{span} over the range of the evidence")
        if row.figures.ceiling:
            facts.append("a benchmark ceiling")
        if row.place == 1:
            facts.append("the best")
        if row.remark:
            facts.append(shown(row.remark))
        sentences.append(f"{start}: {', '.join(facts)}")
    return f"Cost per million output tokens. {'; '.join(sentences)}."


def _cost_range(figures: OptionFigures) -> str:
    if figures.cost_low == figures.cost_high:
        return ""
    return f"{significant(figures.cost_low)} to {significant(figures.cost_high)}"


def cost_chart(record: DecisionRecord) -> Chart | None:
    """Cost per million tokens of each option, with the range of the evidence; None without any figures.

    Options without figures stand below the scale, with the reason.
    """
    rows = _rows(record)[:MOST_OPTIONS]
    drawn = [row for row in rows if row.figures is not None]
    if not drawn:
        return None
    row_mm, scale_mm = 9.0 if len(rows) <= 12 else 8.0, 10.0
    below_mm = row_mm * (len(rows) - len(drawn))
    money = record.profile.currency
    with drawing():
        canvas = Canvas(below_mm + scale_mm + row_mm * len(drawn))
        width = TEXT_WIDTH_MM - _NAME_MM - _GAP_MM - _LABEL_MM
        bottom = below_mm + scale_mm
        axes = canvas.axes(_NAME_MM, bottom, width, row_mm * len(drawn))
        highest = max(float(row.figures.cost_high) for row in drawn if row.figures is not None)
        _scale_across(canvas, axes, highest, len(drawn))
        title = f"{money} per million output tokens; lines show the range of the evidence"
        canvas.text(_NAME_MM + width / 2, below_mm + 3.4, title, size=_SMALL, anchor="center")
        for index, row in enumerate(drawn):
            middle = len(drawn) - index - 0.5
            _option_name(canvas, row, bottom + row_mm * middle)
            _cost_bar(axes, middle, row)
            _cost_label(canvas, row, bottom + row_mm * middle, money)
        for index, row in enumerate(rows[len(drawn) :]):
            y = below_mm - row_mm * (index + 0.5)
            _option_name(canvas, row, y)
            canvas.text(_NAME_MM, y, wrapped(row.remark, TEXT_WIDTH_MM - _NAME_MM, _SMALL), size=_SMALL)
        return canvas.chart(cost_text(record))


def _option_name(canvas: Canvas, row: _Row, y: float) -> None:
    best = row.place == 1
    if row.place is not None:
        canvas.text(3.5, y, str(row.place), bold=best, anchor="right")
    name = wrapped(row.name, _NAME_MM - 8, _NORMAL, bold=best)
    canvas.text(5.5, y, name, bold=best)


def _bar_style(row: _Row) -> dict[str, Any]:
    """Dark for the best, light for the others, white with a broken edge for what is not in the ranking."""
    edge = {"edgecolor": INK, "linewidth": 0.6}
    if row.place is None:
        return {**edge, "facecolor": PAPER, "linestyle": (0, (2, 1.5))}
    return {**edge, "facecolor": DARK if row.place == 1 else LIGHT}


def _cost_bar(axes: Axes, middle: float, row: _Row) -> None:
    figures = row.figures
    assert figures is not None  # the caller asked
    axes.barh([middle], [float(figures.cost_per_million_tokens)], height=0.42, zorder=2, **_bar_style(row))
    low, high = float(figures.cost_low), float(figures.cost_high)
    if low != high:
        # White under black, so that it shows on the dark bar as well.
        for color, line in ((PAPER, 2.6), (INK, 1.0)):
            axes.plot(
                [low, high], [middle, middle], color=color, linewidth=line, zorder=3, solid_capstyle="butt"
            )
            for end in (low, high):
                ends = [middle - 0.13, middle + 0.13]
                axes.plot([end, end], ends, color=color, linewidth=line, zorder=3, solid_capstyle="butt")


def _cost_label(canvas: Canvas, row: _Row, y: float, money: str) -> None:
    figures = row.figures
    assert figures is not None  # the caller asked
    notes = [_cost_range(figures), row.remark or ("benchmark ceiling" if figures.ceiling else "")]
    notes = [wrapped(note, _LABEL_MM, _SMALL, lines=1) for note in notes if note]
    top = y + 1.5 * len(notes)
    value = f"{significant(figures.cost_per_million_tokens)} {money}"
    canvas.text(TEXT_WIDTH_MM - _LABEL_MM, top, value, bold=row.place == 1)
    for line, note in enumerate(notes, start=1):
        canvas.text(TEXT_WIDTH_MM - _LABEL_MM, top - 2.9 * line, note, size=_SMALL)


def _scale_across(canvas: Canvas, axes: Axes, highest: float, rows: int) -> None:
    """Limits, grid and numbers of a horizontal scale from 0."""
    top = highest * 1.03 if highest > 0 else 1.0
    axes.set_xlim(0, top)
    axes.set_ylim(0, rows)
    axes.plot([0, 0], [0, rows], color=INK, linewidth=0.8, zorder=4)
    box = axes.get_position()
    left, width = box.x0 * canvas.width_mm, box.width * canvas.width_mm
    for tick in ticks(top, 5):
        axes.plot([tick, tick], [0, rows], color=LIGHT, linewidth=0.4, zorder=1)
        x = left + width * tick / top
        canvas.text(x, box.y0 * canvas.height_mm - 2.2, tick_label(tick), size=_SMALL, anchor="center")


def tornado_text(record: DecisionRecord) -> str:
    """The tornado as text: each input's range and the cost at both ends."""
    best = record.figures(record.comparison.best) if record.comparison.best is not None else None
    if best is None or not record.comparison.tornado:
        return "No input of the best option has a stated range."
    money = record.profile.currency
    swings = [
        f"{swing.input} {_swing_range(record, index)}: "
        f"{significant(swing.cost_at_low)} to {significant(swing.cost_at_high)} {money}"
        for index, swing in enumerate(record.comparison.tornado)
    ]
    return (
        f"Cost per million output tokens of {shown(record.profile.option(best.option).name)}, "
        f"{significant(best.cost_per_million_tokens)} {money}, over the range of each input, "
        "others unchanged. "
        f"{'; '.join(swings)}."
    )


def _swing_range(record: DecisionRecord, index: int) -> str:
    swing = record.comparison.tornado[index]
    unit = swing.unit.replace("money", record.profile.currency)
    return f"{trimmed(swing.low)} to {trimmed(swing.high)} {unit}".rstrip()


def tornado_chart(record: DecisionRecord) -> Chart | None:
    """The best option's cost per million tokens over the range of each input; None where none has a range."""
    comparison = record.comparison
    best = record.figures(comparison.best) if comparison.best is not None else None
    swings = comparison.tornado
    if best is None or not swings:
        return None
    label_mm, side_mm, row_mm, foot_mm, head_mm = 58.0, 16.0, 8.0, 11.0, 6.0
    base = float(best.cost_per_million_tokens)
    costs = [float(cost) for swing in swings for cost in (swing.cost_at_low, swing.cost_at_high)]
    low, high = min(*costs, base), max(*costs, base)
    with drawing():
        canvas = Canvas(foot_mm + row_mm * len(swings) + head_mm)
        left, width = label_mm + side_mm, TEXT_WIDTH_MM - label_mm - 2 * side_mm
        axes = canvas.axes(left, foot_mm, width, row_mm * len(swings))
        axes.set_xlim(low, high)
        axes.set_ylim(0, len(swings))

        def across(cost: float) -> float:
            return left + width * (cost - low) / (high - low)

        for index, swing in enumerate(swings):
            middle = len(swings) - index - 0.5
            y = foot_mm + row_mm * middle
            canvas.text(0, y + 1.6, swing.input)
            canvas.text(
                0, y - 1.6, wrapped(_swing_range(record, index), label_mm - 2, _SMALL, lines=1), size=_SMALL
            )
            for cost, shade in ((swing.cost_at_low, PAPER), (swing.cost_at_high, DARK)):
                end = float(cost)
                if end == base:
                    continue
                bar = axes.barh([middle], [end - base], left=base, height=0.5, linewidth=0.6, clip_on=False)
                bar.patches[0].set(facecolor=shade, edgecolor=INK)
                canvas.text(
                    across(end) + (1.2 if end > base else -1.2),
                    y,
                    significant(cost),
                    size=_SMALL,
                    anchor="left" if end > base else "right",
                )
        axes.plot([base, base], [0, len(swings)], color=INK, linewidth=1.0, zorder=4, clip_on=False)
        value = f"{significant(best.cost_per_million_tokens)} {record.profile.currency} as planned"
        canvas.text(across(base), foot_mm + row_mm * len(swings) + 2.4, value, bold=True, anchor="center")
        _tornado_key(canvas, left + width / 2, record.profile.currency)
        return canvas.chart(tornado_text(record))


def _tornado_key(canvas: Canvas, center: float, money: str) -> None:
    canvas.text(center, 2.2, f"{money} per million output tokens", size=_SMALL, anchor="center")
    x = center - 33
    for shade, words in ((PAPER, "input at its low end"), (DARK, "input at its high end")):
        box = canvas.axes(x, 5.7, 4, 2.4)
        box.set_xlim(0, 1)
        box.set_ylim(0, 1)
        box.barh([0.5], [1], height=1, facecolor=shade, edgecolor=INK, linewidth=0.6, clip_on=False)
        canvas.text(x + 5.5, 6.9, words, size=_SMALL)
        x += 36


def years_text(record: DecisionRecord) -> str:
    """Racks and yearly cost of each option as text, year by year."""
    money = record.profile.currency
    plans = [
        f"{shown(record.profile.option(figures.option).name)}: "
        + ", ".join(f"year {y.year} {y.racks} racks and {compact(y.cost)} {money}" for y in figures.years)
        for figures in record.options
    ]
    return f"Racks in place and all-in cost a year. {'; '.join(plans)}."


def years_chart(record: DecisionRecord) -> Chart | None:
    """Racks in place and all-in cost of each year, one row an option; None without any figures."""
    rows = [row for row in _rows(record) if row.figures is not None][:MOST_OPTIONS]
    if not rows:
        return None
    row_mm, head_mm, foot_mm = (14.0 if len(rows) <= 12 else 9.0), 6.0, 6.0
    panel_mm = (TEXT_WIDTH_MM - _NAME_MM - 6) / 2
    plans = [row.figures.years for row in rows if row.figures is not None]
    most_racks = max(year.racks for plan in plans for year in plan)
    most_cost = max(float(year.cost) for plan in plans for year in plan)
    with drawing():
        canvas = Canvas(head_mm + row_mm * len(rows) + foot_mm)
        lefts = (float(_NAME_MM), _NAME_MM + panel_mm + 6)
        titles = ("racks in place", f"all-in cost, {record.profile.currency} a year")
        for left, title in zip(lefts, titles, strict=True):
            canvas.text(left + panel_mm / 2, canvas.height_mm - 2.5, title, bold=True, anchor="center")
            _year_numbers(canvas, left, panel_mm, len(plans[0]))
        for index, (row, plan) in enumerate(zip(rows, plans, strict=True)):
            bottom = foot_mm + row_mm * (len(rows) - index - 1)
            _option_name(canvas, row, bottom + row_mm * 0.4)
            racks, costs = [y.racks for y in plan], [float(y.cost) for y in plan]
            _year_bars(canvas, (lefts[0], bottom, panel_mm, row_mm), racks, most_racks, _whole, row)
            _year_bars(canvas, (lefts[1], bottom, panel_mm, row_mm), costs, most_cost, compact, row)
        return canvas.chart(years_text(record))


def _whole(value: float) -> str:
    return fixed(value, 0)


def _year_numbers(canvas: Canvas, left: float, width: float, years: int) -> None:
    for year in range(1, years + 1):
        x = left + width * (year - 0.5) / years
        canvas.text(x, 2.6, f"year {year}" if years <= 6 else str(year), size=_SMALL, anchor="center")


def _year_bars(
    canvas: Canvas,
    place: tuple[float, float, float, float],
    values: Sequence[float],
    highest: float,
    label: Callable[[float], str],
    row: _Row,
) -> None:
    """One bar a year with its figure above; where they are too narrow, the first and the last have one."""
    left, bottom, width, height = place
    figure_mm, used = 3.4, height - 1.0
    axes = canvas.axes(left, bottom, width, used - figure_mm)
    axes.set_xlim(0, len(values))
    axes.set_ylim(0, highest if highest > 0 else 1)
    axes.plot([0, len(values)], [0, 0], color=INK, linewidth=0.8, clip_on=False, zorder=4)
    centers = [index + 0.5 for index in range(len(values))]
    axes.bar(centers, list(values), width=0.62, clip_on=False, **_bar_style(row))
    step = width / len(values)
    tight = any(text_width_mm(label(value), _SMALL) > step - 0.8 for value in values)
    for index, value in enumerate(values):
        top = bottom + (used - figure_mm) * (value / highest if highest > 0 else 0) + 1.8
        if not tight:
            canvas.text(left + step * (index + 0.5), top, label(value), size=_SMALL, anchor="center")
        elif index == 0:
            canvas.text(left, top, label(value), size=_SMALL)
        elif index == len(values) - 1:
            canvas.text(left + width, top, label(value), size=_SMALL, anchor="right")


__all__ = [
    "NO_CHARTS",
    "Chart",
    "Charts",
    "cost_chart",
    "cost_text",
    "draw_charts",
    "sweep_charts",
    "sweep_text",
    "tornado_chart",
    "tornado_text",
    "years_chart",
    "years_text",
]
