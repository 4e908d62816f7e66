"""No word of a record's PDF is cut at the edge of the paper or runs into its margin."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from many_options import many_options
from rackrecord.render.html import render_pdf

MARGIN = 15 / 25.4 * 72
"""Left and right, in points, as record.css has them."""
RECORDS = Path(__file__).parents[1] / "records"


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


@pytest.mark.parametrize("pdf", sorted(RECORDS.glob("*/record.pdf")), ids=lambda pdf: pdf.parent.name[:4])
def test_nothing_of_the_examples_is_printed_beyond_the_margins(pdf: Path) -> None:
    assert outside(pdf.read_bytes()) == []


def test_nothing_of_twelve_options_is_printed_beyond_the_margins() -> None:
    # In two tables of six, the widest there are; A4 is the narrower of the two sizes.
    pdf = render_pdf(many_options(12), page_size="A4", with_charts=False).content
    assert outside(pdf) == []
