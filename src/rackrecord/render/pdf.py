"""HTML and CSS to PDF, the same bytes for the same input; the only module that loads WeasyPrint.

What could differ between two runs is fixed: the document's identifier and dates, the dates of attachments,
the date in embedded fonts (`SOURCE_DATE_EPOCH`), the fonts (`render.fonts`), the language that steers which
glyphs are chosen. Left are the versions of the libraries: the system's Pango and HarfBuzz and zlib.
"""

from __future__ import annotations

import base64
import contextlib
import io
import logging
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from rackrecord.errors import UserError
from rackrecord.render import fonts

PageSize = Literal["A4", "Letter"]

SYSTEM_PACKAGES = ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0")
"""The Debian packages that bring what WeasyPrint loads."""

# PDF/A-3: made for the archive, and the first part that may carry any attachment; u: text maps to Unicode.
_VARIANT = "pdf/a-3u"

_MEDIA_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "yaml": "application/yaml",  # RFC 9512
}

# The environment is the process's own, so one render at a time.
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class RenderedPdf:
    """A PDF and what was noticed while it was made."""

    content: bytes
    """The file."""
    pages: int
    """How many pages it has."""
    messages: tuple[str, ...]
    """Faults of the HTML or the stylesheet: rules not understood, resources refused, links to nowhere."""
    uncovered: tuple[str, ...]
    """Characters that no font covers, named as `fonts.uncovered_characters` does; each prints as a box."""


def html_to_pdf(
    html: str,
    *,
    stylesheet: str,
    page_size: PageSize,
    identifier: bytes | str,
    created: date,
    title: str,
    author: str = "",
    attachments: Mapping[str, bytes] | None = None,
) -> RenderedPdf:
    """Lay out `html` on pages, tagged for screen readers and fit for an archive.

    Nothing is loaded but `data:` URIs: no network, no file. What else is referred to is left out and named in
    the messages. A caller with HTML of its own treats any message as a fault; a caller with somebody else's
    template passes them on.

    Args:
        html: the document. Inline SVG and `data:` images are drawn.
        stylesheet: CSS; the families are `fonts.TEXT_FAMILY` and `fonts.MONOSPACE_FAMILY`.
        page_size: overrides what the stylesheet says of it.
        identifier: becomes the permanent identifier of the file.
        created: becomes, at midnight UTC, the date of the document, its attachments and its fonts.
        title: the document's title in the metadata.
        author: its author there, or empty.
        attachments: file name to content.

    Raises:
        UserError: the system libraries of WeasyPrint are missing, or a font package is.
    """
    moment = datetime(created.year, created.month, created.day, tzinfo=UTC)
    with _lock, _environment(moment), _messages() as messages:
        weasyprint = _weasyprint()
        from weasyprint.text.fonts import FontConfiguration
        from weasyprint.urls import URLFetcher

        sources: dict[str, Any] = {"url_fetcher": URLFetcher(allowed_protocols=("data",))}
        font_configuration = FontConfiguration()
        source = weasyprint.HTML(string=html, **sources)
        # Without a language, line breaking and the choice of glyphs would follow the machine's.
        source.etree_element.attrib.setdefault("lang", "en")
        document = source.render(
            font_config=font_configuration,
            stylesheets=[
                weasyprint.CSS(string=css, font_config=font_configuration, **sources)
                for css in (stylesheet, f"@page {{ size: {page_size} !important }}")
            ],
            pdf_variant=_VARIANT,
        )
        _refuse_linked_attachments(document)
        _set_metadata(document.metadata, title=title, author=author, moment=moment)
        content = document.write_pdf(
            pdf_identifier=identifier.encode() if isinstance(identifier, str) else identifier,
            pdf_variant=_VARIANT,
            pdf_tags=True,
            attachments=_attachments(weasyprint, attachments or {}, moment, sources),
            finisher=_finish,
        )
        pages = len(document.pages)
    return RenderedPdf(content, pages, messages.texts(), messages.uncovered())


def _weasyprint() -> Any:
    """WeasyPrint, loaded when first needed: it takes half a second and wants system libraries."""
    try:
        # It explains a missing library on standard output, which is the caller's.
        with contextlib.redirect_stdout(io.StringIO()):
            import weasyprint
    except OSError as error:
        raise UserError.of(
            f"the PDF engine cannot load a system library ({error}); on Debian or Ubuntu: "
            f"sudo apt-get install -y {' '.join(SYSTEM_PACKAGES)}"
        ) from error
    return weasyprint


@contextlib.contextmanager
def _environment(moment: datetime) -> Iterator[None]:
    """The environment that fontconfig, Pango and fontTools read, for the time of one render."""
    wanted = {
        "FONTCONFIG_FILE": str(fonts.fontconfig_file()),
        "FONTCONFIG_SYSROOT": None,
        "PANGO_LANGUAGE": "en",
        "SOURCE_DATE_EPOCH": str(max(0, int(moment.timestamp()))),
    }
    before = {name: os.environ.get(name) for name in wanted}
    _set_environment(wanted)
    try:
        yield
    finally:
        _set_environment(before)


def _set_environment(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


class _Messages(logging.Handler):
    """What WeasyPrint logs, each message once."""

    _NO_GLYPH = re.compile(r"^\.notdef glyph rendered .*\(U\+([0-9A-F]+)\)$", re.DOTALL)

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._texts: dict[str, None] = {}
        self._uncovered: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if no_glyph := self._NO_GLYPH.match(text):
            self._uncovered.add(chr(int(no_glyph[1], 16)))
        else:
            self._texts[text] = None

    def texts(self) -> tuple[str, ...]:
        return tuple(self._texts)

    def uncovered(self) -> tuple[str, ...]:
        return tuple(fonts.name_of(character) for character in sorted(self._uncovered))


@contextlib.contextmanager
def _messages() -> Iterator[_Messages]:
    logger = logging.getLogger("weasyprint")
    handler = _Messages()
    level, propagate = logger.level, logger.propagate
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    logger.addHandler(handler)
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


def _refuse_linked_attachments(document: Any) -> None:
    """Take out what the HTML itself attaches: WeasyPrint would stamp it with the time of day."""
    linked = bool(document.metadata.attachments)
    document.metadata.attachments = []
    for page in document.pages:
        kept = [link for link in page.links if link[0] != "attachment"]
        linked = linked or len(kept) != len(page.links)
        page.links = kept
    if linked:
        logging.getLogger("weasyprint").warning("Attachments linked from the HTML are not embedded")


def _set_metadata(metadata: Any, *, title: str, author: str, moment: datetime) -> None:
    metadata.title = title
    metadata.authors = [author] if author else []
    metadata.generator = "rackrecord"
    metadata.created = metadata.modified = moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _attachments(
    weasyprint: Any, attachments: Mapping[str, bytes], moment: datetime, sources: Mapping[str, Any]
) -> list[Any]:
    return [
        weasyprint.Attachment(
            # As a URI it carries its media type, which else would be the machine's guess from the name.
            url=f"data:{_media_type(name)};base64,{base64.b64encode(content).decode()}",
            name=name,
            created=moment,
            modified=moment,
            relationship="Source",
            **sources,
        )
        for name, content in sorted(attachments.items())
    ]


def _media_type(name: str) -> str:
    return _MEDIA_TYPES.get(name.rpartition(".")[2].lower(), "application/octet-stream")


def _finish(_document: Any, pdf: Any) -> None:
    """Name each attachment once in the list of associated files, where WeasyPrint names it twice."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = dict.fromkeys(pdf.catalog["AF"])
