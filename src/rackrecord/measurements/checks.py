"""The checks on a measurement: one pure function a code, run in the order of the codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rackrecord.measurements.codes import Check, CheckCode, Severity
from rackrecord.measurements.measurement import Measurement
from rackrecord.measurements.reader import Facts, Reading

TOLERANCE = 0.02
"""Rates and counts further apart than this disagree."""

OFFERED_TOLERANCE = 0.05
"""Below the offered rate by more than this, the system did not keep up; random arrivals stay within it."""

LENGTH_FACTOR = 2.0


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the workload says a measurement should be of: its model, and mean output tokens per request."""

    model: str | None = None
    output_tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """All that a check may look at. `given` accelerators are the user's number, `recorded` the file's."""

    measurement: Measurement
    facts: Facts
    expectation: Expectation | None = None
    given: int | None = None
    recorded: int | None = None
    repeats: str | None = None


Finding = tuple[Severity, str] | None


def invalid_run(subject: Subject) -> Finding:
    """invalid-run: LoadGen INVALID or not a performance run, Endpoints not complete, AIPerf cancelled."""
    if not subject.facts.invalid:
        return None
    return Severity.UNUSABLE, f"The run is not valid: {'; '.join(subject.facts.invalid)}."


def no_output(subject: Subject) -> Finding:
    """no-output: nothing was generated, or no request completed."""
    measurement = subject.measurement
    if measurement.output_tokens_per_second > 0 and measurement.completed != 0:
        return None
    return (
        Severity.UNUSABLE,
        "No output token was counted: no request completed, or outputs were not tokenized.",
    )


def output_above_total(subject: Subject) -> Finding:
    """output-above-total: the two rates were swapped, or are of different scope."""
    output, total = subject.measurement.output_tokens_per_second, subject.measurement.total_tokens_per_second
    if total is None or output <= total * (1 + 1e-6):
        return None
    return Severity.UNUSABLE, f"Output {output:,.2f} tokens/s is above the total of {total:,.2f}."


def scope_converted(subject: Subject) -> Finding:
    """scope-converted: InferenceX figures per accelerator and per role."""
    if subject.facts.converted is None:
        return None
    rate = subject.measurement.output_tokens_per_second
    return (
        Severity.NOTE,
        f"Converted to the whole system: {subject.facts.converted} = {rate:,.2f} output tokens/s.",
    )


def scope_unclear(subject: Subject) -> Finding:
    """scope-unclear: the divisor of a per-accelerator figure cannot be told; the smaller reading is shown."""
    if subject.facts.scope_unclear is None:
        return None
    return (
        Severity.UNUSABLE,
        f"Which accelerators the figure counts is unclear: {subject.facts.scope_unclear}.",
    )


def tokens_over_duration(subject: Subject) -> Finding:
    """tokens-over-duration: tokens ÷ time is off the stated rate by more than 2 %."""
    recomputed, stated = subject.facts.recomputed_output_rate, subject.measurement.output_tokens_per_second
    if recomputed is None or not _apart(stated, recomputed):
        return None
    return (
        Severity.WARNING,
        f"Output {stated:,.2f} tokens/s, but {subject.facts.recomputed_from} gives {recomputed:,.2f} "
        f"({_percent(recomputed, stated)}).",
    )


def token_counts_differ(subject: Subject) -> Finding:
    """token-counts-differ: reasoning tokens counted in one place only, or another tokenizer."""
    first, second = subject.facts.output_count, subject.facts.other_output_count
    if first is None or second is None or not _apart(first, second):
        return None
    return (
        Severity.WARNING,
        f"The output rate counts {first:,.0f} tokens; {subject.facts.other_output_meaning}: {second:,.0f}.",
    )


def failed_requests(subject: Subject) -> Finding:
    """failed-requests: any at all."""
    failed = subject.measurement.failed
    if not failed:
        return None
    return Severity.WARNING, f"{failed:,} requests failed{_beside(subject.measurement.completed)}."


def unfinished_requests(subject: Subject) -> Finding:
    """unfinished-requests: issued, neither completed nor failed."""
    unfinished = subject.measurement.unfinished
    if not unfinished:
        return None
    return (
        Severity.WARNING,
        f"{unfinished:,} requests were not finished{_beside(subject.measurement.completed)}.",
    )


def failures_not_recorded(subject: Subject) -> Finding:
    """failures-not-recorded: SGLang, GenAI-Perf, LoadGen and InferenceX do not count them."""
    if subject.measurement.failed is not None:
        return None
    return Severity.NOTE, "The file does not record failed requests."


def offered_not_achieved(subject: Subject) -> Finding:
    """offered-not-achieved: completed requests/s more than 5 % below the offered rate."""
    offered, achieved = subject.measurement.request_rate, subject.measurement.requests_per_second
    if offered is None or achieved is None or achieved >= offered * (1 - OFFERED_TOLERANCE):
        return None
    return (
        Severity.WARNING,
        f"Offered {offered:,.2f} requests/s, achieved {achieved:,.2f}: the offered rate is not a result.",
    )


def not_a_mean(subject: Subject) -> Finding:
    """not-a-mean: only a median or peak is there, or the rate stands at the file's own peak."""
    rate, statistic, peak = (
        subject.measurement.output_tokens_per_second,
        subject.facts.statistic,
        subject.facts.peak_output_rate,
    )
    if statistic != "mean":
        return (
            Severity.UNUSABLE,
            f"{rate:,.2f} output tokens/s is a {statistic}; the file has no mean over the run.",
        )
    if peak is not None and peak > 0 and rate >= peak:
        return (
            Severity.WARNING,
            f"{rate:,.2f} output tokens/s is not below the file's own peak of {peak:,.2f}.",
        )
    return None


def blended_stages(subject: Subject) -> Finding:
    """blended-stages: the summary of inference-perf."""
    if not subject.facts.blended_stages:
        return None
    return (
        Severity.UNUSABLE,
        "A summary over all load stages, with the rate of none of them; use stage_N_lifecycle_metrics.json.",
    )


def legacy_window(subject: Subject) -> Finding:
    """legacy-window: MLPerf Endpoints with LoadGen's window; both rates are told."""
    window, whole = subject.facts.legacy_window_s, subject.facts.whole_run_rate
    if window is None:
        return None
    duration = subject.measurement.duration_s
    rate = subject.measurement.output_tokens_per_second
    text = f"{rate:,.2f} output tokens/s counts the {window:,.2f} s up to the last-issued query"
    if whole is None or duration is None:
        return Severity.WARNING, text + "."
    return (
        Severity.WARNING,
        f"{text}; over the whole {duration:,.2f} s it is {whole:,.2f} ({_percent(whole, rate)}).",
    )


def accelerators_missing(subject: Subject) -> Finding:
    """accelerators-missing: neither in the file nor given; never assumed."""
    if subject.measurement.accelerators is not None:
        return None
    hint = subject.facts.accelerator_hint
    return (
        Severity.WARNING,
        "The number of accelerators is unknown; give it to get a figure per accelerator"
        + (f" ({hint})." if hint else "."),
    )


def accelerators_disagree(subject: Subject) -> Finding:
    """accelerators-disagree: the number given is not the file's; the given one counts."""
    given, recorded = subject.given, subject.recorded
    if given is None or recorded is None or given == recorded:
        return None
    return Severity.WARNING, f"{given} accelerators given, {recorded} in the file; the number given is used."


def latency_definition(subject: Subject) -> Finding:
    """latency-definition: GuideLLM's TPOT, AIPerf's and LLMPerf's inter-token latency."""
    if not subject.facts.latency_definitions:
        return None
    return Severity.NOTE, "; ".join(subject.facts.latency_definitions) + "."


def percentiles_fall(subject: Subject) -> Finding:
    """percentiles-fall: such a latency was altered or mixed from two runs."""
    measurement = subject.measurement
    for name, summary in (
        ("TTFT", measurement.ttft),
        ("TPOT", measurement.tpot),
        ("ITL", measurement.itl),
        ("request latency", measurement.e2e),
    ):
        pairs = summary.percentiles_ms if summary else ()
        for (lower, at_lower), (higher, at_higher) in pairwise(pairs):
            if at_higher < at_lower * (1 - 1e-9):
                return (
                    Severity.WARNING,
                    f"{name}: p{higher:g} of {at_higher:,.2f} ms is below p{lower:g} of {at_lower:,.2f} ms.",
                )
    return None


def duplicate_point(subject: Subject) -> Finding:
    """duplicate-point: every figure equals those of an earlier point."""
    if subject.repeats is None:
        return None
    return Severity.NOTE, f"Every figure equals that of {subject.repeats}."


def model_not_recorded(subject: Subject) -> Finding:
    """model-not-recorded: it cannot be compared with the workload's."""
    if subject.measurement.model is not None:
        return None
    return Severity.NOTE, "The file does not name the model."


def model_differs(subject: Subject) -> Finding:
    """model-differs: neither name contains the other, owner, case and punctuation aside."""
    found, expected = subject.measurement.model, subject.expectation and subject.expectation.model
    if not found or not expected:
        return None
    first, second = _bare(found), _bare(expected)
    if not first or not second or first in second or second in first:
        return None
    return Severity.WARNING, f"Measured on {found}, expected {expected}."


def output_length_differs(subject: Subject) -> Finding:
    """output-length-differs: a factor of two either way."""
    measured, asked = subject.measurement.mean_output_tokens, subject.facts.requested_output_tokens
    found, word = (asked, "Requested") if measured is None else (measured, "Mean")
    expected = subject.expectation and subject.expectation.output_tokens
    if found is None or not expected or expected / LENGTH_FACTOR <= found <= expected * LENGTH_FACTOR:
        return None
    return (
        Severity.WARNING,
        f"{word} output of {found:,.1f} tokens a request, expected about {expected:,.1f}.",
    )


CHECKS: dict[CheckCode, Callable[[Subject], Finding]] = {
    CheckCode.INVALID_RUN: invalid_run,
    CheckCode.NO_OUTPUT: no_output,
    CheckCode.OUTPUT_ABOVE_TOTAL: output_above_total,
    CheckCode.SCOPE_CONVERTED: scope_converted,
    CheckCode.SCOPE_UNCLEAR: scope_unclear,
    CheckCode.TOKENS_OVER_DURATION: tokens_over_duration,
    CheckCode.TOKEN_COUNTS_DIFFER: token_counts_differ,
    CheckCode.FAILED_REQUESTS: failed_requests,
    CheckCode.UNFINISHED_REQUESTS: unfinished_requests,
    CheckCode.FAILURES_NOT_RECORDED: failures_not_recorded,
    CheckCode.OFFERED_NOT_ACHIEVED: offered_not_achieved,
    CheckCode.NOT_A_MEAN: not_a_mean,
    CheckCode.BLENDED_STAGES: blended_stages,
    CheckCode.LEGACY_WINDOW: legacy_window,
    CheckCode.ACCELERATORS_MISSING: accelerators_missing,
    CheckCode.ACCELERATORS_DISAGREE: accelerators_disagree,
    CheckCode.LATENCY_DEFINITION: latency_definition,
    CheckCode.PERCENTILES_FALL: percentiles_fall,
    CheckCode.DUPLICATE_POINT: duplicate_point,
    CheckCode.MODEL_NOT_RECORDED: model_not_recorded,
    CheckCode.MODEL_DIFFERS: model_differs,
    CheckCode.OUTPUT_LENGTH_DIFFERS: output_length_differs,
}


def run_checks(subject: Subject) -> tuple[Check, ...]:
    """Every check that finds something, in the order of the codes."""
    found = ((code, CHECKS[code](subject)) for code in CheckCode)
    return tuple(
        Check(code=code, severity=finding[0], message=finding[1])
        for code, finding in found
        if finding is not None
    )


def with_checks(
    reading: Reading,
    *,
    accelerators: int | None = None,
    expectation: Expectation | None = None,
    repeats: str | None = None,
) -> Measurement:
    """The measurement of a reading with the given number of accelerators, if any, and its checks."""
    measurement = reading.measurement
    recorded = measurement.accelerators
    if accelerators is not None:
        source = measurement.accelerators_source if accelerators == recorded else "given"
        measurement = measurement.model_copy(
            update={"accelerators": accelerators, "accelerators_source": source}
        )
    subject = Subject(measurement, reading.facts, expectation, accelerators, recorded, repeats)
    return measurement.model_copy(update={"checks": run_checks(subject)})


def duplicates(readings: Sequence[Reading]) -> tuple[str | None, ...]:
    """For each reading the label of the earlier one with the very same figures, None where there is none."""
    first: dict[str, str] = {}
    repeats: list[str | None] = []
    for index, reading in enumerate(readings, start=1):
        measurement = reading.measurement
        key = measurement.model_copy(update={"label": ""}).model_dump_json()
        # the label may begin with the place in the file, which is what tells two equal points apart
        repeats.append(first.get(key))
        first.setdefault(
            key, f"point {index} ({measurement.label})" if measurement.label else f"point {index}"
        )
    return tuple(repeats)


def _apart(first: float, second: float) -> bool:
    return abs(first - second) > TOLERANCE * max(first, second)


def _percent(found: float, base: float) -> str:
    return f"{(found / base - 1) * 100:+.1f} %" if base else "no comparison with 0"


def _beside(completed: int | None) -> str:
    return "" if completed is None else f" beside {completed:,} completed"


def _bare(model: str) -> str:
    """A model's name without owner or folder, case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", model.rstrip("/").rsplit("/", 1)[-1].lower())
