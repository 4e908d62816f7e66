"""The document behind the PDF: foreign text is text, nothing is fetched, all of the style is understood."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from deciding import NAMES, example_record, record_of
from rackrecord.record import DecisionRecord
from rackrecord.render.html import render_html, render_pdf

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=http://example.com/x.png onerror=alert(1)>",
    '"><style>@import url(file:///etc/passwd)</style>',
    "{{ 7 * 7 }}{% raw %}",
    "</td></table></body>",
    "&lt;b&gt;",
    '=HYPERLINK("http://example.com")',
    "abc\u202edef",
)


class Tags(HTMLParser):
    """Every element of a document with its attributes, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    return tags


def hostile_record(text: str) -> DecisionRecord:
    quoted = "'" + text.replace("'", "''") + "'" if "\u202e" not in text else '"abc\\u202edef"'

    def change(profile: str) -> str:
        for field in ("title", "owner", "approver"):
            profile = re.sub(rf"(?m)^{field}: .*$", lambda m, f=field: f"{f}: {quoted}", profile)
        for written in (
            "GB300 NVL72 rack, bought",
            "5.75 million tokens per second on 512 MI355X",
            "illustrative system vendor",
        ):
            assert written in profile
            profile = profile.replace(written, quoted)
        return profile

    return record_of("gpt-oss-server", change)


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_text_is_text(text: str) -> None:
    usual = read(render_html(example_record("gpt-oss-server")))
    tags = read(render_html(hostile_record(text)))
    # the same elements with the same classes: nothing that was written became markup
    assert [tag for tag, _ in tags.found] == [tag for tag, _ in usual.found]
    shown = text.replace("\u202e", "[U+202E]")
    assert sum(shown in part for part in tags.text) >= 5
    for tag, attributes in tags.found:
        assert tag not in ("script", "style", "link", "iframe", "object")
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href"):
            assert (attributes.get(name) or "data:").startswith("data:")


def test_the_pdf_takes_it() -> None:
    rendered = render_pdf(hostile_record(" ".join(HOSTILE[1:5])))
    assert rendered.messages == ()
    assert rendered.uncovered == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_stylesheet_is_understood_and_every_character_has_a_font(name: str) -> None:
    rendered = render_pdf(example_record(name))
    assert rendered.messages == ()
    assert rendered.uncovered == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_has_its_text(name: str) -> None:
    images = [attributes for tag, attributes in read(render_html(example_record(name))).found if tag == "img"]
    assert len(images) >= 3
    assert all(len(image["alt"] or "") > 40 for image in images)


def test_a_table_has_scoped_heads() -> None:
    tags = read(render_html(example_record("gpt-oss-server")))
    heads = [attributes for tag, attributes in tags.found if tag == "th"]
    assert len(heads) > 60
    assert {attributes.get("scope") for attributes in heads} == {"col"}
