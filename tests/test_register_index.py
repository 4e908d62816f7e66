"""The register's index: the same for the same records, whole in each form, and text that stays text."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from pathlib import Path

import icalendar
import pytest
from markdown_it import MarkdownIt

from registers import content_of, done, make, profile_text, run, seal, tree

ADA = ("--by", "Ada Lovelace", "--on", "2026-06-10")
INDEX = ("README.md", "index.html", "reviews.ics")
HOSTILE = (
    '</script><script>alert(1)</script> " onmouseover="x | [a](javascript:b) {{ 7*7 }} '
    "=cmd() \u202egnp.exe BEGIN:VEVENT"
)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Three records: 1 superseded by 2, 2 proposed, 3 rejected."""
    records = tmp_path / "records"
    first = make(records, formats="md")
    make(records, profile_text(title="Bigger fleet"))
    make(records, profile_text(title="A third"))
    done("approve", first, *ADA)
    done("supersede", "1", "--with", "2", "--records", records, *ADA)
    done("reject", "3", "--records", records, *ADA, "--note", "no budget")
    return records


def index(records: Path) -> dict[str, str]:
    done("register", "--records", records)
    return {name: (records / name).read_bytes().decode() for name in INDEX}


class Page(HTMLParser):
    """What a page holds: its tags, the attributes of each, and its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.text: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data: str) -> None:
        if self._open in self.raw:
            self.raw[self._open].append(data)
        else:
            self.text.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def links(self) -> list[str]:
        return [attributes["href"] or "" for tag, attributes in self.tags if "href" in attributes]


def events(text: str) -> list[icalendar.Event]:
    return list(icalendar.Calendar.from_ical(text).walk("VEVENT"))


# The same again


def test_same_bytes_on_any_day_and_only_what_changed_is_written(records: Path) -> None:
    said = run("register", "--records", records)
    assert said.output == "3 records; written: README.md, index.html, reviews.ics\n"
    before = tree(records)
    assert done("register", "--records", records) == "3 records; written: nothing, all is current\n"
    for name in INDEX:
        (records / name).unlink()
    done("register", "--records", records)
    assert tree(records) == before


def test_check_finds_what_is_not_current(records: Path) -> None:
    result = run("register", "--records", records, "--check")
    assert result.exit_code == 1
    assert result.output.count("is not current; `rackrecord register` writes it") == 3
    assert not (records / "README.md").exists()
    done("register", "--records", records)
    done("register", "--records", records, "--check")
    done("expire", "3", "--records", records, *ADA)
    assert run("register", "--records", records, "--check").exit_code == 1


@pytest.mark.parametrize("name", INDEX)
def test_a_file_of_somebodys_own_is_not_overwritten(records: Path, name: str) -> None:
    (records / name).write_text("my own")
    result = run("register", "--records", records)
    assert result.exit_code == 2
    assert f"{name}: was not made by rackrecord register; move or rename it first" in result.stderr
    assert (records / name).read_text() == "my own"
    assert [path.name for path in records.iterdir() if path.name in INDEX] == [name]


def test_record_that_cannot_be_read_is_in_the_index(records: Path) -> None:
    (next(records.glob("0002-*")) / "record.json").write_text("{")
    result = run("register", "--records", records)
    assert result.exit_code == 1
    assert "0002-bigger-fleet cannot be read: record.json is not the JSON of a record" in result.stderr
    assert "1 unreadable" in (records / "README.md").read_text()
    assert 'class="badge unreadable"' in (records / "index.html").read_text()


def test_empty_register(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    files = index(records)
    assert "There are no records yet." in files["README.md"]
    assert "There are no records yet." in files["index.html"]
    assert events(files["reviews.ics"]) == []
    assert run("register", "--records", tmp_path / "nothing").exit_code == 2


# README.md


def test_readme(records: Path) -> None:
    text = index(records)["README.md"]
    assert "3 records: 1 proposed, 1 rejected, 1 superseded." in text
    rows = [line for line in text.splitlines() if line.startswith("| 000")]
    assert rows == [
        "| 0001 | [Reasoning on DeepSeek-R1](0001-reasoning-on-deepseek-r1/record.md); superseded by "
        "[0002](0002-bigger-fleet/record.md) | superseded | 2026-06-01 | GB300 NVL72 rack (likely) | "
        "Inference platform team |  |  | [Markdown](0001-reasoning-on-deepseek-r1/record.md) "
        "[JSON](0001-reasoning-on-deepseek-r1/record.json) |",
        "| 0002 | [Bigger fleet](0002-bigger-fleet/record.md); supersedes "
        "[0001](0001-reasoning-on-deepseek-r1/record.md) | proposed | 2026-06-01 | GB300 NVL72 rack (likely) "
        "| Inference platform team | 2026-08-31 | quote ends: GB300 NVL72 rack; next MLPerf® round "
        "(v6.1) | [Markdown](0002-bigger-fleet/record.md) [JSON](0002-bigger-fleet/record.json) |",
        "| 0003 | [A third](0003-a-third/record.md) | rejected | 2026-06-01 | GB300 NVL72 rack (likely) | "
        "Inference platform team |  |  | [Markdown](0003-a-third/record.md) "
        "[JSON](0003-a-third/record.json) |",
    ]
    html = MarkdownIt("commonmark").enable("table").render(text)
    for target in re.findall(r'href="([^"]+)"', html):
        assert (records / target).is_file(), target


# index.html


def test_page_loads_nothing_and_runs_its_own_script_only(records: Path) -> None:
    text = index(records)["index.html"]
    page = Page(text)
    assert not any(
        {"src", "srcset", "style", "action"} & attributes.keys()
        or any(name.startswith("on") for name in attributes)
        for _, attributes in page.tags
    )
    assert "http:" not in text
    assert "https:" not in text
    assert not {tag for tag, _ in page.tags} & {"img", "link", "iframe", "object", "form", "base"}
    (policy,) = [
        attributes["content"]
        for tag, attributes in page.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    sources = {}
    for kind in ("script", "style"):
        (content,) = page.raw[kind]
        sources[kind] = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{sources['style']}'; "
        f"script-src 'sha256-{sources['script']}'; base-uri 'none'; form-action 'none'"
    )


def test_page_links_and_labels(records: Path) -> None:
    page = Page(index(records)["index.html"])
    assert len(page.links()) == 1 + 3 * 3 + 2  # the calendar; title and two files a record; two successors
    for target in page.links():
        assert (records / target).is_file(), target
    fields = [attributes["id"] for tag, attributes in page.tags if tag in ("input", "select")]
    labels = [attributes["for"] for tag, attributes in page.tags if tag == "label"]
    assert fields == labels
    assert ("html", {"lang": "en"}) in page.tags
    assert any(attributes.get("name") == "viewport" for _, attributes in page.tags)
    text = " ".join(" ".join(page.text).split())
    assert "rejected by Ada Lovelace on 2026-06-10: no budget" in text


# reviews.ics


def test_calendar(records: Path) -> None:
    """Only the proposed record is open: its quote ends, its date comes, its evidence gets a year old."""
    found = events(index(records)["reviews.ics"])
    assert [(str(event["summary"]), event.decoded("dtstart"), event.decoded("dtend")) for event in found] == [
        (
            "Record 0002: quote ends: GB300 NVL72 rack",
            date(2026, 8, 31),
            date(2026, 9, 1),
        ),
        ("Record 0002: the review date is reached", date(2026, 12, 15), date(2026, 12, 16)),
        ("Record 0002: the evidence from v6.0 is a year old", date(2027, 4, 1), date(2027, 4, 2)),
    ]
    assert {event.decoded("dtstamp") for event in found} == {datetime(2026, 6, 1, tzinfo=UTC)}
    assert len({str(event["uid"]) for event in found}) == 3
    assert str(found[0]["description"]).splitlines() == [
        "Bigger fleet",
        "Status: proposed",
        "Owner: Inference platform team",
        "0002-bigger-fleet",
    ]


def test_entries_keep_their_identity_when_the_record_is_approved_and_moved(
    records: Path, tmp_path: Path
) -> None:
    before = {str(event["summary"]): event for event in events(index(records)["reviews.ics"])}
    done("approve", "2", "--records", records, *ADA)
    records.rename(tmp_path / "moved")
    after = {str(event["summary"]): event for event in events(index(tmp_path / "moved")["reviews.ics"])}
    assert after.keys() == before.keys()
    for name, event in after.items():
        assert event["uid"] == before[name]["uid"]
        assert (event["sequence"], before[name]["sequence"]) == (1, 0)
        assert event.decoded("dtstamp") == datetime(2026, 6, 10, tzinfo=UTC)


# Text that stays text


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    records = tmp_path / "records"
    folder = make(records)
    content = content_of(folder)
    content["title"] = HOSTILE + "\r\nATTENDEE:x"
    content["profile"]["owner"] = HOSTILE
    content["profile"]["options"][0]["name"] = HOSTILE
    (folder / "record.json").write_bytes(seal(content))
    return records


def test_hostile_text_in_the_page(hostile: Path) -> None:
    text = index(hostile)["index.html"]
    page = Page(text)
    assert len(page.raw["script"]) == 1
    assert not any("onmouseover" in attributes for _, attributes in page.tags)
    shown = " ".join(" ".join(page.text).split())
    assert '</script><script>alert(1)</script> " onmouseover="x' in shown
    assert "{{ 7*7 }}" in shown
    assert "\u202e" not in text
    assert "[U+202E]gnp.exe" in shown


def test_hostile_text_in_the_readme(hostile: Path) -> None:
    text = index(hostile)["README.md"]
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert "<script>" not in html
    assert "javascript:" not in " ".join(re.findall(r'href="([^"]*)"', html))
    (row,) = [line for line in text.splitlines() if line.startswith("| 0001")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 10  # nine cells
    assert "\u202e" not in text


def test_hostile_text_in_the_calendar(hostile: Path) -> None:
    text = index(hostile)["reviews.ics"]
    found = events(text)
    assert len(found) == 3
    assert "ATTENDEE" not in {name for event in found for name in event}
    assert "\nATTENDEE" not in text.replace("\r\n ", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\u202e" not in text
