"""Records on disk: numbered folders, each written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rackrecord.errors import UserError
from rackrecord.register.checksums import with_checksums
from rackrecord.register.exchange import exchange
from rackrecord.register.lock import locked_file

LOCK_SECONDS = 120
RECORD_JSON = "record.json"
_NAME = re.compile(r"(\d{4,})-[a-z0-9-]+\Z")
_NUMBERED = re.compile(r"(\d{4,})-")
_SLUG_LENGTH = 60
# What a killed process can leave behind; the next one that writes clears it away.
_UNFINISHED = ".rackrecord-new-"
_REPLACED = ".rackrecord-old-"

_ADVICE = {
    errno.EACCES: "give yourself write permission, or name another folder",
    errno.EPERM: "give yourself write permission, or name another folder",
    errno.EROFS: "name a folder on a file system that can be written",
    errno.ENOSPC: "free some space and run the command again; nothing was changed",
    errno.EDQUOT: "free some space and run the command again; nothing was changed",
    errno.EFBIG: "raise the limit on file size and run the command again; nothing was changed",
    errno.ENAMETOOLONG: "use shorter names",
    errno.ENOLCK: "name a folder on a file system that has locks",
    errno.ELOOP: "put the file itself in the symbolic link's place",
    errno.ENOTDIR: "expected a folder",
    errno.EEXIST: "expected a folder",
}


def slug(title: str) -> str:
    """A title as a folder name: lower-case ASCII, digits and hyphens, `record` where nothing is left."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    return words[:_SLUG_LENGTH].rstrip("-") or "record"


def number_of(folder: Path) -> int | None:
    """The number of a record's folder, None for another folder."""
    match = _NAME.fullmatch(folder.name)
    return int(match[1]) if match else None


def record_folders(records: Path) -> tuple[Path, ...]:
    """The folders of records in a register, by number; none for a register that does not exist yet.

    A symbolic link is none: what it points to is no part of the register.

    Raises:
        UserError: the register cannot be read.
    """
    try:
        with os.scandir(records) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UserError.of(f"cannot be read: {error.strerror or error}", file=str(records)) from error
    found = [(number, records / name) for name in names if (number := number_of(Path(name))) is not None]
    return tuple(path for _, path in sorted(found))


def find_record(records: Path, text: str) -> Path:
    """The folder of a record named by its folder, its record.json, its name, or its number in `records`.

    Raises:
        UserError: there is no such record, or several have that number.
    """
    if text.isdecimal():
        same = [folder for folder in record_folders(records) if number_of(folder) == int(text)]
        if len(same) > 1:
            names = ", ".join(folder.name for folder in same)
            raise UserError.of(
                f"found {len(same)} records with number {int(text)}: {names}", file=str(records)
            )
        if same:
            return same[0]
        raise UserError.of(f"found no record with number {int(text)}", file=str(records))
    for path in (Path(text), records / text):
        folder = path.parent if path.name == RECORD_JSON else path
        if (folder / RECORD_JSON).is_file():
            return folder.resolve() if folder.name in ("", "..") else folder
    raise UserError.of(
        f"is no record; expected a record's folder, its {RECORD_JSON}, or its number in {records}", file=text
    )


@contextmanager
def locked(records: Path) -> Iterator[None]:
    """Keep other processes from changing the register, and clear away what a killed one left.

    Raises:
        UserError: the folder cannot be written or is busy.
    """
    with ExitStack() as held:
        with _writing(records):
            records.mkdir(parents=True, exist_ok=True)
            try:
                held.enter_context(locked_file(records / ".lock", LOCK_SECONDS))
            except TimeoutError as error:
                message = (
                    f"is held by another process for over {LOCK_SECONDS} seconds; try again when it has ended"
                )
                raise UserError.of(message, file=str(records)) from error
            _recover(records)
        yield


def create_record(records: Path, title: str, make: Callable[[int], Mapping[str, bytes]]) -> Path:
    """Write a new record under the next number; `make` gives its files, by name, for that number.

    The folder appears under its name when it is complete, with the checksums of its files. Two processes get
    two numbers.

    Raises:
        UserError: the register cannot be written.
    """
    with locked(records):
        number = _next_number(records)
        target = records / f"{number:04d}-{slug(title)}"
        write_folder(target, with_checksums(make(number)))
    return target


def _next_number(records: Path) -> int:
    """One above the highest in use, whatever stands there under it."""
    with _writing(records):
        matches = [_NUMBERED.match(name) for name in os.listdir(records)]
    return max((int(match[1]) for match in matches if match), default=0) + 1


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder whole: aside first, then moved into place."""
    with _writing(target), _aside(target) as aside:
        for name, content in files.items():
            _write_through(aside / name, content)
        aside.chmod(0o755)
        _sync(aside)
        aside.rename(target)
        _sync(target.parent)


def rewrite_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace these files of a folder all at once, and keep whatever else lies in it. Call it under `locked`.

    Raises:
        UserError: the folder is a symbolic link or cannot be written; it is as it was.
    """
    if folder.is_symlink():
        raise UserError.of("is a symbolic link; expected a folder of the register itself", file=str(folder))
    with _writing(folder), _aside(folder) as aside:
        for name, content in files.items():
            _write_through(aside / name, content)
        _carry_over(folder, aside, files)
        shutil.copymode(folder, aside)
        _sync(aside)
        if not exchange(aside, folder):
            _swap_in_two_steps(aside, folder)
        _sync(folder.parent)


def replace_file(path: Path, content: bytes) -> None:
    """Replace one file whole, or leave it as it was; a symbolic link is replaced, not followed.

    Raises:
        UserError: the file cannot be written.
    """
    with _writing(path):
        handle, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
        os.close(handle)
        aside = Path(name)
        try:
            _write_through(aside, content)
            aside.chmod(0o644)
            aside.replace(path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise


def new_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, made where it is missing; what is there already stays.

    Raises:
        UserError: one of them is there already, or the folder cannot be written; then nothing was changed.
    """
    for name in files:
        if os.path.lexists(folder / name):
            raise UserError.of("is there already; name another folder with --to", file=str(folder / name))
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        replace_file(folder / name, content)


def own_subfolder(folder: Path, name: str) -> Path:
    """A folder inside a record's folder, made where it is missing.

    Raises:
        UserError: it is a symbolic link, which could lead out of the register, or cannot be made.
    """
    path = folder / name
    if path.is_symlink():
        raise UserError.of("is a symbolic link; expected a folder of the record itself", file=str(path))
    with _writing(path):
        path.mkdir(exist_ok=True)
    for unfinished in path.glob(f"{_UNFINISHED}*"):
        unfinished.unlink(missing_ok=True)
    return path


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What the file system refuses, as a message that says what to do."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0)
        message = f"cannot be written: {error.strerror or error}" + (f"; {advice}" if advice else "")
        raise UserError.of(message, file=str(path)) from error


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """A folder beside the target to write in; nothing of it stays."""
    aside = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=target.parent))
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _carry_over(folder: Path, aside: Path, replaced: Mapping[str, bytes]) -> None:
    """Bring what is not replaced over: files by a second name where the file system can, else as copies."""
    for entry in sorted(folder.iterdir()):
        if entry.name in replaced:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.copytree(entry, aside / entry.name, symlinks=True, copy_function=_link_or_copy)
        else:
            _link_or_copy(str(entry), str(aside / entry.name))


def _link_or_copy(source: str, target: str) -> str:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
    return target


def _swap_in_two_steps(aside: Path, folder: Path) -> None:
    """For file systems that cannot exchange; killed in between, `_recover` puts the old folder back."""
    old = folder.with_name(f"{_REPLACED}{folder.name}")
    folder.rename(old)
    try:
        aside.rename(folder)
    except BaseException:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _recover(records: Path) -> None:
    """Put back a folder that was being replaced, and remove what was being written."""
    for name in sorted(os.listdir(records)):
        path = records / name
        if name.startswith(_REPLACED):
            target = records / name.removeprefix(_REPLACED)
            if target.exists():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.rename(target)
        elif name.startswith(_UNFINISHED):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _write_through(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Have the names in a folder on disk before going on, where the system allows it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
