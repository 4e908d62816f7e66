"""AIPerf `profile_export_aiperf.json` and `.csv`: metrics under `records` (before October 2025), then flat.

Keys as in ai-dynamo/aiperf. `output_token_throughput` counts reasoning tokens, `total_output_tokens` leaves
them out. The telemetry section lists the accelerators that were scraped, which is not the number that served.
"""

from __future__ import annotations

from dataclasses import replace

from rackrecord.measurements.build import Parts, measurement
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain
from rackrecord.measurements.reader import Facts, Reader, Reading
from rackrecord.measurements.tools.perf_metrics import (
    Metrics,
    common_parts,
    csv_header,
    csv_metrics,
    is_csv,
    is_metric,
)

TOOL = "AIPerf"


def _recognize(content: Content) -> bool:
    if is_csv(content):
        return "p1" in csv_header(content) or "benchmark duration" in content.text.lower()
    first = content.first
    records = first.get("records")
    if isinstance(records, dict) and is_metric(records.get("output_token_throughput")):
        return True
    return is_metric(first.get("output_token_throughput")) and not _is_genai_perf(first.get("input_config"))


def _is_genai_perf(config: object) -> bool:
    return isinstance(config, dict) and ("perf_analyzer" in config or "model_names" in config)


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    if is_csv(content):
        return (_reading(csv_metrics(content, source), None, "", source),)
    readings = []
    for fields, label in each_record(content, source):
        metrics = fields.section("records") or fields
        readings.append(_reading(Metrics(metrics), fields, label, source))
    return tuple(readings)


def _reading(metrics: Metrics, report: Fields | None, label: str, source: Source) -> Reading:
    output, parts, facts = common_parts(metrics)
    failed = metrics.count("error_request_count")
    if report is None:
        return Reading(measurement(TOOL, source, output, {**parts, "failed": failed}), facts)
    if failed is None and "error_summary" in report.values:
        failed = sum(entry.count_or_none("count") or 0 for entry in report.objects("error_summary"))
    model, concurrency, rate = _config(report)
    known: Parts = {
        **parts,
        "tool_version": report.text_or_none("aiperf_version"),
        "format_version": report.text_or_none("schema_version"),
        "label": joined((label, f"concurrency {plain(concurrency)}" if concurrency is not None else None)),
        "model": model,
        "concurrency": concurrency,
        "request_rate": rate,
        "failed": failed,
    }
    return Reading(measurement(TOOL, source, output, known), _with_report(facts, report))


def _with_report(facts: Facts, report: Fields) -> Facts:
    cancelled = report.flag_or_none("was_cancelled")
    return replace(
        facts,
        invalid=("the run was cancelled (was_cancelled)",) if cancelled else (),
        accelerator_hint=telemetry_hint(report, "telemetry_data"),
    )


def telemetry_hint(report: Fields, key: str) -> str | None:
    """What the telemetry says near a count: the accelerators scraped, which need not be those that served."""
    endpoints = report.section(key, "endpoints")
    if endpoints is None:
        return None
    gpus = 0
    for name in sorted(endpoints.values):
        endpoint = endpoints.section(name)
        listed = endpoint.values.get("gpus") if endpoint else None
        gpus += len(listed) if isinstance(listed, dict | list) else 0
    if gpus == 0:
        return None
    return f"telemetry scraped {gpus} accelerators, which need not be those that served"


def _config(report: Fields) -> tuple[str | None, float | None, float | None]:
    """Model, concurrency and offered requests/s, from the configuration of either layout."""
    config = report.section("input_config")
    if config is None:
        return None, None, None
    models = config.section("models")
    endpoint = config.section("endpoint")
    names: list[str] = []
    if models is not None:
        names = [name for item in models.objects("items") if (name := item.text_or_none("name"))]
    elif endpoint is not None:
        names = model_names(endpoint)
    phases = [phase for phase in config.objects("phases") if not phase.flag_or_none("exclude_from_results")]
    load = phases[0] if len(phases) == 1 else config.section("loadgen")
    concurrency = load.number_or_none("concurrency") if load else None
    rate = load.number_or_none("request_rate") if load else None
    return joined(names) or None, concurrency, rate


def model_names(fields: Fields) -> list[str]:
    """The texts of the list `model_names`."""
    names = fields.values.get("model_names")
    if names is None:
        return []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        fields.fail("model_names", "a list of texts is expected")
    return [Fields({"name": name}, fields.file, fields.line).text_or_none("name") or "" for name in names]


READER = Reader("aiperf", TOOL, _recognize, _read)
