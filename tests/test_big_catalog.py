"""The generator of made-up big catalogs, at a small size, and what a big catalog must not cost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.make_catalog import write_big_layer, write_official
from rackrecord.catalog.imports import plan_import, write_import
from rackrecord.catalog.mlperf import read_summary
from rackrecord.catalog.store import bundled_catalog, load_catalog
from rackrecord.errors import UserError


def test_a_layer_three_times_as_large(tmp_path: Path) -> None:
    assert write_big_layer(tmp_path, times=3) == 2 * 3397
    catalog = load_catalog(tmp_path)
    assert catalog.total == 3 * 3397
    assert {name: number // 3 for name, number in catalog.counts().items()} == bundled_catalog().counts()
    claims = list(catalog.all_claims())
    assert len({claim.id for claim in claims}) == len(claims) == 3 * 3397
    assert Counter(claim.round for claim in claims) == {
        "v4.1": 2811,
        "v5.1": 4344,
        "v6.0": 1560,
        "v6.1": 1476,
    }


def test_the_same_number_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_big_layer(tmp_path / name, times=2)
    files = sorted(
        path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()
    )
    assert files
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_big_layer_is_counted_by_its_manifest(tmp_path: Path) -> None:
    write_big_layer(tmp_path, times=2)
    for path in tmp_path.rglob("*.csv"):
        if path.name != "rgat.csv":
            path.unlink()
    catalog = load_catalog(tmp_path)
    assert catalog.total == 2 * 3397
    assert len(catalog.claims("rgat")) == 2 * 23
    with pytest.raises(UserError):
        catalog.claims("whisper")


def test_official_files_can_be_imported(tmp_path: Path) -> None:
    paths = write_official(tmp_path / "official", times=2)
    assert [path.name for path in paths] == [
        f"{round}-summary_results.json" for round in ("v4.1", "v5.1", "v6.0", "v6.1")
    ]
    path = paths[-1]
    source = "made up"
    imported = read_summary(
        path.read_bytes(),
        path.name,
        source=source,
        retrieved=bundled_catalog().rounds()[0].sources[0].retrieved,
    )
    assert imported.rows == 492
    plan = plan_import(imported, bundled_catalog())
    assert (len(plan.added), plan.same, plan.changed) == (492, 0, ())
    write_import(plan, tmp_path / "user")
    assert load_catalog(tmp_path / "user").total == 3397 + 492
