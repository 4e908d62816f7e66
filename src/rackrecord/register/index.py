"""The register's index: README.md, index.html and reviews.ics, from the records alone."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable

from rackrecord.register.calendar import PRODUCT, calendar
from rackrecord.register.entries import Entry, Unreadable
from rackrecord.register.rows import rows
from rackrecord.render.environment import read_template_file, render_template
from rackrecord.render.markdown_text import MarkdownText

README, PAGE, CALENDAR = "README.md", "index.html", "reviews.ics"
STATUSES = ("draft", "proposed", "approved", "rejected", "superseded", "expired", "unreadable")

MARKS = {
    README: "<!-- Made by rackrecord register. -->",
    PAGE: '<meta name="generator" content="rackrecord register">',
    CALENDAR: f"PRODID:{PRODUCT}",
}
"""What tells a file of the register from one that somebody wrote by hand."""


def index_files(entries: Iterable[Entry | Unreadable]) -> dict[str, bytes]:
    """The files of a register's index by name; the same for the same records, on any day."""
    found = tuple(entries)
    shown = rows(found)
    counts = Counter(row.status for row in shown)
    style, script = read_template_file("register.css"), read_template_file("register.js")
    values = {
        "rows": shown,
        "counts": [(status, counts[status]) for status in STATUSES if counts[status]],
        "marks": {"readme": MarkdownText(MARKS[README]), "page": MARKS[PAGE]},
        "style": style,
        "script": script,
        "style_hash": _source(style),
        "script_hash": _source(script),
    }
    return {
        README: render_template("register.md.j2", values).encode(),
        PAGE: render_template("register.html.j2", values).encode(),
        CALENDAR: calendar(found),
    }


def _source(text: str) -> str:
    """What a content security policy allows a style or script by: the digest of its text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
