"""Foreign text in a profile is text: valid where it is harmless, and harmless where `check` shows it."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from profiles import SMALL, read
from rackrecord.cli import main

TEXTS = {
    "HTML": '<b onclick="x()">bold</b><script>alert(1)</script>',
    "a Markdown table": "a | b\\n|---|---|`code` [link](javascript:x) ![](http://example.org/x.png)",
    "Jinja": "{{ config }} {% for x in range(10**9) %}{{ x }}{% endfor %} {# comment #}",
    "CSS": "url(file:///etc/passwd) } @import 'http://example.org'; expression(alert(1))",
    "a formula": '=HYPERLINK("http://example.org","x")+cmd|\' /C calc\'!A0',
    "right to left": "safe \u202egnp.exe \u2066hidden\u2069 \u200f\u200b\ufeffend",
    "combining marks": "Z\u0351\u0343\u0300a\u0300\u0301l\u0315g\u0321o",
    "emoji and CJK": "容量計画 👩\u200d🔬 naïve",
    "quotes": "'; DROP TABLE claims; -- \\ \" $(rm -rf /) `id` %s %n {0}",
    "not English": "Ёлка ελληνικά العربية עברית हिन्दी",
    "a line of a log": "x: OK profile.yaml:1:1: title: found",
    "YAML": "a: [b, &c d, *e] #f",
}


def in_quotes(text: str) -> str:
    """A double-quoted scalar, as JSON and YAML have it; YAML has no escape of two halves."""
    return json.dumps(text, ensure_ascii=max(text) <= "\uffff")


def with_text(text: str) -> str:
    """The small profile with a text in every place that takes one."""
    quoted = in_quotes(text)
    changed = SMALL.replace("Reasoning service", quoted).replace("Inference platform team", quoted)
    changed = changed.replace("name: GB300 NVL72 rack", f"name: {quoted}")
    return changed + (
        f"    quote: {{vendor: {quoted}, quoted_on: 2026-11-16, source: {quoted}}}\n"
        f"purpose: {quoted}\nnotes: {quoted}\napprover: {quoted}\n"
        f"vendor_claims:\n  - {{id: c, who: {quoted}, where: {quoted}, date: 2026-09-16, "
        f"statement: {quoted}, "
        f"stage: marketing, subject: {quoted}, baseline: {quoted}, multiplier: 2}}\n"
        f"decision: {{statement: {quoted}, because: {quoted}, by: {quoted}}}\n"
    )


def run(tmp_path: Path, text: str, name: str = "p.yaml") -> Result:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return CliRunner().invoke(main, ["check", str(path)], catch_exceptions=False)


@pytest.mark.parametrize("kind", TEXTS)
def test_it_is_text_in_every_place(kind: str, tmp_path: Path) -> None:
    text = TEXTS[kind]
    profile = read(with_text(text)).profile
    assert (profile.title, profile.notes, profile.vendor_claims[0].statement) == (text, text, text)
    result = run(tmp_path, with_text(text))
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(line.isprintable() for line in result.stdout.splitlines())
    seen = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    assert f"  title       {seen}\n" in result.stdout


@pytest.mark.parametrize("kind", TEXTS)
def test_it_is_shown_harmless_where_it_is_a_mistake(kind: str, tmp_path: Path) -> None:
    quoted = in_quotes(TEXTS[kind])
    text = SMALL.replace("USD", quoted).replace("gpt-oss-120b", quoted).replace("NVIDIA GB300", quoted)
    text = text.replace("id: gb300", f"id: {quoted}").replace("3.30", quoted).replace("5000000", quoted)
    text += f"{quoted}: 1\ndecision: {{statement: x, option: {quoted}}}\npolicy: {{precisions: [{quoted}]}}\n"
    result = run(tmp_path, text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 8
    for line in result.stderr.splitlines():
        assert line.isprintable()
        assert line.startswith(str(tmp_path / "p.yaml"))


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\ufffe"])
def test_control_characters_are_mistakes_raw_or_escaped(character: str, tmp_path: Path) -> None:
    code = f"U+{ord(character):04X}"
    escape = f"\\u{ord(character):04x}"
    for text in (
        SMALL.replace("Reasoning", f"a{character}b"),
        SMALL.replace("Reasoning service", f'"a{escape}b"'),
    ):
        result = run(tmp_path, text)
        assert result.exit_code == 2
        assert (
            f"found the {'line break' if code in ('U+0085', 'U+2028') else 'control character'} {code}"
            in (result.stderr)
        )
        assert result.stderr.rstrip("\n").isprintable()


def test_the_name_of_a_file_is_shown_harmless(tmp_path: Path) -> None:
    result = run(tmp_path, SMALL, "a\x1b[2J\nb\u202e.yaml")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == f"{tmp_path}/a[2J b.yaml: OK"
    assert all(line.isprintable() for line in result.stdout.splitlines())


def test_a_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    result = run(tmp_path, "x: 1\n", "caf\udce9.yaml")
    assert result.exit_code == 2
    assert all(line.startswith(f"{tmp_path}/caf.yaml:1:1: ") for line in result.stderr.splitlines())
