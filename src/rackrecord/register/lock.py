"""One process at a time: a lock on a file, which the system lifts when its process ends, however it ends."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fasteners import InterProcessLock


@contextmanager
def locked_file(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock, on a file that is made where it is missing and stays.

    Raises:
        TimeoutError: another process held it for that long.
        OSError: the file cannot be written, is a symbolic link, or lies where the system has no locks.
    """
    from fasteners import InterProcessLock

    if path.is_symlink():  # the library would write through it
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    lock = InterProcessLock(path)
    try:
        _acquire(lock, path, seconds)
        yield
    finally:
        if lock.acquired:
            lock.release()
        elif lock.lockfile is not None:  # which the library leaves open
            lock.lockfile.close()


def _acquire(lock: InterProcessLock, path: Path, seconds: float) -> None:
    try:
        acquired = lock.acquire(timeout=seconds)
    except threading.ThreadError as error:  # what the library makes of every OSError of the lock itself
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK), str(path)) from error
    if not acquired:
        raise TimeoutError
