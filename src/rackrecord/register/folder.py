"""Records on disk: numbered folders, each written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from rackrecord.errors import UserError

LOCK_SECONDS = 120
_NAME = re.compile(r"(\d{4,})-[a-z0-9-]+\Z")
_SLUG_LENGTH = 60


def slug(title: str) -> str:
    """A title as a folder name: lower-case ASCII letters, digits and hyphens, `record` where nothing is left."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    return words[:_SLUG_LENGTH].rstrip("-") or "record"


def number_of(folder: Path) -> int | None:
    """The number of a record's folder, None for another folder."""
    match = _NAME.fullmatch(folder.name)
    return int(match[1]) if match else None


def record_folders(records: Path) -> tuple[Path, ...]:
    """The folders of records in a register, by number; none for a register that does not exist yet."""
    if not records.is_dir():
        return ()
    found = [(number, path) for path in records.iterdir() if (number := number_of(path)) is not None and path.is_dir()]
    return tuple(path for _, path in sorted(found))


@contextmanager
def locked(records: Path) -> Iterator[None]:
    """Keep other processes from changing the register; UserError where the folder cannot be written or is busy."""
    try:
        records.mkdir(parents=True, exist_ok=True)
        lock = FileLock(records / ".lock", timeout=LOCK_SECONDS)
        with lock:
            yield
    except Timeout as error:
        message = f"is held by another process for over {LOCK_SECONDS} seconds; try again when it has ended"
        raise UserError.of(message, file=str(records)) from error
    except OSError as error:
        raise UserError.of(f"cannot be written: {error.strerror or error}", file=str(records)) from error


def create_record(records: Path, title: str, make: Callable[[int], Mapping[str, bytes]]) -> Path:
    """Write a new record under the next number; `make` gives its files, by name, for that number.

    The folder appears under its name when it is complete. Two processes get two numbers.

    Raises:
        UserError: the register cannot be written.
    """
    with locked(records):
        number = max((number_of(path) or 0 for path in record_folders(records)), default=0) + 1
        target = records / f"{number:04d}-{slug(title)}"
        write_folder(target, make(number))
    return target


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder whole: aside first, then moved into place."""
    aside = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    try:
        for name, content in files.items():
            _write_through(aside / name, content)
        aside.chmod(0o755)
        aside.rename(target)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def replace_file(path: Path, content: bytes) -> None:
    """Replace one file whole, or leave it as it was."""
    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    os.close(handle)
    aside = Path(name)
    try:
        _write_through(aside, content)
        aside.chmod(0o644)
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _write_through(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
