"""Bad load-test files: each gives the right value or one clear error with its line, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rackrecord.errors import Problem, UserError
from rackrecord.measurements import content
from rackrecord.measurements.reading import format_names, read_measurements

FIXTURES = Path(__file__).parent / "fixtures" / "measurements"

VLLM: dict[str, Any] = {
    "model_id": "m",
    "request_rate": "inf",
    "duration": 10.0,
    "completed": 10,
    "num_prompts": 10,
    "total_input_tokens": 9000,
    "total_output_tokens": 1000,
    "output_throughput": 100.0,
    "total_token_throughput": 1000.0,
    "p99_ttft_ms": 250.0,
}


def problem(data: bytes | str, name: str = "run.json", **options: Any) -> Problem:
    """The one problem of a bad file."""
    with pytest.raises(UserError) as caught:
        read_measurements(data.encode() if isinstance(data, str) else data, name, **options)
    (found,) = caught.value.problems
    return found


def vllm(**changes: Any) -> str:
    return json.dumps({**VLLM, **changes})


class TestNoFile:
    @pytest.mark.parametrize("data", [b"", b"   \n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
    def test_empty(self, data: bytes) -> None:
        found = problem(data)
        assert (found.file, found.message) == (
            "run.json",
            "the file is empty; a load-test result is expected",
        )

    def test_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(content, "MAX_BYTES", 100)
        assert "more than 100 bytes" in problem(b"x" * 101).message
        assert "text of another shape" in problem(b"x" * 100).message

    def test_the_limit_is_64_mb(self) -> None:
        assert content.MAX_BYTES == 67_108_864

    def test_not_utf_8(self) -> None:
        found = problem(b'{"a": 1,\n"b": "\xff"}')
        assert (found.line, found.message) == (2, "not UTF-8 text; a load-test result is")

    def test_nul(self) -> None:
        assert problem(b'{"a":\n\n"\0"}').line == 3

    def test_utf_16(self) -> None:
        assert "not UTF-8" in problem(vllm().encode("utf-16")).message

    def test_byte_order_mark_is_fine(self) -> None:
        (found,) = read_measurements(b"\xef\xbb\xbf" + vllm().encode(), "run.json")
        assert found.output_tokens_per_second == 100.0

    @pytest.mark.parametrize("data", [b"[]", b" [ ] "])
    def test_empty_list(self, data: bytes) -> None:
        assert "not a load-test result" in problem(data).message
        assert problem(data, format="vllm").message == "an empty list; at least one result is expected"

    def test_no_benchmarks(self) -> None:
        assert problem('{"benchmarks": []}', format="guidellm").path == "benchmarks"


class TestTruncated:
    @pytest.mark.parametrize(
        "name",
        sorted(path.name for path in FIXTURES.glob("*.json*")),
    )
    def test_any_json_fixture_cut_in_half(self, name: str) -> None:
        data = (FIXTURES / name).read_bytes().rstrip()
        found = problem(data[: len(data) - len(data.splitlines()[-1]) // 2 - 1], name)
        assert found.file == name
        assert found.line is not None
        assert found.message.startswith(("the file ends in the middle", "not JSON"))

    def test_says_so(self) -> None:
        found = problem('{\n  "output_throughput": 10.0,\n  "dura')
        assert (found.line, found.column) == (3, 3)
        assert found.message == "the file ends in the middle of a JSON value; it looks truncated"

    def test_last_line_of_json_lines(self) -> None:
        found = problem(vllm() + "\n" + vllm()[:-5])
        assert found.line == 2
        assert "truncated" in found.message

    def test_a_line_in_the_middle(self) -> None:
        found = problem(vllm() + "\n" + vllm()[:50] + "\n" + vllm())
        assert found.line == 2

    def test_loadgen_summary_before_its_result(self) -> None:
        text = (FIXTURES / "loadgen_server_summary.txt").read_text().split("Completed tokens")[0]
        found = problem(text, "mlperf_log_summary.txt")
        assert "the complete summary of a run that counts tokens is expected" in found.message

    def test_loadgen_detail_before_its_result(self) -> None:
        lines = (FIXTURES / "loadgen_server_detail.txt").read_text().splitlines()
        assert "the log of a finished run is expected" in problem("\n".join(lines[:5])).message

    def test_loadgen_detail_in_a_line(self) -> None:
        text = (FIXTURES / "loadgen_server_detail.txt").read_text().rstrip()
        found = problem(text[:-30])
        assert found.line == len(text.splitlines())
        assert "truncated" in found.message


class TestOtherFiles:
    def test_another_tool(self) -> None:
        found = problem('{"requests": 3, "p95": 4}')
        assert found.message.startswith(
            "a JSON object with the keys requests, p95; not a load-test result of a known"
        )
        assert all(name in found.message for name in format_names())

    @pytest.mark.parametrize(
        ("data", "says"),
        [
            ({"hardware": "H100", "model": "m", "metrics": {"tput_per_gpu": 1.0}}, "an InferenceX API row"),
            ({"metadata": {}, "metrics": {"a": 1}, "error": None}, "profile_export_aiperf.json"),
            ({"weight_data_types": "fp8", "input_data_types": "fp8"}, "an MLPerf measurements.json"),
            ({"accelerators_per_node": 8, "number_of_nodes": "2"}, "an MLPerf system description"),
            ({"output_token_throughput": 100.0}, "without a unit"),
        ],
    )
    def test_files_that_stand_beside_results(self, data: dict[str, Any], says: str) -> None:
        assert says in problem(json.dumps(data)).message

    @pytest.mark.parametrize(
        "data", ["hello", "a,b\n1,2", "3", '"x"', "null", "true", "[1, 2]", "<html></html>"]
    )
    def test_no_result_at_all(self, data: str) -> None:
        assert "not a load-test result" in problem(data).message

    def test_lines_of_two_tools(self) -> None:
        sglang = (FIXTURES / "sglang.jsonl").read_text()
        found = problem(vllm() + "\n" + sglang.replace('"output_throughput"', '"other"'))
        assert (found.line, found.path) == (2, "output_throughput")

    def test_a_line_that_is_no_object(self) -> None:
        found = problem(vllm() + "\n[1, 2]\n")
        assert (found.line, found.message) == (2, "found a list, expected an object")

    def test_an_array_with_something_else(self) -> None:
        found = problem(f"[{vllm()}, 7]")
        assert (found.path, found.message) == ("[1]", "found 7, expected an object")

    def test_format_overrides_recognition(self) -> None:
        (found,) = read_measurements(vllm(request_rate="trace").encode(), "x.json", format="sglang")
        assert found.request_rate is None
        assert found.tool == "SGLang bench_serving"
        assert problem(vllm(), format="guidellm").path == "benchmarks"
        assert problem(vllm(), format="llmperf").path == "results_mean_output_throughput_token_per_s"

    def test_unknown_format(self) -> None:
        message = problem(vllm(), format="vlm").message
        assert message.startswith('found the format "vlm", expected one of aiperf, endpoints, ')

    @pytest.mark.parametrize("name", format_names())
    def test_no_format_reads_an_unrelated_object(self, name: str) -> None:
        assert problem('{"a": {"b": 1}}', format=name).file == "run.json"


class TestFigures:
    @pytest.mark.parametrize(
        ("key", "value", "message"),
        [
            ("output_throughput", "100", 'found "100", expected a number'),
            ("output_throughput", True, "found true, expected a number"),
            ("output_throughput", None, "missing; a number is expected"),
            ("output_throughput", -1.0, "found -1.0, expected zero or more"),
            ("output_throughput", [1.0], "found a list, expected a number"),
            ("output_throughput", {}, "found an object, expected a number"),
            ("output_throughput", 10**30, f"found {10**30}, which no load test reaches"),
            ("duration", False, "found false, expected a number"),
            ("p99_ttft_ms", "12 ms", 'found "12 ms", expected a number'),
            ("p99_ttft_ms", -0.5, "found -0.5, expected zero or more"),
            ("completed", 9.5, "found 9.5, expected a whole number"),
            ("model_id", 7, "found 7, expected a text"),
            ("request_rate", "fast", 'found "fast", expected a number'),
        ],
    )
    def test_wrong_value(self, key: str, value: Any, message: str) -> None:
        found = problem(vllm(**{key: value}))
        assert (found.file, found.line, found.path, found.message) == ("run.json", 1, key, message)

    def test_the_line_of_json_lines(self) -> None:
        found = problem(vllm() + "\n\n" + vllm(duration="x"))
        assert (found.line, found.path) == (3, "duration")

    @pytest.mark.parametrize("bare", ["NaN", "Infinity", "-Infinity"])
    def test_bare_constants_never_become_a_figure(self, bare: str) -> None:
        text = vllm().replace('"output_throughput": 100.0', f'"output_throughput": {bare}')
        assert problem(text).message == f"found {bare}, expected a finite number"
        rate = vllm().replace('"request_rate": "inf"', f'"request_rate": {bare}')
        assert problem(rate).path == "request_rate"

    @pytest.mark.parametrize("bare", ["NaN", "-Infinity"])
    def test_sglang_writes_infinity_only(self, bare: str) -> None:
        text = (FIXTURES / "sglang.jsonl").read_text().replace("Infinity", bare)
        assert problem(text).path == "request_rate"

    def test_sglang_infinity_elsewhere(self) -> None:
        text = (FIXTURES / "sglang.jsonl").read_text().replace('"duration": 3.980675', '"duration": Infinity')
        assert problem(text).path == "duration"

    def test_a_float_that_overflows(self) -> None:
        text = vllm().replace('"output_throughput": 100.0', '"output_throughput": 1e999')
        assert "too large" in problem(text).message

    def test_a_number_of_many_digits(self) -> None:
        found = problem(vllm()[:-1] + ', "x": ' + "9" * 5000 + "}")
        assert "a number of 5,000 characters" in found.message

    def test_the_same_key_twice(self) -> None:
        found = problem(vllm()[:-1] + ', "duration": 5.0}')
        assert found.message == 'the key "duration" stands twice in one object; once is expected'

    def test_deep_nesting(self) -> None:
        for depth in (200, 100_000):
            found = problem('{"a": ' + "[" * depth + "]" * depth + "}")
            assert "nested deeper than 100 levels" in found.message

    def test_control_characters_of_a_file_are_not_printed(self) -> None:
        (found,) = read_measurements(vllm(model_id="a\x1b[31m\nb").encode(), "run\x1b.json")
        assert found.model == "a\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}b"
        assert "\x1b" not in found.file

    def test_accelerators_given(self) -> None:
        assert problem(vllm(), accelerators=0).message == "found 0 accelerators, expected at least 1"

    def test_zero_duration(self) -> None:
        (found,) = read_measurements(vllm(duration=0).encode(), "run.json")
        assert found.input_tokens_per_second is None


class TestPerTool:
    def test_unit_of_a_metric(self) -> None:
        text = (FIXTURES / "aiperf_0.11.json").read_text()
        wrong = text.replace('"unit": "ms"', '"unit": "min"')
        found = problem(wrong)
        assert found.path.endswith(".unit")
        assert found.message.startswith('found "min", expected one of ns, us, ms')
        in_seconds = text.replace('"unit": "ms"', '"unit": "s"')
        (measurement,) = read_measurements(in_seconds.encode(), "x.json")
        assert measurement.ttft is not None
        assert measurement.ttft.percentile_ms(99) == pytest.approx(380_530.0)

    def test_per_user_rate_in_the_place_of_the_system_rate(self) -> None:
        text = (FIXTURES / "aiperf_0.11.json").read_text()
        found = problem(text.replace('"unit": "tokens/sec"', '"unit": "tokens/sec/user"'))
        assert found.message == 'found "tokens/sec/user", expected tokens/sec'

    def test_only_the_per_user_rate(self) -> None:
        text = (FIXTURES / "genai_perf.json").read_text().replace('"output_token_throughput"', '"x"')
        found = problem(text, format="genai-perf")
        assert "is the rate of one user" in found.message

    def test_csv_with_a_word_for_a_number(self) -> None:
        text = (FIXTURES / "aiperf_records.csv").read_text().replace("3833.39", "slow")
        found = problem(text, "x.csv")
        assert (found.line, found.message) == (7, 'found "slow", expected a number')

    def test_csv_with_a_metric_twice(self) -> None:
        text = (FIXTURES / "aiperf_records.csv").read_text()
        found = problem(text + "Request Count,88.00\n", "x.csv")
        assert "stands twice" in found.message

    def test_csv_with_an_open_quote(self) -> None:
        assert "not CSV" in problem('Metric,avg\n"Output Token Throughput (tokens/sec),1\n', "x.csv").message

    def test_inferred_tokens_are_rejected(self) -> None:
        found = problem((FIXTURES / "loadgen_inferred_summary.txt").read_bytes())
        assert "samples times a fixed factor" in found.message

    def test_two_runs_in_one_summary(self) -> None:
        text = (FIXTURES / "loadgen_server_summary.txt").read_text()
        found = problem(text + text.replace("99159.27", "74638.54"))
        assert "one run in a file" in found.message
        assert found.line is not None

    def test_accuracy_run(self) -> None:
        text = (FIXTURES / "loadgen_server_summary.txt").read_text()
        (found,) = read_measurements(text.replace("PerformanceOnly", "AccuracyOnly").encode(), "x")
        assert not found.usable
        without = "\n".join(line for line in text.splitlines() if "tokens per second" not in line)
        assert (
            "the mode is AccuracyOnly" in problem(without.replace("PerformanceOnly", "AccuracyOnly")).message
        )

    def test_endpoints_that_did_not_tokenize(self) -> None:
        text = (FIXTURES / "endpoints_offline.json").read_text().replace('"tps": 1183326.854', '"tps": null')
        found = problem(text)
        assert (found.path, "did not tokenize" in found.message) == ("tps", True)

    def test_inferencex_without_a_topology(self) -> None:
        rates = {"tput_per_gpu": 1.0, "output_tput_per_gpu": 0.5}
        assert problem(json.dumps(rates)).path == "tp"
        assert problem(json.dumps({**rates, "is_multinode": True})).path == "num_prefill_gpu"
        assert (
            problem(json.dumps({**rates, "tp": 0})).message == "a parallel size of 0; at least 1 is expected"
        )

    def test_inferencex_flags_as_texts(self) -> None:
        record = {"tput_per_gpu": 1.0, "output_tput_per_gpu": 0.5, "tp": 2, "is_multinode": "false"}
        (found,) = read_measurements(json.dumps(record).encode(), "x.json")
        assert found.accelerators == 2
        assert problem(json.dumps({**record, "is_multinode": "maybe"})).path == "is_multinode"

    def test_inference_perf_stage_without_a_success(self) -> None:
        found = problem('{"successes": {"count": 0, "throughput": null}, "failures": {"count": 9}}')
        assert (found.path, "null or missing" in found.message) == ("successes.throughput", True)
