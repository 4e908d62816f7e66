"""A sheet in millimeters to draw a chart on, and the one module that loads matplotlib.

Everything in the result is a path, letters too, shaped with the project's own fonts: the picture needs no
font where it is shown, and it is the same, to the byte, on every machine. No configuration of matplotlib, no
font of the machine and no cache in somebody's home is read or written.
"""

from __future__ import annotations

import atexit
import base64
import functools
import html
import io
import logging
import os
import shutil
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rackrecord.quantities import compact, trimmed
from rackrecord.render import fonts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

TEXT_WIDTH_MM = 170
"""Width of a chart: that of the text on an A4 page."""

INK = "#000000"
DARK = "#404040"
LIGHT = "#d0d0d0"
PAPER = "#ffffff"

_POINTS_PER_MM = 72 / 25.4
_REGULAR, _BOLD = 400, 700
_ELLIPSIS = "\u2026"

# Latin with its accents, dashes and quotes, a few signs; for any other character the next font is asked.
_TEXT_CHARACTERS = frozenset(
    map(
        chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x20AC, 0x2212, 0x2264, 0x2265)
    )
)

# matplotlib's settings are the process's own, so one drawing at a time.
_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: SVG without a prolog, the same facts as text (an image's `alt`), and its size."""

    svg: str
    text: str
    width_mm: float
    height_mm: float

    @property
    def uri(self) -> str:
        """The picture as a `data:` URI, for an `img` element."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg.encode()).decode()}"


class Canvas:
    """A sheet that is drawn on in millimeters from its lower left corner. Use it inside `drawing()`."""

    def __init__(self, height_mm: float, width_mm: float = TEXT_WIDTH_MM) -> None:
        from matplotlib.figure import Figure

        self.width_mm = width_mm
        self.height_mm = height_mm
        self._figure: Figure = Figure(figsize=(width_mm / 25.4, height_mm / 25.4), dpi=72)
        self._figure.patch.set_visible(False)

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """An empty pair of axes at that place, without frame, ticks or labels."""
        box = (
            left / self.width_mm,
            bottom / self.height_mm,
            width / self.width_mm,
            height / self.height_mm,
        )
        axes = self._figure.add_axes(box)
        axes.patch.set_visible(False)
        axes.set_xticks([])
        axes.set_yticks([])
        for spine in axes.spines.values():
            spine.set_visible(False)
        return axes

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 8,
        bold: bool = False,
        anchor: Literal["left", "center", "right"] = "left",
    ) -> None:
        """Put text on the sheet, its middle at height `y`; line feeds part lines. Nothing in it is markup."""
        self._figure.text(
            x / self.width_mm,
            y / self.height_mm,
            text,
            fontproperties=_font(text, size, bold=bold),
            ha=anchor,
            va="center",
            linespacing=0.85,
            color=INK,
            parse_math=False,
        )

    def chart(self, text: str) -> Chart:
        """What has been drawn, with `text` saying the same."""
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        buffer = io.BytesIO()
        with warnings.catch_warnings():
            # A character that no packaged font has prints as a box; the PDF's own report names it.
            warnings.filterwarnings("ignore", message="Glyph ")
            nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
            canvas: Any = FigureCanvasSVG(self._figure)  # its method carries no types
            canvas.print_svg(buffer, metadata=nothing)
        drawn = buffer.getvalue().decode("utf-8")
        # Without the document type, whose address a careless reader might fetch.
        svg = drawn[drawn.index("<svg") :]
        start = svg.index(">") + 1
        return Chart(
            svg=f"{svg[:start]}\n <title>{html.escape(text, quote=False)}</title>{svg[start:]}",
            text=text,
            width_mm=self.width_mm,
            height_mm=self.height_mm,
        )


@contextmanager
def drawing() -> Iterator[None]:
    """Loads matplotlib, and holds it to the project's own settings and fonts while a chart is drawn."""
    with _lock:
        matplotlib = _matplotlib()
        defaults = matplotlib.rcParamsDefault
        settings = {
            # Without the backend: to look it up would load half of matplotlib more.
            **{name: defaults[name] for name in defaults if not name.startswith("backend")},
            "svg.fonttype": "path",
            # What ids in the drawing are made from; by default it is random.
            "svg.hashsalt": "rackrecord",
            "font.family": [_static_family(_REGULAR)],
            "text.parse_math": False,
            "axes.unicode_minus": False,
        }
        # Set, this variable would hide the packaged fonts as well.
        with _environment({"MPL_IGNORE_SYSTEM_FONTS": None}), matplotlib.rc_context(settings):
            yield


def ticks(top: float, most: int) -> list[float]:
    """Round numbers from 0 to `top`, about as many as `most`. Use it inside `drawing()`."""
    from matplotlib.ticker import MaxNLocator

    found = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(0, top)
    return [float(value) for value in found if 0 <= value <= top]


def tick_label(value: float) -> str:
    """A round number as a scale has it, without the last digits of binary arithmetic."""
    return compact(value, 2) if value >= 10_000 else trimmed(value)


def text_width_mm(text: str, size: float, *, bold: bool = False) -> float:
    """How wide one line of text is drawn at that size in points. Use it inside `drawing()`."""
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")
        width: float = text_to_path.get_text_width_height_descent(text, _font(text, size, bold=bold), False)[
            0
        ]
    return width / _POINTS_PER_MM


def shown(text: str) -> str:
    """Foreign text as one line: spaces and line ends run together, what would hide or reorder visible."""
    return fonts.visible_controls(" ".join(text.split()))


def wrapped(text: str, width_mm: float, size: float, *, lines: int = 2, bold: bool = False) -> str:
    """`shown(text)` broken into at most that many lines of that width; what does not fit ends in an ellipsis.

    A line ends at a space where it can, else anywhere.
    """
    # Far more than fits; measuring all of a text of thousands of letters would take seconds.
    rest = shown(text)[: lines * 200]
    broken: list[str] = []
    while rest and len(broken) < lines:
        fitting = _fitting(rest, width_mm, size, bold)
        if fitting < len(rest):
            last = len(broken) == lines - 1
            if last:
                fitting = max(
                    1, _fitting(rest, width_mm - text_width_mm(_ELLIPSIS, size, bold=bold), size, bold)
                )
                broken.append(rest[:fitting].rstrip() + _ELLIPSIS)
                break
            space = rest.rfind(" ", 0, fitting + 1)
            fitting = space if space > 0 else fitting
        broken.append(rest[:fitting].rstrip())
        rest = rest[fitting:].lstrip()
    return "\n".join(broken)


def _fitting(text: str, width_mm: float, size: float, bold: bool) -> int:
    """How many of the first letters fit in one line, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width_mm(text[:middle], size, bold=bold) <= width_mm:
            low = middle
        else:
            high = middle - 1
    return low


def _font(text: str, size: float, *, bold: bool) -> FontProperties:
    """The text font; behind it, where `text` has a character that it lacks, the others, which take time."""
    from matplotlib.font_manager import FontProperties

    families = [_static_family(_BOLD if bold else _REGULAR)]
    if not _TEXT_CHARACTERS.issuperset(text.replace("\n", "")):
        families += [_family(path) for path in _fallback_files()]
    return FontProperties(family=families, size=size)


def _static_family(weight: int) -> str:
    return f"rackrecord {weight}"


def _family(path: Path) -> str:
    return f"rackrecord {path.stem}"


@functools.cache
def _fallback_files() -> Sequence[Path]:
    return [path for path in fonts.font_files() if "Italic" not in path.name and path != _text_font()]


def _text_font() -> Path:
    """The upright file of the text family."""
    name = fonts.TEXT_FAMILY.replace(" ", "")
    return next(p for p in fonts.font_files() if p.name.startswith(name) and "Italic" not in p.name)


@functools.cache
def _matplotlib() -> Any:
    """matplotlib with the project's fonts, loaded when first needed: it takes a third of a second."""
    own = Path(tempfile.mkdtemp(prefix="rackrecord-charts-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    # Its own folder keeps it out of the user's; it lists the fonts that it brings along there.
    surroundings = {
        "MPLCONFIGDIR": str(own),
        "MATPLOTLIBRC": None,
        "MPLBACKEND": None,
        "MPL_IGNORE_SYSTEM_FONTS": "1",
    }
    with _environment(surroundings), _out_of_reach_of_settings(own):
        import matplotlib
        from matplotlib.font_manager import FontEntry, fontManager
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    for weight in (_REGULAR, _BOLD):
        file = own / f"text-{weight}.ttf"
        _write_static_font(file, weight)
        fontManager.ttflist.append(FontEntry(fname=str(file), name=_static_family(weight), size="scalable"))
    for path in _fallback_files():
        fontManager.ttflist.append(FontEntry(fname=str(path), name=_family(path), size="scalable"))
    return matplotlib


def _write_static_font(target: Path, weight: int) -> None:
    """One weight of the text font as a file, since matplotlib draws a variable font in its default only.

    Without kerning and ligatures, whose tables take ten times as long as the outlines.
    """
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    with TTFont(_text_font(), lazy=True) as font:
        for table in ("GPOS", "GSUB", "GDEF"):
            if table in font:
                del font[table]
        options = subset.Options(hinting=False, notdef_outline=True)
        options.drop_tables += ["DSIG", "MVAR", "STAT"]
        subsetter = subset.Subsetter(options)
        subsetter.populate(text="".join(sorted(_TEXT_CHARACTERS)))
        subsetter.subset(font)
        instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
        # The drawing names its letters after this; two weights under one name would be taken for each other.
        font["name"].setName(f"rackrecord-{weight}", 6, 3, 1, 0x409)
        font.save(target)


@contextmanager
def _environment(values: Mapping[str, str | None]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    try:
        _set(values)
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextmanager
def _out_of_reach_of_settings(folder: Path) -> Iterator[None]:
    """A `matplotlibrc` in the working folder is read on import, whatever it holds: import from elsewhere."""
    if not Path("matplotlibrc").exists():
        yield
        return
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
