"""A sweep over concurrencies or rates: which points meet the latency objectives, and the best of them."""

from collections.abc import Sequence
from enum import StrEnum

from rackrecord.data import Data
from rackrecord.measurements.measurement import LatencySummary, Measurement


class Verdict(StrEnum):
    """A latency against its objective. Only a pass meets it."""

    PASS = "pass"
    FAIL = "fail"
    NOT_RECORDED = "not recorded"


class LatencyObjective(Data):
    """Limits in milliseconds at one percentile (99 for p99); a limit of None is not asked for."""

    ttft_ms: float | None = None
    tpot_ms: float | None = None
    e2e_ms: float | None = None
    percentile: float = 99.0


class MetricResult(Data):
    """One metric of one point: its value at the objective's percentile and its limit, both in ms."""

    metric: str
    percentile: float
    measured_ms: float | None
    limit_ms: float
    verdict: Verdict


class SweepPoint(Data):
    """One point. It meets the objective when every metric passes and its figure is usable."""

    measurement: Measurement
    results: tuple[MetricResult, ...]
    meets: bool


class Sweep(Data):
    """Every point in the order given, and the best one that meets the objective, None where none does."""

    objective: LatencyObjective
    points: tuple[SweepPoint, ...]
    best: SweepPoint | None


def metric_results(measurement: Measurement, objective: LatencyObjective) -> tuple[MetricResult, ...]:
    """Each limit of the objective against the value at exactly its percentile.

    A percentile that the file does not record stays *not recorded*: a p95 does not answer a p99, nor a mean.
    """
    return tuple(
        _result(metric, summary, limit, objective.percentile)
        for metric, summary, limit in (
            ("ttft", measurement.ttft, objective.ttft_ms),
            ("tpot", measurement.tpot, objective.tpot_ms),
            ("e2e", measurement.e2e, objective.e2e_ms),
        )
        if limit is not None
    )


def sweep(measurements: Sequence[Measurement], objective: LatencyObjective) -> Sweep:
    """Judge every point and choose the best of those that meet the objective.

    The best has the most output tokens/s per accelerator, or of the whole system where the number of
    accelerators of any of them is unknown. Between equals it is the one given first.
    """
    points = tuple(_point(measurement, objective) for measurement in measurements)
    meeting = [point for point in points if point.meets]
    per_accelerator = all(point.measurement.accelerators is not None for point in meeting)
    best = max(meeting, key=lambda point: _figure(point.measurement, per_accelerator), default=None)
    return Sweep(objective=objective, points=points, best=best)


def _figure(measurement: Measurement, per_accelerator: bool) -> float:
    figure = measurement.output_tokens_per_second_per_accelerator
    return figure if per_accelerator and figure is not None else measurement.output_tokens_per_second


def _point(measurement: Measurement, objective: LatencyObjective) -> SweepPoint:
    results = metric_results(measurement, objective)
    passes = all(result.verdict is Verdict.PASS for result in results)
    return SweepPoint(measurement=measurement, results=results, meets=passes and measurement.usable)


def _result(metric: str, summary: LatencySummary | None, limit: float, percentile: float) -> MetricResult:
    measured = summary.percentile_ms(percentile) if summary else None
    if measured is None:
        verdict = Verdict.NOT_RECORDED
    else:
        verdict = Verdict.PASS if measured <= limit else Verdict.FAIL
    return MetricResult(
        metric=metric, percentile=percentile, measured_ms=measured, limit_ms=limit, verdict=verdict
    )
