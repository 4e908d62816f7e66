"""`rackrecord claims list`, `show`, `rounds` and `import` as a user sees them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from catalog_rows import V61, csv_file, json_list, json_object
from rackrecord.catalog.store import bundled_catalog
from rackrecord.cli import main

Run = Callable[..., Result]

GB300_SERVER = (
    "--benchmark",
    "gpt-oss-120b",
    "--scenario",
    "Server",
    "--round",
    "v6.1",
    "--division",
    "closed",
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `rackrecord claims …` with a user data folder of its own; no crash is hidden."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*arguments: object) -> Result:
        result = CliRunner().invoke(main, ["claims", *map(str, arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


def rows(result: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result.stdout)))


# --- list


def test_list_shows_what_results_share_once(run: Run) -> None:
    result = run("list", *GB300_SERVER, "--accelerator", "NVIDIA GB300")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "gpt-oss-120b · v6.1 · Server · closed · available · datacenter · Tokens/s"
    assert lines[1].split() == ["SUBMITTER", "ACCELERATOR", "COUNT", "RESULT", "PER", "ACCELERATOR", "ID"]
    nvidia = next(line for line in lines if line.startswith("NVIDIA") and "x72_TRT" in line)
    assert nvidia.split() == [
        "NVIDIA",
        "NVIDIA",
        "GB300",
        "72",
        "1,120,710.0",
        "15,565.42",
        "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server",
    ]
    assert lines[-1] == "9 results; per accelerator: derived, not an official MLPerf® metric"
    assert len(lines) == 9 + 3


def test_columns_line_up(run: Run) -> None:
    lines = run("list", *GB300_SERVER).stdout.splitlines()[1:-1]
    start = lines[0].index("ID")
    assert all(line[start:].startswith("v6.1/") and line[start - 1] == " " for line in lines[1:])


@pytest.mark.parametrize(
    ("filters", "number"),
    [
        ((), 3397),
        (("--round", "v6.1"), 492),
        (("--round", "v6.1", "--round", "v6.0"), 1012),
        (("--benchmark", "gpt-oss-120b", "--round", "v6.1"), 112),
        (("--benchmark", "VLM", "--round", "v6.1", "--division", "closed"), 46),
        # 80 of the 181 results of v6.0 are at 99.9 %
        (("--benchmark", "llama2-70b", "--round", "v6.0"), 181),
        (("--benchmark", "llama2-70b-99.9", "--round", "v6.0"), 80),
        (("--availability", "preview", "--round", "v6.1"), 8),
        (("--availability", "RDI"), 4),
        (("--division", "open", "--round", "v6.1"), 16),
        (("--accelerator", "VR200"), 8),
        (("--accelerator", "nvidia-vera-rubin", "--submitter", "nebius"), 2),
        (("--accelerator", "Nvidia B300-SXM-270GB", "--round", "v6.1"), 131),
        (("--scenario", "multistream", "--round", "v6.1"), 5),
        # a mixed system is found by each of its kinds
        (("--accelerator", "MI350X", "--submitter", "Cisco", "--round", "v6.1"), 8),
        (("--submitter", "Nobody"), 0),
    ],
)
def test_filters(run: Run, filters: tuple[str, ...], number: int) -> None:
    result = run("list", *filters, "--format", "csv")
    assert result.exit_code == 0
    assert len(rows(result)) == number
    assert len(json.loads(run("list", *filters, "--format", "json").stdout)) == number
    last = run("list", *filters).stdout.splitlines()[-1]
    assert last.startswith(f"{number:,} results")


def test_csv_has_every_field(run: Run) -> None:
    (row,) = rows(
        run(
            "list",
            "--benchmark",
            "gpt-oss-120b",
            "--submitter",
            "Crusoe",
            "--format",
            "csv",
            "--scenario",
            "Offline",
            "--accelerator",
            "MI355X",
        )
    )[:1]
    assert row["id"] == "v6.1/closed/Crusoe/512xMI355X_Crusoe_GPT/gpt-oss-120b/Offline"
    assert row["value"] == "5749440.0"
    assert row["accelerator_count"] == "512"
    assert row["per_accelerator_derived"] == "11229.375000"
    assert row["retrieved"] == "2026-11-30"
    assert row["published"] == "2026-09-16"
    assert set(row) == set(bundled_catalog().claims("rgat")[0].model_dump()) | {"per_accelerator_derived"}


def test_json_has_numbers(run: Run) -> None:
    found = json.loads(run("list", "--benchmark", "rgat", "--round", "v6.1", "--format", "json").stdout)
    assert len(found) == 5
    for claim in found:
        assert isinstance(claim["value"], float)
        if claim["accelerator_count"]:
            assert claim["per_accelerator_derived"] == pytest.approx(
                claim["value"] / claim["accelerator_count"]
            )
        else:
            assert claim["per_accelerator_derived"] is None


def test_a_latency_has_no_figure_per_accelerator(run: Run) -> None:
    found = rows(run("list", "--benchmark", "yolo", "--round", "v6.1", "--format", "csv"))
    derived = {row["unit"]: bool(row["per_accelerator_derived"]) for row in found}
    assert derived == {"Latency (ms)": False, "Samples/s": True}


def test_an_unclear_count_says_so(run: Run) -> None:
    table = run("list", "--benchmark", "gpt-oss-120b", "--round", "v6.0", "--submitter", "AMD").stdout
    line = next(line for line in table.splitlines() if "94xMI355X" in line)
    assert "unclear" in line
    assert "count-conflict" in line


def test_unknown_names_are_all_reported_with_the_nearest(run: Run) -> None:
    result = run(
        "list",
        "--benchmark",
        "gptoss-120b",
        "--scenario",
        "sever",
        "--round",
        "v6.2",
        "--accelerator",
        "GB30",
        "--division",
        "closd",
        "--availability",
        "avail",
    )
    assert result.exit_code == 2
    assert result.stdout == ""
    problems = result.stderr.splitlines()
    assert len(problems) == 6
    for text in (
        "no benchmark 'gptoss-120b' (did you mean gpt-oss-120b?)",
        "no scenario 'sever' (did you mean Server?)",
        "no round 'v6.2' (did you mean v6.1?); expected one of v4.1, v5.1, v6.0, v6.1",
        "no accelerator 'GB30'",
        "no division 'closd' (did you mean closed?)",
        "no availability 'avail' (did you mean available?)",
    ):
        assert any(text in problem for problem in problems), text


def test_two_kinds_are_no_kind(run: Run) -> None:
    result = run("list", "--accelerator", "amd-mi300x+amd-mi325x")
    assert result.exit_code == 2
    assert "expected one kind" in result.stderr


# --- show


def test_show(run: Run) -> None:
    result = run("show", "v6.0/closed/AMD/87xMI355X_22xEPYC_9575F/llama2-70b-99.9/Offline")
    assert result.exit_code == 0
    text = result.stdout
    for part in (
        "1,042,110.0 Tokens/s",
        "AMD Instinct MI355X 288GB HBM3e (x87)",
        "count-conflict: accelerator counts disagree: total 88, 11 nodes x 8 each 88, accelerator's name 87",
        "comparable rounds   v4.0, v4.1, v5.0, v5.1, v6.0, v6.1",
        "question answering (OpenOrca)",
        "mean output tokens     284.3",
        "official result id  6.0-0001",
        "Retrieved from",
        "MLPerf® Inference v6.0 Closed Datacenter llama2-70b-99.9 Offline",
    ):
        assert part in text, part
    assert all(len(line) <= 130 for line in text.splitlines())


def test_show_limits(run: Run) -> None:
    platform = "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT"
    assert "TTFT 3000 ms, TPOT 80 ms" in run("show", f"{platform}/gpt-oss-120b/Server").stdout
    (yolo, *_) = [claim.id for claim in bundled_catalog().claims("yolo") if claim.round == "v6.1"]
    assert "not on record" in run("show", yolo).stdout


def test_show_json(run: Run) -> None:
    claim_id = "v6.0/closed/AMD/87xMI355X_22xEPYC_9575F/llama2-70b-99.9/Offline"
    (claim,) = json.loads(run("show", claim_id, "--format", "json").stdout)
    assert claim["id"] == claim_id
    assert claim["accelerator_count"] is None
    assert [caveat["code"] for caveat in claim["caveats"]] == ["count-conflict"]


def test_show_measured_power(run: Run) -> None:
    claim = next(claim for claim in bundled_catalog().all_claims() if claim.power is not None)
    assert f"{claim.power:,f} {claim.power_unit}" in run("show", claim.id).stdout


def test_show_by_official_id(run: Run) -> None:
    # v6.0 names one id for all results of the 87-accelerator system
    result = run("show", "6.0-0001")
    assert result.exit_code == 0
    assert result.stdout.count("official result id  6.0-0001") == 6


def test_show_an_unknown_id(run: Run) -> None:
    result = run("show", "v6.0/closed/AMD/87xMI355X_22xEPYC/llama2-70b-99.9/offline")
    assert result.exit_code == 2
    assert (
        "the nearest ids are: v6.0/closed/AMD/87xMI355X_22xEPYC_9575F/llama2-70b-99.9/Offline, "
        in result.stderr
    )
    assert "expected an id that `claims list` shows" in run("show", "?").stderr


# --- rounds


def test_rounds(run: Run) -> None:
    lines = run("rounds").stdout.splitlines()
    assert [line.split()[:4] for line in lines[1:5]] == [
        ["v4.1", "2024-08-28", "937", "9"],
        ["v5.1", "2025-09-09", "1,448", "14"],
        ["v6.0", "2026-04-01", "520", "16"],
        ["v6.1", "2026-09-16", "492", "14"],
    ]
    assert "v6.0: taken from a public fork of the results repository" in lines
    assert any(line.startswith("v7.0: expected 2027-04; expected, not announced") for line in lines)
    assert lines[-1] == f"3,397 results, catalog digest {bundled_catalog().digest}"


def test_rounds_json(run: Run) -> None:
    rounds = json.loads(run("rounds", "--format", "json").stdout)
    assert [(info["round"], info["results"]) for info in rounds] == [
        ("v4.1", 937),
        ("v5.1", 1448),
        ("v6.0", 520),
        ("v6.1", 492),
    ]


# --- import


def write(folder: Path, data: bytes, name: str = "summary.csv") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


NEW: dict[str, Any] = {**V61, "Organization": "Example"}
NEW_ID = "v6.1/closed/Example/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"


def test_import_into_the_default_folder(run: Run, tmp_path: Path) -> None:
    result = run(
        "import", write(tmp_path, csv_file(V61, NEW)), "--retrieved", "2026-12-01", "--source", "my source"
    )
    assert result.exit_code == 0
    assert (
        "v6.1: 2 results read, 1 added, 1 there already, 0 different and left as they were" in result.stdout
    )
    folder = tmp_path / "data" / "rackrecord" / "catalog"
    assert f"written to {folder}" in result.stdout
    assert len(list(folder.iterdir())) == 1
    shown = run("show", NEW_ID).stdout
    assert "2026-12-01" in shown
    assert "my source" in shown
    assert "493" in run("rounds").stdout


def test_import_twice(run: Run, tmp_path: Path) -> None:
    path, folder = write(tmp_path, json_object(NEW), "summary.json"), tmp_path / "mine"
    assert run("import", path, "--catalog", folder).exit_code == 0
    again = run("import", path, "--catalog", folder)
    assert again.exit_code == 0
    assert "0 added, 1 there already" in again.stdout
    assert "nothing new, nothing written" in again.stdout
    assert len(list(folder.iterdir())) == 1
    assert len(rows(run("list", "--submitter", "Example", "--catalog", folder, "--format", "csv"))) == 1
    assert rows(run("list", "--submitter", "Example", "--format", "csv")) == []


def test_import_reports_what_differs_and_exits_with_1(run: Run, tmp_path: Path) -> None:
    result = run("import", write(tmp_path, csv_file({**V61, "Result": "1.5"})))
    assert result.exit_code == 1
    there = "v6.1/closed/Azure/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"
    assert f"differs: {there}: value is '542075.0', in the file '1.5'" in result.stdout
    assert "1 different and left as they were" in result.stdout
    assert not (tmp_path / "data").exists()


def test_import_of_a_broken_file(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    path = write(tmp_path, csv_file({**NEW, "Result": "fast", "Units": ""}))
    result = run("import", path, "--catalog", folder)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"{path}:2: row 1, Result: found 'fast', expected a number",
        f"{path}:2: row 1, Units: found '', expected a value",
    ]
    assert not folder.exists()


def test_import_of_a_new_round(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, csv_file({**NEW, "version": "v7.0"}))
    refused = run("import", path)
    assert refused.exit_code == 2
    assert "the publication date of round v7.0 is not on record (--published DATE)" in refused.stderr
    assert run("import", path, "--published", "2027-04-07").exit_code == 0
    lines = run("rounds").stdout.splitlines()
    assert lines[5].split()[:3] == ["v7.0", "2027-04-07", "1"]
    assert not any("expected, not announced" in line for line in lines)


def test_import_names_columns_it_does_not_use(run: Run, tmp_path: Path) -> None:
    result = run("import", write(tmp_path, csv_file({**NEW, "carbon": "7"})))
    assert "columns not used: carbon" in result.stderr


def test_a_big_import_shows_progress(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rackrecord.cli import claims

    with monkeypatch.context() as patch:
        patch.setattr(claims, "_BIG_FILE", 10)
        result = run("import", write(tmp_path, csv_file(NEW)))
    assert "Reading summary.csv" in result.stderr
    assert "Reading" not in run("import", tmp_path / "summary.csv").stderr


def test_a_catalog_folder_that_is_not_there(run: Run, tmp_path: Path) -> None:
    for command in (("list",), ("show", "x"), ("rounds",)):
        result = run(*command, "--catalog", tmp_path / "typo")
        assert result.exit_code == 2
        assert "there is no folder" in result.stderr


def test_a_damaged_import_is_said(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    run("import", write(tmp_path, csv_file(NEW)), "--catalog", folder)
    (path,) = folder.rglob("*.csv")
    path.write_bytes(path.read_bytes().replace(b"Example", b"Exempla"))
    result = run("list", "--benchmark", "deepseek-r1", "--catalog", folder)
    assert result.exit_code == 2
    assert f"{path}: changed or damaged" in result.stderr


# --- text from others


HOSTILE = {
    "Organization": "=HYPERLINK(0)",
    "SystemName": "@SUM(1+1)|cmd",
    "framework": "-2+3",
    "weight_data_types": "+fp4",
    "accelerator_model_name": "GB\u202e300 \u2066chip\u200b",
}


def test_formulas_are_text_in_csv(run: Run, tmp_path: Path) -> None:
    run("import", write(tmp_path, json_list(V61 | HOSTILE), "summary.json"))
    (row,) = rows(run("list", "--submitter", "=HYPERLINK(0)", "--format", "csv"))
    assert row["submitter"] == "'=HYPERLINK(0)"
    assert row["system"] == "'@SUM(1+1)|cmd"
    assert row["software"] == "'-2+3"
    assert row["precision_as_submitted"] == "'+fp4"
    assert row["value"] == "542075.0"
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())


def test_hidden_characters_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    run("import", write(tmp_path, json_object(V61 | HOSTILE), "summary.json"))
    claim_id = "v6.1/closed/=HYPERLINK(0)/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"
    for result in (run("list", "--submitter", "=HYPERLINK(0)"), run("show", claim_id)):
        assert result.exit_code == 0
        assert "GB300 chip" in result.stdout
        assert not any(character in result.stdout for character in "\u202e\u2066\u200b")


def test_help_names_every_command(run: Run) -> None:
    text = run("--help").stdout
    for command in ("list", "show", "rounds", "import"):
        assert f"\n  {command} " in text
