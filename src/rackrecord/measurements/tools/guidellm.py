"""GuideLLM `benchmarks.json`, every layout up to metadata version 2: one file, many benchmarks of a sweep.

Keys as in vllm-project/guidellm. Latencies named `*_ms` are milliseconds, `request_latency` is seconds. The
percentiles and the median of a rate describe instants, not the run: the output rate here is the tokens of the
successful requests ÷ the measured duration, where both are recorded.
"""

from __future__ import annotations

from collections.abc import Callable

from rackrecord.errors import UserError
from rackrecord.measurements.build import Parts, measurement, milliseconds, seconds, summary
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "GuideLLM"
_PERCENTILES = {
    "p001": 0.1,
    "p01": 1.0,
    "p05": 5.0,
    "p10": 10.0,
    "p25": 25.0,
    "p50": 50.0,
    "p75": 75.0,
    "p90": 90.0,
    "p95": 95.0,
    "p99": 99.0,
    "p999": 99.9,
}
_TPOT = "GuideLLM's TPOT is the whole request ÷ output tokens, first token included; its ITL leaves it out"


def _recognize(content: Content) -> bool:
    benchmarks = content.first.get("benchmarks")
    if not isinstance(benchmarks, list) or not benchmarks or not isinstance(benchmarks[0], dict):
        return False
    metrics = benchmarks[0].get("metrics")
    return isinstance(metrics, dict) and "output_tokens_per_second" in metrics


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    readings: list[Reading] = []
    for fields, _ in each_record(content, source):
        benchmarks = fields.objects("benchmarks")
        if not benchmarks:
            fields.fail("benchmarks", "missing or empty; a list of at least one benchmark is expected")
        readings += [_reading(fields, benchmark, index, source) for index, benchmark in enumerate(benchmarks)]
    return tuple(readings)


def _reading(report: Fields, benchmark: Fields, index: int, source: Source) -> Reading:
    metrics = benchmark.section("metrics")
    if metrics is None:
        benchmark.fail("metrics", "missing; an object is expected")
    duration = _duration(benchmark)
    output, statistic = _output_rate(metrics, duration)
    totals = metrics.section("request_totals") or benchmark.section("request_totals")
    strategy = benchmark.section("config", "strategy") or benchmark.section("args", "strategy")
    kind, concurrency, rate = _load(strategy)
    metadata = report.section("metadata")
    version = metadata.count_or_none("version") if metadata else None
    parts = Parts(
        tool_version=metadata.text_or_none("guidellm_version") if metadata else None,
        format_version=None if version is None else str(version),
        label=joined(
            (
                f"benchmarks[{index}]",
                kind,
                f"concurrency {plain(concurrency)}" if concurrency is not None else None,
                f"rate {plain(rate)}" if rate is not None else None,
            )
        ),
        model=_model(report, benchmark),
        input_tokens_per_second=ratio(_tokens(metrics, "prompt_token_count"), duration),
        total_tokens_per_second=_total_rate(metrics, duration),
        requests_per_second=_mean(metrics, "requests_per_second"),
        ttft=_latency(metrics, "time_to_first_token_ms", milliseconds),
        tpot=_latency(metrics, "time_per_output_token_ms", milliseconds),
        itl=_latency(metrics, "inter_token_latency_ms", milliseconds),
        e2e=_latency(metrics, "request_latency", seconds),
        concurrency=concurrency,
        mean_concurrency=_mean(metrics, "request_concurrency"),
        request_rate=rate,
        duration_s=duration,
        completed=totals.count_or_none("successful") if totals else None,
        failed=totals.count_or_none("errored") if totals else None,
        unfinished=totals.count_or_none("incomplete") if totals else None,
        mean_output_tokens=_mean(metrics, "output_token_count"),
        mean_input_tokens=_mean(metrics, "prompt_token_count"),
    )
    facts = Facts(
        recomputed_output_rate=_mean(metrics, "output_tokens_per_second") if statistic == "mean" else None,
        recomputed_from="output_tokens_per_second.successful.mean",
        statistic=statistic,
        latency_definitions=(_TPOT,) if parts["tpot"] is not None else (),
    )
    return Reading(measurement(TOOL, source, output, parts), facts)


def _successful(metrics: Fields, key: str) -> Fields | None:
    """The statistics over successful requests, None where there were none: the tool then writes zeros."""
    section = metrics.section(key, "successful")
    if section is None or section.number_or_none("count") == 0:
        return None
    return section


def _mean(metrics: Fields, key: str) -> float | None:
    section = _successful(metrics, key)
    return section.number_or_none("mean") if section else None


def _tokens(metrics: Fields, key: str) -> float | None:
    section = _successful(metrics, key)
    return section.number_or_none("total_sum") if section else None


def _output_rate(metrics: Fields, duration: float | None) -> tuple[float, str]:
    """The output tokens/s and which statistic it is."""
    counted = ratio(_tokens(metrics, "output_token_count"), duration)
    if counted is not None:
        return counted, "mean"
    section = _successful(metrics, "output_tokens_per_second")
    if section is None:
        return 0.0, "mean"
    for statistic in ("mean", "median"):
        value = section.number_or_none(statistic)
        if value is not None:
            return value, statistic
    section.fail("mean", "missing; the mean output tokens per second is expected")


def _total_rate(metrics: Fields, duration: float | None) -> float | None:
    tokens = _tokens(metrics, "total_token_count")
    if tokens is None:
        prompt, output = _tokens(metrics, "prompt_token_count"), _tokens(metrics, "output_token_count")
        tokens = None if prompt is None or output is None else prompt + output
    counted = ratio(tokens, duration)
    return counted if counted is not None else _mean(metrics, "tokens_per_second")


def _duration(benchmark: Fields) -> float | None:
    """The measured window in seconds, without the warm-up."""
    if benchmark.has("duration"):
        return benchmark.number("duration")
    scheduler = benchmark.section("scheduler_metrics")
    for fields, start, end in (
        (scheduler, "measure_start_time", "measure_end_time"),
        (benchmark, "start_time", "end_time"),
    ):
        if fields is not None and fields.has(start) and fields.has(end):
            length = fields.number(end) - fields.number(start)
            if length <= 0:
                fields.fail(end, f"not after {start}; a later time is expected")
            return length
    return None


def _load(strategy: Fields | None) -> tuple[str | None, float | None, float | None]:
    """The strategy's name, the concurrency that it sets and the request rate that it offers per second."""
    if strategy is None:
        return None, None, None
    kind = strategy.text_or_none("type_")
    streams = strategy.number_or_none("streams")
    limit = streams if streams is not None else strategy.number_or_none("max_concurrency")
    if kind == "synchronous" and limit is None:
        limit = 1.0
    return kind, limit, strategy.number_or_none("rate")


def _model(report: Fields, benchmark: Fields) -> str | None:
    for fields, keys, key in (
        (report, ("config", "spec", "backend"), "model"),
        (benchmark, ("config", "spec", "backend"), "model"),
        (report, ("args",), "model"),
        (benchmark, ("config", "backend"), "model"),
        (benchmark, ("worker",), "backend_model"),
    ):
        section = _section_or_none(fields, keys)
        if section is not None and isinstance(section.values.get(key), str):
            return section.text_or_none(key)
    return None


def _section_or_none(fields: Fields, keys: tuple[str, ...]) -> Fields | None:
    """A section that some versions write as something other than an object (`args.backend` is a text)."""
    try:
        return fields.section(*keys)
    except UserError:
        return None


def _latency(metrics: Fields, key: str, to_ms: Callable[[float], float]) -> LatencySummary | None:
    section = _successful(metrics, key)
    if section is None:
        return None
    mean = section.number_or_none("mean")
    median = section.number_or_none("median")
    percentiles: dict[float, float] = {}
    recorded = section.section("percentiles")
    for name, percentile in _PERCENTILES.items():
        value = recorded.number_or_none(name) if recorded else None
        if value is not None:
            percentiles[percentile] = to_ms(value)
    return summary(
        None if mean is None else to_ms(mean), percentiles, None if median is None else to_ms(median)
    )


READER = Reader("guidellm", TOOL, _recognize, _read)
