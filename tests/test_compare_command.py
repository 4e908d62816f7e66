"""`rackrecord compare`: records side by side, from folders, files and numbers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deciding import example_record, record_of
from rackrecord.cli import main
from rackrecord.record import DecisionRecord


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def save(records: Path, name: str, record: DecisionRecord) -> Path:
    folder = records / name
    folder.mkdir(parents=True)
    (folder / "record.json").write_bytes(record.to_json())
    return folder


def dearer() -> DecisionRecord:
    """The first example with twice the leader's price; number 2."""
    record = record_of(
        "gpt-oss-server", lambda text: text.replace("3900000", "7800000").replace("4300000", "8000000")
    )
    return record.model_copy(update={"number": 2}).sealed()


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("register")
    save(folder, "0001-first", example_record("gpt-oss-server"))
    save(folder, "0002-dearer", dearer())
    other = example_record("deepseek-interactive").model_copy(update={"number": 3}).sealed()
    save(folder, "0003-other", other)
    return folder


def test_json_has_the_figures_as_numbers_and_names_what_differs(records: Path) -> None:
    result = run(records / "0001-first", records / "0002-dearer" / "record.json", "--format", "json")
    assert result.exit_code == 0
    content = json.loads(result.stdout)
    first, second = content["records"]
    record = example_record("gpt-oss-server")
    best = record.figures("gb300-nvl72")
    assert best is not None
    assert first["cost per million output tokens"] == float(best.cost_per_million_tokens)
    assert (first["racks"], first["number"], second["number"]) == (9, 1, 2)
    assert first["recommended"] == "GB300 NVL72 rack, bought"
    assert second["recommended"] != first["recommended"]
    assert "recommended" in content["differs"]
    assert "title" not in content["differs"]
    assert content["notes"] == []


def test_the_table_marks_what_differs(records: Path) -> None:
    lines = run("1", "2", "--records", records).stdout.splitlines()
    marked = {line[3:33].strip() for line in lines if line.startswith("\u2260  ")}
    plain = {line[3:33].strip() for line in lines if line.startswith("   ")}
    assert {"number", "racks", "recommended", "cost per million output tokens"} <= marked
    assert {"title", "workload", "currency", "status"} <= plain
    assert any("0.09483 USD" in line for line in lines)


def test_records_on_different_bases_say_so(records: Path) -> None:
    text = run("1", "3", "--records", records).stdout
    assert "The records differ in workload, so they are not on one basis" in text
    assert "workload" not in run("1", "2", "--records", records).stdout.split("\u2260 the records differ")[1]


def test_csv_is_one_row_a_fact(records: Path) -> None:
    rows = list(csv.reader(io.StringIO(run("1", "2", "--records", records, "--format", "csv").stdout)))
    assert rows[0] == ["fact", "differs", "record 1", "record 2"]
    facts = {row[0]: row[1:] for row in rows[1:]}
    assert facts["racks"][:2] == ["yes", "9"]
    assert facts["currency"] == ["no", "USD", "USD"]
    assert {len(row) for row in rows} == {4}


def test_markdown_is_a_pipe_table(records: Path) -> None:
    lines = run("1", "2", "3", "--records", records, "--format", "md").stdout.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert table[0] == "| | record 1 | record 2 | record 3 |"
    assert {line.replace("\\|", "").count("|") for line in table} == {5}
    assert "| **number** | **0001** | **0002** | **0003** |" in table


def test_foreign_text_stays_text(tmp_path: Path) -> None:
    hostile = "=cmd()|<b>\u202e\x07 | x"
    record = example_record("gpt-oss-server")
    first = save(tmp_path, "a", record)
    second = save(tmp_path, "b", record.model_copy(update={"title": hostile}).sealed())
    for form in ("text", "md", "csv"):
        text = run(first, second, "--format", form).stdout
        assert not set(text) & {"\u202e", "\x07"}
    assert "'=cmd()" in run(first, second, "--format", "csv").stdout
    assert "\\<b\\>" in run(first, second, "--format", "md").stdout


def test_all_that_is_wrong_is_said_at_once(records: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "record.json").write_text("{}", encoding="utf-8")
    changed = tmp_path / "changed"
    changed.mkdir()
    data = (records / "0001-first" / "record.json").read_bytes()
    (changed / "record.json").write_bytes(data.replace(b"Reasoning service", b"Another service", 1))
    result = run("1", "77", broken, changed, "--records", records)
    assert result.exit_code == 2
    assert result.stdout == ""
    problems = result.stderr.splitlines()
    assert len(problems) == 3
    assert "number 77" in problems[0]
    assert "is not a capacity decision record" in problems[1]
    assert "does not match its digest" in problems[2]


def test_one_record_is_nothing_to_compare(records: Path) -> None:
    result = run("1", "--records", records)
    assert result.exit_code == 2
    assert "expected two or more" in result.stderr
    assert run().exit_code == 2


def test_a_later_status_counts(records: Path, tmp_path: Path) -> None:
    """A record that was superseded after its decision keeps its JSON; what happened stands beside it."""
    record = example_record("gpt-oss-server")
    folder = save(tmp_path, "0001-first", record)
    later = {
        "schema_version": 1,
        "record_sha256": record.sha256,
        "changes": [
            {"status": "superseded", "by": "Somebody", "on": "2027-01-02", "note": None, "successor": 2}
        ],
    }
    (folder / "afterwards.json").write_text(json.dumps(later), encoding="utf-8")
    content = json.loads(run(folder, records / "0001-first", "--format", "json").stdout)
    assert [facts["status"] for facts in content["records"]] == ["superseded", "proposed"]
    assert content["differs"] == ["status"]
