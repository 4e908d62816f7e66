"""`rackrecord measure`: what it prints and how it exits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rackrecord.cli.measure import measure
from rackrecord.errors import UserError
from rackrecord.measurements.reading import format_names

FIXTURES = Path(__file__).parent / "fixtures" / "measurements"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(measure, [str(argument) for argument in arguments])


def test_text() -> None:
    result = run(FIXTURES / "vllm.json")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == f"{FIXTURES / 'vllm.json'} (concurrency 100)"
    assert "  output           1,203.92 tokens/s, whole system" in lines
    assert "  per accelerator  unknown: give the number of accelerators with --accelerators N" in lines
    assert "  total            10,835.32 tokens/s, input and output" in lines
    assert "  TTFT             mean 3,300.50 ms, p50 3,190.25 ms, p99 5,492.00 ms" in lines
    assert any(line.startswith("  warning  accelerators-missing: ") for line in lines)


def test_accelerators_given() -> None:
    result = run("--accelerators", "8", FIXTURES / "vllm.json")
    assert "per accelerator  150.49 tokens/s (8 accelerators, given)" in result.output
    assert "accelerators-missing" not in result.output


def test_json() -> None:
    result = run("--json", FIXTURES / "inferencex_disagg.json", FIXTURES / "llmperf.json")
    assert result.exit_code == 0
    first, second = json.loads(result.output)["measurements"]
    assert first["output_tokens_per_second"] == 16000.0
    assert first["output_tokens_per_second_per_accelerator"] == pytest.approx(571.43, abs=0.005)
    assert first["checks"][0]["code"] == "scope-converted"
    assert second["output_tokens_per_second_per_accelerator"] is None


def test_the_same_input_gives_the_same_output() -> None:
    assert (
        run("--json", FIXTURES / "guidellm_0.3.json").output
        == run("--json", FIXTURES / "guidellm_0.3.json").output
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("loadgen_invalid_summary.txt", 1),
        ("inference_perf_summary.json", 1),
        ("aiperf_flat.json", 1),
        ("loadgen_server_summary.txt", 0),
    ],
)
def test_exit_code_of_an_unusable_figure(name: str, code: int) -> None:
    assert run(FIXTURES / name).exit_code == code


def test_all_files_with_mistakes_are_told_at_once_and_nothing_is_printed(tmp_path: Path) -> None:
    empty, missing = tmp_path / "empty.json", tmp_path / "missing.json"
    empty.write_bytes(b"")
    result = run(FIXTURES / "vllm.json", empty, missing, tmp_path)
    assert isinstance(result.exception, UserError)
    assert [problem.file for problem in result.exception.problems] == sorted(
        map(str, (tmp_path, empty, missing))
    )
    assert result.output == ""


def test_unknown_format() -> None:
    result = run("--format", "x", FIXTURES / "vllm.json", FIXTURES / "vllm_old.json")
    assert isinstance(result.exception, UserError)
    assert len(result.exception.problems) == 1


def test_format() -> None:
    assert run("--format", "vllm", FIXTURES / "vllm.json").exit_code == 0


def test_the_help_names_every_format() -> None:
    words = run("--help").output.replace(",", " ").replace(".", " ").split()
    assert set(format_names()) <= set(words)


def test_importing_the_command_loads_no_model_and_no_reader() -> None:
    code = (
        "import sys, rackrecord.cli.measure\n"
        "print([m for m in sys.modules if m == 'pydantic' or m.startswith('rackrecord.measurements')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
