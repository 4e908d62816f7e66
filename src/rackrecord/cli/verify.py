"""`rackrecord verify`: is a record, a PDF or a whole register what it was when it was made?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rackrecord.cli.catalog_option import catalog_option
from rackrecord.cli.options import records_option, templates_option
from rackrecord.cli.text import printable
from rackrecord.errors import UserError

if TYPE_CHECKING:
    from rackrecord.catalog.store import Catalog
    from rackrecord.register.checks import Check, Material, Verification


@dataclass(frozen=True, slots=True)
class _Target:
    """What to verify: a record's folder, or a PDF."""

    path: Path
    pdf: bool


@click.command()
@click.argument("target", nargs=-1, required=True)
@records_option
@templates_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@catalog_option
def verify(target: tuple[str, ...], records: Path, templates: Path | None, form: str, catalog: Path) -> None:
    """Check each TARGET: a record (its folder, record.json or number), a PDF, or a folder of records.

    Checked are the digests, that every file is there, that Markdown, PDF and spreadsheet are what the JSON
    gives, that the PDF carries the same JSON and profile, that the figures worked out again are those of the
    record, and that its history is legal. A PDF is checked on its own, from what it carries.

    The exit code is 1 when something does not check.
    """
    from rackrecord.cli.workers import each
    from rackrecord.register.checks import Verification
    from rackrecord.register.checks_history import check_links
    from rackrecord.register.entries import read_entries

    targets: list[_Target] = []
    results: list[Verification] = []
    for text in target:
        found, register = _targets(text, records)
        targets += found
        if register is not None:
            links = tuple(check_links(tuple(read_entries(register))))
            results.append(Verification(subject=str(register), checks=links))
    results += each(_verify, targets, "Verifying", prepare=_prepare, arguments=(catalog, templates))
    click.echo(_json(results) if form == "json" else _text(results))
    if not all(result.passed for result in results):
        click.get_current_context().exit(1)


def _targets(text: str, records: Path) -> tuple[list[_Target], Path | None]:
    """What one argument names, and the register where it names one."""
    from rackrecord.register.folder import RECORD_JSON, find_record, record_folders

    path = Path(text)
    if path.is_file() and path.name != RECORD_JSON:
        return [_Target(path, pdf=True)], None
    if path.is_dir() and not (path / RECORD_JSON).exists():
        folders = record_folders(path)
        if folders:
            return [_Target(folder, pdf=False) for folder in folders], path
        if not any((path / name).exists() for name in ("SHA256SUMS", "record.pdf", "record.md")):
            raise UserError.of(
                "found no record; expected a record's folder, a PDF or a folder of records", file=text
            )
        return [_Target(path, pdf=False)], None
    return [_Target(find_record(records, text), pdf=False)], None


_catalog: Catalog | None = None
_templates: Path | None = None


def _prepare(folder: Path, templates: Path | None) -> None:
    global _catalog, _templates
    from rackrecord.catalog.store import load_catalog

    _catalog, _templates = load_catalog(folder), templates


def _verify(target: _Target) -> Verification:
    from rackrecord.register.checks import Verification, failed
    from rackrecord.register.verification import verify

    assert _catalog is not None  # _prepare ran first
    try:
        material = _pdf_material(target.path) if target.pdf else _folder_material(target.path)
    except UserError as error:
        return Verification(subject=str(target.path), checks=(failed("files", str(error.problems[0])),))
    return verify(material, _catalog)


def _folder_material(folder: Path) -> Material:
    from rackrecord.register.checks import Material
    from rackrecord.register.checks_files import RECORD_FILES
    from rackrecord.register.checksums import SUMS
    from rackrecord.register.entries import AFTERWARDS
    from rackrecord.register.folder import number_of
    from rackrecord.register.stored import read_file

    names = [name for name in (*RECORD_FILES, SUMS, AFTERWARDS) if (folder / name).exists()]
    files = {name: read_file(folder / name) for name in names}
    return Material(str(folder), files, number_of(folder.resolve()), templates=_templates)


def _pdf_material(path: Path) -> Material:
    from rackrecord.register.attachments import open_pdf
    from rackrecord.register.checks import Material
    from rackrecord.register.checks_files import PDF
    from rackrecord.register.stored import read_file

    data = read_file(path)
    carried = open_pdf(data, str(path)).attachments
    return Material(str(path), {**carried, PDF: data}, alone=True, templates=_templates)


def _text(results: list[Verification]) -> str:
    """Every check of a single target; of many, those that found something."""
    lines = []
    for result in results:
        lines.append(f"{result.subject}: {'verified' if result.passed else 'NOT verified'}")
        lines += [
            f"  {_line(check)}" for check in result.checks if len(results) == 1 or check.state.value != "ok"
        ]
    if len(results) > 1:
        bad = sum(not result.passed for result in results)
        lines.append(f"{len(results)} checked, {bad} not verified")
    return "\n".join(printable(line) for line in lines)


def _line(check: Check) -> str:
    return f"{check.state.value:6} {check.name}: {check.text}"


def _json(results: list[Verification]) -> str:
    import json

    content = [{"passed": result.passed, **result.model_dump(mode="json")} for result in results]
    return json.dumps(content, indent=2, ensure_ascii=False)
