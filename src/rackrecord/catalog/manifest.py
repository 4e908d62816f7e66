"""The manifest of a catalog layer: what it holds, where that came from, and the digests to verify it by."""

import json
from datetime import date
from pathlib import Path, PurePosixPath

from rackrecord.catalog.benchmarks import is_round
from rackrecord.data import Data, ValidationError
from rackrecord.errors import UserError

SCHEMA = 1
MANIFEST = "manifest.json"


class Source(Data):
    """One official summary file: its round, where it was published and fetched, how many results it has.

    `rows` counts the file's results, of which a layer has fewer where the catalog had the others already.
    """

    round: str
    published: date
    source: str
    note: str
    retrieved: date
    rows: int
    sha256: str


class Partition(Data, omit_defaults=True):
    """The results of one round and benchmark in a layer.

    `file` is relative to the layer, `source` an index into the manifest's sources, `accelerators` are all the
    kinds that its results name. `apart_from` are the SHA-256 of partitions of other layers that were compared
    when this one was written, and share no result with it.
    """

    round: str
    benchmark: str
    file: str
    source: int
    rows: int
    sha256: str
    accelerators: tuple[str, ...]
    apart_from: tuple[str, ...] = ()


class Manifest(Data):
    """What a layer holds. `rackrecord_catalog` is the version of this schema."""

    rackrecord_catalog: int
    sources: tuple[Source, ...]
    partitions: tuple[Partition, ...]

    def to_json(self) -> bytes:
        """The manifest as it is written: indented, so that it diffs."""
        return (json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n").encode()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a layer. Raises UserError where the folder is no layer or the manifest is damaged."""
    path = folder / MANIFEST
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        message = f"not a catalog layer: {error.strerror}; expected a folder that `claims import` made"
        raise UserError.of(message, file=str(path)) from None
    except ValidationError as error:
        raise UserError.of(f"damaged manifest: {error}", file=str(path)) from None
    if manifest.rackrecord_catalog != SCHEMA:
        found = manifest.rackrecord_catalog
        raise UserError.of(f"found catalog schema {found}, expected {SCHEMA}", file=str(path))
    for partition in manifest.partitions:
        if not is_round(partition.round):
            raise UserError.of(f"damaged manifest: {partition.round!r} is no round", file=str(path))
        steps = PurePosixPath(partition.file)
        if steps.is_absolute() or ".." in steps.parts:
            message = f"damaged manifest: {partition.file!r} leaves the layer's folder"
            raise UserError.of(message, file=str(path))
        if not 0 <= partition.source < len(manifest.sources):
            message = f"damaged manifest: {partition.file!r} names source {partition.source}, there is none"
            raise UserError.of(message, file=str(path))
    return manifest
