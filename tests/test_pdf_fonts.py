from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from rackrecord.errors import UserError
from rackrecord.render import fonts

PRINTED_SIGNS = "®™§€£¥≥≤×−·…→–—✓✗⌈⌉⌊⌋¹²³⁰⁴⁵⁶⁷⁸⁹₀₁₂≈≠±÷√∞∑∏µΩ°‰•†‡“”‘’«»½¼⟨⟩▲▼●■\u00a0\u202f\u2009\u2011"


def test_every_sign_that_a_record_prints_is_covered_by_the_base_fonts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_cjk = tuple(package for package in fonts._PACKAGES if package.extra is None)
    monkeypatch.setattr(fonts, "_PACKAGES", without_cjk)
    assert fonts.uncovered_characters(PRINTED_SIGNS) == ()
    assert (
        fonts.uncovered_characters("Ελληνικά Кириллица Tiếng Việt Łódź Ğşçñ שלום مرحبا ภาษาไทย हिन्दी 🚀")
        == ()
    )


def test_cjk_is_named_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without_cjk = tuple(package for package in fonts._PACKAGES if package.extra is None)
    monkeypatch.setattr(fonts, "_PACKAGES", without_cjk)
    assert fonts.uncovered_characters("rack 架 랙") == (
        "U+67B6 CJK UNIFIED IDEOGRAPH-67B6",
        "U+B799 HANGUL SYLLABLE RAEG",
    )


def test_cjk_is_covered_with_the_extra() -> None:
    pytest.importorskip("noto_cjk_sans_otc", reason="needs the extra [cjk]")
    assert fonts.uncovered_characters("机架 機架 ラック 랙 、。「」") == ()


def test_uncovered_characters_are_named_in_order_once() -> None:
    assert fonts.uncovered_characters("\U00010330 a \x07 \U00010330 \ue000 \u2612") == (
        "U+0007 (control character)",
        "U+2612 BALLOT BOX WITH X",
        "U+E000 (private use)",
        "U+10330 GOTHIC LETTER AHSA",
    )


def test_what_needs_no_glyph_is_not_named() -> None:
    assert fonts.uncovered_characters("a\tb\r\nc\u00ad\u200b\u200d\u2060\ufe0f\u3000") == ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 12 %", "plain text, 12 %"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("bell \x07", "bell ⟨U+0007⟩"),
        ("nul \x00 del \x7f next line \x85", "nul ⟨U+0000⟩ del ⟨U+007F⟩ next line ⟨U+0085⟩"),
        ("carriage\rreturn", "carriage⟨U+000D⟩return"),
        ("\u202e0.1 USD\u202c", "⟨U+202E⟩0.1 USD⟨U+202C⟩"),
        ("\u2066isolated\u2069", "⟨U+2066⟩isolated⟨U+2069⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("tag \U000e0041", "tag ⟨U+E0041⟩"),
        ("\ufffe \U0010ffff", "⟨U+FFFE⟩ ⟨U+10FFFF⟩"),
        ("عربي 漢字 é 👩\u200d🚀", "عربي 漢字 é 👩\u200d🚀"),
    ],
)
def test_controls_are_shown(text: str, shown: str) -> None:
    assert fonts.visible_controls(text) == shown


def test_configuration_names_only_the_packaged_folders() -> None:
    root = ElementTree.parse(fonts.fontconfig_file()).getroot()
    folders = [Path(element.text or "") for element in root.iter("dir")]
    assert folders
    assert {path.parent.resolve() for path in fonts.font_files()} == {folder.resolve() for folder in folders}
    assert not list(root.iter("include"))
    assert all(element.get("prefix") is None for element in (*root.iter("dir"), *root.iter("cachedir")))


def test_folder_names_are_escaped() -> None:
    xml = fonts._fontconfig_xml([Path("/a & b/<c>")], Path("/cache & more"))
    root = ElementTree.fromstring(xml)
    assert [element.text for element in root.iter("dir")] == ["/a & b/<c>"]
    assert [element.text for element in root.iter("cachedir")] == ["/cache & more"]


def test_missing_font_package_is_a_user_error(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "fontpkg_source_sans_3" else find(name)
    )
    with pytest.raises(UserError, match="fontpkg_source_sans_3 is missing"):
        fonts.font_files()
