"""MLPerf LoadGen `mlperf_log_detail.txt`: lines of `:::MLLOG {json}`, latencies in nanoseconds.

The result is `result_tokens_per_second` (Offline) or `result_completed_tokens_per_second` (Server). The keys
`result_token_throughput` (a rate per nanosecond of summed latency) and `..._with_loadgen_overhead` (another
window) look alike and are never read.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rackrecord.errors import UserError
from rackrecord.measurements.content import Content, Source, clean, shown
from rackrecord.measurements.fields import Fields
from rackrecord.measurements.reader import Reader, Reading
from rackrecord.measurements.tools.loadgen import TOOL, NanosecondLatency, Run, reading

_PREFIX = ":::MLLOG"
_TEXTS = {
    "effective_scenario": "scenario",
    "effective_test_mode": "mode",
    "result_validity": "validity",
    "loadgen_version": "version",
}
_NUMBERS = {
    "result_tokens_per_second": "tokens_rate",
    "result_completed_tokens_per_second": "tokens_rate",
    "result_samples_per_second": "samples_rate",
    "result_completed_samples_per_sec": "samples_rate",
    "result_scheduled_samples_per_sec": "scheduled_rate",
}
_COUNTS = {"generated_query_count": "queries", "num_errors": "errors"}
_MEANS = {
    "result_first_token_mean_latency_ns": "ttft",
    "result_time_to_output_token_mean": "tpot",
    "result_mean_latency_ns": "e2e",
}
_PERCENTILES = (
    (re.compile(r"result_first_token_(\d{1,2}\.\d{2})_percentile_latency_ns"), "ttft"),
    (re.compile(r"result_time_per_output_token_(\d{1,2}\.\d{2})_percentile_ns"), "tpot"),
    (re.compile(r"result_(\d{1,2}\.\d{2})_percentile_latency_ns"), "e2e"),
)


def _recognize(content: Content) -> bool:
    return content.text.lstrip().startswith(_PREFIX)


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    run = Run()
    for line, text in enumerate(content.text.splitlines(), start=1):
        if text.startswith(_PREFIX):
            _take(run, _entry(text[len(_PREFIX) :], source.file, line))
    if run.validity is None and run.tokens_rate is None:
        raise UserError.of(
            "no result_validity and no tokens per second; the log of a finished run is expected",
            file=source.file,
        )
    if run.tokens_rate is None:
        raise UserError.of(
            "neither result_tokens_per_second nor result_completed_tokens_per_second is there; "
            "the log of a performance run that counts tokens is expected",
            file=source.file,
        )
    return (reading(run, run.tokens_rate, source),)


def _entry(text: str, file: str, line: int) -> Fields:
    """The JSON object of a line, its key as the name of its value."""
    try:
        entry: Any = json.loads(text[:100_000])
    except (ValueError, RecursionError):
        raise UserError.of(
            "not JSON after :::MLLOG; the line looks truncated", file=file, line=line
        ) from None
    if not isinstance(entry, dict) or not isinstance(entry.get("key"), str):
        raise UserError.of(f"found {shown(entry)}, expected an object with a key", file=file, line=line)
    return Fields({entry["key"]: entry.get("value")}, file, line)


def _take(run: Run, entry: Fields) -> None:
    (key,) = entry.values
    if key in _TEXTS:
        text = entry.text_or_none(key)
        setattr(run, _TEXTS[key], None if text is None else clean(text, 40))
    elif key in _NUMBERS:
        setattr(run, _NUMBERS[key], entry.number_or_none(key))
    elif key in _COUNTS:
        setattr(run, _COUNTS[key], entry.count_or_none(key))
    elif key in _MEANS:
        latency: NanosecondLatency = getattr(run, _MEANS[key])
        latency.mean = entry.number_or_none(key)
    else:
        _take_percentile(run, entry, key)


def _take_percentile(run: Run, entry: Fields, key: str) -> None:
    for pattern, attribute in _PERCENTILES:
        match = pattern.fullmatch(key)
        value = entry.number_or_none(key) if match else None
        if match and value is not None:
            latency: NanosecondLatency = getattr(run, attribute)
            latency.percentiles[float(match[1])] = value
            return


READER = Reader("loadgen-detail", f"{TOOL} detail log", _recognize, _read)
