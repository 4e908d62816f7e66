"""Makes a catalog layer from claims, and writes it whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rackrecord.catalog.claim import Claim
from rackrecord.catalog.manifest import MANIFEST, SCHEMA, Manifest, Partition, Source
from rackrecord.catalog.table import to_csv
from rackrecord.errors import UserError

_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")


def layer_files(
    batches: Iterable[tuple[Source, Iterable[Claim]]],
    apart_from: Callable[[str, str], tuple[str, ...]] = lambda round, benchmark: (),
) -> dict[str, bytes]:
    """The files of a layer by path relative to it: a partition for each round and benchmark, and the
    manifest.

    Each source is of another round. `apart_from` gives, for a round and benchmark, the digests of the
    partitions that the claims were compared with. The same claims give the same bytes.
    """
    files: dict[str, bytes] = {}
    sources: list[Source] = []
    partitions: list[Partition] = []
    for source, claims in batches:
        groups: dict[str, list[Claim]] = {}
        for claim in claims:
            groups.setdefault(claim.benchmark, []).append(claim)
        for benchmark, group in sorted(groups.items()):
            data = to_csv(group)
            file = f"{source.round}/{_file_name(benchmark)}.csv"
            files[file] = data
            partitions.append(
                Partition(
                    round=source.round,
                    benchmark=benchmark,
                    file=file,
                    source=len(sources),
                    rows=len(group),
                    sha256=hashlib.sha256(data).hexdigest(),
                    accelerators=tuple(sorted({kind for claim in group for kind in claim.accelerators})),
                    apart_from=apart_from(source.round, benchmark),
                )
            )
        sources.append(source)
    manifest = Manifest(rackrecord_catalog=SCHEMA, sources=tuple(sources), partitions=tuple(partitions))
    files[MANIFEST] = manifest.to_json()
    return files


def _file_name(benchmark: str) -> str:
    """A benchmark's id as a file name; one that is not on record may have any characters in its name."""
    if _PLAIN_NAME.fullmatch(benchmark):
        return benchmark
    readable = re.sub(r"[^A-Za-z0-9]+", "-", benchmark)[:40].strip("-")
    return f"{readable}-{hashlib.sha256(benchmark.encode()).hexdigest()[:8]}"


def write_layer(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes a new layer: staged in a folder beside it whose name starts with a dot, then renamed.

    A process killed on the way leaves at most that staging folder, which is no layer. Raises UserError where
    the file system refuses; then nothing was changed.
    """
    staging: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".import-", dir=folder.parent))
        for name, data in files.items():
            path = staging / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        staging.chmod(0o755)
        os.rename(staging, folder)
    except OSError as error:
        message = f"cannot write to the catalog: {error.strerror}; nothing was changed"
        raise UserError.of(message, file=str(error.filename or folder)) from None
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
