"""The record as Markdown."""

from __future__ import annotations

from pathlib import Path

from rackrecord.record import DecisionRecord
from rackrecord.render.environment import render_template
from rackrecord.render.view import build_view


def render_markdown(record: DecisionRecord, templates: Path | None = None) -> bytes:
    """`record.md`, UTF-8."""
    text = render_template("record.md.j2", {"record": record, "view": build_view(record)}, templates)
    return text.encode()
