"""Every fixture of a load-test tool against the figures of the real file it follows, worked out by hand."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from rackrecord.measurements.codes import CheckCode, Severity
from rackrecord.measurements.measurement import LatencySummary, Measurement
from rackrecord.measurements.reading import format_names, read_measurements
from rackrecord.measurements.registry import READERS

FIXTURES = Path(__file__).parent / "fixtures" / "measurements"


def read(name: str, **options: object) -> tuple[Measurement, ...]:
    return read_measurements((FIXTURES / name).read_bytes(), name, **options)  # type: ignore[arg-type]


def only(name: str, **options: object) -> Measurement:
    (measurement,) = read(name, **options)
    return measurement


def codes(measurement: Measurement) -> dict[CheckCode, Severity]:
    return {check.code: check.severity for check in measurement.checks}


def p99(summary: LatencySummary | None) -> float | None:
    assert summary is not None
    return summary.percentile_ms(99)


def test_the_readme_lists_every_fixture() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", (FIXTURES / "README.md").read_text(), re.MULTILINE)
    present = sorted(path.name for path in FIXTURES.iterdir() if path.name != "README.md")
    assert len(present) > 30
    assert sorted(listed) == present


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("vllm.json", "vllm"),
        ("vllm_append.jsonl", "vllm"),
        ("vllm_old.json", "vllm"),
        ("vllm_metadata.json", "vllm"),
        ("sglang.jsonl", "sglang"),
        ("sglang_parallel.jsonl", "sglang"),
        ("sglang_2024.jsonl", "sglang"),
        ("sglang_2025.jsonl", "sglang"),
        ("guidellm_0.3.json", "guidellm"),
        ("guidellm_0.4.json", "guidellm"),
        ("guidellm_0.5.json", "guidellm"),
        ("guidellm_v2.json", "guidellm"),
        ("aiperf_records.json", "aiperf"),
        ("aiperf_records.csv", "aiperf"),
        ("aiperf_flat.json", "aiperf"),
        ("aiperf_0.11.json", "aiperf"),
        ("genai_perf.json", "genai-perf"),
        ("genai_perf.csv", "genai-perf"),
        ("loadgen_server_summary.txt", "loadgen-summary"),
        ("loadgen_offline_summary.txt", "loadgen-summary"),
        ("loadgen_server_detail.txt", "loadgen-detail"),
        ("loadgen_offline_detail.txt", "loadgen-detail"),
        ("endpoints_offline.json", "endpoints"),
        ("endpoints_server.json", "endpoints"),
        ("endpoints_later.json", "endpoints"),
        ("inference_perf_stage.json", "inference-perf"),
        ("inference_perf_summary.json", "inference-perf"),
        ("inference_perf_later.json", "inference-perf"),
        ("inferencex_single.json", "inferencex"),
        ("inferencex_disagg.json", "inferencex"),
        ("inferencex_array.json", "inferencex"),
        ("inferencex_2025.json", "inferencex"),
        ("inferencex_experiment.json", "inferencex"),
        ("llmperf.json", "llmperf"),
    ],
)
def test_recognized_from_the_content_by_one_reader_whatever_the_name(name: str, format_name: str) -> None:
    data = (FIXTURES / name).read_bytes()
    recognized = read_measurements(data, "results.out")
    assert recognized == read_measurements(data, "results.out", format=format_name)
    (title,) = [reader.title for reader in READERS if reader.name == format_name]
    assert {title.startswith(measurement.tool) for measurement in recognized} == {True}


def test_every_format_has_a_name_of_its_own() -> None:
    assert len(set(format_names())) == len(READERS) == 11


class TestVllm:
    def test_output_is_not_the_total(self) -> None:
        measurement = only("vllm.json")
        assert measurement.output_tokens_per_second == pytest.approx(1203.92, abs=0.005)
        assert measurement.total_tokens_per_second == pytest.approx(10835.32)
        # 102,400 input tokens in 10.631896 s
        assert measurement.input_tokens_per_second == pytest.approx(9631.39, abs=0.01)

    def test_latencies_are_milliseconds_as_they_stand(self) -> None:
        measurement = only("vllm.json")
        assert p99(measurement.ttft) == 5492.0
        assert measurement.ttft == LatencySummary(
            mean_ms=3300.5, percentiles_ms=((50.0, 3190.25), (99.0, 5492.0))
        )
        assert p99(measurement.tpot) == 74.0
        assert p99(measurement.itl) == 680.0
        assert measurement.e2e is None

    def test_the_rest(self) -> None:
        measurement = only("vllm.json")
        assert measurement.sha256 == hashlib.sha256((FIXTURES / "vllm.json").read_bytes()).hexdigest()
        assert (measurement.file, measurement.label) == ("vllm.json", "concurrency 100")
        assert measurement.model == "/models/glm-4.7-fp8"
        assert (measurement.concurrency, measurement.request_rate) == (100, None)
        assert (measurement.completed, measurement.failed, measurement.unfinished) == (100, 0, 0)
        assert (measurement.mean_output_tokens, measurement.mean_input_tokens) == (128, 1024)
        assert (measurement.accelerators, measurement.accelerators_source) == (None, None)
        assert codes(measurement) == {CheckCode.ACCELERATORS_MISSING: Severity.WARNING}

    def test_given_accelerators(self) -> None:
        measurement = only("vllm.json", accelerators=8)
        assert (measurement.accelerators, measurement.accelerators_source) == (8, "given")
        assert measurement.output_tokens_per_second_per_accelerator == pytest.approx(150.49, abs=0.005)
        assert codes(measurement) == {}

    def test_one_object_a_line(self) -> None:
        points = read("vllm_append.jsonl")
        assert [point.output_tokens_per_second for point in points] == [128.0, 400.0, 512.0]
        assert [point.label for point in points] == [
            "line 1, concurrency 4",
            "line 2, concurrency 16",
            "line 3, concurrency 64, rate 4",
        ]
        assert [point.request_rate for point in points] == [None, None, 4.0]

    def test_older_file_without_failed_and_with_the_trailing_colon(self) -> None:
        measurement = only("vllm_old.json")
        assert measurement.output_tokens_per_second == 1254.4
        assert (measurement.completed, measurement.failed) == (98, 2)
        assert measurement.concurrency is None
        assert CheckCode.FAILED_REQUESTS in codes(measurement)

    def test_free_metadata_is_no_count_and_lists_in_seconds_are_not_read(self) -> None:
        measurement = only("vllm_metadata.json")
        assert measurement.accelerators is None
        (message,) = [c.message for c in measurement.checks if c.code is CheckCode.ACCELERATORS_MISSING]
        assert '"4xNVIDIA_L40S"' in message
        assert measurement.ttft is not None
        assert measurement.ttft.percentiles_ms == ((50.0, 3190.25), (95.0, 5100.0), (99.0, 5492.0))
        assert measurement.e2e is not None
        assert measurement.e2e.percentiles_ms == ((50.0, 10310.0), (90.0, 10400.0), (99.9, 10440.0))
        # 100 prompts, 95 completed, 3 failed
        assert (measurement.failed, measurement.unfinished) == (3, 2)


class TestSglang:
    def test_bare_infinity_and_server_info(self) -> None:
        assert b"Infinity" in (FIXTURES / "sglang.jsonl").read_bytes()
        measurement = only("sglang.jsonl")
        assert measurement.output_tokens_per_second == 1534.41
        assert measurement.total_tokens_per_second == 14210.91
        assert measurement.input_tokens_per_second == 12676.49
        assert measurement.request_rate is None
        assert (measurement.concurrency, measurement.mean_concurrency) == (100, 77.87)
        assert measurement.tool_version == "0.5.9"
        assert measurement.model == "/models/llama-3.1-70b"
        assert measurement.accelerators == 8
        assert p99(measurement.ttft) == 2252.9
        assert p99(measurement.e2e) == 3895.5
        assert codes(measurement) == {CheckCode.FAILURES_NOT_RECORDED: Severity.NOTE}

    def test_measured_lengths_not_the_maxima_asked_for(self) -> None:
        measurement = only("sglang.jsonl")
        assert measurement.mean_input_tokens == pytest.approx(504.61)
        assert measurement.mean_output_tokens == pytest.approx(61.08)

    def test_parallel_sizes(self) -> None:
        four_by_two, attention, half = read("sglang_parallel.jsonl")
        assert four_by_two.accelerators == 8
        assert attention.accelerators == 8  # dp lies inside tp
        assert half.accelerators is None
        assert any("decode half" in check.message for check in half.checks)

    def test_december_2024(self) -> None:
        points = read("sglang_2024.jsonl")
        assert len(points) == 3
        first = points[0]
        # 160,347 tokens and 300 requests in 300 s
        assert first.output_tokens_per_second == pytest.approx(534.49)
        assert first.requests_per_second == 1.0
        assert first.total_tokens_per_second is None
        assert first.model is None
        assert first.ttft == LatencySummary(mean_ms=None, percentiles_ms=((50.0, 86.0),))
        assert first.tpot is None
        # 3,200 requests in 383 s against 16 a second offered
        assert CheckCode.OFFERED_NOT_ACHIEVED in codes(points[2])
        assert CheckCode.OFFERED_NOT_ACHIEVED not in codes(points[0])

    def test_mid_2025(self) -> None:
        measurement = only("sglang_2025.jsonl")
        assert measurement.output_tokens_per_second == 1534.41
        assert (measurement.tool_version, measurement.accelerators) == (None, None)
        assert measurement.request_rate == 30.0


class TestGuideLlm:
    def test_tokens_over_duration_and_not_a_mean_of_bursts(self) -> None:
        measurement = only("guidellm_0.5.json")
        assert round(measurement.output_tokens_per_second, 1) == 552.5
        # 101,528 tokens of successful requests in 60 s, prompts of unfinished ones left out
        assert measurement.total_tokens_per_second == pytest.approx(1692.13, abs=0.005)
        assert measurement.input_tokens_per_second == pytest.approx(1139.6)

    def test_units_differ_within_the_file(self) -> None:
        measurement = only("guidellm_0.5.json")
        assert p99(measurement.ttft) == 219.36
        assert p99(measurement.e2e) == pytest.approx(3911.9)  # written as 3.9119 s
        assert measurement.ttft is not None
        assert measurement.ttft.percentile_ms(1) == 54.33
        assert measurement.ttft.percentile_ms(99.9) == 241.22

    def test_the_rest(self) -> None:
        measurement = only("guidellm_0.5.json")
        assert (measurement.completed, measurement.failed, measurement.unfinished) == (259, 0, 15)
        assert (measurement.tool_version, measurement.format_version) == ("0.5.0", "1")
        assert measurement.model == "Qwen/Qwen3-0.6B"
        assert measurement.concurrency == 16
        assert codes(measurement) == {
            CheckCode.UNFINISHED_REQUESTS: Severity.WARNING,
            CheckCode.ACCELERATORS_MISSING: Severity.WARNING,
            CheckCode.LATENCY_DEFINITION: Severity.NOTE,
        }

    def test_0_3(self) -> None:
        alone, constant = read("guidellm_0.3.json")
        # 10,000 tokens in 50 s; 22,500 in 45 s
        assert [alone.output_tokens_per_second, constant.output_tokens_per_second] == [200.0, 500.0]
        assert alone.model == "meta-llama/Llama-3.1-8B-Instruct"
        assert (alone.concurrency, alone.request_rate) == (1.0, None)
        assert (constant.concurrency, constant.request_rate) == (None, 2.5)
        assert (constant.failed, constant.unfinished) == (2, 6)
        assert constant.requests_per_second == 2.0
        assert CheckCode.OFFERED_NOT_ACHIEVED in codes(constant)

    def test_0_4(self) -> None:
        measurement = only("guidellm_0.4.json")
        assert measurement.output_tokens_per_second == 512.0  # 16,384 in 32 s
        assert measurement.model == "meta-llama/Llama-3.1-8B-Instruct"

    def test_metadata_version_2_with_the_warm_up_cut_off(self) -> None:
        first, second = read("guidellm_v2.json")
        assert (first.completed, first.unfinished) == (25, 0)
        assert first.output_tokens_per_second == 320.0  # 12,800 in 40 s
        assert first.duration_s == 40.0
        assert (first.model, first.format_version) == ("openai/gpt-oss-20b", "2")
        assert second.request_rate == 1.0


class TestAiPerf:
    def test_0_11(self) -> None:
        measurement = only("aiperf_0.11.json")
        assert measurement.output_tokens_per_second == pytest.approx(4826.84, abs=0.005)
        assert measurement.duration_s == pytest.approx(299.96, abs=0.005)
        assert measurement.concurrency == 128
        assert measurement.model == "qwen3-4b"
        assert (measurement.tool_version, measurement.format_version) == ("0.11.0", "1.3")
        assert (measurement.completed, measurement.failed) == (5429, 0)
        assert p99(measurement.ttft) == 380.53
        assert CheckCode.TOKENS_OVER_DURATION not in codes(measurement)

    def test_its_inter_token_latency_is_what_others_call_tpot(self) -> None:
        measurement = only("aiperf_0.11.json")
        assert p99(measurement.tpot) == 30.12
        assert measurement.itl is None
        assert CheckCode.LATENCY_DEFINITION in codes(measurement)

    @pytest.mark.parametrize("name", ["aiperf_records.json", "aiperf_records.csv"])
    def test_old_layout_and_csv(self, name: str) -> None:
        measurement = only(name)
        assert measurement.output_tokens_per_second == pytest.approx(2320.72, abs=0.005)
        assert p99(measurement.ttft) == 3833.39
        assert (measurement.completed, measurement.failed) == (89, 11)
        assert measurement.duration_s == pytest.approx(9.318, abs=0.003)
        found = {check.code: check.message for check in measurement.checks}
        assert "21,624" in found[CheckCode.TOKEN_COUNTS_DIFFER]
        assert "1,832" in found[CheckCode.TOKEN_COUNTS_DIFFER]
        assert CheckCode.TOKENS_OVER_DURATION not in found

    def test_old_layout_configuration(self) -> None:
        measurement = only("aiperf_records.json")
        assert (measurement.model, measurement.concurrency) == ("openai/gpt-oss-20b", 100)

    def test_telemetry_is_no_count_and_a_cancelled_run_is_unusable(self) -> None:
        measurement = only("aiperf_flat.json")
        assert measurement.output_tokens_per_second == 200.0
        assert measurement.total_tokens_per_second == 1200.0
        assert measurement.accelerators is None
        assert any("scraped 2 accelerators" in check.message for check in measurement.checks)
        assert codes(measurement)[CheckCode.INVALID_RUN] is Severity.UNUSABLE


@pytest.mark.parametrize("name", ["genai_perf.json", "genai_perf.csv"])
def test_genai_perf(name: str) -> None:
    measurement = only(name)
    assert measurement.tool == "GenAI-Perf"
    assert measurement.output_tokens_per_second == 557.49  # not 44.2 of one user
    assert measurement.requests_per_second == 3.69
    assert p99(measurement.ttft) == 1686.18
    assert p99(measurement.e2e) == 4337.83
    assert measurement.completed == 32
    assert measurement.mean_output_tokens == 150.91
    if name.endswith(".json"):
        assert (measurement.model, measurement.concurrency) == ("llama-3.1-8b-instruct", 16)


class TestLoadGen:
    @pytest.mark.parametrize("name", ["loadgen_server_summary.txt", "loadgen_server_detail.txt"])
    def test_server(self, name: str) -> None:
        measurement = only(name)
        assert measurement.output_tokens_per_second == 99159.27
        assert p99(measurement.ttft) == pytest.approx(424.79, abs=0.005)
        assert p99(measurement.tpot) == pytest.approx(131.38, abs=0.005)
        assert p99(measurement.e2e) == 118_000.0
        assert measurement.ttft is not None
        assert measurement.ttft.mean_ms == 250.0
        assert measurement.tpot is not None
        assert measurement.tpot.mean_ms == 118.0
        assert measurement.scenario == "Server"
        # offered and achieved stay apart
        assert measurement.request_rate == 345.2
        assert measurement.requests_per_second == 337.27
        assert measurement.mean_output_tokens == pytest.approx(294.0, abs=0.01)
        assert (measurement.accelerators, measurement.model) == (None, None)
        assert measurement.usable

    def test_detail_only(self) -> None:
        measurement = only("loadgen_server_detail.txt")
        assert measurement.completed == 205000
        assert measurement.tool_version == "5.1.2"

    @pytest.mark.parametrize("name", ["loadgen_offline_summary.txt", "loadgen_offline_detail.txt"])
    def test_offline(self, name: str) -> None:
        measurement = only(name)
        assert measurement.output_tokens_per_second == 95004
        assert measurement.requests_per_second == 69.1714
        assert measurement.scenario == "Offline"
        assert measurement.ttft is None

    def test_invalid(self) -> None:
        measurement = only("loadgen_invalid_summary.txt")
        assert not measurement.usable
        (message,) = [check.message for check in measurement.checks if check.code is CheckCode.INVALID_RUN]
        assert "INVALID" in message
        assert "2 errors" in message
        assert measurement.tpot is not None
        assert measurement.tpot.mean_ms == 118.0  # "Mean Time per Output Token" of later versions


class TestEndpoints:
    def test_offline(self) -> None:
        measurement = only("endpoints_offline.json", accelerators=72)
        assert measurement.output_tokens_per_second == 1183326.854
        # 4 × 18 accelerators
        assert measurement.output_tokens_per_second_per_accelerator == pytest.approx(16435, abs=0.5)
        assert (measurement.ttft, measurement.tpot) == (None, None)
        assert p99(measurement.e2e) == pytest.approx(4_798_360)
        assert measurement.duration_s == pytest.approx(5124.404)
        assert measurement.requests_per_second == 312.2314
        assert measurement.mean_output_tokens == pytest.approx(3789.90, abs=0.005)
        assert measurement.completed == 1_600_000
        assert CheckCode.LEGACY_WINDOW not in codes(measurement)
        assert measurement.usable

    def test_server_legacy_window(self) -> None:
        measurement = only("endpoints_server.json")
        assert measurement.output_tokens_per_second == pytest.approx(1_175_890, abs=0.5)
        assert measurement.duration_s == pytest.approx(2318.93, abs=0.005)
        (check,) = [check for check in measurement.checks if check.code is CheckCode.LEGACY_WINDOW]
        assert check.severity is Severity.WARNING
        assert "1,934.95 s" in check.message
        assert "981,183" in check.message
        assert CheckCode.TOKENS_OVER_DURATION not in codes(measurement)
        # the run's own percentile, not the one with the margin of early stopping
        assert p99(measurement.ttft) == pytest.approx(303.54)
        assert measurement.request_rate == 325.0

    def test_later_keys_and_an_interrupted_run(self) -> None:
        measurement = only("endpoints_later.json")
        assert measurement.input_tokens_per_second == 10_000.0  # 500,000 in 50 s
        assert measurement.concurrency == 64
        assert (measurement.failed, measurement.unfinished) == (4, 6)
        (message,) = [check.message for check in measurement.checks if check.code is CheckCode.INVALID_RUN]
        assert "interrupted" in message
        assert "4 samples failed" in message


class TestInferencePerf:
    def test_a_stage_in_seconds(self) -> None:
        measurement = only("inference_perf_stage.json")
        assert measurement.output_tokens_per_second == 7141.0
        assert p99(measurement.ttft) == pytest.approx(620.0)
        assert p99(measurement.tpot) == pytest.approx(52.0)
        assert p99(measurement.e2e) == pytest.approx(10_430.0)
        assert measurement.request_rate == 246.37
        assert measurement.duration_s == pytest.approx(14782 / 56.74)
        assert CheckCode.BLENDED_STAGES not in codes(measurement)
        assert CheckCode.OFFERED_NOT_ACHIEVED in codes(measurement)

    def test_the_summary_blends(self) -> None:
        measurement = only("inference_perf_summary.json")
        assert measurement.output_tokens_per_second == 4646.0
        assert codes(measurement)[CheckCode.BLENDED_STAGES] is Severity.UNUSABLE

    def test_later_keys(self) -> None:
        measurement = only("inference_perf_later.json")
        assert measurement.duration_s == 60.0
        assert (measurement.completed, measurement.failed, measurement.concurrency) == (594, 6, 32)
        # 120 tokens × 594 ÷ 60 s = 1,188
        assert CheckCode.TOKENS_OVER_DURATION not in codes(measurement)


class TestInferenceX:
    @pytest.mark.parametrize(
        "name", ["inferencex_disagg.json", "inferencex_before_roles.json", "inferencex_decode_variant.json"]
    )
    def test_28_accelerators_whatever_the_divisor(self, name: str) -> None:
        measurement = only(name)
        assert measurement.accelerators == 28
        assert measurement.output_tokens_per_second == pytest.approx(16_000)
        assert measurement.total_tokens_per_second == pytest.approx(28_000)
        assert measurement.output_tokens_per_second_per_accelerator == pytest.approx(571.43, abs=0.005)
        assert measurement.accelerators_source == "num_prefill_gpu + num_decode_gpu"
        assert CheckCode.SCOPE_CONVERTED in codes(measurement)
        assert measurement.usable

    def test_seconds_and_no_interactivity(self) -> None:
        measurement = only("inferencex_disagg.json")
        assert p99(measurement.ttft) == pytest.approx(450.0)
        assert p99(measurement.tpot) == pytest.approx(45.0)
        assert p99(measurement.e2e) == pytest.approx(31_000.0)

    def test_single_node_counts_tp_pp_pcp_and_not_ep_or_dcp(self) -> None:
        measurement = only("inferencex_single.json")
        assert (measurement.accelerators, measurement.accelerators_source) == (8, "tp × pp × pcp_size")
        assert measurement.output_tokens_per_second == 7500.0

    def test_array(self) -> None:
        first, second, third = read("inferencex_array.json")
        assert [first.accelerators, second.accelerators, third.accelerators] == [8, 16, 16]
        # 1,200 × (4 × 2 × 2); no decode accelerators, so over all: 750 × 16
        assert second.output_tokens_per_second == 19_200.0
        assert third.output_tokens_per_second == 12_000.0
        assert second.label.startswith("[1], ")

    def test_first_layout(self) -> None:
        measurement = only("inferencex_2025.json")
        assert (measurement.accelerators, measurement.output_tokens_per_second) == (8, 7500.0)

    def test_experiment_in_vllm_shape_with_seconds(self) -> None:
        measurement = only("inferencex_experiment.json")
        assert measurement.output_tokens_per_second == 320.0
        assert p99(measurement.ttft) == 3200.0
        assert measurement.accelerators == 8


def test_llmperf() -> None:
    measurement = only("llmperf.json")
    assert measurement.output_tokens_per_second == pytest.approx(
        207.52, abs=0.005
    )  # not 25.61 of one request
    assert measurement.requests_per_second == pytest.approx(1.4122, abs=0.0001)  # 84.73 a minute
    assert p99(measurement.ttft) == pytest.approx(474.53)
    assert p99(measurement.e2e) == pytest.approx(3705.7)
    assert measurement.tpot is None
    assert measurement.concurrency == 5
    assert (measurement.completed, measurement.failed, measurement.unfinished) == (150, 0, 0)
    assert measurement.total_tokens_per_second is None
    assert CheckCode.TOKENS_OVER_DURATION not in codes(measurement)
