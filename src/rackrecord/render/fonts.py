"""The fonts of the PDF: which packages bring them, how fontconfig is told of them alone, what they cover.

Every font is a file of a Python dependency. The machine's own fonts are never looked at, so the same record
looks the same, to the byte, on a laptop and on a server that has none.
"""

from __future__ import annotations

import atexit
import functools
import importlib.util
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from rackrecord.errors import UserError

TEXT_FAMILY = "Source Sans 3"
"""The family of running text; CSS reaches it by this name, and as `sans-serif` and `serif`."""

MONOSPACE_FAMILY = "Source Code Pro"
"""The family of identifiers and digests; CSS reaches it by this name, and as `monospace`."""

# Tried in this order for a character that the text family lacks; then any other packaged font.
_FALLBACK_FAMILIES = ("Noto Sans", "Noto Sans Symbols", "Noto Emoji")


@dataclass(frozen=True, slots=True)
class _FontPackage:
    module: str
    folder: str
    extra: str | None = None


# Source: the coverage of the files themselves. Source Sans 3 has Latin, Greek, Cyrillic, Vietnamese and most
# signs that a record prints; the Noto families of manimgx-fonts add the rest (ceiling brackets, Arabic,
# Hebrew, Thai, Devanagari and other scripts). Noto Sans CJK holds Chinese, Japanese and Korean alike.
_PACKAGES = (
    _FontPackage("fontpkg_source_sans_3", "files"),
    _FontPackage("fontpkg_source_code_pro", "files"),
    _FontPackage("manimgx_fonts", "."),
    _FontPackage("noto_cjk_sans_otc", ".", extra="cjk"),
)


def font_files() -> tuple[Path, ...]:
    """The files of all the packaged fonts that are installed, in the order in which they are tried.

    Raises:
        UserError: a font package that the project always needs is missing.
    """
    return tuple(
        path
        for folder in _font_folders()
        for path in sorted(folder.iterdir())
        if path.suffix in {".ttf", ".otf", ".ttc"}
    )


def fontconfig_file() -> Path:
    """A fontconfig configuration that knows the packaged fonts and nothing else; made once a process.

    It lies in a temporary folder, with fontconfig's cache of the scanned fonts, until the process ends.
    """
    return _fontconfig_file(_font_folders())


def uncovered_characters(text: str) -> tuple[str, ...]:
    """The characters of `text` that would print as an empty box or not at all, in order of code point.

    Each is named, such as `U+1F9FF NAZAR AMULET` or `U+0007 (control character)`. Spaces, line ends, tabs
    and the invisible characters that steer shaping (joiners, variation selectors) need no glyph.
    """
    left = {character for character in set(text) if not _needs_no_glyph(character)}
    for path in font_files():
        if not left:
            break
        covered = _coverage(path)
        left = {character for character in left if ord(character) not in covered}
    return tuple(name_of(character) for character in sorted(left))


def visible_controls(text: str) -> str:
    """`text` with the characters that would hide or reorder others shown by number, such as `⟨U+202E⟩`.

    These are control characters other than tab and line feed, the marks that override the direction of text
    (Unicode Standard Annex 9; they can make an amount read backwards), separators, lone surrogates, tags and
    noncharacters. Escape for HTML or Markdown afterwards.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"⟨U+{ord(character):04X}⟩" if _hides(character) else character for character in text)


def name_of(character: str) -> str:
    """The code point and Unicode name of one character."""
    kinds = {"Cc": "control character", "Cs": "surrogate", "Co": "private use", "Cn": "unassigned"}
    kind = kinds.get(unicodedata.category(character))
    name = f"({kind})" if kind else unicodedata.name(character, "(unnamed)")
    return f"U+{ord(character):04X} {name}"


def _font_folders() -> tuple[Path, ...]:
    return tuple(_installed_folders())


def _installed_folders() -> Iterator[Path]:
    for package in _PACKAGES:
        # Found, not imported: the packages are data.
        spec = importlib.util.find_spec(package.module)
        if spec is not None and spec.submodule_search_locations:
            yield Path(next(iter(spec.submodule_search_locations))) / package.folder
        elif package.extra is None:
            raise UserError.of(
                f"the font package {package.module} is missing from this installation; "
                "install rackrecord again"
            )


@functools.cache
def _fontconfig_file(folders: tuple[Path, ...]) -> Path:
    own = Path(tempfile.mkdtemp(prefix="rackrecord-fonts-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    cache = own / "cache"
    cache.mkdir()
    file = own / "fonts.conf"
    file.write_text(_fontconfig_xml(folders, cache), encoding="utf-8")
    return file


def _fontconfig_xml(folders: Iterable[Path], cache: Path) -> str:
    text = (TEXT_FAMILY, *_FALLBACK_FAMILIES)
    rules = [
        *(f"<dir>{escape(str(folder))}</dir>" for folder in folders),
        f"<cachedir>{escape(str(cache))}</cachedir>",
        _alias("sans-serif", text),
        _alias("serif", text),
        _alias("monospace", (MONOSPACE_FAMILY, *text)),
        # A family that is not packaged (a company's Helvetica) falls back to the text family, not to chance.
        '<match target="pattern"><edit name="family" mode="append_last">'
        + "".join(f"<string>{family}</string>" for family in text)
        + "</edit></match>",
        # No hinting: it would round the widths of glyphs for a screen that there is none of.
        '<match target="pattern"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>',
    ]
    lines = "\n  ".join(rules)
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n'
        f"<fontconfig>\n  {lines}\n</fontconfig>\n"
    )


def _alias(generic: str, families: Iterable[str]) -> str:
    preferred = "".join(f"<family>{family}</family>" for family in families)
    return f'<alias binding="same"><family>{generic}</family><prefer>{preferred}</prefer></alias>'


@functools.cache
def _coverage(path: Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # 50 ms that only a render needs

    with TTFont(path, lazy=True, fontNumber=0) as font:
        return frozenset(font.getBestCmap())


def _needs_no_glyph(character: str) -> bool:
    if character in "\t\n\r":
        return True
    if character.isspace() and unicodedata.category(character) == "Zs":
        return True
    point = ord(character)
    # They shape text and print nothing: soft hyphen, joiners, direction marks, word joiner, selectors.
    return point in {0xAD, 0x34F, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF} or (
        0xFE00 <= point <= 0xFE0F or 0xE0100 <= point <= 0xE01EF
    )


def _hides(character: str) -> bool:
    category = unicodedata.category(character)
    point = ord(character)
    return (
        (category == "Cc" and character not in "\t\n")
        or category in {"Cs", "Zl", "Zp"}
        or 0x202A <= point <= 0x202E
        or 0x2066 <= point <= 0x2069
        or 0xFFF9 <= point <= 0xFFFB
        or 0xE0000 <= point <= 0xE007F
        or 0xFDD0 <= point <= 0xFDEF
        or point & 0xFFFE == 0xFFFE
    )
