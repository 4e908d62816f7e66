"""Two folders swapped in one step, so that a reader finds the old one or the new one, never neither."""

from __future__ import annotations

import errno
import os
from pathlib import Path

# From linux/fs.h and fcntl.h.
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
# What a file system or kernel without the call answers.
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV})


def exchange(one: Path, other: Path) -> bool:
    """Swap two folders of one file system; False where the system cannot, and nothing was changed then.

    Raises:
        OSError: the system can, and refused.
    """
    import ctypes  # takes a millisecond, and most commands swap nothing

    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    result = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    if result == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(other))
