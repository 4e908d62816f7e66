"""Markdown: what a profile or a vendor writes stays text, tables keep shape, templates are sandboxed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from deciding import NAMES, example_record, record_of
from rackrecord.errors import UserError
from rackrecord.render.environment import render_template
from rackrecord.render.markdown import render_markdown
from rackrecord.render.markdown_text import escape, markdown_table, visible
from rackrecord.render.view.table import figure, table, text

GFM = MarkdownIt("gfm-like", {"linkify": False, "html": True})


def shown(markdown: str) -> str:
    """The text a reader sees, by an independent Markdown reader; inline markup would be lost or marked."""
    tokens = GFM.parseInline(markdown)[0].children or []
    kinds = {token.type for token in tokens} - {"text", "text_special"}
    assert not kinds, f"acted on: {kinds} in {markdown!r}"
    return "".join(token.content for token in tokens)


@given(st.text(max_size=60))
def test_any_text_is_shown_as_it_is(value: str) -> None:
    assert shown(escape(value)) == visible(value)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "a | b",
        "**bold** _em_ `code` ~~gone~~",
        "[link](http://example.com)",
        "![picture](file:///etc/passwd)",
        "http://example.com www.example.com",
        "{{ 7 * 7 }} {% include 'x' %}",
        "# heading",
        "- item",
        "1. item",
        "1) item",
        "> quote",
        "```",
        "---",
        "===",
        "&lt;b&gt; &#42;",
        "a\\|b",
        "$x^2$",
        "<http://example.com>",
        "line\n\n# break",
    ],
)
def test_hostile_text_is_text(hostile: str) -> None:
    assert shown(escape(hostile)) == visible(hostile)
    blocks = GFM.parse(escape(hostile))
    assert [token.type for token in blocks] == ["paragraph_open", "inline", "paragraph_close"]


def test_unseen_characters_are_shown() -> None:
    assert visible("a\u202eb\u200bc\x07d\ud800") == "a[U+202E]b[U+200B]c[U+0007]d[U+D800]"


def test_numbers_are_not_escaped() -> None:
    assert escape("0.09483") == "0.09483"
    assert escape("+15.7 %") == "+15.7 %"
    assert escape("−9.0 %") == "−9.0 %"


@given(st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=2), min_size=1, max_size=4))
def test_a_table_keeps_its_cells(rows: list[list[str]]) -> None:
    markdown = markdown_table(table((text("a"), figure("b")), rows))
    tokens = GFM.parse(markdown)
    cells = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "td_open"]
    assert [shown(cell) for cell in cells] == [visible(cell) for row in rows for cell in row]


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str, golden: object) -> None:
    markdown = render_markdown(example_record(name)).decode()
    golden(Path(__file__).parent / "golden" / f"{name}.md", markdown)  # type: ignore[operator]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_one_sound_document(name: str) -> None:
    markdown = render_markdown(example_record(name)).decode()
    tokens = GFM.parse(markdown)
    assert sum(token.type == "heading_open" and token.tag == "h1" for token in tokens) == 1
    assert not [token for token in tokens if token.type in ("html_block", "code_block", "fence")]
    for line in markdown.splitlines():
        assert not re.search(r"\bNone\b|\bDecimal\(|object at", line), line
        assert "{{" not in line
        assert "{%" not in line


def test_hostile_profile_stays_text() -> None:
    title = "<img src=x onerror=alert(1)> | {{ 7*7 }} [x](http://e.example)"
    record = record_of(
        "gpt-oss-server",
        lambda text: text.replace("Reasoning service, capacity for 2027", f"'{title}'"),
    )
    markdown = render_markdown(record).decode()
    assert "49" not in markdown.split("## 1.")[0].split("Strength")[0]
    heading = next(line for line in markdown.splitlines() if line.startswith("## "))
    assert shown(heading.removeprefix("## ")) == title
    tokens = GFM.parse(markdown)
    assert not [
        t for t in tokens for c in t.children or [] if c.type in ("html_inline", "link_open", "image")
    ]


def test_a_company_may_replace_a_template(tmp_path: Path) -> None:
    (tmp_path / "record.md.j2").write_text("ACME | {{ record.title }} {{ view.review }}\n", encoding="utf-8")
    text = render_markdown(example_record("gpt-oss-server"), tmp_path).decode()
    assert text.startswith("ACME | Reasoning service, capacity for 2027 next MLPerf")


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ record.no_such_field }}", "no_such_field"),
        ("{{ nothing }}", "nothing"),
        ("{% if %}", "is not a template"),
        ("{{ record.__class__.__mro__ }}", "unsafe|cannot be filled in"),
        ("{{ ''.__class__.__base__.__subclasses__() }}", "unsafe|cannot be filled in"),
        ("{% include '/etc/passwd' %}", "passwd"),
        ("{% include '../../etc/passwd' %}", "passwd"),
        ("{{ range(10**9) | list }}", "cannot be filled in"),
        ("{{ record.title / 2 }}", "cannot be filled in"),
    ],
)
def test_a_wrong_template_is_wrong_input(tmp_path: Path, template: str, message: str) -> None:
    (tmp_path / "record.md.j2").write_text(template, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        render_markdown(example_record("gpt-oss-server"), tmp_path)


def test_a_name_that_the_project_itself_lacks_is_a_fault_not_wrong_input() -> None:
    with pytest.raises(Exception, match="view"):
        render_template("record.md.j2", {"record": example_record("gpt-oss-server")})
