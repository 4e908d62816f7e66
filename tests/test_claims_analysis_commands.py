"""`rackrecord claims check`, `gains`, `scaling`, `spread` and `diff`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner, Result

from rackrecord.cli import main

QWEN = "qwen3-vl-235b-a22b"
RUBIN = ["claims", "check", "--subject", "NVIDIA Vera Rubin", "--baseline", "NVIDIA GB300"]


@pytest.fixture(autouse=True)
def _no_imported_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def lines(result: Result) -> list[list[str]]:
    """The cells of every line, parted where two or more spaces are."""
    assert result.exit_code == 0, result.output
    return [re.split(r"\s{2,}", line.strip()) for line in result.stdout.splitlines()]


def data(*arguments: str) -> Any:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


class TestCheck:
    def test_a_statement_given_by_options(self) -> None:
        result = run(*RUBIN, "--benchmark", QWEN, "--multiplier", "3.7", "--round", "v6.1")
        rows = lines(result)
        assert rows[0] == [f"statement: NVIDIA Vera Rubin against NVIDIA GB300, 3.7x on {QWEN}"]
        assert rows[1] == [
            "verdict",
            "supported-in-part: Supported in Interactive (3.74x); Offline 1.83x and Server 1.92x do not "
            "reach it.",
        ]
        assert rows[2][1].startswith("directional: ")
        found = {row[0]: row[-3:] for row in rows if row[0] in ("Offline", "Server", "Interactive")}
        assert found == {
            "Offline": ["1.83", "1.84", "no"],
            "Server": ["1.92", "1.94", "no"],
            "Interactive": ["3.74", "3.74", "yes"],
        }
        assert "349.2922" in result.stdout
        assert "not official MLPerf® metrics" in result.stdout

    def test_as_json_without_what_the_options_do_not_say(self) -> None:
        (check,) = data(*RUBIN, "--benchmark", QWEN, "--multiplier", "3.7", "--round", "v6.1")["checks"]
        assert check["verdict"] == "supported-in-part"
        assert check["scenarios"][2]["compared"][0]["ratio_best"].startswith("3.7407301079")
        assert not {"id", "who", "where", "date", "statement"} & set(check)

    def test_a_gain_of_software_needs_no_baseline(self) -> None:
        (check,) = data(
            *("claims", "check", "--subject", "GB300", "--benchmark", "VLM", "--multiplier", "1.6"),
            *("--round", "v6.1", "--baseline-round", "v6.0"),
        )["checks"]
        assert (check["baseline_accelerator"], check["verdict"]) == ("nvidia-gb300", "not-supported")

    def test_an_absolute_figure(self) -> None:
        result = run(
            *("claims", "check", "--subject", "AMD Instinct MI355X", "--benchmark", "gpt-oss-120b"),
            *("--value", "5750000", "--unit", "Tokens/s", "--accelerators", "512"),
        )
        rows = lines(result)
        assert "11,229.38 per accelerator" in result.stdout
        # 118,042 is the second best of the eight results on 8
        assert ["8", "8", "15,227.25", "14,647.50", "76.7 %"] in rows

    def test_a_scaling_efficiency(self) -> None:
        result = run(
            *("claims", "check", "--subject", "NVIDIA GB300", "--benchmark", "deepseek-r1"),
            *("--efficiency", "0.98", "--accelerators", "288"),
        )
        assert ["Offline", "288", "72", "98.0 %", "100.5 %", "yes"] in lines(result)

    def test_a_profile(self) -> None:
        profile = Path(__file__).parent.parent / "examples" / "qwen3-vl-agent.yaml"
        checks = data("claims", "check", str(profile))["checks"]
        assert {check["id"]: check["verdict"] for check in checks} == {
            "vr-3.7x": "supported-in-part",
            "software-1.6x": "not-supported",
            "after-deadline": "cannot-be-checked",
        }
        result = run("claims", "check", str(profile))
        assert (
            "Interactive: qwen3-vl-235b-a22b Interactive of v6.0 and of v6.1 may not be compared"
            in result.stdout
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "expected PROFILE, or --subject with what is stated of it"),
            (["profile.yaml", "--subject", "X"], "found PROFILE and --subject; expected one or the other"),
            (["--subject", "X", "--multiplier", "many"], "--multiplier: found 'many'; expected a number"),
            (["--subject", "X", "--multiplier", "0"], "--multiplier: expected a number above 0"),
            (
                ["--subject", "X", "--efficiency", "99", "--accelerators", "8"],
                "--efficiency: expected a fraction",
            ),
            (["--subject", "X"], "expected one of"),
            (["--subject", "X", "--multiplier", "2", "--stage", "rumor"], "--stage: found 'rumor'; expected"),
            (["--subject", "X", "--multiplier", "2", "--round", "v9.9"], "round: no round 'v9.9'"),
            (
                ["--subject", "X", "--multiplier", "2", "--benchmark", "gpt-os-120b"],
                "did you mean gpt-oss-120b?",
            ),
        ],
    )
    def test_wrong_input_exits_with_2_and_says_what_is_expected(
        self, arguments: list[str], message: str
    ) -> None:
        result = run("claims", "check", *arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert result.stdout == ""

    def test_text_from_outside_is_made_harmless(self) -> None:
        result = run("claims", "check", "--subject", "GB300\x1b[31m\u202e", "--multiplier", "2")
        assert result.exit_code == 0
        assert not any(character in result.stdout for character in ("\x1b", "\u202e"))


class TestGains:
    def test_the_size_of_both_rounds(self) -> None:
        result = run(
            "claims", "gains", "--accelerator", "GB300", "--benchmark", QWEN, "--from", "v6.0", "--to", "v6.1"
        )
        rows = lines(result)
        assert [
            "Server",
            "4",
            "10.7884",
            "16.1561",
            "1.498",
            "10.4088",
            "16.1535",
            "1.552",
            "3 and 4",
            "Queries/s",
        ] in rows
        assert [
            "Offline",
            "4",
            "15.3111",
            "18.2965",
            "1.195",
            "15.2381",
            "18.1730",
            "1.193",
            "3 and 4",
            "Samples/s",
        ] in rows
        assert "Server: system sizes of one round: 72 only in v6.1" in result.stdout
        assert "the scenario is new in v6.1" in result.stdout

    def test_nothing_in_either_round(self) -> None:
        result = run(
            "claims", "gains", "--accelerator", "T4", "--benchmark", QWEN, "--from", "v6.0", "--to", "v6.1"
        )
        assert "No result of an available system in either round." in result.stdout

    def test_as_json(self) -> None:
        found = data(
            "claims", "gains", "--accelerator", "GB300", "--benchmark", QWEN, "--from", "v6.0", "--to", "v6.1"
        )
        assert [item["scenario"] for item in found["gains"]] == ["Offline", "Server", "Interactive"]

    def test_an_open_accelerator_is_wrong_input(self) -> None:
        result = run(
            "claims", "gains", "--accelerator", "H200", "--benchmark", QWEN, "--from", "v6.0", "--to", "v6.1"
        )
        assert result.exit_code == 2
        assert "it may mean NVIDIA H200 NVL, NVIDIA H200 SXM" in result.stderr


class TestScaling:
    def test_every_accelerator_with_several_sizes(self) -> None:
        rows = lines(run("claims", "scaling", "--benchmark", "deepseek-r1", "--scenario", "server"))
        names = [row[0] for row in rows]
        assert {"NVIDIA GB300", "NVIDIA Vera Rubin (preview)"} <= set(names)
        assert "AMD Instinct MI355X" not in names  # 512 is its only size
        assert ["288", "1", "NVIDIA", "7,041.77", "82.7 %", "7,041.77", "83.0 %", "Tokens/s"] in rows

    def test_one_accelerator_with_one_size(self) -> None:
        found = data("claims", "scaling", "--benchmark", "deepseek-r1", "--accelerator", "MI355X")
        assert [len(curve["points"]) for curve in found["curves"]] == [1, 1]

    def test_nothing_to_show(self) -> None:
        result = run("claims", "scaling", "--benchmark", "e2e-rag")
        assert result.stdout == "No accelerator has comparable results on more than one system size.\n"


class TestSpread:
    def test_one_kind_of_system(self) -> None:
        rows = lines(
            run(
                "claims",
                "spread",
                "--benchmark",
                "gpt-oss-120b",
                "--scenario",
                "Server",
                "--accelerator",
                "GB300",
            )
        )
        expected = ["NVIDIA GB300", "Server", "v6.1", "72", "4", "4", "15,175.14", "15,577.78", "16,117.92"]
        assert [*expected, "6.2 %", "6.2 %", "Tokens/s"] in rows

    def test_an_outlier_is_named(self) -> None:
        result = run(
            "claims", "spread", "--benchmark", "deepseek-r1", "--accelerator", "B300", "--round", "v6.1"
        )
        assert (
            "below 60 % of the median: v6.1/closed/VibeHPC/B300-SXM-270GBx8_TRT/deepseek-r1/Offline"
            in result.stdout
        )

    def test_as_json(self) -> None:
        found = data("claims", "spread", "--benchmark", "gpt-oss-120b", "--accelerator", "GB300")
        assert {item["group"]["size"] for item in found["spreads"]} == {4, 8, 72}

    def test_nothing_to_show(self) -> None:
        result = run("claims", "spread", "--benchmark", QWEN, "--accelerator", "T4")
        assert result.stdout == "No accelerator and system size has more than one result.\n"


class TestDiff:
    def test_two_rounds(self) -> None:
        result = run("claims", "diff", "v6.0", "v6.1")
        rows = lines(result)
        assert rows[0] == ["v6.0 to v6.1, datacenter, closed and network divisions"]
        assert "benchmarks new: e2e-rag" in result.stdout
        assert "benchmarks gone: llama3.1-405b, mixtral-8x7b" in result.stdout
        assert "now available: Intel Arc Pro B70 (preview in v6.0), on e2e-rag, gpt-oss-120b" in result.stdout
        assert "v6.1 admits speculative decoding in Interactive, v6.0 does not" in result.stdout
        expected = [
            "gpt-oss-120b",
            "Server",
            "AMD Instinct MI355X",
            "8",
            "10,267.01",
            "14,155.12",
            "1.379",
            "1.388",
        ]
        assert [*expected, "better", "Tokens/s"] in rows
        assert "NVIDIA Vera Rubin (preview) on 36, NVIDIA Vera Rubin (preview) on 72" in result.stdout

    def test_one_benchmark_as_json(self) -> None:
        (found,) = data("claims", "diff", "v6.0", "v6.1", "--benchmark", "VLM")["diff"]
        assert {item["benchmark"] for item in found["scenarios"]} == {QWEN}

    def test_rounds_without_a_common_system(self) -> None:
        result = run("claims", "diff", "v4.1", "v6.1", "--benchmark", "gpt-oss-120b")
        assert "benchmarks new: gpt-oss-120b" in result.stdout
        assert "No accelerator and size is in both rounds." in result.stdout

    @pytest.mark.parametrize(
        ("rounds", "message"),
        [(("v6.1", "v6.1"), "found v6.1 twice; expected two rounds"), (("v6.0", "v7.0"), "no round 'v7.0'")],
    )
    def test_wrong_rounds(self, rounds: tuple[str, str], message: str) -> None:
        result = run("claims", "diff", *rounds)
        assert result.exit_code == 2
        assert message in result.stderr
