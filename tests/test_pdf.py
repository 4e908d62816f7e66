from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pypdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from rackrecord.render import fonts
from rackrecord.render.pdf import RenderedPdf, html_to_pdf

STYLESHEET = """
@page { margin: 2cm; @bottom-right { content: "page " counter(page) " of " counter(pages) } }
body { font-family: "Source Sans 3" }
code { font-family: "Source Code Pro" }
.note { float: footnote }
table { break-inside: auto }
"""

DOCUMENT = (
    """<!DOCTYPE html><html lang="en"><head><title>in the HTML</title></head><body>
<h1>Capacity decision record</h1>
<p>Racks = ⌈D·(1+h)/T⌉ + s, at −9 % × 2 ≥ 1 ≤ 3 → 4 … 5 – 6 — 7 ✓ ✗ 10⁶ m² € £ ¥ § MLPerf® ™</p>
<p>Ελληνικά, Кириллица, Tiếng Việt, <b>bold</b>, <i>italic</i>, <code>sha256:0123abcd</code></p>
<p>Cited<span class="note">A footnote with a <a href="https://example.org/">link</a>.</span></p>
<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><title>A chart</title>
<rect x="10" y="10" width="150" height="10" fill="#346"/><text x="10" y="36" font-size="10">0.14</text></svg>
<table><caption>Results</caption><thead><tr><th>System</th><th>tokens/s</th></tr></thead><tbody>
"""
    + "".join(f"<tr><th scope=row>system {n}</th><td>{n * n}</td></tr>" for n in range(120))
    + """
</tbody></table></body></html>"""
)

DRAWING = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='30'%3E"
    "%3Ctext y='20'%3Edrawn%3C/text%3E%3C/svg%3E"
)

ATTACHMENTS = {"record.json": b'{"a":1}', "profile.yaml": b"a: 1\n"}


def render(html: str = DOCUMENT, **changes: object) -> RenderedPdf:
    arguments: dict[str, object] = {
        "stylesheet": STYLESHEET,
        "page_size": "A4",
        "identifier": "0001-example",
        "created": date(2026, 11, 30),
        "title": "Capacity decision record 0001",
        "author": "Inference platform team",
        "attachments": ATTACHMENTS,
    }
    return html_to_pdf(html, **{**arguments, **changes})  # type: ignore[arg-type]


def page(body: str, language: str = "en") -> str:
    return f'<!DOCTYPE html><html lang="{language}"><body>{body}</body></html>'


def reader(rendered: RenderedPdf) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(rendered.content), strict=True)


def text_of(rendered: RenderedPdf) -> str:
    document = pypdfium2.PdfDocument(rendered.content)
    return "\n".join(document[n].get_textpage().get_text_bounded() for n in range(len(document)))


def embedded_families(rendered: RenderedPdf) -> set[str]:
    families = set()
    for one in reader(rendered).pages:
        for font in one["/Resources"]["/Font"].values():
            descriptor = font["/DescendantFonts"][0]["/FontDescriptor"]
            assert "/FontFile2" in descriptor or "/FontFile3" in descriptor, "a font that is not embedded"
            families.add(str(descriptor["/FontFamily"]))
    return families


def test_document_without_faults_gives_no_message() -> None:
    rendered = render()
    assert rendered.messages == ()
    assert rendered.uncovered == ()
    assert rendered.content.startswith(b"%PDF-1.7")
    assert rendered.pages == len(reader(rendered).pages) >= 3


def test_text_can_be_read_back() -> None:
    text = text_of(render())
    signs = ("⌈D·(1+h)/T⌉ + s", "−9 % × 2 ≥ 1 ≤ 3 → 4", "✓ ✗ 10⁶ m²")
    for words in (*signs, "Ελληνικά", "Кириллица", "Tiếng Việt"):
        assert words in text
    assert f"page 1 of {render().pages}" in text


def test_table_head_repeats_on_each_page_of_the_table() -> None:
    document = pypdfium2.PdfDocument(render().content)
    pages = [document[n].get_textpage().get_text_bounded() for n in range(len(document))]
    with_rows = [text for text in pages if "system " in text]
    assert len(with_rows) >= 3
    assert all("System" in text for text in with_rows)


@pytest.mark.parametrize(("size", "points"), [("A4", (595.28, 841.89)), ("Letter", (612, 792))])
def test_page_size_wins_over_the_stylesheet(size: str, points: tuple[float, float]) -> None:
    # ISO 216 A4 is 210 mm by 297 mm; Letter is 8.5 in by 11 in; a point is 1/72 in.
    rendered = render(page("<p>x"), page_size=size, stylesheet="@page { size: A3 landscape }")
    box = reader(rendered).pages[0].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx(points, abs=0.01)


def test_metadata_is_what_the_caller_says() -> None:
    document = reader(render())
    assert document.metadata is not None
    assert dict(document.metadata) == {
        "/Title": "Capacity decision record 0001",
        "/Author": "Inference platform team",
        "/Creator": "rackrecord",
        "/Producer": document.metadata.producer,
        "/CreationDate": "D:20261130000000Z",
        "/ModDate": "D:20261130000000Z",
    }
    catalog = document.trailer["/Root"]
    assert catalog["/Lang"] == "en"
    assert catalog["/MarkInfo"] == {"/Marked": True}
    assert document.trailer["/ID"][0] == "0001-example"


def test_declares_the_archive_standard() -> None:
    # ISO 19005-3: part and conformance in the XMP packet, the dates again, each attachment associated.
    document = reader(render())
    catalog = document.trailer["/Root"]
    xmp = catalog["/Metadata"].get_data().decode()
    assert 'part="3"' in xmp
    assert 'conformance="U"' in xmp
    assert "2026-11-30T00:00:00Z" in xmp
    assert [item.get_object()["/UF"] for item in catalog["/AF"]] == ["profile.yaml", "record.json"]
    assert {item.get_object()["/AFRelationship"] for item in catalog["/AF"]} == {"/Source"}


def test_attachments_come_back_as_given() -> None:
    document = reader(render())
    assert {name: content[0] for name, content in document.attachments.items()} == ATTACHMENTS
    associated = [item.get_object() for item in document.trailer["/Root"]["/AF"]]
    files = {item["/UF"]: item["/EF"]["/F"] for item in associated}
    assert files["record.json"]["/Subtype"] == "/application/json"
    assert files["profile.yaml"]["/Subtype"] == "/application/yaml"
    assert {file["/Params"]["/ModDate"] for file in files.values()} == {"D:20261130000000Z"}


def test_tagged_table_links_cells_to_their_headers() -> None:
    tags: list[str] = []

    def walk(element: object) -> None:
        element = element.get_object() if hasattr(element, "get_object") else element
        if isinstance(element, dict) and "/S" in element:
            tags.append(element["/S"])
            kids = element.get("/K", [])
            for kid in kids if isinstance(kids, list) else [kids]:
                walk(kid)

    for kid in reader(render()).trailer["/Root"]["/StructTreeRoot"]["/K"]:
        walk(kid)
    assert {"/H1", "/P", "/Table", "/Caption", "/TH", "/TD", "/Link", "/Figure"} <= set(tags)


# What is not faultless is said.


@pytest.mark.parametrize(
    ("body", "stylesheet", "said"),
    [
        ("<p>x", "p { colour: red }", "colour"),
        ("<p>x", "p { width: calc( }", "width"),
        ("<p>x", "@import url(https://example.org/x.css);", "https://example.org/x.css"),
        ('<img alt="x" src="https://example.org/x.png">', "", "https://example.org/x.png"),
        ('<img alt="x" src="file:///etc/hostname">', "", "file:///etc/hostname"),
        ('<img alt="x" src="relative.png">', "", "relative.png"),
        ('<link rel="stylesheet" href="/style.css">', "", "/style.css"),
        ('<a href="#nowhere">x</a>', "", "nowhere"),
        (f'<img src="{DRAWING}">', "", "alt"),
        ('<a rel="attachment" href="data:text/plain,x">x</a>', "", "Attachments linked"),
        ("<p>x", '@font-face { font-family: "F"; src: url(file:///f.ttf) }', "Font-face"),
    ],
)
def test_fault_is_named(body: str, stylesheet: str, said: str) -> None:
    rendered = render(page(body), stylesheet=stylesheet)
    assert rendered.messages
    assert any(said in message for message in rendered.messages), rendered.messages


def test_file_that_exists_is_not_read(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    picture.write_text('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">secret</text></svg>')
    tricks = (
        f'<img alt="x" src="{picture.as_uri()}">',
        f'<p style="background: url({picture.as_uri()})">x',
        f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{picture.as_uri()}"/></svg>',
        f'<svg xmlns="http://www.w3.org/2000/svg"><use href="{picture.as_uri()}"/></svg>',
        f'<object data="{picture.as_uri()}">x</object><embed src="{picture.as_uri()}">',
        f'<base href="{tmp_path.as_uri()}/"><img alt="x" src="picture.svg">',
        f'<link rel="attachment" href="{picture.as_uri()}">',
    )
    for trick in tricks:
        rendered = render(page(trick), attachments={})
        assert "secret" not in text_of(rendered)
        assert not reader(rendered).attachments


def test_data_uri_is_drawn() -> None:
    rendered = render(page(f'<img alt="x" src="{DRAWING}">'))
    assert rendered.messages == ()
    assert "drawn" in text_of(rendered)


def test_attachment_linked_from_the_html_leaves_no_time_of_day() -> None:
    links = (
        '<link rel="attachment" href="data:text/plain,x"><a rel="attachment" href="data:text/plain,y">x</a>'
    )
    rendered = render(page(links), attachments={})
    assert not reader(rendered).attachments
    assert b"FileAttachment" not in rendered.content


# Fonts.


def test_only_packaged_fonts_are_embedded() -> None:
    assert embedded_families(render()) == {"Source Sans 3", "Source Code Pro", "Noto Sans Symbols"}


@pytest.mark.parametrize("family", ["sans-serif", "serif", "Helvetica", "'DejaVu Sans', serif", "none-such"])
def test_family_that_is_not_packaged_falls_back_to_the_text_family(family: str) -> None:
    rendered = render(page("<p>Some text"), stylesheet=f"p {{ font-family: {family} }}")
    assert embedded_families(rendered) == {"Source Sans 3"}


def test_monospace_is_the_monospace_family() -> None:
    assert embedded_families(render(page("<pre>x"), stylesheet="")) == {"Source Code Pro"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh-CN", "采购机架"),
        ("zh-TW", "採購機架"),
        ("ja", "ラックの購入"),
        ("ko", "랙 구매"),
        ("en", "漢字 かな 한글"),
    ],
)
def test_cjk_is_covered_and_stays_small(language: str, text: str) -> None:
    pytest.importorskip("noto_cjk_sans_otc", reason="needs the extra [cjk]")
    rendered = render(page(f"<p>{text}", language))
    assert rendered.uncovered == rendered.messages == ()
    assert text in text_of(rendered)
    assert len(rendered.content) < 500_000


def test_character_without_a_glyph_is_named() -> None:
    rendered = render(page("<p>Gothic \U00010330"))
    assert rendered.uncovered == ("U+10330 GOTHIC LETTER AHSA",)
    assert rendered.messages == ()


def test_many_languages_keep_it_small() -> None:
    rendered = render(page("<p>Ελληνικά Кириллица Tiếng Việt שלום مرحبا สวัสดี नमस्ते 🚀"))
    assert rendered.uncovered == ()
    assert len(rendered.content) < 100_000


# The same bytes. Each run is a process of its own, in another environment.

_SCRIPT = """
import hashlib, sys
sys.path[:0] = {paths!r}
from test_pdf import DOCUMENT, page, render
rendered = render(DOCUMENT.replace("</h1>", " 骨直采购</h1>"))
assert rendered.messages == (), rendered.messages
print(hashlib.sha256(rendered.content).hexdigest())
"""


def digest_in(folder: Path, **environment: str) -> str:
    source = Path(fonts.__file__).parents[2]
    script = _SCRIPT.format(paths=[str(source), str(Path(__file__).parent)])
    clean = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**clean, "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def impostor(folder: Path) -> Path:
    """A font that claims to be Source Sans 3 and has another shape for the letter a."""
    folder.mkdir(parents=True)
    original = next(path for path in fonts.font_files() if path.name == "SourceSans3[wght].ttf")
    with TTFont(original) as font:
        cmap = {**font.getBestCmap(), ord("a"): font.getBestCmap()[ord("z")]}
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap = {**table.cmap, ord("a"): cmap[ord("a")]}
        font.save(folder / "SourceSans3.ttf")
    return folder


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest_in(tmp_path_factory.mktemp("reference"), LANG="C.UTF-8", PYTHONHASHSEED="0", TZ="UTC")


@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "1"},
        {"TZ": "America/New_York", "PYTHONHASHSEED": "2", "SOURCE_DATE_EPOCH": "1"},
        {"LANG": "zh_TW.UTF-8", "LANGUAGE": "zh_TW", "PANGO_LANGUAGE": "zh-tw"},
        {
            "LC_ALL": "POSIX",
            "FONTCONFIG_SYSROOT": "/nonexistent",
            "FONTCONFIG_FILE": "/nonexistent/fonts.conf",
        },
    ],
    ids=lambda environment: "-".join(environment),
)
def test_same_bytes_elsewhere(reference: str, environment: dict[str, str], tmp_path: Path) -> None:
    assert digest_in(tmp_path, **environment) == reference


def test_same_bytes_with_other_fonts_installed(reference: str, tmp_path: Path) -> None:
    impostor(tmp_path / ".fonts")
    shutil.copytree(tmp_path / ".fonts", tmp_path / "data" / "fonts")
    assert digest_in(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) == reference


def test_impostor_would_change_the_bytes(tmp_path: Path) -> None:
    # Otherwise the test above could not fail: the font is one that a plain WeasyPrint does pick up.
    impostor(tmp_path / ".fonts")
    script = """
import weasyprint
document = weasyprint.HTML(string="<p style='font-family: \\"Source Sans 3\\"'>a").render()
pdf = document.write_pdf(uncompressed_pdf=True)
print("Source Sans 3" in {font.family for font in document.fonts.values()})
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "True"


def test_same_bytes_twice_in_one_process() -> None:
    first, second = render(), render()
    assert hashlib.sha256(first.content).hexdigest() == hashlib.sha256(second.content).hexdigest()


def test_another_date_gives_other_bytes() -> None:
    assert render().content != render(created=date(2026, 12, 1)).content


def test_environment_is_as_before() -> None:
    before = dict(os.environ)
    render(page("<p>x"))
    assert dict(os.environ) == before


def test_environment_is_as_before_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "12")
    with pytest.raises(TypeError):
        render(None)  # type: ignore[arg-type]
    assert os.environ["SOURCE_DATE_EPOCH"] == "12"
    assert "PANGO_LANGUAGE" not in os.environ


def test_importing_the_module_does_not_load_the_engine() -> None:
    script = "import sys, rackrecord.render.pdf; print({'weasyprint', 'fontTools'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_missing_system_library_is_a_user_error(tmp_path: Path) -> None:
    # A stand-in for the engine that fails the way WeasyPrint does: words on standard output, then OSError.
    (tmp_path / "weasyprint.py").write_text(
        "print('WeasyPrint could not import some external libraries')\n"
        "raise OSError(\"cannot load library 'libpango-1.0.so.0'\")\n"
    )
    script = f"""
import sys
sys.path[:0] = [{str(tmp_path)!r}, {str(Path(__file__).parent)!r}]
from rackrecord.errors import UserError
from test_pdf import render
try:
    render()
except UserError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "libpango-1.0.so.0" in done.stdout
    assert "apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0" in done.stdout
    assert "could not import" not in done.stdout
