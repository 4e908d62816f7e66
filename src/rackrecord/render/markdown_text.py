"""Text as Markdown shows it literally: whatever a profile or a vendor writes stays text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rackrecord.render.view import Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#$!&])")
# What starts a list, a heading or a rule at the beginning of a line, and nothing that merely looks like it.
_LINE_START = re.compile(r"(\d*)([-+.)](?=\s|$)|[-=]+$)")
_AUTOLINK = re.compile(r"\b(https?|ftp|file|mailto|www)(:|\.)", re.IGNORECASE)


class MarkdownText(str):
    """Text that is Markdown already."""

    __slots__ = ()


def visible(text: str) -> str:
    """`text` on one line, control and direction-changing characters shown as their code points."""
    line = " ".join(text.split())
    if line.isprintable():  # neither a control nor a format character, nor a separator but the space
        return line
    shown = []
    for character in line:
        category = unicodedata.category(character)
        shown.append(
            f"[U+{ord(character):04X}]" if category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else character
        )
    return "".join(shown)


@lru_cache(maxsize=4096)  # the cells of a long table repeat one another
def escape(text: str) -> MarkdownText:
    """`text` with every character that Markdown would act on escaped."""
    escaped = _SPECIAL.sub(r"\\\1", visible(text))
    if start := _LINE_START.match(escaped):
        escaped = f"{start[1]}\\{escaped[start.start(2) :]}"
    if ":" in escaped or "." in escaped:
        escaped = _AUTOLINK.sub(lambda match: f"{match[1]}\\{match[2]}", escaped)
    return MarkdownText(escaped)


def markdown_table(table: Table) -> MarkdownText:
    """A pipe table; the marked row is bold, figures are on the right."""
    lines = [
        "| " + " | ".join(escape(column.title) for column in table.columns) + " |",
        "|" + "|".join(" ---: " if column.kind == "figure" else " --- " for column in table.columns) + "|",
    ]
    for index, row in enumerate(table.rows):
        cells = [escape(cell) for cell in row]
        if index == table.marked:
            cells = [MarkdownText(f"**{cell}**") if cell else cell for cell in cells]
        lines.append("| " + " | ".join(cells) + " |")
    return MarkdownText("\n".join(lines))
