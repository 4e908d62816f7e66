"""The catalog on disk: layers of CSV partitions under a manifest, of which only what is asked for is read.

A layer is a folder with `manifest.json` and one `<round>/<benchmark>.csv` for each round and benchmark. The bundled
layer comes with the package; a user's folder has one layer, a sub-folder, for each import.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from decimal import DecimalException
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from rackrecord.catalog.benchmarks import round_order
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.table import MANIFEST_FIELDS, from_csv, to_csv
from rackrecord.errors import UserError
from rackrecord.model import StrictModel

SCHEMA = 1
MANIFEST = "manifest.json"
BUNDLED = Path(__file__).parent / "data" / "results"


class Source(StrictModel):
    """One official summary file: its round, where it was published and fetched, how many results it has."""

    round: str
    published: date
    source: str
    note: str
    retrieved: date
    rows: int
    sha256: str


class Partition(StrictModel):
    """The results of one round and benchmark in a layer: `file` relative to the layer, `source` an index."""

    round: str
    benchmark: str
    file: str
    source: int
    rows: int
    sha256: str
    accelerators: tuple[str, ...]


class Manifest(StrictModel):
    """What a layer holds."""

    rackrecord_catalog: int
    sources: tuple[Source, ...]
    partitions: tuple[Partition, ...]


class RoundInfo(StrictModel):
    """A round as the catalog has it: its sources, how many results on how many benchmarks, and a digest."""

    round: str
    published: date
    results: int
    benchmarks: tuple[str, ...]
    sources: tuple[Source, ...]
    digest: str


class _Part:
    """A partition with the folder of its layer."""

    def __init__(self, folder: Path, partition: Partition, source: Source) -> None:
        self.path = folder / partition.file
        self.facts = partition
        self.source = source

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        return _read_partition(self.path, self.facts, self.source)

    def identity(self) -> list[object]:
        """What the catalog's digest is made of: the content, and nothing of where it lies."""
        source = self.source.model_dump(mode="json")
        return [self.facts.round, self.facts.benchmark, self.facts.rows, self.facts.sha256, source]


class Catalog:
    """The results of one or more layers. Where two layers have the same result, the first one's stands."""

    def __init__(self, parts: Iterable[_Part]) -> None:
        self._parts = tuple(parts)

    @classmethod
    def open(cls, *layers: Path) -> Catalog:
        """The catalog of these layers; reads their manifests only.

        Raises UserError where a folder is no layer or its manifest is damaged.
        """
        return cls(part for layer in layers for part in _open_layer(layer))

    @cached_property
    def _by_benchmark(self) -> Mapping[str, tuple[_Part, ...]]:
        groups: dict[str, list[_Part]] = {}
        for part in self._parts:
            groups.setdefault(part.facts.benchmark, []).append(part)
        return {
            benchmark: tuple(sorted(groups[benchmark], key=lambda part: round_order(part.facts.round)))
            for benchmark in sorted(groups)
        }

    @cached_property
    def _claims(self) -> dict[str, tuple[Claim, ...]]:
        return {}

    def claims(self, benchmark: str) -> tuple[Claim, ...]:
        """Every result on a benchmark (canonical id), sorted by round and id; reads that benchmark's files only.

        Raises UserError where a file is missing or is not what the manifest says.
        """
        if benchmark not in self._claims:
            self._claims[benchmark] = _merged(self._by_benchmark.get(benchmark, ()))
        return self._claims[benchmark]

    def all_claims(self) -> tuple[Claim, ...]:
        """Every result, sorted by benchmark, round and id; reads every file."""
        return tuple(claim for benchmark in self._by_benchmark for claim in self.claims(benchmark))

    def find(self, claim_id: str) -> Claim | None:
        """The result with this id."""
        round, _, rest = claim_id.partition("/")
        parts = [part for part in self._parts if part.facts.round == round and part.facts.benchmark in rest]
        return next((claim for part in parts for claim in part.claims if claim.id == claim_id), None)

    def counts(self) -> dict[str, int]:
        """Results by benchmark; from the manifests, except where two layers overlap."""
        return {benchmark: _count(parts) for benchmark, parts in self._by_benchmark.items()}

    @property
    def total(self) -> int:
        """How many results there are."""
        return sum(self.counts().values())

    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks with results, sorted."""
        return tuple(self._by_benchmark)

    def rounds(self) -> tuple[RoundInfo, ...]:
        """The rounds with results, oldest first."""
        return tuple(self._round(round) for round in self.round_names())

    def round_names(self) -> tuple[str, ...]:
        """The names of the rounds with results, oldest first."""
        return tuple(sorted({part.facts.round for part in self._parts}, key=round_order))

    def _round(self, round: str) -> RoundInfo:
        view = self.restricted((round,))
        sources = {part.source.sha256: part.source for part in view._parts}
        return RoundInfo(
            round=round,
            published=view._parts[0].source.published,
            results=view.total,
            benchmarks=view.benchmarks(),
            sources=tuple(sources.values()),
            digest=view.digest,
        )

    def accelerators(self) -> frozenset[str]:
        """The accelerators that results name, by canonical id, those of mixed systems one by one."""
        return frozenset(accelerator for part in self._parts for accelerator in part.facts.accelerators)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over what the manifests say of every partition; the same wherever the layers lie."""
        identities = sorted(json.dumps(part.identity(), sort_keys=True) for part in self._parts)
        return hashlib.sha256("\n".join([f"schema {SCHEMA}", *identities]).encode()).hexdigest()

    def restricted(self, rounds: Collection[str]) -> Catalog:
        """The catalog with these rounds only, as it was before the others came out."""
        return Catalog(part for part in self._parts if part.facts.round in rounds)


@cache
def bundled_catalog() -> Catalog:
    """The results that come with the package."""
    return Catalog.open(BUNDLED)


def load_catalog(user_folder: Path | None = None) -> Catalog:
    """The bundled results and, over them, those that a user imported into a folder. A missing folder has none.

    Raises UserError where the folder holds something else than imports.
    """
    if user_folder is None or not user_folder.exists():
        return bundled_catalog()
    return Catalog.open(BUNDLED, *user_layers(user_folder))


def user_layers(user_folder: Path) -> tuple[Path, ...]:
    """The layers in a user's catalog folder, by name; an unfinished import (a name with a dot) is none."""
    try:
        names = sorted(entry.name for entry in user_folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise UserError.of(f"cannot read the catalog folder: {error.strerror}", file=str(user_folder)) from None
    return tuple(user_folder / name for name in names)


def _merged(parts: Iterable[_Part]) -> tuple[Claim, ...]:
    claims: dict[str, Claim] = {}
    for part in parts:
        for claim in part.claims:
            claims.setdefault(claim.id, claim)
    return tuple(sorted(claims.values(), key=lambda claim: (round_order(claim.round), claim.id)))


def _count(parts: Iterable[_Part]) -> int:
    by_round: dict[str, list[_Part]] = {}
    for part in parts:
        by_round.setdefault(part.facts.round, []).append(part)
    return sum(same[0].facts.rows if len(same) == 1 else len(_merged(same)) for same in by_round.values())


def _open_layer(folder: Path) -> tuple[_Part, ...]:
    path = folder / MANIFEST
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError.of(f"no catalog layer: {error.strerror}", file=str(path)) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise UserError.of(f"damaged manifest: {first['msg']}", file=str(path), path=place) from None
    if manifest.rackrecord_catalog != SCHEMA:
        found = manifest.rackrecord_catalog
        raise UserError.of(f"found catalog schema {found}, this version reads {SCHEMA}", file=str(path))
    for partition in manifest.partitions:
        steps = PurePosixPath(partition.file)
        if steps.is_absolute() or ".." in steps.parts or not 0 <= partition.source < len(manifest.sources):
            raise UserError.of(f"damaged manifest: partition {partition.file!r}", file=str(path))
    return tuple(_Part(folder, partition, manifest.sources[partition.source]) for partition in manifest.partitions)


def _read_partition(path: Path, partition: Partition, source: Source) -> tuple[Claim, ...]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError.of(f"cannot read a part of the catalog: {error.strerror}", file=str(path)) from None
    found = hashlib.sha256(data).hexdigest()
    if found != partition.sha256:
        message = f"the file was changed or damaged: its SHA-256 is {found}, the manifest says {partition.sha256}"
        raise UserError.of(message, file=str(path))
    facts = dict(
        zip(
            MANIFEST_FIELDS,
            (partition.round, source.published, partition.benchmark, source.source, source.retrieved),
            strict=True,
        )
    )
    try:
        return from_csv(data, facts)
    except (ValueError, csv.Error, DecimalException) as error:
        raise UserError.of(f"no table of results: {error}", file=str(path)) from None


def layer_files(batches: Iterable[tuple[Source, Iterable[Claim]]]) -> dict[str, bytes]:
    """The files of a layer, by path relative to it: partitions, and the manifest."""
    files: dict[str, bytes] = {}
    sources: list[Source] = []
    partitions: list[Partition] = []
    for source, claims in batches:
        groups: dict[str, list[Claim]] = {}
        for claim in claims:
            groups.setdefault(claim.benchmark, []).append(claim)
        for benchmark in sorted(groups):
            data = to_csv(groups[benchmark])
            file = f"{source.round}/{_file_name(benchmark)}.csv"
            files[file] = data
            partitions.append(
                Partition(
                    round=source.round,
                    benchmark=benchmark,
                    file=file,
                    source=len(sources),
                    rows=len(groups[benchmark]),
                    sha256=hashlib.sha256(data).hexdigest(),
                    accelerators=tuple(sorted({a for claim in groups[benchmark] for a in claim.accelerators})),
                )
            )
        sources.append(source)
    manifest = Manifest(rackrecord_catalog=SCHEMA, sources=tuple(sources), partitions=tuple(partitions))
    files[MANIFEST] = (manifest.model_dump_json(indent=1) + "\n").encode()
    return files


def _file_name(benchmark: str) -> str:
    """A benchmark's id as a file name: an unknown benchmark may have any characters in its name."""
    safe = "".join(character if character.isalnum() or character in "._-" else "_" for character in benchmark)
    if safe == benchmark and not benchmark.startswith("."):
        return safe
    return f"{safe.strip('.')[:60]}-{hashlib.sha256(benchmark.encode()).hexdigest()[:8]}"


def write_layer(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes a new layer whole or not at all: staged beside `folder`, then renamed to it.

    Raises UserError where the file system refuses, or `folder` is there already.
    """
    staging = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".import-", dir=folder.parent))
        for name, data in files.items():
            path = staging / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        os.rename(staging, folder)
    except OSError as error:
        message = f"cannot write the catalog layer: {error.strerror}; nothing was changed"
        raise UserError.of(message, file=str(folder)) from None
    finally:
        if staging is not None and staging.exists():
            shutil.rmtree(staging, ignore_errors=True)
