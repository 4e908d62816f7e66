"""kubernetes-sigs/inference-perf `stage_N_lifecycle_metrics.json` and `summary_lifecycle_metrics.json`.

Latencies are **seconds** in the files, whatever the documentation says. The summary blends all load stages;
only a stage has the rate that was asked for.
"""

from __future__ import annotations

import re

from rackrecord.measurements.build import Parts, measurement, seconds, summary
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain, product, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "inference-perf"
_PERCENTILE = re.compile(r"p\d{1,2}(?:\.\d+)?")
_STAGE_KEYS = ("requested_rate", "achieved_rate", "send_duration", "concurrency")


def _recognize(content: Content) -> bool:
    successes = content.first.get("successes")
    return isinstance(successes, dict) and "throughput" in successes


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    return tuple(_reading(fields, label, source) for fields, label in each_record(content, source))


def _reading(fields: Fields, label: str, source: Source) -> Reading:
    successes = fields.section("successes")
    if successes is None:
        fields.fail("successes", "missing; an object is expected")
    throughput = successes.section("throughput")
    if throughput is None:
        successes.fail("throughput", "null or missing; the token rates are expected")
    output = throughput.number("output_tokens_per_sec")
    requests = throughput.number_or_none("requests_per_sec")
    completed = successes.count_or_none("count")
    latency, load, failures = (
        successes.section("latency"),
        fields.section("load_summary"),
        fields.section("failures"),
    )
    stage = load is not None and any(load.has(key) for key in _STAGE_KEYS)
    output_length, input_length = _mean(successes, "output_len"), _mean(successes, "prompt_len")
    rate = load.number_or_none("requested_rate") if load else None
    concurrency = load.number_or_none("concurrency") if load else None
    stated = fields.number_or_none("benchmark_time_seconds")
    parts = Parts(
        label=joined(
            (
                label,
                "stage" if stage else "summary",
                f"concurrency {plain(concurrency)}" if concurrency is not None else None,
                f"rate {plain(rate)}" if rate is not None else None,
            )
        ),
        input_tokens_per_second=throughput.number_or_none("input_tokens_per_sec"),
        total_tokens_per_second=throughput.number_or_none("total_tokens_per_sec"),
        requests_per_second=requests,
        ttft=_latency(latency, "time_to_first_token"),
        tpot=_latency(latency, "time_per_output_token"),
        itl=_latency(latency, "inter_token_latency"),
        e2e=_latency(latency, "request_latency"),
        concurrency=concurrency,
        request_rate=rate,
        duration_s=stated if stated is not None else ratio(completed, requests),
        completed=completed,
        failed=failures.count_or_none("count") if failures else None,
        mean_output_tokens=output_length,
        mean_input_tokens=input_length,
    )
    recomputed = ratio(product(output_length, completed), stated)
    facts = Facts(
        recomputed_output_rate=recomputed if stated is not None else product(output_length, requests),
        recomputed_from="output_len.mean × count ÷ benchmark_time_seconds"
        if stated is not None
        else "output_len.mean × requests_per_sec",
        blended_stages=not stage,
    )
    return Reading(measurement(TOOL, source, output, parts), facts)


def _mean(successes: Fields, key: str) -> float | None:
    section = successes.section(key)
    return section.number_or_none("mean") if section else None


def _latency(latencies: Fields | None, key: str) -> LatencySummary | None:
    """A latency in seconds; null where the run did not stream."""
    section = latencies.section(key) if latencies else None
    if section is None:
        return None
    mean, median = section.number_or_none("mean"), section.number_or_none("median")
    percentiles: dict[float, float] = {}
    for name in section.values:
        if _PERCENTILE.fullmatch(name) and section.has(name):
            percentiles[float(name[1:])] = seconds(section.number(name))
    return summary(
        None if mean is None else seconds(mean), percentiles, None if median is None else seconds(median)
    )


READER = Reader("inference-perf", TOOL, _recognize, _read)
