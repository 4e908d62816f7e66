"""GenAI-Perf `*_genai_perf.json` and `.csv`: a flat table of metrics with their units.

Keys as in triton-inference-server/perf_analyzer. It counts neither failed requests nor reasoning tokens.
"""

from __future__ import annotations

from dataclasses import replace

from rackrecord.measurements.build import Parts, measurement
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain
from rackrecord.measurements.reader import Reader, Reading
from rackrecord.measurements.tools.aiperf import model_names, telemetry_hint
from rackrecord.measurements.tools.perf_metrics import Metrics, common_parts, csv_metrics, is_csv, is_metric

TOOL = "GenAI-Perf"


def _recognize(content: Content) -> bool:
    if is_csv(content):
        return True
    config = content.first.get("input_config")
    return (
        is_metric(content.first.get("output_token_throughput"))
        and isinstance(config, dict)
        and ("perf_analyzer" in config or "model_names" in config)
    )


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    if is_csv(content):
        output, parts, facts = common_parts(csv_metrics(content, source))
        return (Reading(measurement(TOOL, source, output, parts), facts),)
    return tuple(_reading(fields, label, source) for fields, label in each_record(content, source))


def _reading(report: Fields, label: str, source: Source) -> Reading:
    output, parts, facts = common_parts(Metrics(report))
    config = report.section("input_config")
    stimulus = config.section("perf_analyzer", "stimulus") if config else None
    concurrency = stimulus.number_or_none("concurrency") if stimulus else None
    known: Parts = {
        **parts,
        "label": joined((label, f"concurrency {plain(concurrency)}" if concurrency is not None else None)),
        "model": (joined(model_names(config)) or None) if config else None,
        "concurrency": concurrency,
        "request_rate": stimulus.number_or_none("request_rate") if stimulus else None,
    }
    hint = telemetry_hint(report, "telemetry_stats")
    return Reading(measurement(TOOL, source, output, known), replace(facts, accelerator_hint=hint))


READER = Reader("genai-perf", TOOL, _recognize, _read)
