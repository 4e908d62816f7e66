"""One process at a time: a lock on a file, which the system lifts when its process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE = 0.05


@contextmanager
def locked_file(path: Path, seconds: int) -> Iterator[None]:
    """Hold the lock, on a file that is made where it is missing and stays.

    Raises:
        TimeoutError: another process held it for that long.
        OSError: the file cannot be written, or is a symbolic link.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        _acquire(handle, seconds)
        yield
    finally:
        os.close(handle)  # and with it the lock


def _acquire(handle: int, seconds: int) -> None:
    for _ in range(int(seconds / _PAUSE)):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        else:
            return
    raise TimeoutError
