"""A sweep: which points meet the latency objectives, and the best of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackrecord.measurements.measurement import Measurement
from rackrecord.measurements.reading import read_measurements
from rackrecord.measurements.sweep import LatencyObjective, Verdict, metric_results, sweep

FIXTURES = Path(__file__).parent / "fixtures" / "measurements"


@pytest.fixture(scope="module")
def points() -> tuple[Measurement, ...]:
    """128, 400 and 512 tokens/s at p99 TTFT 180, 410 and 2,600 ms and p99 TPOT 20, 31 and 52 ms."""
    return read_measurements((FIXTURES / "vllm_append.jsonl").read_bytes(), "vllm_append.jsonl")


@pytest.mark.parametrize(
    ("objective", "meets", "best"),
    [
        (LatencyObjective(ttft_ms=3000.0, tpot_ms=60.0), [True, True, True], 512.0),
        (LatencyObjective(ttft_ms=500.0, tpot_ms=60.0), [True, True, False], 400.0),
        (LatencyObjective(ttft_ms=410.0), [True, True, False], 400.0),
        (LatencyObjective(ttft_ms=409.0), [True, False, False], 128.0),
        (LatencyObjective(tpot_ms=20.0, ttft_ms=3000.0), [True, False, False], 128.0),
        (LatencyObjective(ttft_ms=100.0), [False, False, False], None),
        (LatencyObjective(), [True, True, True], 512.0),
    ],
)
def test_best_point(
    points: tuple[Measurement, ...], objective: LatencyObjective, meets: list[bool], best: float | None
) -> None:
    result = sweep(points, objective)
    assert [point.meets for point in result.points] == meets
    assert (result.best and result.best.measurement.output_tokens_per_second) == best


def test_a_percentile_that_is_not_recorded_is_never_replaced(points: tuple[Measurement, ...]) -> None:
    # the file has p50 and p99; neither answers a p95, however fast
    result = sweep(points, LatencyObjective(ttft_ms=10_000.0, percentile=95.0))
    assert result.best is None
    assert {r.verdict for point in result.points for r in point.results} == {Verdict.NOT_RECORDED}
    assert {r.measured_ms for point in result.points for r in point.results} == {None}


def test_a_metric_that_is_not_recorded(points: tuple[Measurement, ...]) -> None:
    (result,) = metric_results(points[0], LatencyObjective(e2e_ms=1.0))
    assert (result.metric, result.verdict) == ("e2e", Verdict.NOT_RECORDED)


def test_each_metric_has_its_own_verdict(points: tuple[Measurement, ...]) -> None:
    ttft, tpot = metric_results(points[2], LatencyObjective(ttft_ms=500.0, tpot_ms=60.0))
    assert (ttft.verdict, ttft.measured_ms, ttft.limit_ms) == (Verdict.FAIL, 2600.0, 500.0)
    assert (tpot.verdict, tpot.measured_ms, tpot.limit_ms) == (Verdict.PASS, 52.0, 60.0)


def test_an_unusable_point_is_never_the_best() -> None:
    blended = read_measurements((FIXTURES / "inference_perf_summary.json").read_bytes(), "summary.json")
    result = sweep(blended, LatencyObjective(ttft_ms=600.0))
    assert result.points[0].results[0].verdict is Verdict.PASS
    assert result.best is None


def test_points_on_different_numbers_of_accelerators_compare_by_accelerator() -> None:
    # 7,500 on 8 (937.5 each), 19,200 on 16 (1,200 each), 12,000 on 16 (750 each)
    array = read_measurements((FIXTURES / "inferencex_array.json").read_bytes(), "agg_bmk.json")
    best = sweep(array, LatencyObjective(ttft_ms=500.0)).best
    assert best is not None
    assert best.measurement.output_tokens_per_second == 7500.0


def test_between_equals_the_first_and_none_of_no_points(points: tuple[Measurement, ...]) -> None:
    best = sweep((points[0], points[0]), LatencyObjective()).best
    assert best is not None
    assert best.measurement is not None
    assert sweep((), LatencyObjective(ttft_ms=1.0)).best is None
