"""`SHA256SUMS`: the digests of a record's files, in the format that `sha256sum -c` reads."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

SUMS = "SHA256SUMS"
_LINE = r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]*)"


def with_checksums(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """A record's files and, beside them, their checksums."""
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files) if name != SUMS]
    return {**files, SUMS: "".join(lines).encode()}


def read_checksums(data: bytes) -> dict[str, str] | None:
    """File name to SHA-256, None where the file is not in that format."""
    found: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        match = re.fullmatch(_LINE, line)
        if match is None:
            return None
        found[match[2]] = match[1]
    return found or None
