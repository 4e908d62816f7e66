"""Own load tests in a record: shown, judged against the SLO, never mixed with verified results.

The sweep follows `vllm bench serve --append-result` (docs/measurements.md): one object a line.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deciding import example_text
from rackrecord.cli import main
from rackrecord.record import DecisionRecord, read_record
from rackrecord.selection.reasons import Reason

# concurrency, output tokens/s of the server, p99 TTFT and p99 TPOT in ms; the profile asks for 3,000 and 80
SWEEP = ((64, 42000, 900, 35), (256, 71000, 2100, 62), (512, 83000, 2900, 79), (1024, 91000, 6100, 120))
B300 = "    delivery: 2027-02-12\n"
GB300 = "    delivery: 2027-02-26\n"
MI355X = "    delivery: 2027-01-15\n"


def line(concurrency: int, rate: int, ttft: int, tpot: int) -> str:
    seconds, completed = 600, 21000
    return json.dumps(
        {
            "backend": "vllm",
            "model_id": "gpt-oss-120b",
            "num_prompts": completed,
            "request_rate": "inf",
            "max_concurrency": concurrency,
            "duration": float(seconds),
            "completed": completed,
            "failed": 0,
            "total_input_tokens": 2 * rate * seconds,
            "total_output_tokens": rate * seconds,
            "request_throughput": completed / seconds,
            "output_throughput": float(rate),
            "total_token_throughput": 3.0 * rate,
            "mean_ttft_ms": ttft / 3,
            "median_ttft_ms": ttft / 3,
            "p99_ttft_ms": float(ttft),
            "mean_tpot_ms": tpot / 2,
            "median_tpot_ms": tpot / 2,
            "p99_tpot_ms": float(tpot),
        }
    )


def block(name: str, accelerators: int | None) -> str:
    count = f"\n      accelerators: {accelerators}" if accelerators is not None else ""
    return f"    measurements:\n      files: [{name}]{count}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sweep.jsonl").write_text("\n".join(line(*point) for point in SWEEP))
    return tmp_path


def run(folder: Path, text: str) -> Result:
    (folder / "profile.yaml").write_text(text, encoding="utf-8")
    arguments = ["record", "profile.yaml", "--records", "r", "--as-of", "2026-11-30", "--formats", "md"]
    runner = CliRunner()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runner.invoke(main, arguments)


def made(folder: Path, text: str) -> tuple[DecisionRecord, str]:
    result = run(folder, text)
    assert result.exit_code == 0, result.output
    (place,) = (folder / "r").glob("0001-*")
    return read_record((place / "record.json").read_bytes(), "record.json"), (place / "record.md").read_text()


def test_one_option_of_three_is_shown_and_not_mixed(folder: Path) -> None:
    text = example_text("gpt-oss-server").replace(B300, B300 + block("sweep.jsonl", 8))
    record, markdown = made(folder, text)
    (replay,) = record.measurements
    # 83,000 is the most that meets both limits; 91,000 has a TTFT of 6.1 s
    assert (replay.option, replay.chosen) == ("hgx-b300", 2)
    assert [point.meets for point in replay.points] == [True, True, True, False]
    # 83,000 / 8 = 10,375 of 13,405.8125 verified: 0.773918
    assert replay.realized_fraction is not None
    assert abs(replay.realized_fraction - Decimal("0.7739180296")) < Decimal("1e-9")
    # the profile states 0.7 for all, and so it stays
    assert {figures.realized_fraction for figures in record.options} == {Decimal("0.7")}
    assert {figures.basis for figures in record.options} == {"verified"}
    assert record.comparison.ranking == ("gb300-nvl72", "hgx-b300", "mi355x-rented")
    assert "not mixed in" in (record.basis_note or "")
    assert "realized fraction 0.774" in markdown
    assert "not an MLPerf® result" in markdown


def test_measurements_are_among_the_claims_that_are_no_evidence(folder: Path) -> None:
    text = example_text("gpt-oss-server").replace(B300, B300 + block("sweep.jsonl", 8))
    record, _ = made(folder, text)
    selection = record.evidence[0]
    own = [item for item in selection.excluded_statements if item.kind == "measurement"]
    assert [item.reasons for item in own] == [(Reason.NOT_VERIFIED,)] * 4
    # 3,397 published, one statement, four points
    assert selection.claims_considered == 3402
    elsewhere = sum(item.claims for item in selection.out_of_scope)
    counted = len(selection.used) + len(selection.excluded) + len(selection.excluded_statements)
    assert counted + elsewhere == 3402


def test_the_measured_basis_needs_every_option(folder: Path) -> None:
    policy = "policy:\n  basis: measured\n"
    text = example_text("gpt-oss-server").replace(B300, B300 + block("sweep.jsonl", 8)) + policy
    record, _ = made(folder, text)
    assert {figures.basis for figures in record.options} == {"verified"}
    assert "missing: GB300 NVL72 rack, bought, MI355X rack of 8 servers, rented" in (record.basis_note or "")


def test_ranked_on_measurements_of_every_option(folder: Path) -> None:
    (folder / "gb300.jsonl").write_text(line(4096, 936000, 2500, 70))
    (folder / "mi355x.jsonl").write_text(line(512, 88000, 2800, 75))
    text = example_text("gpt-oss-server") + "policy:\n  basis: measured\n"
    text = text.replace(B300, B300 + block("sweep.jsonl", 8))
    text = text.replace(GB300, GB300 + block("gb300.jsonl", 72))
    text = text.replace(MI355X, MI355X + block("mi355x.jsonl", 8))
    record, markdown = made(folder, text)
    assert {figures.basis for figures in record.options} == {"measured"}
    rates = {figures.option: figures.rate_per_accelerator for figures in record.options}
    # 936,000 / 72 · 83,000 / 8 · 88,000 / 8
    assert rates == {"gb300-nvl72": 13000, "hgx-b300": 10375, "mi355x-rented": 11000}
    assert {figures.realized_fraction for figures in record.options} == {Decimal(1)}
    assert record.comparison.strength.value != "robust"
    assert "they are not MLPerf® results" in markdown


def test_without_a_count_there_is_no_fraction(folder: Path) -> None:
    text = example_text("gpt-oss-server").replace(B300, B300 + block("sweep.jsonl", None))
    record, markdown = made(folder, text)
    assert record.measurements[0].realized_fraction is None
    assert "the number of accelerators measured is not known" in markdown


def test_nothing_that_meets_the_slo(folder: Path) -> None:
    (folder / "slow.json").write_text(line(1024, 91000, 6100, 120))
    text = example_text("gpt-oss-server").replace(B300, B300 + block("slow.json", 8))
    record, markdown = made(folder, text)
    assert (record.measurements[0].chosen, record.measurements[0].realized_fraction) == (None, None)
    assert "no measured point is known to meet the SLO" in markdown


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.json", None, "missing.json"),
        ("empty.json", "", "empty.json"),
        ("other.json", '{"a": 1}', "other.json"),
        ("cut.json", line(1, 2, 3, 4)[:80], "cut.json"),
    ],
)
def test_a_wrong_file_is_wrong_input(folder: Path, name: str, content: str | None, message: str) -> None:
    if content is not None:
        (folder / name).write_text(content)
    result = run(folder, example_text("gpt-oss-server").replace(B300, B300 + block(name, 8)))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (folder / "r").exists()
