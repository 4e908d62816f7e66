"""Verify finds every change to a record, and none where there is none; extract gives what a PDF carries."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from rackrecord.catalog import store
from rackrecord.register import checks_files
from registers import BEFORE_V61, GB200, GB300, content_of, done, make, profile_text, run, seal, sums, tree

ON_V60 = ("--rounds", "v6.0", "--as-of", "2026-06-01")
ADA = ("--by", "Ada Lovelace", "--on", "2026-06-10")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A register with one record in Markdown, for what is not about the PDF."""
    records = tmp_path_factory.mktemp("plain") / "records"
    make(records, profile_text(GB300, GB200))
    return records


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A register with one record in every format."""
    records = tmp_path_factory.mktemp("made") / "records"
    make(records, profile_text(GB300, GB200), *ON_V60, formats="md,pdf,xlsx")
    return records


@pytest.fixture
def full(made: Path, tmp_path: Path) -> Path:
    """The folder of a record in every format."""
    shutil.copytree(made, tmp_path / "records")
    return next((tmp_path / "records").glob("0001-*"))


@pytest.fixture
def folder(plain: Path, tmp_path: Path) -> Path:
    """The folder of a record in Markdown."""
    shutil.copytree(plain, tmp_path / "records")
    return next((tmp_path / "records").glob("0001-*"))


@pytest.fixture
def approved(folder: Path) -> Path:
    """The same, approved."""
    done("approve", folder, *ADA, "--note", "Rent GB300.")
    return folder


def failures(target: Path, *options: object) -> dict[str, str]:
    """The checks that failed, by name; the exit code has to tell the same."""
    result = run("verify", target, "--format", "json", *options)
    (verification,) = json.loads(result.stdout)
    found = {check["name"]: check["text"] for check in verification["checks"] if check["state"] == "failed"}
    assert result.exit_code == (1 if found else 0)
    assert verification["passed"] is not bool(found)
    return found


def checks(target: Path, *options: object) -> dict[str, str]:
    (verification,) = json.loads(run("verify", target, "--format", "json", *options).stdout)
    return {check["name"]: check["state"] for check in verification["checks"]}


def change(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))


# Nothing was changed


def test_every_check_of_a_record(full: Path) -> None:
    assert checks(full) == {
        name: "ok"
        for name in (
            "files",
            "digest",
            "schema",
            "history",
            "profile.yaml",
            "attachments",
            "record.md",
            "record.pdf",
            "record.xlsx",
            "figures",
        )
    }
    assert done("verify", full).splitlines()[0] == f"{full}: verified"


def test_approved_record(full: Path) -> None:
    done("approve", full, *ADA, "--note", "Rent GB300.")
    assert failures(full) == {}


@pytest.mark.parametrize("name", ["elsewhere", "0001-another-name", "with space"])
def test_moved_folder(folder: Path, tmp_path: Path, name: str) -> None:
    moved = tmp_path / "other" / name
    moved.parent.mkdir()
    folder.rename(moved)
    assert failures(moved) == {}


def test_pdf_alone(full: Path, tmp_path: Path) -> None:
    pdf = tmp_path / "decision.pdf"
    shutil.copy(full / "record.pdf", pdf)
    shutil.rmtree(full)
    assert checks(pdf) == {
        name: "ok" for name in ("digest", "schema", "history", "profile.yaml", "record.pdf", "figures")
    }


def test_letter_paper(tmp_path: Path) -> None:
    folder = make(tmp_path / "records", None, *BEFORE_V61, "--page-size", "Letter", formats="pdf")
    assert failures(folder) == {}


# One thing was changed


def test_digit_in_the_json(folder: Path) -> None:
    change(folder / "record.json", b'"racks":12', b'"racks":13')
    found = failures(folder)
    assert "it was changed" in found["digest"]
    assert "record.json has changed" in found["files"]
    assert "record.md" in found
    assert "options[0].racks: 13, worked out again 12" in found["figures"]


def test_digit_in_the_json_covered_up(full: Path) -> None:
    """With a new digest and new checksums, the figures, the renderings and the PDF still tell."""
    content = content_of(full)
    content["options"][0]["racks"] = 13
    (full / "record.json").write_bytes(seal(content))
    sums(full)
    found = failures(full)
    assert set(found) >= {"attachments", "record.md", "record.pdf", "figures"}
    assert "files" not in found
    assert "digest" not in found
    assert found["figures"].endswith("they differ: options[0].racks: 13, worked out again 12")


def test_json_in_another_form(folder: Path) -> None:
    content = content_of(folder)
    (folder / "record.json").write_text(json.dumps(content, indent=1))
    assert "not in the canonical form" in failures(folder)["digest"]


def test_digit_in_the_markdown(folder: Path) -> None:
    change(folder / "record.md", b"12 \xc3\x97 GB300", b"13 \xc3\x97 GB300")
    found = failures(folder)
    assert set(found) == {"files", "record.md"}
    assert re.search(r"line \d+ differs", found["record.md"])
    sums(folder)
    assert set(failures(folder)) == {"record.md"}


def with_attachment(pdf: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A PDF with its attachments put in anew, each changed."""
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    writer = pypdf.PdfWriter()
    for page in reader.pages:
        writer.add_page(page)
    for name, (content,) in reader.attachments.items():
        writer.add_attachment(name, change(name, content))
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_digit_in_the_attachment(full: Path, tmp_path: Path) -> None:
    def one_digit(name: str, content: bytes) -> bytes:
        return content.replace(b'"racks":12', b'"racks":13', 1) if name == "record.json" else content

    changed = with_attachment((full / "record.pdf").read_bytes(), one_digit)
    (full / "record.pdf").write_bytes(changed)
    found = failures(full)
    assert found["attachments"] == "what the PDF carries is not the folder's record.json"
    assert "record.pdf" in found
    alone = tmp_path / "alone.pdf"
    alone.write_bytes(changed)
    assert "it was changed" in failures(alone)["digest"]


def test_profile_in_the_attachment(full: Path, tmp_path: Path) -> None:
    def another(name: str, content: bytes) -> bytes:
        return content.replace(b"3.30", b"3.10") if name == "profile.yaml" else content

    alone = tmp_path / "alone.pdf"
    alone.write_bytes(with_attachment((full / "record.pdf").read_bytes(), another))
    assert "is not the one that the record was made from" in failures(alone)["profile.yaml"]


def test_page_of_the_pdf(full: Path) -> None:
    """Another record's pages around this record's attachments."""
    other = make(full.parent, profile_text(GB300), *ON_V60, formats="pdf")
    carried = {name: (full / name).read_bytes() for name in ("record.json", "profile.yaml")}
    changed = with_attachment((other / "record.pdf").read_bytes(), lambda name, content: carried[name])
    (full / "record.pdf").write_bytes(changed)
    sums(full)
    found = failures(full)
    assert set(found) == {"record.pdf"}
    assert "does not say what the record's JSON gives" in found["record.pdf"]


def test_byte_of_the_pdf_that_nobody_sees(full: Path, tmp_path: Path) -> None:
    path = full / "record.pdf"
    path.write_bytes(path.read_bytes() + b"\n% a comment\n")
    found = failures(full)
    assert set(found) == {"files", "record.pdf"}
    assert "not, byte for byte" in found["record.pdf"]
    alone = tmp_path / "alone.pdf"
    shutil.copy(path, alone)
    assert set(failures(alone)) == {"record.pdf"}


def test_other_libraries_give_other_bytes(full: Path) -> None:
    """The same text and attachments, and the checksum of the day it was made: a note, no failure."""
    path = full / "record.pdf"
    path.write_bytes(path.read_bytes() + b"\n% made with another library\n")
    sums(full)
    result = done("verify", full)
    assert "note   record.pdf: says what the record's JSON gives and matches SHA256SUMS" in result


def test_cell_of_the_spreadsheet(full: Path) -> None:
    path = full / "record.xlsx"
    path.write_bytes(path.read_bytes() + b"x")
    sums(full)
    assert set(failures(full)) == {"record.xlsx"}


@pytest.mark.parametrize("name", ["record.md", "record.pdf", "profile.yaml", "record.json"])
def test_missing_file(full: Path, name: str) -> None:
    (full / name).unlink()
    found = failures(full)
    assert f"{name} is missing" in found["files"]


def test_missing_checksums(folder: Path) -> None:
    (folder / "SHA256SUMS").write_text("nothing")
    assert failures(folder) == {"files": "SHA256SUMS is no list of checksums"}
    (folder / "SHA256SUMS").unlink()
    assert failures(folder) == {"files": "SHA256SUMS is missing"}


def test_file_that_was_added(full: Path) -> None:
    (full / "record.pdf").unlink()
    sums(full)
    shutil.copy(full / "record.md", full / "record.pdf")
    found = failures(full)
    assert "record.pdf is not in SHA256SUMS" in found["files"]
    assert "cannot be read as a PDF" in found["record.pdf"]


def test_swapped_profile(full: Path) -> None:
    (full / "profile.yaml").write_text(profile_text(GB300))
    found = failures(full)
    assert "is not the one that the record was made from" in found["profile.yaml"]
    assert found["attachments"] == "what the PDF carries is not the folder's profile.yaml"
    sums(full)
    assert "profile.yaml" in failures(full)


def test_profile_in_the_record_is_not_that_of_the_file(folder: Path) -> None:
    content = content_of(folder)
    content["profile"]["owner"] = "Somebody else"
    (folder / "record.json").write_bytes(seal(content))
    assert failures(folder)["profile.yaml"] == "gives another profile than the record holds"


def test_edited_approved_record(full: Path) -> None:
    """Somebody gives an approved record another note and seals it anew."""
    folder = full
    done("approve", folder, *ADA, "--note", "Rent GB300.")
    content = content_of(folder)
    content["history"][0]["note"] = "Rent GB200."
    (folder / "record.json").write_bytes(seal(content))
    found = failures(folder)
    assert "record.json has changed" in found["files"]
    assert "attachments" in found
    assert "decided" in found["figures"]


def test_approval_that_nobody_gave(folder: Path) -> None:
    content = content_of(folder)
    content["status"] = "approved"
    (folder / "record.json").write_bytes(seal(content))
    assert failures(folder)["history"] == "it ends with proposed, the record says approved"


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([("expired", "2026-06-10")], "is proposed, so it cannot become expired"),
        (
            [("approved", "2026-06-10"), ("rejected", "2026-06-11")],
            "is approved, so it cannot become rejected",
        ),
        ([("approved", "2026-05-10")], "it is before 2026-06-01"),
    ],
)
def test_illegal_history(folder: Path, steps: list[tuple[str, str]], why: str) -> None:
    content = content_of(folder)
    content["status"] = steps[-1][0]
    content["history"] = [{"status": status, "by": "Ada", "on": day, "note": "x"} for status, day in steps]
    (folder / "record.json").write_bytes(seal(content))
    assert why in failures(folder)["history"]


def test_another_folders_number(folder: Path) -> None:
    moved = folder.with_name("0007-x")
    folder.rename(moved)
    assert failures(moved) == {"number": "the folder's is 7, the record's 1"}


# What came after the decision


def test_afterwards_of_another_record(approved: Path) -> None:
    folder = approved
    done("expire", folder, "--by", "Ada", "--on", "2026-07-01")
    assert failures(folder) == {}
    path = folder / "afterwards.json"
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps({**content, "record_sha256": "0" * 64}))
    assert "belongs to another record" in failures(folder)["afterwards.json"]
    path.write_text(json.dumps({**content, "changes": [{**content["changes"][0], "on": "2026-06-01"}]}))
    assert "it is before 2026-06-10" in failures(folder)["afterwards.json"]
    path.write_text(json.dumps({**content, "changes": content["changes"] * 2}))
    assert "is expired already" in failures(folder)["afterwards.json"]
    path.write_text("[]")
    assert "is no list of status changes" in failures(folder)["afterwards.json"]


def test_afterwards_of_an_open_record(folder: Path) -> None:
    (folder / "afterwards.json").write_text(
        json.dumps({"schema_version": 1, "record_sha256": content_of(folder)["sha256"], "changes": []})
    )
    assert "the record is proposed" in failures(folder)["afterwards.json"]


# A whole register


def test_register(made: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    first, second = make(records), make(records)
    done("approve", first, *ADA)
    done("supersede", "1", "--with", "2", "--records", records, *ADA)
    said = done("verify", records)
    assert said.splitlines() == [
        f"{records}: verified",
        f"{first}: verified",
        f"{second}: verified",
        "3 checked, 0 not verified",
    ]
    shutil.copytree(second, records / "0002-copy")
    content = content_of(second)
    (second / "record.json").write_bytes(seal({**content, "supersedes": None}))
    result = run("verify", records)
    assert result.exit_code == 1
    assert "failed links: 0002-reasoning-on-deepseek-r1 and 0002-copy have the same number" in result.output
    shutil.rmtree(records / "0002-copy")
    assert "failed links: 0001 is superseded by 0002, which does not say so" in run("verify", records).output


def test_many_records_with_pdf_are_verified_on_every_core(tmp_path: Path, folder: Path) -> None:
    for number in range(2, 9):
        shutil.copytree(folder, folder.parent / f"{number:04d}-copy")
    result = run("verify", folder.parent, "--format", "json")
    found = json.loads(result.stdout)
    assert [item["passed"] for item in found] == [True, True, *[False] * 7]
    assert all(
        [check["name"] for check in item["checks"] if check["state"] == "failed"] == ["number"]
        for item in found[2:]
    )


# Another catalog, another version


def test_catalog_that_is_not_the_records(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the record's catalog the figures follow from the evidence in the record."""
    smaller = store.bundled_catalog().restricted(("v6.0",))
    monkeypatch.setattr(store, "load_catalog", lambda user_folder=None: smaller)
    found = checks(folder)
    assert (found["evidence"], found["figures"]) == ("note", "ok")
    content = content_of(folder)
    content["options"][0]["cost_per_million_tokens"] += 0.01
    (folder / "record.json").write_bytes(seal(content))
    assert "options[0].cost_per_million_tokens" in failures(folder)["figures"]


def test_record_of_another_version(full: Path) -> None:
    """Its renderings and figures may differ for a good reason; its checksums and attachments may not."""
    content = content_of(full)
    content["tool"] = "rackrecord 0.0.9"
    content["options"][0]["racks"] = 13
    (full / "record.json").write_bytes(seal(content))
    sums(full)
    result = run("verify", full, "--format", "json")
    (verification,) = json.loads(result.stdout)
    states = {check["name"]: check["state"] for check in verification["checks"]}
    assert states["figures"] == states["record.md"] == states["record.pdf"] == "note"
    assert states["attachments"] == "failed"


# What cannot be verified at all


def test_unreadable_json(folder: Path) -> None:
    for text in ("{", "[]", '{"capacity_decision_record": {}}', "", '{"capacity_decision_record": NaN}'):
        (folder / "record.json").write_text(text)
        assert run("verify", folder).exit_code == 1


@pytest.mark.parametrize("name", ["nothing", "7", "empty"])
def test_wrong_target(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    target = name if name == "7" else tmp_path / name
    result = run("verify", target, "--records", tmp_path / "records")
    assert result.exit_code == 2
    assert "expected" in result.stderr or "found no record with number 7" in result.stderr


def test_file_that_is_no_pdf(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing")
    result = run("verify", path)
    assert result.exit_code == 1
    assert "cannot be read as a PDF" in result.output


def test_first_difference() -> None:
    assert checks_files._first_difference(b"a\nb\nc", b"a\nx\nc") == 2
    assert checks_files._first_difference(b"a\nb", b"a\nb\nc") == 3


# Extract


def test_extract(full: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    said = done("extract", full / "record.pdf", "--to", target)
    assert said.splitlines() == [str(target / "profile.yaml"), str(target / "record.json")]
    assert tree(target) == {name: (full / name).read_bytes() for name in ("profile.yaml", "record.json")}
    again = run("extract", full / "record.pdf", "--to", target)
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    done("extract", full / "record.pdf")
    assert (full / "record" / "record.json").exists()


@pytest.mark.parametrize("name", ["../outside", "/tmp/x", ".hidden", "a/b", "a\x1b[2J"])
def test_extract_writes_no_odd_names(folder: Path, tmp_path: Path, name: str) -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_attachment(name, b"x")
    path = tmp_path / "odd.pdf"
    with path.open("wb") as file:
        writer.write(file)
    before = tree(tmp_path)
    result = run("extract", path, "--to", tmp_path / "out")
    assert result.exit_code == 2
    assert "odd names" in result.stderr
    assert tree(tmp_path) == before


def test_extract_from_a_pdf_without_attachments(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    path = tmp_path / "plain.pdf"
    with path.open("wb") as file:
        writer.write(file)
    assert "carries no files" in run("extract", path).stderr
    assert run("extract", tmp_path / "nothing.pdf").exit_code == 2
