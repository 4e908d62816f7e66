"""The steps of a record's life: what each writes, what is refused, what never changes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pypdf
import pytest

from rackrecord.cli import COMMANDS
from rackrecord.register.lifecycle import _NEXT
from registers import AS_OF, GB200, GB300, content_of, done, make, profile_text, run, seal, tree

ADA = ("--by", "Ada Lovelace", "--on", "2026-06-10")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "records"


def refused(*arguments: object) -> str:
    """What is printed where a command is refused; nothing may have changed."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    return result.stderr


def test_approval_is_in_every_file(records: Path) -> None:
    folder = make(records, formats="md,pdf,xlsx")
    before = content_of(folder)
    said = done("approve", folder, *ADA, "--note", "as tabled")
    assert said.startswith("0001-reasoning-on-deepseek-r1 is approved: 12 × GB300 NVL72 rack")
    record = content_of(folder)
    assert record["status"] == "approved"
    assert record["history"] == [
        {"status": "approved", "by": "Ada Lovelace", "on": "2026-06-10", "note": "as tabled"}
    ]
    decision = record["capacity_decision_record"]["decision"]
    assert (decision["decided"], decision["option"], decision["by"], decision["on"], decision["follows"]) == (
        "Approved.",
        "gb300",
        "Ada Lovelace",
        "2026-06-10",
        True,
    )
    assert record["sha256"] != before["sha256"]
    assert (folder / "record.json").read_bytes() == seal(record)
    changed = {"status", "history", "sha256", "capacity_decision_record"}
    assert {key for key in record if record[key] != before[key]} == changed
    assert "| approved | Ada Lovelace | 2026-06-10 | as tabled |" in (folder / "record.md").read_text()
    pdf = pypdf.PdfReader(folder / "record.pdf")
    signatures = pdf.pages[-1].extract_text()
    assert "Ada Lovelace" in signatures
    assert "2026-06-10" in signatures
    assert "approved" in signatures
    assert pdf.attachments["record.json"] == [(folder / "record.json").read_bytes()]
    assert (folder / "record.xlsx").exists()


def test_checksums_are_those_that_sha256sum_reads(records: Path) -> None:
    folder = make(records)
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    done("approve", folder, *ADA)
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)


def test_formats_page_size_and_foreign_files_stay(records: Path) -> None:
    folder = make(records, None, "--rounds", "v6.0", "--as-of", AS_OF, "--page-size", "Letter", formats="pdf")
    (folder / "signed scan.txt").write_text("scan")
    (folder / "quotes").mkdir()
    (folder / "quotes" / "a.txt").write_text("quote")
    done("reject", folder, *ADA)
    assert pypdf.PdfReader(folder / "record.pdf").pages[0].mediabox.width == 612
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS",
        "profile.yaml",
        "quotes",
        "record.json",
        "record.pdf",
        "signed scan.txt",
    ]
    assert (folder / "quotes" / "a.txt").read_text() == "quote"
    assert [path.name for path in records.iterdir() if path.name.startswith(".")] == [".lock"]


def test_rejection_says_why(records: Path) -> None:
    folder = make(records)
    done("reject", "1", "--records", records, *ADA, "--note", "no budget")
    decision = content_of(folder)["capacity_decision_record"]["decision"]
    assert (decision["decided"], decision["option"], decision["because"]) == ("Rejected.", None, "no budget")
    assert (
        "Rejected. Decided by Ada Lovelace on 2026-06-10. Because: no budget"
        in (folder / "record.md").read_text()
    )


def test_decision_of_the_profile_stays_and_the_approval_is_added(records: Path) -> None:
    text = profile_text() + (
        "decision: {statement: Buy nothing., because: The fleet will do., by: The board, "
        "decided_on: 2026-06-05}\n"
    )
    folder = make(records, text)
    done("approve", folder, *ADA)
    decision = content_of(folder)["capacity_decision_record"]["decision"]
    assert (decision["decided"], decision["by"], decision["on"]) == (
        "Buy nothing.",
        "The board",
        "2026-06-05",
    )
    assert "Approved by Ada Lovelace on 2026-06-10." in (folder / "record.md").read_text()


def test_no_clear_winner_needs_to_say_what_is_approved(records: Path) -> None:
    folder = make(records, profile_text(GB300, GB200))
    before = tree(records)
    assert "say with --note what is approved" in refused("approve", folder, *ADA)
    assert tree(records) == before
    done("approve", folder, *ADA, "--note", "Rent GB300.")
    assert content_of(folder)["capacity_decision_record"]["decision"]["decided"] == "Rent GB300."


def test_decided_record_never_changes(records: Path) -> None:
    folder = make(records)
    done("approve", folder, *ADA)
    before = tree(folder)
    for command in ("approve", "reject", "propose"):
        assert "record 0001 is approved" in refused(command, folder, *ADA)
    done("expire", folder, "--by", "Bo", "--on", "2026-07-01", "--note", "racks given back")
    after = tree(folder)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"afterwards.json"}
    content = json.loads(after["afterwards.json"])
    assert content["record_sha256"] == content_of(folder)["sha256"]
    assert content["changes"] == [
        {
            "status": "expired",
            "by": "Bo",
            "on": "2026-07-01",
            "note": "racks given back",
            "successor": None,
        }
    ]


# Each line: the steps before, the step that is refused, and what is said.
ILLEGAL = [
    ([], "expire", "is proposed, so it cannot become expired; it can become approved or rejected"),
    ([], "propose", "is proposed already"),
    (["approve"], "approve", "is approved already"),
    (["approve"], "reject", "is approved, so it cannot become rejected; it can become superseded or expired"),
    (["reject"], "approve", "is rejected, so it cannot become approved; it can become superseded or expired"),
    (["approve", "expire"], "expire", "is expired already"),
    (["approve", "expire"], "reject", "is approved, so it cannot become rejected"),
]


@pytest.mark.parametrize(("before", "step", "said"), ILLEGAL)
def test_illegal_steps_are_refused(records: Path, before: list[str], step: str, said: str) -> None:
    make(records)
    for command in before:
        done(command, "1", "--records", records, *ADA)
    files = tree(records)
    assert f"record 0001 {said}" in refused(step, "1", "--records", records, *ADA)
    assert tree(records) == files


def test_draft_is_proposed_first(records: Path) -> None:
    folder = make(records, profile_text(status="draft"))
    assert "is draft, so it cannot become approved; it can become proposed" in refused(
        "approve", folder, *ADA
    )
    done("propose", folder, "--by", "Bo", "--on", "2026-06-02")
    done("approve", folder, *ADA)
    assert [step["status"] for step in content_of(folder)["history"]] == ["proposed", "approved"]


def test_steps_are_in_the_order_of_their_days(records: Path) -> None:
    folder = make(records)
    assert "before 2026-06-01" in refused("approve", folder, "--by", "Ada", "--on", "2026-05-31")
    done("approve", folder, *ADA)
    assert "before 2026-06-10" in refused("expire", folder, "--by", "Ada", "--on", "2026-06-09")


def test_changed_record_is_not_approved(records: Path) -> None:
    folder = make(records)
    path = folder / "record.json"
    path.write_bytes(path.read_bytes().replace(b'"racks":12', b'"racks":11', 1))
    before = tree(records)
    assert "does not match its digest" in refused("approve", folder, *ADA)
    assert tree(records) == before


@pytest.mark.parametrize("name", ["", "   ", "a\x1b[2Jb", "a\u202eb", "x" * 2001])
def test_names_are_one_visible_line(records: Path, name: str) -> None:
    make(records)
    assert "--by: found" in refused("approve", "1", "--records", records, "--by", name)


def test_ended_quote_is_said(records: Path) -> None:
    make(records)
    result = run("approve", "1", "--records", records, "--by", "Ada", "--on", "2026-09-01")
    assert result.exit_code == 0
    assert "warning: the price of GB300 NVL72 rack ended on 2026-08-31" in result.stderr


# The successor


def test_superseding_links_both_ways(records: Path) -> None:
    old = make(records)
    new = make(records)
    done("approve", old, *ADA)
    before = tree(old)
    said = done("supersede", "1", "--with", "2", "--records", records, *ADA)
    assert said == "0001-reasoning-on-deepseek-r1 is superseded by 0002-reasoning-on-deepseek-r1\n"
    assert content_of(new)["supersedes"] == 1
    assert "supersedes 0001" in (new / "record.md").read_text()
    assert (new / "record.json").read_bytes() == seal(content_of(new))
    assert json.loads((old / "afterwards.json").read_bytes())["changes"][0]["successor"] == 2
    assert {name: content for name, content in tree(old).items() if name in before} == before
    assert "is superseded already" in refused("supersede", "1", "--with", "2", "--records", records, *ADA)


def test_approving_a_successor_supersedes(records: Path) -> None:
    old = make(records)
    done("approve", old, *ADA)
    new = make(records, None, *("--rounds", "v6.0", "--as-of", AS_OF, "--supersedes", "1"))
    assert content_of(new)["supersedes"] == 1
    assert not (old / "afterwards.json").exists()
    said = done("approve", new, "--by", "Ada", "--on", "2026-06-20")
    assert said.endswith("0001-reasoning-on-deepseek-r1 is superseded by it\n")
    (step,) = json.loads((old / "afterwards.json").read_bytes())["changes"]
    assert (step["status"], step["on"], step["successor"]) == ("superseded", "2026-06-20", 2)


def test_rejecting_a_successor_reinstates(records: Path) -> None:
    old = make(records)
    make(records)
    done("approve", old, *ADA)
    done("supersede", "1", "--with", "2", "--records", records, *ADA)
    said = done("reject", "2", "--records", records, "--by", "Ada", "--on", "2026-07-01")
    assert said.endswith("0001-reasoning-on-deepseek-r1 is in force again\n")
    steps = json.loads((old / "afterwards.json").read_bytes())["changes"]
    assert [step["status"] for step in steps] == ["superseded", "approved"]
    assert steps[1]["note"] == "0002, which superseded it, is rejected"
    done("expire", "1", "--records", records, "--by", "Ada", "--on", "2026-07-02")


def test_successors_that_are_refused(records: Path) -> None:
    old, new, third = make(records), make(records), make(records)
    files = tree(records)
    step = ("--records", records, *ADA)
    assert "record 0001 is proposed" in refused("supersede", "1", "--with", "2", *step)
    assert "a record cannot supersede itself" in refused("supersede", "1", "--with", "1", *step)
    assert "found no record with number 9" in refused("supersede", "1", "--with", "9", *step)
    assert tree(records) == files
    done("approve", old, *ADA)
    done("approve", new, *ADA)
    assert "only a record that is not decided yet can be linked" in refused(
        "supersede", "1", "--with", "2", *step
    )
    done("reject", third, *ADA)
    assert "is rejected; expected a proposed or approved record" in refused(
        "supersede", "1", "--with", "3", *step
    )
    assert not (old / "afterwards.json").exists()


def test_successor_has_one_predecessor(records: Path) -> None:
    for _ in range(3):
        make(records)
    step = ("--records", records, *ADA)
    done("approve", "1", *step)
    done("approve", "2", *step)
    done("supersede", "1", "--with", "3", *step)
    assert "record 0003 supersedes 0001 already" in refused("supersede", "2", "--with", "3", *step)


def test_successor_of_an_open_record_is_not_approved(records: Path) -> None:
    make(records)
    make(records, None, *("--rounds", "v6.0", "--as-of", AS_OF, "--supersedes", "1"))
    said = refused("approve", "2", "--records", records, *ADA)
    assert "record 0002 supersedes 0001, which is proposed; decide on that one first" in said


def test_successor_from_another_register(records: Path, tmp_path: Path) -> None:
    make(records)
    other = make(tmp_path / "other")
    done("approve", "1", "--records", records, *ADA)
    assert "expected a record of the same register" in refused(
        "supersede", "1", "--with", other, "--records", records, *ADA
    )


# How a record is named


def test_record_is_named_by_folder_file_name_or_number(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [lambda f: f, lambda f: f / "record.json", lambda f: f.name, lambda f: "4", lambda f: "0005"]
    for name in names:
        folder = make(records)
        done("approve", name(folder), "--records", records, *ADA)
        assert content_of(folder)["status"] == "approved"
    folder = make(records)
    monkeypatch.chdir(folder)
    done("approve", ".", *ADA)
    assert content_of(folder)["status"] == "approved"


@pytest.mark.parametrize("name", ["7", "nothing", "", "../..", "record.json"])
def test_no_such_record(records: Path, name: str) -> None:
    make(records)
    said = refused("approve", name, "--records", records, *ADA)
    assert "expected a record's folder" in said or "found no record with number 7" in said


def test_two_records_with_one_number(records: Path) -> None:
    folder = make(records)
    folder.rename(records / "0001-a")
    make(records / ".." / "x")
    (records.parent / "x" / "0001-reasoning-on-deepseek-r1").rename(records / "0001-b")
    assert "found 2 records with number 1: 0001-a, 0001-b" in refused(
        "approve", "1", "--records", records, *ADA
    )


def test_documented_commands_are_those_that_there_are() -> None:
    """docs/register.md has every command of the register, with the steps that lead on, and no other."""
    text = (Path(__file__).parents[1] / "docs" / "register.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`rackrecord ([a-z]+)", text))
    assert named <= set(COMMANDS)
    register = {"record", "register", "review", "recheck", "verify", "extract"}
    steps = {"propose": "proposed", "approve": "approved", "reject": "rejected", "supersede": "superseded"}
    assert register | steps.keys() | {"expire"} <= named
    rows = [
        [cell.strip() for cell in line.split("|")]
        for line in text.splitlines()
        if line.startswith("| `rackrecord ")
    ]
    documented = {(before, row[3]) for row in rows for before in row[2].split(", ") if before}
    assert documented == {(before, after) for before, following in _NEXT.items() for after in following}
