"""The charts: what they say, that they are sound pictures, and that they are the same everywhere."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from deciding import AS_OF, profile_of
from rackrecord.catalog.store import bundled_catalog
from rackrecord.measurements.reading import read_measurements
from rackrecord.pipeline import decide
from rackrecord.record import DecisionRecord
from rackrecord.render import chart_canvas, charts
from rackrecord.render.pdf import html_to_pdf

SVG = "{http://www.w3.org/2000/svg}"
POINTS_PER_MM = 72 / 25.4

HEAD = """
title: Charts
owner: Somebody
currency: EUR
workload: {benchmark: deepseek-r1, scenario: Server, output_tokens_per_request: 3000}
demand: {output_tokens_per_second: 3000000, headroom: 0.2, yearly_growth: 0.3}
use:
  realized_fraction: {value: 0.7, low: 0.6, high: 0.8}
  utilization: 0.6
term: {years: 3, rate: 0.05}
"""
RENT = "price: {rent: {per_rack_hour: {value: 250, low: 240, high: 270}}}"
GB300 = ("NVIDIA GB300", 72)
GB200 = ("NVIDIA GB200", 72)
H200 = ("NVIDIA H200 SXM", 8)


def option(number: int, accelerator: tuple[str, int], name: str, more: str = RENT) -> str:
    kind, size = accelerator
    return (
        f"  - id: option-{number}\n    name: {name!r}\n    accelerator: {kind}\n"
        f"    accelerators_per_system: {size}\n    {more}\n"
    )


def record_of(options: list[str], more: str = "") -> DecisionRecord:
    text = f"{HEAD}{more}\noptions:\n{''.join(options)}"
    return decide(profile_of(text), bundled_catalog(), AS_OF)


@pytest.fixture(scope="module")
def ranked() -> DecisionRecord:
    """Two options with evidence and a price, one without a price, one without evidence."""
    return record_of(
        [
            option(1, GB200, "second"),
            option(2, GB300, "first"),
            option(3, GB300, "unpriced", "power: {kw: 132, basis: nameplate}"),
            option(4, H200, "unmeasured"),
        ]
    )


def drawing_of(chart: charts.Chart | None) -> ET.Element:
    assert chart is not None
    return ET.fromstring(chart.svg)


def test_cost_text_names_every_option_with_its_figure_or_the_reason(ranked: DecisionRecord) -> None:
    text = charts.cost_text(ranked)
    # 250 EUR an hour over r·72·0.7·0.6 tokens/s, with r = 8,238.44, the median of the results of four
    # submitters on 72 GB300: 250·10⁶/(8238.44·72·0.7·0.6·3600) = 0.278747.
    assert "1. first: 0.2787 EUR" in text
    assert "2. second: " in text
    assert "the best" in text.split("; ")[0]
    assert "unpriced: not ranked: no price" in text
    assert "unmeasured: not ranked: No verified, comparable result" in text


def test_tornado_text_has_both_ends_of_every_range(ranked: DecisionRecord) -> None:
    text = charts.tornado_text(ranked)
    # 0.278747·0.7/0.6 = 0.325205 and ·0.7/0.8 = 0.243904; ·240/250 = 0.267597 and ·270/250 = 0.301047.
    assert "realized fraction 0.6 to 0.8: 0.3252 to 0.2439 EUR" in text
    assert "rent 240 to 270 EUR per rack-hour: 0.2676 to 0.3010 EUR" in text
    assert "utilization" not in text  # it has no range


def test_years_text_has_racks_and_cost_of_every_year(ranked: DecisionRecord) -> None:
    # ⌈3,000,000·1.2/(8238.44·72·0.7)⌉ = ⌈8.670⌉ = 9 racks at 250·8760 = 2.19 M a year each; then, at 1.3 and
    # 1.69 times the demand, ⌈11.27⌉ and ⌈14.65⌉.
    text = charts.years_text(ranked)
    first = text.split("first: ")[1]
    assert first.startswith("year 1 9 racks and 19.7 M EUR, year 2 12 racks and 26.3 M EUR, year 3 15 racks")


@pytest.mark.parametrize("draw", [charts.cost_chart, charts.tornado_chart, charts.years_chart])
def test_a_chart_is_sound_xml_of_the_stated_size_with_its_text(draw: Any, ranked: DecisionRecord) -> None:
    chart = draw(ranked)
    drawing = drawing_of(chart)
    assert drawing.tag == f"{SVG}svg"
    assert drawing.find(f"{SVG}title").text == chart.text  # type: ignore[union-attr]
    width, height = (float(drawing.get(side, "").removesuffix("pt")) for side in ("width", "height"))
    assert width == pytest.approx(170 * POINTS_PER_MM, abs=0.01)
    assert height == pytest.approx(chart.height_mm * POINTS_PER_MM, abs=0.01)
    assert "<!DOCTYPE" not in chart.svg
    assert not list(drawing.iter(f"{SVG}text")), "letters are paths, so that no font is needed"
    assert base64.b64decode(chart.uri.split(",")[1]).decode() == chart.svg


def test_four_options_leave_room_on_page_one(ranked: DecisionRecord) -> None:
    chart = charts.cost_chart(ranked)
    assert chart is not None
    assert chart.height_mm <= 55


def test_the_bars_are_as_long_as_the_costs(ranked: DecisionRecord) -> None:
    """Read back from the drawing: the bars' lengths stand in the ratio of the costs."""
    drawing = drawing_of(charts.cost_chart(ranked))
    axes = drawing.find(f".//{SVG}g[@id='axes_1']")
    assert axes is not None
    lengths = []
    for path in axes.iter(f"{SVG}path"):
        style = path.get("style", "")
        if f"fill: {chart_canvas.DARK}" in style or f"fill: {chart_canvas.LIGHT}" in style:
            across = [float(x) for x in re.findall(r"[ML] ([\d.]+) ", path.get("d", ""))]
            lengths.append(max(across) - min(across))
    costs = [float(figures.cost_per_million_tokens) for figures in ranked.options]
    assert len(lengths) == 2
    assert max(lengths) / min(lengths) == pytest.approx(max(costs) / min(costs), rel=1e-4)


def test_nothing_to_draw_is_no_chart() -> None:
    record = record_of([option(1, H200, "unmeasured")])
    drawn = charts.draw_charts(record)
    assert (drawn.cost, drawn.tornado, drawn.years, drawn.sweeps) == (None, None, None, ())
    assert "unmeasured: not ranked" in charts.cost_text(record)


def test_an_option_that_fails_a_limit_says_which() -> None:
    record = record_of([option(1, GB300, "too many"), option(2, GB200, "more")], "limits: {racks: 3}")
    assert record.comparison.ranking == ()
    assert "too many: 0.2787 EUR" in charts.cost_text(record)
    assert "fails rack positions" in charts.cost_text(record)
    assert charts.cost_chart(record) is not None


MEASUREMENTS = Path(__file__).parent / "fixtures" / "measurements"


def record_with_load_tests(slo: str) -> DecisionRecord:
    """Three points at concurrency 4, 16 and 64: 128, 400 and 512 tokens/s, TTFT p99 180, 410 and 2,600 ms."""
    head = HEAD.replace("output_tokens_per_request: 3000", f"output_tokens_per_request: 3000{slo}")
    text = f"{head}\noptions:\n{option(1, GB300, 'measured')}"
    data = (MEASUREMENTS / "vllm_append.jsonl").read_bytes()
    points = read_measurements(data, "vllm_append.jsonl", accelerators=8)
    return decide(profile_of(text), bundled_catalog(), AS_OF, measurements={"option-1": points})


def test_sweep_text_has_every_point_and_the_chosen_one() -> None:
    record = record_with_load_tests(", slo: {ttft_ms: 2000}")
    text = charts.sweep_text(record, record.measurements[0])
    points = text.split(". ", 1)[1].split("; ")
    assert points[0] == (
        "concurrency 4: 16.00 output tokens/s, "
        "time to first token 180.0 ms at p99, limit 2,000 ms, meets the SLO"
    )
    assert points[1].endswith("410.0 ms at p99, limit 2,000 ms, chosen")
    assert points[2].endswith("2,600 ms at p99, limit 2,000 ms, misses the SLO.")
    (chart,) = charts.sweep_charts(record)
    assert chart.text == text
    drawing_of(chart)


def test_a_sweep_without_an_slo_is_drawn_over_the_latencies_that_are_recorded() -> None:
    (chart,) = charts.sweep_charts(record_with_load_tests(""))
    assert "concurrency 64: 64.00 output tokens/s, chosen" in chart.text


HOSTILE = (
    "<script>alert(1)</script> & $\\frac{1}{2}$ {{ 7*7 }}",
    "\u202eevil \u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd",
    "\u6a5f\u67b6 \u65e5\u672c\u8a9e " * 8,
    "unbreakable" * 40,
    "\U0001f9ff \u0928\u092e\u0938\u094d\u0924\u0947",
    "$x",
    "_^\\",
    "]]>",
)


def test_hostile_names_are_shown_as_text_and_print_without_a_message() -> None:
    names = [option(number, GB300, "x", RENT) for number in range(len(HOSTILE))]
    record = record_of(names)
    renamed = tuple(
        item.model_copy(update={"name": name})
        for item, name in zip(record.profile.options, HOSTILE, strict=True)
    )
    record = record.model_copy(update={"profile": record.profile.model_copy(update={"options": renamed})})
    drawn = charts.draw_charts(record)
    texts = charts.cost_text(record)
    assert HOSTILE[0] in texts
    assert "\u202e" not in texts
    assert "\u27e8U+202E\u27e9evil" in texts
    pictures = [chart for chart in (drawn.cost, drawn.tornado, drawn.years) if chart is not None]
    assert len(pictures) == 3
    for chart in pictures:
        assert not [node for node in ET.fromstring(chart.svg).iter() if "script" in node.tag]
    page = html_to_pdf(
        "".join(f'<img alt="a chart" src="{chart.uri}">' for chart in pictures),
        stylesheet="",
        page_size="A4",
        identifier="x",
        created=AS_OF,
        title="Charts",
    )
    assert page.messages == ()


def test_many_options_fit_on_a_page() -> None:
    record = record_of([option(number, GB300, f"rack {number}") for number in range(40)])
    chart = charts.cost_chart(record)
    assert chart is not None
    assert chart.height_mm < 240
    assert "40. rack 39" in charts.cost_text(record), "the text leaves none out"


@pytest.mark.parametrize(("width", "lines"), [(20.0, 2), (20.0, 1), (5.0, 3)])
def test_wrapped_lines_keep_to_their_width(width: float, lines: int) -> None:
    with chart_canvas.drawing():
        text = chart_canvas.wrapped(
            "GB300 NVL72 rack, rented for a year at a fixed price", width, 8, lines=lines
        )
        assert len(text.split("\n")) == lines
        assert all(chart_canvas.text_width_mm(line, 8) <= width for line in text.split("\n"))
    assert text.endswith("…")


def test_wrapping_ends_lines_at_spaces_and_leaves_short_text_alone() -> None:
    with chart_canvas.drawing():
        assert chart_canvas.wrapped("one two\nthree", 100, 8) == "one two three"
        assert chart_canvas.wrapped("aaaaaaa bbbbbbb", 14, 8) == "aaaaaaa\nbbbbbbb"


DRAW = """
import sys
from pathlib import Path
from rackrecord.record import read_record
from rackrecord.render.charts import draw_charts
record = read_record(Path(sys.argv[1]).read_bytes(), "record")
drawn = draw_charts(record)
sys.stdout.buffer.write("".join(c.svg for c in (drawn.cost, drawn.tornado, drawn.years)).encode())
"""


def test_the_same_bytes_elsewhere_whatever_the_settings(ranked: DecisionRecord, tmp_path: Path) -> None:
    """Another process, hash seed, home and working folder; settings that matplotlib would trip over."""
    drawn = charts.draw_charts(ranked)
    here = "".join(chart.svg for chart in (drawn.cost, drawn.tornado, drawn.years) if chart is not None)
    saved = tmp_path / "record.json"
    saved.write_bytes(ranked.to_json())
    (tmp_path / "matplotlibrc").write_bytes(b"font.size: 40\naxes.facecolor: \xff\xfe\n")
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "7",
        "HOME": str(home),
        "MATPLOTLIBRC": str(tmp_path),
        "MPLBACKEND": "no-such-backend",
        "MPL_IGNORE_SYSTEM_FONTS": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", DRAW, str(saved)],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    assert ran.stdout.decode() == here
    assert ran.stderr == b""
    assert list(home.iterdir()) == [], "nothing is written into the home folder"


def test_charts_leave_the_process_as_it_was(ranked: DecisionRecord) -> None:
    import matplotlib

    before = dict(os.environ), matplotlib.rcParams["svg.fonttype"], os.getcwd()
    charts.cost_chart(ranked)
    assert (dict(os.environ), matplotlib.rcParams["svg.fonttype"], os.getcwd()) == before
    assert "matplotlib.pyplot" not in sys.modules
