"""A record's files: every format there is, by name."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rackrecord.record import DecisionRecord

if TYPE_CHECKING:
    from rackrecord.render.pdf import PageSize

FORMATS = ("md", "pdf", "xlsx")
RECORD_JSON = "record.json"
PROFILE_YAML = "profile.yaml"


class RecordFiles(msgspec.Struct, frozen=True):
    """File name to content, and what was noticed while they were made."""

    files: dict[str, bytes]
    warnings: tuple[str, ...]


def record_files(
    record: DecisionRecord,
    profile_text: bytes,
    *,
    formats: Collection[str] = FORMATS,
    templates: Path | None = None,
    page_size: PageSize = "A4",
) -> RecordFiles:
    """The files of a record's folder: its JSON and profile always, and the formats asked for.

    Raises:
        UserError: a user's template cannot be filled in, or a library of the system is missing.
    """
    files = {PROFILE_YAML: profile_text, RECORD_JSON: record.to_json()}
    warnings: list[str] = []
    if "md" in formats:
        from rackrecord.render.markdown import render_markdown

        files["record.md"] = render_markdown(record, templates)
    if "pdf" in formats:
        from rackrecord.render.html import render_pdf

        attachments = {name: files[name] for name in (RECORD_JSON, PROFILE_YAML)}
        rendered = render_pdf(record, templates, page_size=page_size, attachments=attachments)
        files["record.pdf"] = rendered.content
        warnings += [f"no font has {name}; the PDF shows a box" for name in rendered.uncovered]
        warnings += [f"PDF: {message}" for message in rendered.messages]
    if "xlsx" in formats:
        from rackrecord.render.spreadsheet import render_spreadsheet

        files["record.xlsx"] = render_spreadsheet(record)
    return RecordFiles(files, tuple(warnings))
