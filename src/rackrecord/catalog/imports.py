"""Adds an official summary to a user's catalog folder: what is new, what was there, what differs."""

from pathlib import Path

from rackrecord.catalog.claim import Claim
from rackrecord.catalog.layers import layer_files, write_layer
from rackrecord.catalog.manifest import Source
from rackrecord.catalog.mlperf import Import
from rackrecord.catalog.store import Catalog
from rackrecord.catalog.table import COLUMNS
from rackrecord.data import Data


class Change(Data):
    """A result that the catalog has with another value in one field, as text; the catalog's stands."""

    id: str
    field: str
    old: str
    new: str


class ImportPlan(Data):
    """What an import would do: the results it adds, how many are there already, and those that differ.

    `compared` has, by benchmark, the digests of the catalog's partitions that share no result with `added`.
    """

    source: Source
    added: tuple[Claim, ...]
    same: int
    changed: tuple[Change, ...]
    compared: dict[str, tuple[str, ...]]

    @property
    def changed_results(self) -> int:
        """How many results differ, in one field or several."""
        return len({change.id for change in self.changed})


def source_of(imported: Import) -> Source:
    """The manifest's entry for a summary file."""
    return Source(
        round=imported.round,
        published=imported.published,
        source=imported.source,
        note=imported.note,
        retrieved=imported.retrieved,
        rows=imported.rows,
        sha256=imported.sha256,
    )


def plan_import(imported: Import, catalog: Catalog) -> ImportPlan:
    """Compares a summary with the catalog, result by result, in all facts but where and when each was
    fetched.
    """
    there = catalog.restricted((imported.round,))
    known = {
        claim.id: claim
        for benchmark in sorted({claim.benchmark for claim in imported.claims})
        for claim in there.claims(benchmark)
    }
    added: list[Claim] = []
    changed: list[Change] = []
    same = 0
    for claim in imported.claims:
        old = known.get(claim.id)
        if old is None:
            added.append(claim)
            continue
        changes = _changes(old, claim)
        changed += changes
        same += not changes
    return ImportPlan(
        source=source_of(imported),
        added=tuple(added),
        same=same,
        changed=tuple(changed),
        compared={
            benchmark: catalog.partition_digests(imported.round, benchmark)
            for benchmark in sorted({claim.benchmark for claim in added})
        },
    )


def _changes(old: Claim, new: Claim) -> list[Change]:
    """The fields in which two claims of one id differ; numbers by value, so that 5 and 5.0 are the same."""
    return [
        Change(id=old.id, field=field, old=write(getattr(old, field)), new=write(getattr(new, field)))
        for field, (write, _) in COLUMNS.items()
        if getattr(old, field) != getattr(new, field)
    ]


def write_import(plan: ImportPlan, user_folder: Path) -> Path | None:
    """Writes the added results as a layer of their own; its folder, or None where nothing is new.

    Raises UserError where the folder cannot be written; then it is as it was before.
    """
    if not plan.added:
        return None
    stem = f"{plan.source.round}-{plan.source.sha256[:12]}"
    folder, number = user_folder / stem, 1
    while folder.exists():
        number += 1
        folder = user_folder / f"{stem}-{number}"
    files = layer_files([(plan.source, plan.added)], lambda _, benchmark: plan.compared[benchmark])
    write_layer(files, folder)
    return folder
