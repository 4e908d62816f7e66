"""What a record's PDF carries: its attachments, the size of its pages, the library that made it, its text."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rackrecord.errors import UserError
from rackrecord.render.pdf import PageSize

# Width of a portrait page in points; A4 has 595.
_LETTER_WIDTH = 612


@dataclass(frozen=True, slots=True)
class PdfContent:
    """A PDF opened: file name to attachment, and facts on the document."""

    attachments: dict[str, bytes]
    page_size: PageSize
    producer: str


def open_pdf(data: bytes, name: str) -> PdfContent:
    """The attachments of a PDF and its facts.

    Raises:
        UserError: it is no PDF that can be read.
    """
    import pypdf

    with _reading(name):
        reader = pypdf.PdfReader(io.BytesIO(data))
        attachments = {key: parts[0] for key, parts in reader.attachments.items() if parts}
        width = min(reader.pages[0].mediabox.width, reader.pages[0].mediabox.height)
        metadata = reader.metadata
    size: PageSize = "Letter" if abs(float(width) - _LETTER_WIDTH) < 2 else "A4"
    return PdfContent(attachments, size, str(metadata.producer or "") if metadata is not None else "")


def page_texts(data: bytes, name: str) -> tuple[str, ...]:
    """The text of each page.

    Raises:
        UserError: it is no PDF that can be read.
    """
    import pypdf

    with _reading(name):
        return tuple(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """pypdf raises what it comes upon in a damaged file: its own errors, and those of wrong types."""
    import pypdf.errors

    # What it logs on the way to an error, the error says.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        yield
    except (
        pypdf.errors.PyPdfError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        OSError,
        RecursionError,
        TypeError,
        ValueError,
        NotImplementedError,
    ) as error:
        raise UserError.of(f"cannot be read as a PDF: {error}", file=name) from error
