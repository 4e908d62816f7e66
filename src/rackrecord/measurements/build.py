"""What every reader builds with: a latency summary in milliseconds, a measurement from its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypedDict

from rackrecord.measurements.content import Source
from rackrecord.measurements.fields import Fields
from rackrecord.measurements.measurement import MEDIAN, LatencySummary, Measurement

MS_PER_SECOND = 1000.0
NS_PER_MS = 1e6


def seconds(value: float) -> float:
    """Seconds as milliseconds, without the noise of the last binary digits (0.47453 s is 474.53 ms)."""
    return round(value * MS_PER_SECOND, 9)


def milliseconds(value: float) -> float:
    """Milliseconds, as they are."""
    return value


def nanoseconds(value: float) -> float:
    """Nanoseconds as milliseconds."""
    return value / NS_PER_MS


def summary(
    mean_ms: float | None, percentiles_ms: Mapping[float, float], median_ms: float | None = None
) -> LatencySummary | None:
    """A latency summary, None where nothing is recorded; `median_ms` stands in for a missing p50."""
    values = dict(percentiles_ms)
    if median_ms is not None:
        values.setdefault(MEDIAN, median_ms)
    if mean_ms is None and not values:
        return None
    return LatencySummary(mean_ms=mean_ms, percentiles_ms=tuple(sorted(values.items())))


def keyed_summary(fields: Fields, key: str, to_ms: Callable[[float], float]) -> LatencySummary | None:
    """The summary of a flat record whose keys follow a pattern such as `{stat}_ttft_ms`.

    The statistics are `mean`, `median` and `p` with a number (`p99`, `p99.9`); `std` and others are not
    latencies.
    """
    before, after = key.split("{stat}")
    pattern = re.compile(re.escape(before) + r"(mean|median|p\d{1,2}(?:\.\d+)?)" + re.escape(after))
    found: dict[str, float] = {}
    for name in fields.values:
        match = pattern.fullmatch(name)
        value = fields.number_or_none(name) if match else None
        if match and value is not None:
            found[match[1]] = to_ms(value)
    percentiles = {float(stat[1:]): value for stat, value in found.items() if stat.startswith("p")}
    return summary(found.get("mean"), percentiles, found.get("median"))


class Parts(TypedDict, total=False):
    """What a reader may know of a measurement beside its output rate; what is left out is not recorded."""

    tool_version: str | None
    format_version: str | None
    label: str
    model: str | None
    scenario: str | None
    input_tokens_per_second: float | None
    total_tokens_per_second: float | None
    requests_per_second: float | None
    ttft: LatencySummary | None
    tpot: LatencySummary | None
    itl: LatencySummary | None
    e2e: LatencySummary | None
    concurrency: float | None
    mean_concurrency: float | None
    request_rate: float | None
    duration_s: float | None
    completed: int | None
    failed: int | None
    unfinished: int | None
    accelerators: int | None
    accelerators_source: str | None
    mean_output_tokens: float | None
    mean_input_tokens: float | None


_NOT_RECORDED = Parts(
    tool_version=None,
    format_version=None,
    label="",
    model=None,
    scenario=None,
    input_tokens_per_second=None,
    total_tokens_per_second=None,
    requests_per_second=None,
    ttft=None,
    tpot=None,
    itl=None,
    e2e=None,
    concurrency=None,
    mean_concurrency=None,
    request_rate=None,
    duration_s=None,
    completed=None,
    failed=None,
    unfinished=None,
    accelerators=None,
    accelerators_source=None,
    mean_output_tokens=None,
    mean_input_tokens=None,
)


def measurement(tool: str, source: Source, output_tokens_per_second: float, parts: Parts) -> Measurement:
    """A measurement without checks, with None for all that the tool does not record."""
    known: Parts = {**_NOT_RECORDED, **parts}
    return Measurement(
        tool=tool,
        file=source.file,
        sha256=source.sha256,
        output_tokens_per_second=output_tokens_per_second,
        checks=(),
        **known,
    )
