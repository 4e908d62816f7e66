"""Checks of a record's files: their checksums, and that each rendering is what its JSON gives."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from rackrecord.errors import UserError
from rackrecord.record import DecisionRecord
from rackrecord.register.attachments import PdfContent, open_pdf, page_texts
from rackrecord.register.checks import Check, Material, failed, noted, passed, some
from rackrecord.register.checksums import SUMS, read_checksums
from rackrecord.register.folder import RECORD_JSON
from rackrecord.render.files import PROFILE_YAML, record_files
from rackrecord.version import TOOL

MARKDOWN, PDF, SPREADSHEET = "record.md", "record.pdf", "record.xlsx"
RECORD_FILES = (RECORD_JSON, PROFILE_YAML, MARKDOWN, PDF, SPREADSHEET)


def check_checksums(files: Mapping[str, bytes]) -> Iterator[Check]:
    """Every file is there and is what SHA256SUMS says."""
    listed = read_checksums(files[SUMS]) if SUMS in files else None
    if listed is None:
        yield failed(
            "files", f"{SUMS} is missing" if SUMS not in files else f"{SUMS} is no list of checksums"
        )
        return
    missing = [f"{name} is missing" for name in sorted(listed) if name not in files]
    changed = [
        f"{name} has changed"
        for name, expected in sorted(listed.items())
        if name in files and hashlib.sha256(files[name]).hexdigest() != expected
    ]
    unlisted = [f"{name} is not in {SUMS}" for name in RECORD_FILES if name in files and name not in listed]
    if missing or changed or unlisted:
        yield failed("files", some((*missing, *changed, *unlisted)))
    else:
        yield passed("files", f"{len(listed)} files are there and match {SUMS}")


def check_renderings(material: Material, record: DecisionRecord, comparable: bool) -> Iterator[Check]:
    """Markdown, PDF and spreadsheet are what the JSON gives; where another version made them, only a note."""
    files = material.files
    pdf: PdfContent | None = None
    if PDF in files:
        try:
            pdf = open_pdf(files[PDF], PDF)
        except UserError as error:
            yield failed(PDF, error.problems[0].message)
        else:
            yield from _check_attachments(files, pdf, material.alone)
    profile_text = files.get(PROFILE_YAML) or (pdf.attachments.get(PROFILE_YAML) if pdf is not None else None)
    formats = [name.rpartition(".")[2] for name in (MARKDOWN, PDF, SPREADSHEET) if name in files]
    try:
        made = record_files(
            record,
            profile_text or b"",
            formats=[
                form for form in formats if form != "pdf" or (pdf is not None and profile_text is not None)
            ],
            templates=material.templates,
            page_size=pdf.page_size if pdf is not None else "A4",
        ).files
    except UserError as error:
        yield noted("renderings", f"could not be made anew: {error.problems[0]}")
        return
    for name in (MARKDOWN, PDF, SPREADSHEET):
        if name in files and name in made:
            yield _check_rendering(name, material, made[name], record, comparable)


def _check_attachments(files: Mapping[str, bytes], pdf: PdfContent, alone: bool) -> Iterator[Check]:
    name = "attachments"
    lacking = [wanted for wanted in (RECORD_JSON, PROFILE_YAML) if wanted not in pdf.attachments]
    if lacking:
        yield failed(name, f"the PDF does not carry {' and '.join(lacking)}")
    elif not alone:
        differ = [key for key in (RECORD_JSON, PROFILE_YAML) if files.get(key) != pdf.attachments[key]]
        if differ:
            yield failed(name, f"what the PDF carries is not the folder's {' and '.join(differ)}")
        else:
            yield passed(name, f"the PDF carries the same {RECORD_JSON} and {PROFILE_YAML}")


def _check_rendering(
    name: str, material: Material, made: bytes, record: DecisionRecord, comparable: bool
) -> Check:
    found = material.files[name]
    if found == made:
        return passed(name, "is, byte for byte, what the record's JSON gives")
    if not comparable:
        return noted(
            name, f"was made by {record.tool}; {TOOL} would make it otherwise, so it was not compared"
        )
    if name == MARKDOWN:
        return failed(
            name, f"is not what the record's JSON gives; line {_first_difference(found, made)} differs"
        )
    if name == SPREADSHEET:
        return failed(name, "is not, byte for byte, what the record's JSON gives")
    return _check_pdf(material, found, made)


def _check_pdf(material: Material, found: bytes, made: bytes) -> Check:
    """The bytes of a PDF also depend on the system's libraries; its text does not."""
    theirs, ours = open_pdf(found, PDF).producer, open_pdf(made, PDF).producer
    versions = f"made with {theirs}, here is {ours}" if theirs != ours else f"both are of {ours}"
    before, now = page_texts(found, PDF), page_texts(made, PDF)
    if before != now:
        pages = [
            str(index + 1) for index, text in enumerate(now) if index >= len(before) or before[index] != text
        ]
        where = f"page {some(pages)}" if pages else "the number of pages"
        return failed(PDF, f"does not say what the record's JSON gives: {where} differs ({versions})")
    listed = read_checksums(material.files.get(SUMS, b"")) or {}
    if listed.get(PDF) == hashlib.sha256(found).hexdigest():
        text = (
            f"says what the record's JSON gives and matches {SUMS}; its bytes differ from those made here, "
        )
        return noted(PDF, f"{text}where the system's font libraries may be others ({versions})")
    return failed(
        PDF, f"is not, byte for byte, what the record's JSON gives, though its text is ({versions})"
    )


def _first_difference(found: bytes, made: bytes) -> int:
    """The number of the first line that differs."""
    theirs, ours = found.split(b"\n"), made.split(b"\n")
    for number, (one, other) in enumerate(zip(theirs, ours, strict=False), start=1):
        if one != other:
            return number
    return min(len(theirs), len(ours)) + 1
