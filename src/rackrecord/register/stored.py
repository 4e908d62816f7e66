"""A record as it lies in its folder, read whole, and its files made anew for another step of its life."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from rackrecord.errors import UserError
from rackrecord.record import DecisionRecord, digest, read_content, read_record
from rackrecord.register.attachments import open_pdf
from rackrecord.register.entries import AFTERWARDS
from rackrecord.register.folder import RECORD_JSON
from rackrecord.register.lifecycle import Afterwards, read_afterwards
from rackrecord.render.files import FORMATS, PROFILE_YAML, RecordFiles, record_files
from rackrecord.render.pdf import PageSize

MAX_BYTES = 256_000_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A record with the files that it is made anew from."""

    folder: Path
    data: bytes
    record: DecisionRecord
    profile_text: bytes
    afterwards: Afterwards | None


def load(folder: Path) -> Stored:
    """The record in a folder.

    Raises:
        UserError: something of it is missing, or it is no record, or not what its digest says.
    """
    data = read_file(folder / RECORD_JSON)
    check_digest(data, str(folder / RECORD_JSON))
    path = folder / AFTERWARDS
    return Stored(
        folder,
        data,
        read_record(data, str(folder / RECORD_JSON)),
        read_file(folder / PROFILE_YAML),
        read_afterwards(read_file(path), str(path)) if path.exists() else None,
    )


def check_digest(data: bytes, name: str) -> None:
    """UserError where a record's JSON is not what its digest says."""
    content = read_content(data, name)
    stated = content.get("sha256")
    if not _as_written(data, stated) and digest(content) != stated:
        message = "does not match its digest, so it was changed; `rackrecord verify` says more"
        raise UserError.of(message, file=name)


def _as_written(data: bytes, stated: object) -> bool:
    """Whether the bytes without the digest have that digest: the quick way to know that all is as written."""
    member = f'"sha256":"{stated}",'.encode()
    rest = data.replace(member, b"")
    return len(rest) == len(data) - len(member) and hashlib.sha256(rest).hexdigest() == stated


def rendered(stored: Stored, record: DecisionRecord, templates: Path | None) -> RecordFiles:
    """The files of a record in another step of its life, in the formats and the page size that there are.

    Raises:
        UserError: a user's template cannot be filled in, or the PDF there is cannot be read.
    """
    formats = tuple(name for name in FORMATS if (stored.folder / f"record.{name}").exists())
    size: PageSize = "A4"
    if "pdf" in formats:
        path = stored.folder / "record.pdf"
        size = open_pdf(read_file(path), str(path)).page_size
    return record_files(record, stored.profile_text, formats=formats, templates=templates, page_size=size)


def read_file(path: Path) -> bytes:
    """A file of a record.

    Raises:
        UserError: it is missing, cannot be read, or is larger than any record.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError.of(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    if len(data) > MAX_BYTES:
        raise UserError.of(
            f"is larger than {MAX_BYTES // 1_000_000} MB, so it is no file of a record", file=str(path)
        )
    return data
