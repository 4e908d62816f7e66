"""The catalog on disk: layers of CSV partitions under a manifest, of which only what is asked for is read.

A layer is a folder with `manifest.json` and one `<round>/<benchmark>.csv` for each round and benchmark. The
bundled layer comes with the package; a user's folder has one layer, a sub-folder, for each import.
"""

import csv
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from decimal import DecimalException
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Self

from rackrecord.catalog.benchmarks import round_order
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.manifest import SCHEMA, Partition, Source, read_manifest
from rackrecord.catalog.table import from_csv, ids_of
from rackrecord.data import Data
from rackrecord.errors import UserError

BUNDLED = Path(__file__).parent / "data" / "results"


class RoundInfo(Data):
    """A round as the catalog has it: its sources, how many results on which benchmarks, their digest."""

    round: str
    published: date
    results: int
    benchmarks: tuple[str, ...]
    sources: tuple[Source, ...]
    digest: str


class _Part:
    """A partition with the folder of its layer and its source."""

    def __init__(self, folder: Path, partition: Partition, source: Source) -> None:
        self.path = folder / partition.file
        self.facts = partition
        self.source = source

    def _verified(self) -> bytes:
        """The partition's file, which must be what the manifest says."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            message = f"cannot read a part of the catalog: {error.strerror}"
            raise UserError.of(message, file=str(self.path)) from None
        found, expected = hashlib.sha256(data).hexdigest(), self.facts.sha256
        if found != expected:
            message = f"changed or damaged: its SHA-256 is {found}, the manifest says {expected}"
            raise UserError.of(message, file=str(self.path))
        return data

    def read(self) -> tuple[Claim, ...]:
        """The partition's claims, sorted by id."""
        data = self._verified()
        facts = {
            "round": self.facts.round,
            "benchmark": self.facts.benchmark,
            "published": self.source.published,
            "source": self.source.source,
            "retrieved": self.source.retrieved,
        }
        try:
            return from_csv(data, facts)
        except (ValueError, csv.Error, DecimalException) as error:
            raise UserError.of(f"not a table of results: {error}", file=str(self.path)) from None

    def ids(self) -> tuple[str, ...]:
        """The ids of the partition's claims."""
        return ids_of(self._verified())

    def is_apart_from(self, other: Self) -> bool:
        """Whether it is on record that two partitions share no result."""
        return other.facts.sha256 in self.facts.apart_from or self.facts.sha256 in other.facts.apart_from

    def identity(self) -> str:
        """What the catalog's digest is made of: the content and its source, not where it lies."""
        source = self.source.model_dump(mode="json")
        facts = self.facts
        return json.dumps([facts.round, facts.benchmark, facts.rows, facts.sha256, source], sort_keys=True)


class Catalog:
    """The results of one or more layers. Where two layers have the same result, the first one's stands."""

    def __init__(self, parts: Iterable[_Part]) -> None:
        self._parts = tuple(parts)
        self._claims: dict[str, tuple[Claim, ...]] = {}

    @classmethod
    def open(cls, *layers: Path) -> Self:
        """The catalog of these layers; reads their manifests only.

        Raises UserError where a folder is no layer or its manifest is damaged.
        """
        parts = []
        for layer in layers:
            manifest = read_manifest(layer)
            for partition in manifest.partitions:
                parts.append(_Part(layer, partition, manifest.sources[partition.source]))
        return cls(parts)

    @cached_property
    def _by_benchmark(self) -> Mapping[str, tuple[_Part, ...]]:
        groups: dict[str, list[_Part]] = {}
        for part in self._parts:
            groups.setdefault(part.facts.benchmark, []).append(part)
        return {benchmark: tuple(groups[benchmark]) for benchmark in sorted(groups)}

    def claims(self, benchmark: str) -> tuple[Claim, ...]:
        """Every result on a benchmark (canonical id), sorted by round and id; none for an unknown benchmark.

        Reads that benchmark's files only, once. Raises UserError where one is missing or not what the
        manifest says.
        """
        if benchmark not in self._claims:
            self._claims[benchmark] = _merged(self._by_benchmark.get(benchmark, ()))
        return self._claims[benchmark]

    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks with results, by canonical id, sorted."""
        return tuple(self._by_benchmark)

    def all_claims(self, benchmarks: Collection[str] | None = None) -> Iterator[Claim]:
        """Every result, or those on these benchmarks, sorted by benchmark, round and id; holds one benchmark
        at a time.
        """
        for benchmark, parts in self._by_benchmark.items():
            if benchmarks is None or benchmark in benchmarks:
                yield from self._claims.get(benchmark) or _merged(parts)

    def find(self, claim_id: str) -> Claim | None:
        """The result with this id, None where there is none."""
        round = claim_id.partition("/")[0]
        nearby = self.restricted((round,))
        for benchmark, parts in nearby._by_benchmark.items():
            if f"/{benchmark}" in claim_id:
                for claim in _merged(parts):
                    if claim.id == claim_id:
                        return claim
        return None

    def partition_digests(self, round: str, benchmark: str) -> tuple[str, ...]:
        """SHA-256 of the files with the results of a round on a benchmark, sorted."""
        parts = self._by_benchmark.get(benchmark, ())
        return tuple(sorted(part.facts.sha256 for part in parts if part.facts.round == round))

    def counts(self) -> dict[str, int]:
        """Results by benchmark, from the manifests; files are read only where two layers have the same
        partition.
        """
        return {benchmark: _count(parts) for benchmark, parts in self._by_benchmark.items()}

    @property
    def total(self) -> int:
        """How many results there are."""
        return sum(self.counts().values())

    def round_names(self) -> tuple[str, ...]:
        """The names of the rounds with results, oldest first."""
        return tuple(sorted({part.facts.round for part in self._parts}, key=round_order))

    def rounds(self) -> tuple[RoundInfo, ...]:
        """The rounds with results, oldest first."""
        return tuple(self.restricted((round,))._info() for round in self.round_names())

    def _info(self) -> RoundInfo:
        """The facts of a catalog of one round."""
        first = self._parts[0]
        sources = {part.source.sha256: part.source for part in self._parts}
        return RoundInfo(
            round=first.facts.round,
            published=first.source.published,
            results=self.total,
            benchmarks=tuple(self._by_benchmark),
            sources=tuple(sources.values()),
            digest=self.digest,
        )

    def accelerators(self) -> frozenset[str]:
        """The accelerators that results name, by canonical id, those of mixed systems one by one."""
        return frozenset(accelerator for part in self._parts for accelerator in part.facts.accelerators)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over what the manifests say of every partition and its source.

        It is the same wherever the layers lie and whichever holds what, and that of `restricted(rounds)` is
        the one the catalog had when these were all its rounds.
        """
        identities = sorted(part.identity() for part in self._parts)
        return hashlib.sha256("\n".join([f"schema {SCHEMA}", *identities]).encode()).hexdigest()

    def restricted(self, rounds: Collection[str]) -> Self:
        """The catalog with these rounds only, as it was before the others came out."""
        return type(self)(part for part in self._parts if part.facts.round in rounds)


@cache
def bundled_catalog() -> Catalog:
    """The results that come with the package."""
    return Catalog.open(BUNDLED)


def load_catalog(user_folder: Path | None = None) -> Catalog:
    """The bundled results and, over them, those that a user imported into a folder. A missing folder has
    none.

    Raises UserError where the folder holds something else than imports.
    """
    if user_folder is None or not user_folder.exists():
        return bundled_catalog()
    return Catalog.open(BUNDLED, *user_layers(user_folder))


def user_layers(user_folder: Path) -> tuple[Path, ...]:
    """The layers in a user's catalog folder, by name; an unfinished import (its name starts with a dot) is
    none.
    """
    try:
        return tuple(sorted(entry for entry in user_folder.iterdir() if not entry.name.startswith(".")))
    except OSError as error:
        raise UserError.of(
            f"cannot read the catalog folder: {error.strerror}", file=str(user_folder)
        ) from None


def _merged(parts: Iterable[_Part]) -> tuple[Claim, ...]:
    claims: dict[str, Claim] = {}
    for part in parts:
        for claim in part.read():
            claims.setdefault(claim.id, claim)
    return tuple(sorted(claims.values(), key=lambda claim: (round_order(claim.round), claim.id)))


def _count(parts: Iterable[_Part]) -> int:
    by_round: dict[str, list[_Part]] = {}
    for part in parts:
        by_round.setdefault(part.facts.round, []).append(part)
    return sum(_count_round(same) for same in by_round.values())


def _count_round(parts: list[_Part]) -> int:
    """Results of one round and benchmark in several layers; reads ids only where layers may overlap."""
    if all(one.is_apart_from(other) for one, other in combinations(parts, 2)):
        return sum(part.facts.rows for part in parts)
    return len({claim_id for part in parts for claim_id in part.ids()})
