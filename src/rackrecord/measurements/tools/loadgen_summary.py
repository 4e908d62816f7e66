"""MLPerf LoadGen `mlperf_log_summary.txt`: lines of `name : value`, latencies in nanoseconds.

The result is `Tokens per second` (Offline) or `Completed tokens per second` (Server, Interactive). `Scheduled
samples per second` is the offered load, and `Tokens per second (inferred)` is samples times a fixed factor;
neither is a result.
"""

from __future__ import annotations

import re

from rackrecord.errors import UserError
from rackrecord.measurements.content import Content, Source, clean, shown
from rackrecord.measurements.reader import Reader, Reading
from rackrecord.measurements.tools.loadgen import TOOL, NanosecondLatency, Run, reading

_TITLE = "MLPerf Results Summary"
_LINE = re.compile(r"\s*(?P<name>[^:]+?)\s*:\s*(?P<value>.*?)\s*")
_NUMBER = re.compile(r"\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?")
_ERRORS = re.compile(r"(\d{1,9}) ERRORS? encountered", re.IGNORECASE)
_LATENCIES = {
    "first token latency (ns)": "ttft",
    "time to output token (ns)": "tpot",
    "time per output token (ns)": "tpot",
    "latency (ns)": "e2e",
}
_STATISTIC = re.compile(r"(?P<stat>mean|\d{1,2}\.\d{2} percentile) (?P<latency>[^:]+)", re.IGNORECASE)
_RATES = {
    "tokens per second": "tokens_rate",
    "completed tokens per second": "tokens_rate",
    "samples per second": "samples_rate",
    "completed samples per second": "samples_rate",
    "scheduled samples per second": "scheduled_rate",
}
_SAME = 1e-3
"""The log prints a rate twice, rounded differently; further apart, two runs were pasted together."""


def _recognize(content: Content) -> bool:
    return _TITLE in content.text[:4096] and not content.records


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    run = Run()
    inferred = False
    for line, text in enumerate(content.text.splitlines(), start=1):
        match = _LINE.fullmatch(text)
        if match is None:
            errors = _ERRORS.search(text)
            if errors:
                run.errors = int(errors[1])
            continue
        name, value = match["name"].lower(), match["value"]
        if name.endswith("tokens per second (inferred)"):
            inferred = True
        _take(run, name, value, source.file, line)
    if run.tokens_rate is None:
        raise UserError.of(_no_tokens(run, inferred), file=source.file)
    return (reading(run, run.tokens_rate, source),)


def _take(run: Run, name: str, value: str, file: str, line: int) -> None:
    """Put the value of one line where it belongs; names that are no figure of the run are left alone."""
    if name == "scenario":
        run.scenario = clean(value, 40)
    elif name == "mode":
        run.mode = clean(value, 40)
    elif name == "result is":
        run.validity = clean(value, 40)
    elif name in _RATES:
        _set_rate(run, _RATES[name], _number(value, name, file, line), name, file, line)
    else:
        _take_latency(run, name, value, file, line)


def _set_rate(run: Run, attribute: str, rate: float, name: str, file: str, line: int) -> None:
    before = getattr(run, attribute)
    if before is not None and abs(rate - before) > _SAME * max(rate, before):
        message = f"found {rate:,} after {before:,} higher up; one value is expected, so one run in a file"
        raise UserError.of(message, file=file, line=line, path=name)
    if before is None:
        setattr(run, attribute, rate)


def _take_latency(run: Run, name: str, value: str, file: str, line: int) -> None:
    match = _STATISTIC.fullmatch(name)
    if match is None or match["latency"] not in _LATENCIES:
        return
    latency: NanosecondLatency = getattr(run, _LATENCIES[match["latency"]])
    number = _number(value, name, file, line)
    if match["stat"] == "mean":
        latency.mean = number
    else:
        latency.percentiles[float(match["stat"].split()[0])] = number


def _number(value: str, name: str, file: str, line: int) -> float:
    if not _NUMBER.fullmatch(value) or float(value) > 1e18:
        raise UserError.of(f"found {shown(value)}, expected a number", file=file, line=line, path=name)
    return float(value)


def _no_tokens(run: Run, inferred: bool) -> str:
    if inferred:
        return (
            'only "Tokens per second (inferred)" is there, which is samples times a fixed factor; '
            "a counted token rate is expected"
        )
    if run.mode is not None and run.mode != "PerformanceOnly":
        return f"the mode is {run.mode}; the summary of a PerformanceOnly run is expected"
    return (
        'neither "Tokens per second" nor "Completed tokens per second" is there; '
        "the complete summary of a run that counts tokens is expected"
    )


READER = Reader("loadgen-summary", f"{TOOL} summary", _recognize, _read)
