"""The checks on a measurement: for every code a case that must find it and one that must not."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rackrecord.measurements.build import Parts, measurement
from rackrecord.measurements.checks import CHECKS, Expectation, Subject, run_checks
from rackrecord.measurements.codes import CheckCode, Severity
from rackrecord.measurements.content import Source
from rackrecord.measurements.measurement import LatencySummary, Measurement
from rackrecord.measurements.reader import Facts
from rackrecord.measurements.reading import format_names, read_measurements

SOURCE = Source("run.json", "0" * 64)


def make(output: float = 1000.0, **parts: Any) -> Measurement:
    """A measurement that no check finds fault with, but for what the case changes."""
    known = Parts(model="org/Model-8B", failed=0, completed=10, accelerators=8, accelerators_source="tp")
    known.update(parts)  # type: ignore[typeddict-item]
    return measurement("tool", SOURCE, output, known)


def latency(*pairs: tuple[float, float]) -> LatencySummary:
    return LatencySummary(mean_ms=None, percentiles_ms=pairs)


CLEAN = Subject(make(), Facts())

CASES: list[tuple[CheckCode, Subject, Severity | None]] = [
    (
        CheckCode.INVALID_RUN,
        replace(CLEAN, facts=Facts(invalid=("the result is INVALID",))),
        Severity.UNUSABLE,
    ),
    (CheckCode.INVALID_RUN, CLEAN, None),
    (CheckCode.NO_OUTPUT, Subject(make(0.0), Facts()), Severity.UNUSABLE),
    (CheckCode.NO_OUTPUT, Subject(make(completed=0), Facts()), Severity.UNUSABLE),
    (CheckCode.NO_OUTPUT, Subject(make(completed=None), Facts()), None),
    (CheckCode.OUTPUT_ABOVE_TOTAL, Subject(make(total_tokens_per_second=999.0), Facts()), Severity.UNUSABLE),
    (CheckCode.OUTPUT_ABOVE_TOTAL, Subject(make(total_tokens_per_second=1000.0), Facts()), None),
    (CheckCode.SCOPE_CONVERTED, replace(CLEAN, facts=Facts(converted="125 × 8 accelerators")), Severity.NOTE),
    (CheckCode.SCOPE_CONVERTED, CLEAN, None),
    (CheckCode.SCOPE_UNCLEAR, replace(CLEAN, facts=Facts(scope_unclear="no sum")), Severity.UNUSABLE),
    (CheckCode.SCOPE_UNCLEAR, CLEAN, None),
    (
        CheckCode.TOKENS_OVER_DURATION,
        replace(CLEAN, facts=Facts(recomputed_output_rate=1021.0)),
        Severity.WARNING,
    ),
    (CheckCode.TOKENS_OVER_DURATION, replace(CLEAN, facts=Facts(recomputed_output_rate=1020.0)), None),
    (
        CheckCode.TOKENS_OVER_DURATION,
        replace(CLEAN, facts=Facts(recomputed_output_rate=979.0)),
        Severity.WARNING,
    ),
    (
        CheckCode.TOKEN_COUNTS_DIFFER,
        replace(CLEAN, facts=Facts(output_count=21624, other_output_count=1832)),
        Severity.WARNING,
    ),
    (
        CheckCode.TOKEN_COUNTS_DIFFER,
        replace(CLEAN, facts=Facts(output_count=6108, other_output_count=6116)),
        None,
    ),
    (CheckCode.FAILED_REQUESTS, Subject(make(failed=1), Facts()), Severity.WARNING),
    (CheckCode.FAILED_REQUESTS, CLEAN, None),
    (CheckCode.UNFINISHED_REQUESTS, Subject(make(unfinished=15), Facts()), Severity.WARNING),
    (CheckCode.UNFINISHED_REQUESTS, Subject(make(unfinished=0), Facts()), None),
    (CheckCode.FAILURES_NOT_RECORDED, Subject(make(failed=None), Facts()), Severity.NOTE),
    (CheckCode.FAILURES_NOT_RECORDED, CLEAN, None),
    (
        CheckCode.OFFERED_NOT_ACHIEVED,
        Subject(make(request_rate=10.0, requests_per_second=9.4), Facts()),
        Severity.WARNING,
    ),
    (
        CheckCode.OFFERED_NOT_ACHIEVED,
        Subject(make(request_rate=10.0, requests_per_second=9.6), Facts()),
        None,
    ),
    (CheckCode.NOT_A_MEAN, replace(CLEAN, facts=Facts(statistic="median")), Severity.UNUSABLE),
    (CheckCode.NOT_A_MEAN, replace(CLEAN, facts=Facts(peak_output_rate=1000.0)), Severity.WARNING),
    (CheckCode.NOT_A_MEAN, replace(CLEAN, facts=Facts(peak_output_rate=2000.0)), None),
    (CheckCode.BLENDED_STAGES, replace(CLEAN, facts=Facts(blended_stages=True)), Severity.UNUSABLE),
    (CheckCode.BLENDED_STAGES, CLEAN, None),
    (
        CheckCode.LEGACY_WINDOW,
        Subject(make(duration_s=120.0), Facts(legacy_window_s=100.0, whole_run_rate=833.3)),
        Severity.WARNING,
    ),
    (CheckCode.LEGACY_WINDOW, Subject(make(duration_s=120.0), Facts()), None),
    (CheckCode.ACCELERATORS_MISSING, Subject(make(accelerators=None), Facts()), Severity.WARNING),
    (CheckCode.ACCELERATORS_MISSING, CLEAN, None),
    (CheckCode.ACCELERATORS_DISAGREE, replace(CLEAN, given=16, recorded=8), Severity.WARNING),
    (CheckCode.ACCELERATORS_DISAGREE, replace(CLEAN, given=8, recorded=8), None),
    (CheckCode.ACCELERATORS_DISAGREE, replace(CLEAN, given=8, recorded=None), None),
    (
        CheckCode.LATENCY_DEFINITION,
        replace(CLEAN, facts=Facts(latency_definitions=("ITL is TPOT",))),
        Severity.NOTE,
    ),
    (CheckCode.LATENCY_DEFINITION, CLEAN, None),
    (
        CheckCode.PERCENTILES_FALL,
        Subject(make(tpot=latency((50.0, 20.0), (99.0, 19.0))), Facts()),
        Severity.WARNING,
    ),
    (CheckCode.PERCENTILES_FALL, Subject(make(tpot=latency((50.0, 20.0), (99.0, 20.0))), Facts()), None),
    (CheckCode.DUPLICATE_POINT, replace(CLEAN, repeats="point 1"), Severity.NOTE),
    (CheckCode.DUPLICATE_POINT, CLEAN, None),
    (CheckCode.MODEL_NOT_RECORDED, Subject(make(model=None), Facts()), Severity.NOTE),
    (CheckCode.MODEL_NOT_RECORDED, CLEAN, None),
    (CheckCode.MODEL_DIFFERS, replace(CLEAN, expectation=Expectation(model="model-70b")), Severity.WARNING),
    (CheckCode.MODEL_DIFFERS, replace(CLEAN, expectation=Expectation(model="MODEL 8b Instruct")), None),
    (CheckCode.MODEL_DIFFERS, CLEAN, None),
    (
        CheckCode.OUTPUT_LENGTH_DIFFERS,
        Subject(make(mean_output_tokens=499.0), Facts(), Expectation(output_tokens=1000.0)),
        Severity.WARNING,
    ),
    (
        CheckCode.OUTPUT_LENGTH_DIFFERS,
        Subject(make(mean_output_tokens=2000.0), Facts(), Expectation(output_tokens=1000.0)),
        None,
    ),
    (
        CheckCode.OUTPUT_LENGTH_DIFFERS,
        Subject(make(), Facts(requested_output_tokens=2001.0), Expectation(output_tokens=1000.0)),
        Severity.WARNING,
    ),
]


def test_every_code_has_a_function_a_sentence_and_cases_both_ways() -> None:
    assert set(CHECKS) == set(CheckCode)
    found = {code for code, _, severity in CASES if severity is not None}
    not_found = {code for code, _, severity in CASES if severity is None}
    assert found == not_found == set(CheckCode)
    for code, function in CHECKS.items():
        assert (function.__doc__ or "").startswith(f"{code}: ")
        assert code.sentence.endswith((".", "it."))


@pytest.mark.parametrize(("code", "subject", "severity"), CASES)
def test_case(code: CheckCode, subject: Subject, severity: Severity | None) -> None:
    found = {check.code: check for check in run_checks(subject)}
    if severity is None:
        assert code not in found
    else:
        assert found[code].severity is severity
        assert found[code].message.endswith(".")


def test_nothing_is_found_on_a_clean_measurement() -> None:
    assert run_checks(CLEAN) == ()


def test_checks_come_in_the_order_of_the_codes() -> None:
    checks = run_checks(Subject(make(0.0, failed=None, model=None), Facts(invalid=("x",))))
    order = list(CheckCode)
    assert [order.index(check.code) for check in checks] == sorted(
        order.index(check.code) for check in checks
    )
    assert len(checks) == 4


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ("openai/gpt-oss-120b", "gpt-oss-120b", True),
        ("openai/gpt-oss-20b", "gpt-oss-120b", False),
        ("deepseek-ai/DeepSeek-R1-0528", "deepseek-r1", True),
        ("/models/llama-3.1-70b/", "Llama 3.1 70B", True),
        ("meta-llama/Llama-2-70b-chat-hf", "llama2-70b", True),
        ("meta-llama/Llama-3.1-8B", "llama3.1-405b", False),
    ],
)
def test_model_names(found: str, expected: str, same: bool) -> None:
    checks = run_checks(Subject(make(model=found), Facts(), Expectation(model=expected)))
    assert (CheckCode.MODEL_DIFFERS not in [check.code for check in checks]) is same


VLLM = {
    "model_id": "m",
    "duration": 10.0,
    "completed": 10,
    "failed": 0,
    "num_prompts": 10,
    "total_input_tokens": 9000,
    "total_output_tokens": 1000,
    "output_throughput": 100.0,
    "total_token_throughput": 1000.0,
}


def codes_of(record: dict[str, Any], **options: Any) -> set[CheckCode]:
    (found,) = read_measurements(json.dumps(record).encode(), "run.json", **options)
    return {check.code for check in found.checks}


class TestThroughTheReaders:
    def test_total_and_output_swapped(self) -> None:
        swapped = {**VLLM, "output_throughput": 1000.0, "total_token_throughput": 100.0}
        assert CheckCode.OUTPUT_ABOVE_TOTAL in codes_of(swapped)
        assert CheckCode.TOKENS_OVER_DURATION in codes_of(swapped)

    def test_peak_put_in_the_place_of_the_mean(self) -> None:
        peak = {**VLLM, "output_throughput": 300.0, "max_output_tokens_per_s": 300.0}
        assert {CheckCode.NOT_A_MEAN, CheckCode.TOKENS_OVER_DURATION} <= codes_of(peak)

    def test_given_accelerators_against_the_file(self) -> None:
        record = {
            "model": "m",
            "tp": 8,
            "conc": 4,
            "tput_per_gpu": 100.0,
            "output_tput_per_gpu": 50.0,
            "input_tput_per_gpu": 50.0,
        }
        assert CheckCode.ACCELERATORS_DISAGREE in codes_of(record, accelerators=16)
        assert CheckCode.ACCELERATORS_DISAGREE not in codes_of(record, accelerators=8)
        (found,) = read_measurements(json.dumps(record).encode(), "run.json", accelerators=16)
        # the file's figure is times the file's number; the number given only divides
        assert found.output_tokens_per_second == 400.0
        assert found.output_tokens_per_second_per_accelerator == 25.0

    def test_disaggregated_without_the_input_rate(self) -> None:
        record = {
            "is_multinode": True,
            "disagg": True,
            "num_prefill_gpu": 20,
            "num_decode_gpu": 8,
            "tput_per_gpu": 1000.0,
            "output_tput_per_gpu": 2000.0,
        }
        # 2,000 of 1,000 in all cannot be over all accelerators, so it is over the 8
        (found,) = read_measurements(json.dumps(record).encode(), "run.json")
        assert found.output_tokens_per_second == 16_000.0
        assert found.usable
        # 600 of 1,000 could be either
        (found,) = read_measurements(
            json.dumps({**record, "output_tput_per_gpu": 600.0}).encode(), "run.json"
        )
        assert found.output_tokens_per_second == 4_800.0
        assert not found.usable

    def test_roles_that_do_not_add_up(self) -> None:
        record = {
            "is_multinode": True,
            "disagg": True,
            "num_prefill_gpu": 20,
            "num_decode_gpu": 8,
            "tput_per_gpu": 1000.0,
            "output_tput_per_gpu": 2000.0,
            "input_tput_per_gpu": 900.0,
        }
        assert CheckCode.SCOPE_UNCLEAR in codes_of(record)
        not_split = {**record, "disagg": False, "num_prefill_gpu": 16, "num_decode_gpu": 16}
        assert CheckCode.SCOPE_UNCLEAR in codes_of(not_split)

    def test_guidellm_with_a_median_only(self) -> None:
        metrics = {"output_tokens_per_second": {"successful": {"median": 405.1, "count": 5}}}
        assert CheckCode.NOT_A_MEAN in codes_of({"benchmarks": [{"metrics": metrics}]})

    def test_guidellm_without_a_successful_request(self) -> None:
        metrics = {"output_tokens_per_second": {"successful": {"mean": 0.0, "count": 0}}}
        assert CheckCode.NO_OUTPUT in codes_of({"benchmarks": [{"metrics": metrics}]})

    def test_retokenized_output_differs(self) -> None:
        record = {
            "output_throughput": 100.0,
            "duration": 10.0,
            "completed": 10,
            "total_output_tokens": 1000,
            "total_output_tokens_retokenized": 800,
        }
        assert CheckCode.TOKEN_COUNTS_DIFFER in codes_of(record)

    def test_same_point_twice(self) -> None:
        other = {**VLLM, "max_concurrency": 7}
        text = "\n".join(json.dumps(record) for record in (VLLM, other, VLLM))
        points = read_measurements(text.encode(), "run.jsonl")
        repeated = [CheckCode.DUPLICATE_POINT in {check.code for check in point.checks} for point in points]
        assert repeated == [False, False, True]
        assert "point 1" in next(c.message for c in points[2].checks if c.code is CheckCode.DUPLICATE_POINT)


def test_the_documentation_lists_every_check_and_format() -> None:
    text = (Path(__file__).parent.parent / "docs" / "measurements.md").read_text()
    codes = re.findall(r"^\| `([a-z-]+)` \| (?:note|warning|unusable)", text, re.MULTILINE)
    assert codes == [str(code) for code in CheckCode]
    formats = re.findall(r"^\| `([a-z-]+)` \| (?!note|warning|unusable)", text, re.MULTILINE)
    assert tuple(sorted(formats)) == format_names()
