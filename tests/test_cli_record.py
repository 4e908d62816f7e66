"""`rackrecord record` as a user runs it: files, bytes, printed lines, wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from deciding import EXAMPLES
from rackrecord.cli import main

AS_OF = ("--as-of", "2026-11-30")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def record(records: Path, *options: str, profile: Path = EXAMPLES / "gpt-oss-server.yaml") -> Path:
    result = run("record", profile, "--records", records, *AS_OF, *options)
    assert result.exit_code == 0, result.output
    assert not result.stderr
    return max(records.glob("[0-9]*"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("records"))


def test_every_format_is_there(made: Path) -> None:
    assert made.name == "0001-reasoning-service-capacity-for-2027"
    assert sorted(path.name for path in made.iterdir()) == [
        "SHA256SUMS",
        "profile.yaml",
        "record.json",
        "record.md",
        "record.pdf",
        "record.xlsx",
    ]
    assert (made / "profile.yaml").read_bytes() == (EXAMPLES / "gpt-oss-server.yaml").read_bytes()


def test_the_same_again_in_another_process_place_and_locale(made: Path, tmp_path: Path) -> None:
    environment = os.environ | {
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "7",
        "LANG": "tr_TR.UTF-8",
    }
    command = [
        sys.executable,
        "-m",
        "rackrecord",
        "record",
        EXAMPLES / "gpt-oss-server.yaml",
        "--records",
        "r",
        *AS_OF,
    ]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    again = tmp_path / "r" / made.name
    for path in made.iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes(), path.name


def test_page_one_answers_the_approver(made: Path) -> None:
    reader = PdfReader(made / "record.pdf")
    page = " ".join(reader.pages[0].extract_text().split())
    for expected in (
        "Reasoning service, capacity for 2027",
        "9 × GB300 NVL72 rack, bought: 0.09483 USD per million output tokens",
        "12.7 M USD a year",
        "robust",
        "MI355X rack of 8 servers, rented",
        "to be decided by Purchasing board",
        "Would change it",
        "149 of 175 results on gpt-oss-120b",
        "5.75 million tokens per second on 512 MI355X",
        "76.7 %",
        "next MLPerf® round (v7.0, expected April 2027)",
    ):
        assert expected in page, expected
    assert "0001" in page
    assert f"Page 1 of {len(reader.pages)}" in page


def test_every_page_has_its_footer_and_every_long_table_its_head(made: Path) -> None:
    digest = json.loads((made / "record.json").read_bytes())["sha256"][:16]
    pages = PdfReader(made / "record.pdf").pages
    for number, page in enumerate(pages, start=1):
        text = " ".join(page.extract_text().split())
        assert f"Page {number} of {len(pages)}" in text
        assert digest in text
        assert "Capacity decision record 0001 · proposed" in text
        assert len(text) > 300, f"page {number} is nearly empty"
    excluded = [
        page for page in pages if "Round, division, availability" in " ".join(page.extract_text().split())
    ]
    assert len(excluded) > 2


def test_no_excluded_claim_is_lost_on_paper(made: Path) -> None:
    text = " ".join(" ".join(page.extract_text().split()) for page in PdfReader(made / "record.pdf").pages)
    assert (
        text.count("v6.0, closed, available")
        + text.count("v6.0, open, available")
        + text.count("v6.1, closed, available")
        + text.count("v6.0, closed, preview")
        == 149
    )


def test_the_pdf_carries_the_record_and_the_profile(made: Path) -> None:
    attachments = PdfReader(made / "record.pdf").attachments
    for name in ("record.json", "profile.yaml"):
        assert attachments[name] == [(made / name).read_bytes()]


def test_letter_paper(tmp_path: Path) -> None:
    folder = record(tmp_path, "--formats", "pdf", "--page-size", "Letter")
    box = PdfReader(folder / "record.pdf").pages[0].mediabox
    assert (round(box.width), round(box.height)) == (612, 792)


def test_formats_and_title(tmp_path: Path) -> None:
    folder = record(tmp_path, "--formats", "md", "--title", "Été: our racks / 2027")
    assert folder.name == "0001-ete-our-racks-2027"
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS",
        "profile.yaml",
        "record.json",
        "record.md",
    ]
    assert record(tmp_path, "--formats", "md").name.startswith("0002-")


def test_what_it_prints(tmp_path: Path) -> None:
    result = run("record", EXAMPLES / "qwen3-vl-agent.yaml", "--records", tmp_path, *AS_OF, "--formats", "md")
    lines = result.output.splitlines()
    assert lines[0] == "0001-shopping-agent-on-qwen3-vl-next-step-of-the-fleet: likely"
    assert lines[1].startswith("13 × GB300 NVL72 rack, bought: 8.274 USD per million output tokens")
    assert any(
        line.startswith("  Vera Rubin NVL72 rack, bought: No verified, comparable result") for line in lines
    )
    assert any("Supported in Interactive (3.74x)" in line for line in lines)
    assert lines[-1].endswith("profile.yaml, record.json, record.md")


def test_wrong_profile_writes_nothing(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text((EXAMPLES / "gpt-oss-server.yaml").read_text().replace("gpt-oss-120b", "gpt-oss-20b"))
    result = run("record", wrong, "--records", tmp_path / "r", *AS_OF)
    assert result.exit_code == 2
    assert "gpt-oss-120b" in result.stderr
    assert not result.output.replace(result.stderr, "")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--formats", "md,doc"), "doc"),
        (("--as-of", "2026-02-30"), "2026-02-30"),
        (("--templates", "no-such-folder"), "no-such-folder"),
        (("--page-size", "A5"), "A5"),
    ],
)
def test_wrong_options(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    result = run("record", EXAMPLES / "gpt-oss-server.yaml", "--records", tmp_path / "r", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "r").exists()


def test_a_character_without_a_font_is_named(tmp_path: Path) -> None:
    profile = tmp_path / "p.yaml"
    text = (EXAMPLES / "gpt-oss-server.yaml").read_text(encoding="utf-8")
    profile.write_text(text.replace("title: Reasoning", "title: 𓀀 Reasoning"), encoding="utf-8")
    result = run("record", profile, "--records", tmp_path / "r", *AS_OF, "--formats", "pdf")
    assert result.exit_code == 0
    assert "EGYPTIAN HIEROGLYPH A001" in result.stderr


def test_the_profile_is_kept_to_the_byte(tmp_path: Path) -> None:
    profile = tmp_path / "p.yaml"
    raw = b"\xef\xbb\xbf" + (EXAMPLES / "gpt-oss-server.yaml").read_bytes().replace(b"\n", b"\r\n")
    profile.write_bytes(raw)
    folder = record(tmp_path / "r", "--formats", "md", profile=profile)
    assert (folder / "profile.yaml").read_bytes() == raw
