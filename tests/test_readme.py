"""What the README shows is what a reader gets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rackrecord.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_example_prints_what_is_shown(tmp_path: Path) -> None:
    (shown,) = blocks("text")
    example = str(ROOT / "examples" / "gpt-oss-server.yaml")
    options = ["--records", str(tmp_path), "--as-of", "2026-11-30", "--formats", "md"]
    output = CliRunner().invoke(main, ["record", example, *options]).output
    assert output.startswith(shown)


def test_the_claim_check_prints_what_is_shown() -> None:
    (shown,) = [block for block in blocks("console") if "claims check" in block]
    command, _, expected = shown.partition("v6.1\n")
    words = re.findall(r'"[^"]+"|\S+', command.replace("\\", " ") + "v6.1")
    arguments = [word.strip('"') for word in words[2:]]
    output = CliRunner().invoke(main, arguments).output
    for line in expected.splitlines():
        assert line.strip() in output


def test_the_library_example_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks("python")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        (tmp_path / "examples").symlink_to(ROOT / "examples")
        exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("9 × GB300 NVL72 rack, bought: 0.09483 USD")
    assert (tmp_path / "record.md").read_text(encoding="utf-8").startswith("# Capacity decision record")


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_command_is_named() -> None:
    table = README.partition("## Commands")[2].partition("The same as a library")[0]
    assert set(COMMANDS) <= set(re.findall(r"`([a-z]+)[ `]", table)) | {"claims"}
