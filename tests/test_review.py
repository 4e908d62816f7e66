"""The review: each trigger on the day before, on and after it goes off, and what answers it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from registers import GB300, RUBIN, content_of, done, make, profile_text, run, seal

# The record is as of 2026-06-01 on v5.1 and v6.0 (published 2026-04-01); its review date is 2026-12-15 and
# its quote ends on 2026-08-31. v6.1 was published on 2026-09-16.


def items(records: Path, as_of: str, *options: object) -> list[dict[str, Any]]:
    """What the review lists; its exit code has to tell whether something is due."""
    result = run("review", "--records", records, "--as-of", as_of, "--format", "json", *options)
    found: list[dict[str, Any]] = json.loads(result.stdout)["items"]
    due = any(item["state"] in ("due", "overdue") for item in found)
    assert result.exit_code == (1 if due else 0)
    return found


def states(records: Path, as_of: str, *options: object) -> dict[str, str]:
    return {item["kind"]: item["state"] for item in items(records, as_of, *options)}


@pytest.fixture
def on_v61(tmp_path: Path) -> Path:
    """A register with a record on every round that there is."""
    return make(tmp_path / "records", None, "--as-of", "2026-11-30").parent


@pytest.fixture
def on_v60(tmp_path: Path) -> Path:
    return make(tmp_path / "records").parent


@pytest.mark.parametrize(
    ("as_of", "state"),
    [
        ("2026-11-14", None),
        ("2026-11-15", "soon"),
        ("2026-12-14", "soon"),
        ("2026-12-15", "due"),
        ("2026-12-16", "overdue"),
    ],
)
def test_review_date(on_v61: Path, as_of: str, state: str | None) -> None:
    """30 days before 2026-12-15 is 2026-11-15."""
    assert states(on_v61, as_of).get("date") == state


@pytest.mark.parametrize(
    ("as_of", "state", "text"),
    [
        ("2026-08-30", "soon", "quote ends: GB300 NVL72 rack"),
        ("2026-08-31", "due", "quote ends: GB300 NVL72 rack"),
        ("2026-09-01", "overdue", "quote has ended: GB300 NVL72 rack"),
    ],
)
def test_quote(on_v61: Path, as_of: str, state: str, text: str) -> None:
    (item,) = [item for item in items(on_v61, as_of) if item["kind"] == "quote-expires"]
    assert (item["state"], item["text"], item["due"]) == (state, text, "2026-08-31")


@pytest.mark.parametrize(
    ("as_of", "state"), [("2027-09-15", "soon"), ("2027-09-16", "due"), ("2027-09-17", "overdue")]
)
def test_evidence_older_than_a_year(on_v61: Path, as_of: str, state: str) -> None:
    (item,) = [item for item in items(on_v61, as_of) if item["kind"] == "evidence-age"]
    assert (item["state"], item["due"]) == (state, "2027-09-16")
    assert item["text"].endswith("a year old")


def test_next_round_is_judged_against_the_catalog_of_today(on_v60: Path) -> None:
    """v6.1 has 76 results on deepseek-r1 (the official summary), and v6.0 may be compared with it."""
    (item,) = [item for item in items(on_v60, "2026-09-20") if item["kind"] == "next-round"]
    assert (item["state"], item["subject"], item["due"], item["days"]) == ("due", "v6.1", "2026-09-16", 4)
    assert item["text"] == "v6.1 published: 76 results on deepseek-r1, comparable with v6.0"


def test_round_that_the_record_knows_is_not_new(on_v61: Path) -> None:
    assert "next-round" not in states(on_v61, "2026-12-01")


def test_record_that_does_not_wait_for_rounds(tmp_path: Path) -> None:
    text = profile_text().replace("next_round: true", "next_round: false")
    records = make(tmp_path / "records", text).parent
    assert "next-round" not in states(records, "2026-12-01")


def test_preview_that_should_have_come_back(tmp_path: Path) -> None:
    """A day on which a watched preview had to be back, as its trigger has it."""
    folder = make(tmp_path / "records", profile_text(GB300, RUBIN), "--as-of", "2026-11-30")
    content = content_of(folder)
    for trigger in content["triggers"]:
        if trigger["kind"] == "preview-available":
            assert trigger["due"] is None  # the next round is only expected
            trigger["due"] = "2027-04-30"
    (folder / "record.json").write_bytes(seal(content))
    assert states(folder.parent, "2027-04-29")["preview-available"] == "soon"
    (item,) = [item for item in items(folder.parent, "2027-05-01") if item["kind"] == "preview-available"]
    assert item["state"] == "overdue"
    assert item["text"] == (
        "NVIDIA Vera Rubin, a preview, was to be available by 2027-04-30 and is not in the catalog"
    )


# What is listed


def test_within(on_v61: Path) -> None:
    assert "date" not in states(on_v61, "2026-12-01", "--within", 13)
    assert states(on_v61, "2026-12-01", "--within", 14)["date"] == "soon"
    assert states(on_v61, "2026-12-15", "--within", 0)["date"] == "due"


def test_most_urgent_first(tmp_path: Path) -> None:
    records = tmp_path / "records"
    make(records, None, "--as-of", "2026-11-30")
    make(records)
    found = [(item["state"], item["due"], item["number"]) for item in items(records, "2026-12-15")]
    assert found == [
        ("overdue", "2026-08-31", 1),
        ("overdue", "2026-08-31", 2),
        ("due", "2026-09-16", 2),
        ("due", "2026-12-15", 1),
        ("due", "2026-12-15", 2),
    ]


@pytest.mark.parametrize("steps", [["reject"], ["approve", "expire"]])
def test_closed_records_are_not_reviewed(on_v60: Path, steps: list[str]) -> None:
    for step in steps:
        done(step, "1", "--records", on_v60, "--by", "Ada", "--on", "2026-06-10")
    assert items(on_v60, "2027-12-01") == []


def test_superseded_record_is_not_reviewed_its_successor_is(on_v60: Path) -> None:
    make(on_v60)
    done("approve", "1", "--records", on_v60, "--by", "Ada", "--on", "2026-06-10")
    done("supersede", "1", "--with", "2", "--records", on_v60, "--by", "Ada", "--on", "2026-06-11")
    assert {item["number"] for item in items(on_v60, "2027-12-01")} == {2}


def test_unreadable_record_is_due(on_v60: Path) -> None:
    (next(on_v60.glob("0001-*")) / "record.json").write_text("{")
    (item,) = items(on_v60, "2026-06-02")
    assert (item["kind"], item["state"], item["status"]) == ("unreadable", "due", "unreadable")
    assert item["text"].startswith("record.json is not the JSON of a record")


# What answers a trigger


def test_confirming_recheck_answers_what_went_off_before(on_v60: Path) -> None:
    assert set(states(on_v60, "2026-12-16")) == {"quote-expires", "next-round", "date"}
    done("recheck", "1", "--records", on_v60, "--as-of", "2026-12-15")
    assert states(on_v60, "2026-12-16") == {}
    assert states(on_v60, "2027-04-01") == {"evidence-age": "due"}


def test_recheck_before_a_trigger_does_not_answer_it(on_v60: Path) -> None:
    done("recheck", "1", "--records", on_v60, "--as-of", "2026-08-31")
    assert states(on_v60, "2026-09-01") == {"quote-expires": "overdue"}


def test_recheck_with_a_finding_stays_due_until_somebody_acts(on_v60: Path) -> None:
    folder = make(on_v60, profile_text() + "limits: {power_kw: 1400}\n")
    assert run("recheck", folder, "--as-of", "2026-12-20").exit_code == 1
    found = [item for item in items(on_v60, "2026-12-21") if item["number"] == 2]
    assert "re-check" in {item["kind"] for item in found}
    assert "next-round" in {item["kind"] for item in found}
    (item,) = [item for item in found if item["kind"] == "re-check"]
    assert item["text"] == "the re-check of 2026-12-20 found: recommendation changes"
    done("reject", "2", "--records", on_v60, "--by", "Ada", "--on", "2026-12-21")
    assert [item for item in items(on_v60, "2026-12-22") if item["number"] == 2] == []


def test_damaged_report_counts_for_nothing(on_v60: Path) -> None:
    folder = next(on_v60.glob("0001-*"))
    done("recheck", folder, "--as-of", "2026-12-15")
    (folder / "reviews" / "2026-12-16.json").write_text("{")
    assert states(on_v60, "2026-12-16") == {}


# Forms


def test_table(on_v61: Path) -> None:
    result = run("review", "--records", on_v61, "--as-of", "2026-12-16")
    assert result.exit_code == 1
    lines = [line.split() for line in result.output.splitlines()]
    assert lines[0] == ["Date", "No", "Status", "Trigger", "What", "Record"]
    assert lines[1][:5] == ["overdue", "2026-08-31", "0001", "proposed", "quote-expires"]
    assert lines[2][:5] == ["overdue", "2026-12-15", "0001", "proposed", "date"]
    assert len(lines) == 3


def test_nothing_due_names_the_next(on_v61: Path) -> None:
    assert done("review", "--records", on_v61, "--as-of", "2026-06-05") == (
        "Nothing of 1 record is due on 2026-06-05 or within 30 days. "
        "Next: 0001 on 2026-08-31, quote ends: GB300 NVL72 rack.\n"
    )


def test_markdown_for_an_issue(tmp_path: Path) -> None:
    title = "'A | <b>bold</b> title'"
    records = make(tmp_path / "records", profile_text(title=title), "--as-of", "2026-11-30").parent
    result = run("review", "--records", records, "--as-of", "2026-12-16", "--format", "md")
    assert result.output.startswith("# Records to review on 2026-12-16\n\n2 reasons to look again")
    assert (
        "| overdue | 2026-12-15 | 0001 | A \\| \\<b\\>bold\\</b\\> title | proposed | Inference platform"
        in result.output
    )


def test_no_register(tmp_path: Path) -> None:
    result = run("review", "--records", tmp_path / "nothing")
    assert result.exit_code == 2
    assert "is no folder; --records names the folder of the records" in result.stderr
    (tmp_path / "records").mkdir()
    assert "Nothing of 0 records is due" in done("review", "--records", tmp_path / "records")


def test_today_is_the_default(on_v61: Path) -> None:
    found = json.loads(run("review", "--records", on_v61, "--format", "json").stdout)
    assert found["as_of"] == time.strftime("%Y-%m-%d")
