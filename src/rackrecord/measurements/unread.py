"""Files that stand beside load-test results and are not one: what to give instead."""

from __future__ import annotations

from collections.abc import Callable

from rackrecord.measurements.content import Content, JsonObject, clean

_HINTS: tuple[tuple[Callable[[JsonObject], bool], str], ...] = (
    (
        lambda first: isinstance(first.get("metrics"), dict) and "tput_per_gpu" in first["metrics"],
        "an InferenceX API row; an aggregate (agg_*.json) is expected",
    ),
    (
        lambda first: "metadata" in first and "metrics" in first and "error" in first,
        "the requests of an AIPerf run one by one; its profile_export_aiperf.json is expected",
    ),
    (
        lambda first: isinstance(first.get("output_token_throughput"), int | float),
        "output_token_throughput without a unit; the tool's own file, with units, is expected",
    ),
    (
        lambda first: "weight_data_types" in first and "input_data_types" in first,
        "an MLPerf measurements.json, which has no results; the run's mlperf_log_summary.txt is expected",
    ),
    (
        lambda first: "accelerators_per_node" in first,
        "an MLPerf system description, which has no results; the run's mlperf_log_summary.txt is expected",
    ),
)


def explain(content: Content) -> str:
    """One sentence on what an unrecognized file is, or which keys it has."""
    first = content.first
    for matches, hint in _HINTS:
        if matches(first):
            return hint
    if first:
        keys = ", ".join(clean(key, 40) for key in list(first)[:6])
        return f"a JSON object with the keys {keys}{', …' if len(first) > 6 else ''}"
    return "JSON of another shape" if content.records else "text of another shape"
