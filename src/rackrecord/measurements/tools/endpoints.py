"""MLPerf Endpoints `performance/result_summary.json`: times in nanoseconds, tokens of the whole system.

Keys as in mlcommons/endpoints. `tps` is the output rate. With `legacy_loadgen_window_duration_ns` set it
counts the window that ends with the last-issued query, as LoadGen does, and not the whole run.
"""

from __future__ import annotations

from rackrecord.measurements.build import Parts, measurement, nanoseconds, summary
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "MLPerf Endpoints"
_NS_PER_SECOND = 1e9


def _recognize(content: Content) -> bool:
    return "n_samples_issued" in content.first and "tps" in content.first


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    return tuple(_reading(fields, label, source) for fields, label in each_record(content, source))


def _reading(fields: Fields, label: str, source: Source) -> Reading:
    if not fields.has("tps"):
        fields.fail(
            "tps", "null; the run did not tokenize its outputs, and output tokens per second are expected"
        )
    output = fields.number("tps")
    duration = fields.number("duration_ns") / _NS_PER_SECOND
    legacy = fields.number_or_none("legacy_loadgen_window_duration_ns")
    legacy_s = None if legacy is None else legacy / _NS_PER_SECOND
    window = duration if legacy_s is None else legacy_s
    lengths = fields.section("output_sequence_lengths")
    tokens = lengths.number_or_none("total") if lengths else None
    prompts = fields.section("input_sequence_lengths")
    issued, completed, failed = (
        fields.count_or_none(f"n_samples_{state}") for state in ("issued", "completed", "failed")
    )
    load = fields.section("run_config", "load_pattern")
    concurrency = load.number_or_none("target_concurrency") if load else None
    rate = load.number_or_none("target_qps") if load else None
    parts = Parts(
        format_version=fields.text_or_none("version"),
        label=joined(
            (
                label,
                load.text_or_none("type") if load else None,
                f"concurrency {plain(concurrency)}" if concurrency is not None else None,
                f"rate {plain(rate)}" if rate is not None else None,
            )
        ),
        input_tokens_per_second=ratio(prompts.number_or_none("total") if prompts else None, window),
        requests_per_second=fields.number_or_none("qps"),
        ttft=_latency(fields.section("ttft")),
        tpot=_latency(fields.section("tpot")),
        e2e=_latency(fields.section("latency")),
        concurrency=concurrency,
        request_rate=rate,
        duration_s=duration,
        completed=completed,
        failed=failed,
        unfinished=_unfinished(issued, completed, failed),
        mean_output_tokens=lengths.number_or_none("avg") if lengths else None,
        mean_input_tokens=prompts.number_or_none("avg") if prompts else None,
    )
    facts = Facts(
        invalid=_invalid(fields, failed),
        recomputed_output_rate=ratio(tokens, window),
        recomputed_from="output_sequence_lengths.total ÷ "
        + ("duration_ns" if legacy is None else "legacy_loadgen_window_duration_ns"),
        output_count=tokens,
        legacy_window_s=legacy_s,
        whole_run_rate=None if legacy_s is None else ratio(tokens, duration),
    )
    return Reading(measurement(TOOL, source, output, parts), facts)


def _unfinished(issued: int | None, completed: int | None, failed: int | None) -> int | None:
    if issued is None or completed is None:
        return None
    return max(0, issued - completed - (failed or 0))


def _invalid(fields: Fields, failed: int | None) -> tuple[str, ...]:
    """There is no VALID line: a complete run without failures is what the submission rules ask for."""
    reasons = []
    state = fields.text_or_none("state")
    if state != "complete":
        reasons.append(f"the state is {state or 'not recorded'}, not complete")
    if fields.flag_or_none("complete") is not True:
        reasons.append("complete is not true")
    if failed:
        reasons.append(f"{failed:,} samples failed")
    return tuple(reasons)


def _latency(section: Fields | None) -> LatencySummary | None:
    """A rollup in nanoseconds; empty where the run did not stream.

    The percentiles are those over the run's requests, not the `early_stopping_percentiles`, which add a
    statistical margin for the submission checker.
    """
    if section is None:
        return None
    mean, median = section.number_or_none("avg"), section.number_or_none("median")
    recorded = section.section("percentiles")
    percentiles: dict[float, float] = {}
    for key in recorded.values if recorded else ():
        value = recorded.number_or_none(key) if recorded else None
        if value is not None:
            percentiles[_percentile(section, key)] = nanoseconds(value)
    return summary(
        None if mean is None else nanoseconds(mean),
        percentiles,
        None if median is None else nanoseconds(median),
    )


def _percentile(section: Fields, key: str) -> float:
    whole, _, fraction = key.partition(".")
    if not (
        whole.isascii() and whole.isdigit() and len(whole) <= 2 and (not fraction or fraction.isdecimal())
    ):
        section.fail("percentiles", 'a key that is no percentile, expected such as "99.0"')
    return float(key)


READER = Reader("endpoints", TOOL, _recognize, _read)
