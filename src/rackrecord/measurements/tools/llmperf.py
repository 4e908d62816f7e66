"""Ray LLMPerf `{model}_{in}_{out}_summary.json`, flat, `version` 2023-08-31. Latencies are seconds.

`results_mean_output_throughput_token_per_s` is the output rate of the whole system in spite of its name;
`results_request_output_throughput_*` are rates of single requests and never read. Completed requests are
given per minute.
"""

from __future__ import annotations

import re

from rackrecord.measurements.build import Parts, measurement, seconds, summary
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain, product, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "LLMPerf"
_OUTPUT = "results_mean_output_throughput_token_per_s"
_QUANTILE = re.compile(r"quantiles_p(\d{1,2})")
_ITL = "LLMPerf's inter-token latency is the whole request ÷ tokens, first token included"
SECONDS_PER_MINUTE = 60


def _recognize(content: Content) -> bool:
    return _OUTPUT in content.first


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    return tuple(_reading(fields, label, source) for fields, label in each_record(content, source))


def _reading(fields: Fields, label: str, source: Source) -> Reading:
    output = fields.number(_OUTPUT)
    requests = ratio(fields.number_or_none("results_num_completed_requests_per_min"), SECONDS_PER_MINUTE)
    completed = fields.count_or_none("results_num_completed_requests")
    started = fields.count_or_none("results_num_requests_started")
    failed = fields.count_or_none("results_number_errors")
    concurrency = fields.number_or_none("num_concurrent_requests")
    output_length = fields.number_or_none("results_number_output_tokens_mean")
    itl = _latency(fields, "results_inter_token_latency_s_")
    parts = Parts(
        format_version=fields.text_or_none("version"),
        label=joined((label, f"concurrency {plain(concurrency)}" if concurrency is not None else None)),
        model=fields.text_or_none("model"),
        requests_per_second=requests,
        ttft=_latency(fields, "results_ttft_s_"),
        itl=itl,
        e2e=_latency(fields, "results_end_to_end_latency_s_"),
        concurrency=concurrency,
        completed=completed,
        failed=failed,
        unfinished=None
        if started is None or completed is None
        else max(0, started - completed - (failed or 0)),
        mean_output_tokens=output_length,
        mean_input_tokens=fields.number_or_none("results_number_input_tokens_mean"),
    )
    facts = Facts(
        recomputed_output_rate=product(output_length, requests),
        recomputed_from="results_number_output_tokens_mean × completed requests per second",
        latency_definitions=(_ITL,) if itl is not None else (),
    )
    return Reading(measurement(TOOL, source, output, parts), facts)


def _latency(fields: Fields, prefix: str) -> LatencySummary | None:
    mean = fields.number_or_none(prefix + "mean")
    percentiles: dict[float, float] = {}
    for name in fields.values:
        match = _QUANTILE.fullmatch(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if match and fields.has(name):
            percentiles[float(match[1])] = seconds(fields.number(name))
    return summary(None if mean is None else seconds(mean), percentiles)


READER = Reader("llmperf", TOOL, _recognize, _read)
