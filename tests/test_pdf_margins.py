"""No word of a record's PDF is cut at the edge of the paper or runs into its margin."""

from __future__ import annotations

import pypdfium2
import pytest

from deciding import NAMES, example_record
from many_options import many_options
from rackrecord.render.html import render_pdf

MARGIN = 15 / 25.4 * 72
"""Left and right, in points, as record.css has them."""
TWELVE = "twelve options"  # two tables of six, the widest there are


def outside(content: bytes) -> list[str]:
    """Every character that is printed left or right of the type area, with its page."""
    found = []
    document = pypdfium2.PdfDocument(content)
    for number, page in enumerate(document, start=1):
        text = page.get_textpage()
        for index in range(text.count_chars()):
            character = text.get_text_range(index, 1)
            left, _, right, _ = text.get_charbox(index)
            beyond = left < MARGIN - 1 or right > page.get_width() - MARGIN + 1
            if character.strip() and beyond:
                found.append(f"page {number}: {character!r} at {left:.0f}–{right:.0f}")
    return found


@pytest.mark.parametrize("name", [*NAMES, TWELVE])
def test_nothing_is_printed_beyond_the_margins(name: str) -> None:
    record = many_options(12) if name == TWELVE else example_record(name)
    # A4 is the narrower of the two sizes.
    assert outside(render_pdf(record, page_size="A4", with_charts=False).content) == []
