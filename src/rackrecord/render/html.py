"""The record as HTML for paper, and from it the PDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rackrecord.record import DecisionRecord
from rackrecord.render.charts import NO_CHARTS, draw_charts
from rackrecord.render.environment import read_template_file, render_template
from rackrecord.render.pdf import PageSize, RenderedPdf, html_to_pdf
from rackrecord.render.view import build_view


def render_html(record: DecisionRecord, templates: Path | None = None, *, with_charts: bool = True) -> str:
    """The document that the PDF is made from."""
    values = {
        "record": record,
        "view": build_view(record),
        "charts": draw_charts(record) if with_charts else NO_CHARTS,
    }
    return render_template("record.html.j2", values, templates)


def render_pdf(
    record: DecisionRecord,
    templates: Path | None = None,
    *,
    page_size: PageSize = "A4",
    attachments: Mapping[str, bytes] | None = None,
    with_charts: bool = True,
) -> RenderedPdf:
    """`record.pdf`, the same bytes for the same record; `attachments` are carried inside it."""
    return html_to_pdf(
        render_html(record, templates, with_charts=with_charts),
        stylesheet=read_template_file("record.css", templates),
        page_size=page_size,
        identifier=record.sha256,
        created=record.as_of,
        title=record.title,
        author=record.profile.owner,
        attachments=attachments,
    )
