"""SGLang `python -m sglang.bench_serving`: one run a line, appended.

Keys as in sgl-project/sglang `python/sglang/bench_serving.py`. Latencies named `*_ms` are milliseconds; the
lists of `--output-details` are seconds and are not read. An unlimited `request_rate` is written as a bare
`Infinity`.
"""

from __future__ import annotations

from rackrecord.measurements.build import Parts, keyed_summary, measurement, milliseconds
from rackrecord.measurements.content import Content, NotFinite, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain, ratio
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "SGLang bench_serving"


def _recognize(content: Content) -> bool:
    return "total_output_tokens_retokenized" in content.first


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    return tuple(_reading(fields, label, source) for fields, label in each_record(content, source))


def _reading(fields: Fields, label: str, source: Source) -> Reading:
    output = fields.number("output_throughput")
    duration = fields.number("duration")
    completed = fields.count_or_none("completed")
    output_tokens = fields.number_or_none("total_output_tokens")
    input_tokens = fields.number_or_none("total_input_tokens")
    server = fields.section("server_info")
    accelerators, hint = _accelerators(server)
    concurrency = fields.number_or_none("max_concurrency")
    rate = _request_rate(fields)
    parts = Parts(
        tool_version=server.text_or_none("version") if server else None,
        label=joined(
            (
                label,
                fields.text_or_none("dataset_name"),
                f"concurrency {plain(concurrency)}" if concurrency is not None else None,
                f"rate {plain(rate)}" if rate is not None else None,
            )
        ),
        model=server.text_or_none("model_path") if server else None,
        input_tokens_per_second=fields.number_or_none("input_throughput") or ratio(input_tokens, duration),
        total_tokens_per_second=fields.number_or_none("total_throughput"),
        requests_per_second=fields.number_or_none("request_throughput") or ratio(completed, duration),
        ttft=keyed_summary(fields, "{stat}_ttft_ms", milliseconds),
        tpot=keyed_summary(fields, "{stat}_tpot_ms", milliseconds),
        itl=keyed_summary(fields, "{stat}_itl_ms", milliseconds),
        e2e=keyed_summary(fields, "{stat}_e2e_latency_ms", milliseconds),
        concurrency=concurrency,
        mean_concurrency=fields.number_or_none("concurrency"),
        request_rate=rate,
        duration_s=duration,
        completed=completed,
        accelerators=accelerators,
        accelerators_source=None if accelerators is None else _SIZE_FIELDS,
        # measured: at random_range_ratio 0 the random_*_len of the request are only maxima
        mean_output_tokens=ratio(output_tokens, completed),
        mean_input_tokens=ratio(input_tokens, completed),
    )
    facts = Facts(
        recomputed_output_rate=ratio(output_tokens, duration),
        recomputed_from="total_output_tokens ÷ duration",
        output_count=output_tokens,
        other_output_count=fields.number_or_none("total_output_tokens_retokenized"),
        other_output_meaning="the text tokenized again (total_output_tokens_retokenized)",
        peak_output_rate=fields.number_or_none("max_output_tokens_per_s"),
        accelerator_hint=hint,
    )
    return Reading(measurement(TOOL, source, output, parts), facts)


def _request_rate(fields: Fields) -> float | None:
    """The offered rate in requests/s, None for a bare `Infinity` (no limit) and for the times of a trace."""
    value = fields.values.get("request_rate")
    if value == "trace":
        return None
    if isinstance(value, NotFinite) and value.spelling == "Infinity":
        return None
    return fields.number_or_none("request_rate")


_SIZE_FIELDS = "server_info.tp_size × pp_size × dp_size"


def _accelerators(server: Fields | None) -> tuple[int | None, str | None]:
    """Accelerators of the server, or why they cannot be told.

    tp × pp × dp; with attention data parallelism the dp ranks lie inside tp and do not multiply. A server
    that is one half of a disaggregated pair describes itself alone.
    """
    if server is None:
        return None, None
    role = server.values.get("disaggregation_mode")
    if isinstance(role, str) and role in ("prefill", "decode"):
        return None, f"server_info describes the {role} half of a disaggregated server only"
    sizes = [server.count_or_none(key) for key in ("tp_size", "pp_size", "dp_size")]
    tensor, pipeline, data = sizes
    if tensor is None:
        return None, None
    if server.flag_or_none("enable_dp_attention"):
        data = 1
    count = tensor * (1 if pipeline is None else pipeline) * (1 if data is None else data)
    if count == 0:
        return None, "server_info gives a parallel size of 0"
    return count, None


READER = Reader("sglang", TOOL, _recognize, _read)
