"""vLLM `vllm bench serve --save-result`: one flat object, or one a line with `--append-result`.

Keys as in vllm-project/vllm `vllm/benchmarks/serve.py`. Latencies named `*_ms` are milliseconds; the lists
that `--save-detailed` adds are seconds and are not read.
"""

from __future__ import annotations

from rackrecord.measurements.build import Parts, keyed_summary, measurement, milliseconds
from rackrecord.measurements.content import Content, NotFinite, Source, clean
from rackrecord.measurements.fields import Fields, each_record, joined, plain, ratio
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "vLLM bench serve"


def _recognize(content: Content) -> bool:
    first = content.first
    in_seconds = "median_ttft" in first and "median_ttft_ms" not in first
    return (
        "total_token_throughput" in first
        and "duration" in first
        and "total_output_tokens_retokenized" not in first
        and not in_seconds
        and not isinstance(first["total_token_throughput"], dict)
    )


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    return tuple(_reading(fields, label, source) for fields, label in each_record(content, source))


def _reading(fields: Fields, label: str, source: Source) -> Reading:
    output = fields.number("output_throughput")
    duration = fields.number("duration")
    completed = fields.count_or_none("completed")
    output_tokens = fields.number_or_none("total_output_tokens")
    input_tokens = fields.number_or_none("total_input_tokens")
    failed, unfinished = _failures(fields, completed)
    concurrency = fields.number_or_none("max_concurrency")
    rate = _request_rate(fields)
    parts = Parts(
        label=joined(
            (
                label,
                fields.text_or_none("label"),
                f"concurrency {plain(concurrency)}" if concurrency is not None else None,
                f"rate {plain(rate)}" if rate is not None else None,
            )
        ),
        model=fields.text_or_none("model_id"),
        input_tokens_per_second=ratio(input_tokens, duration),
        total_tokens_per_second=fields.number_or_none("total_token_throughput"),
        requests_per_second=fields.number_or_none("request_throughput"),
        ttft=keyed_summary(fields, "{stat}_ttft_ms", milliseconds),
        tpot=keyed_summary(fields, "{stat}_tpot_ms", milliseconds),
        itl=keyed_summary(fields, "{stat}_itl_ms", milliseconds),
        e2e=keyed_summary(fields, "{stat}_e2el_ms", milliseconds),
        concurrency=concurrency,
        request_rate=rate,
        duration_s=duration,
        completed=completed,
        failed=failed,
        unfinished=unfinished,
        mean_output_tokens=ratio(output_tokens, completed),
        mean_input_tokens=ratio(input_tokens, completed),
    )
    facts = Facts(
        recomputed_output_rate=ratio(output_tokens, duration),
        recomputed_from="total_output_tokens ÷ duration",
        output_count=output_tokens,
        peak_output_rate=fields.number_or_none("max_output_tokens_per_s"),
        accelerator_hint=_hint(fields),
    )
    return Reading(measurement(TOOL, source, output, parts), facts)


def _failures(fields: Fields, completed: int | None) -> tuple[int | None, int | None]:
    """Failed and unfinished requests. Files older than the `failed` key: num_prompts - completed failed."""
    issued = fields.count_or_none("num_prompts")
    failed = fields.count_or_none("failed")
    missing = None if issued is None or completed is None else max(0, issued - completed)
    if failed is None:
        return missing, None
    return failed, None if missing is None else max(0, missing - failed)


def _request_rate(fields: Fields) -> float | None:
    """The offered rate in requests/s; vLLM writes the text "inf" for no limit, which is no figure."""
    value = fields.values.get("request_rate")
    if value == "inf":
        return None
    if isinstance(value, NotFinite):
        fields.fail("request_rate", f'found {value.spelling}, expected a number or the text "inf"')
    return fields.number_or_none("request_rate")


def _hint(fields: Fields) -> str | None:
    """What `--metadata` left near an accelerator count: free text, which is quoted and never read as one."""
    for key in ("gpu", "gpus", "gpu_type", "accelerator", "accelerators"):
        value = fields.values.get(key)
        if isinstance(value, str) and value:
            return f'the file has the free text {key} = "{clean(value, 60)}", which is not read as a count'
    return None


READER = Reader("vllm", TOOL, _recognize, _read)
