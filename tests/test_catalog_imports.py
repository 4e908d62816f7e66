"""Imports into a user's folder: new, there already, different; and what a failing one leaves."""

from __future__ import annotations

import os
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from catalog_rows import V60, V61, csv_file, json_list, read
from rackrecord.catalog import layers
from rackrecord.catalog.imports import Change, plan_import, write_import
from rackrecord.catalog.layers import write_layer
from rackrecord.catalog.store import bundled_catalog, load_catalog
from rackrecord.errors import UserError

# v6.1, Azure, as bundled; and the same system under a made-up submitter
THERE = V61
NEW = {**V61, "Organization": "Example"}
NEW_ID = "v6.1/closed/Example/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(data: bytes, folder: Path, **options: Any) -> tuple[int, int, tuple[Change, ...], Path | None]:
    plan = plan_import(read(data, **options), load_catalog(folder))
    written = write_import(plan, folder)
    return len(plan.added), plan.same, plan.changed, written


def test_new_results_are_added_and_found(tmp_path: Path) -> None:
    added, same, changed, written = run(csv_file(THERE, NEW), tmp_path)
    assert (added, same, changed) == (1, 1, ())
    assert written is not None
    assert written.parent == tmp_path
    assert written.name.startswith("v6.1-")
    catalog = load_catalog(tmp_path)
    assert catalog.total == 3398
    claim = catalog.find(NEW_ID)
    assert claim is not None
    assert (claim.value, claim.source, str(claim.retrieved)) == (
        Decimal("542075.0"),
        "a source",
        "2026-11-30",
    )
    assert claim in catalog.claims("deepseek-r1")
    assert sorted(contents(written)) == ["manifest.json", "v6.1/deepseek-r1.csv"]


def test_the_same_result_twice_is_one(tmp_path: Path) -> None:
    run(csv_file(NEW), tmp_path)
    before = contents(tmp_path)
    # the figure with other trailing zeros and another day are no difference
    again = csv_file({**NEW, "Result": "542075"})
    assert run(again, tmp_path) == (0, 1, (), None)
    assert contents(tmp_path) == before
    assert load_catalog(tmp_path).total == 3398


def test_nothing_new_makes_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "catalog"
    assert run(csv_file(THERE), folder) == (0, 1, (), None)
    assert not folder.exists()


def test_a_changed_result_is_reported_and_left(tmp_path: Path) -> None:
    changed = {**THERE, "Result": "600000.0", "weight_data_types": "fp8"}
    added, same, changes, written = run(csv_file(changed, NEW), tmp_path)
    assert (added, same) == (1, 0)
    there = "v6.1/closed/Azure/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"
    assert changes == (
        Change(id=there, field="value", old="542075.0", new="600000.0"),
        Change(id=there, field="precision", old="fp4", new="fp8"),
        Change(id=there, field="precision_as_submitted", old="fp4", new="fp8"),
    )
    assert written is not None
    kept = load_catalog(tmp_path).find(there)
    assert kept == bundled_catalog().find(there)


def test_a_changed_result_in_the_users_own_layer_is_left(tmp_path: Path) -> None:
    run(csv_file(NEW), tmp_path)
    added, same, changes, written = run(csv_file({**NEW, "Result": "1"}), tmp_path)
    assert (added, same, written) == (0, 0, None)
    assert [(change.field, change.old, change.new) for change in changes] == [("value", "542075.0", "1")]


def test_imports_add_up(tmp_path: Path) -> None:
    for index in range(3):
        added, *_ = run(
            csv_file(*({**NEW, "Platform": f"p{number}"} for number in range(index + 1))), tmp_path
        )
        assert added == 1
    assert len(list(tmp_path.iterdir())) == 3
    catalog = load_catalog(tmp_path)
    assert catalog.total == 3400
    assert len([claim for claim in catalog.claims("deepseek-r1") if claim.submitter == "Example"]) == 3


def test_counting_reads_no_file_of_an_import(tmp_path: Path) -> None:
    for number in range(2):
        run(csv_file({**NEW, "Platform": f"p{number}"}), tmp_path)
    for path in tmp_path.rglob("*.csv"):
        path.unlink()
    assert load_catalog(tmp_path).total == 3399


def test_a_new_round(tmp_path: Path) -> None:
    row = {**NEW, "version": "v7.0", "accelerator_model_name": "NVIDIA GB400"}
    run(csv_file(row), tmp_path, published=date(2027, 4, 7))
    catalog = load_catalog(tmp_path)
    assert catalog.round_names() == ("v4.1", "v5.1", "v6.0", "v6.1", "v7.0")
    assert catalog.restricted(("v4.1", "v5.1", "v6.0", "v6.1")).digest == bundled_catalog().digest
    assert "NVIDIA GB400" in catalog.accelerators()


def test_the_same_import_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        run(csv_file(NEW, {**NEW, "Scenario": "Server"}), folder)
    assert contents(first) == contents(second)
    assert load_catalog(first).digest == load_catalog(second).digest


@pytest.mark.parametrize(
    "data",
    [
        b"",
        json_list(V60)[:-30],
        csv_file(NEW)[:-30],
        csv_file(NEW, {**NEW, "Scenario": "Server", "Result": "x"}),
        csv_file(NEW, NEW),
        csv_file({**NEW, "SystemName": "x" * 10_000_000}),
    ],
    ids=["empty", "json cut off", "csv cut off", "one wrong cell", "duplicate", "huge cell"],
)
def test_a_broken_file_leaves_the_catalog_as_it_was(tmp_path: Path, data: bytes) -> None:
    run(csv_file({**NEW, "Platform": "earlier"}), tmp_path)
    before, digest = contents(tmp_path), load_catalog(tmp_path).digest
    with pytest.raises(UserError):
        run(data, tmp_path)
    assert contents(tmp_path) == before
    assert load_catalog(tmp_path).digest == digest


@pytest.mark.parametrize("step", ["write_bytes", "rename"])
def test_a_full_disk_leaves_the_catalog_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    run(csv_file({**NEW, "Platform": "earlier"}), tmp_path)
    before = contents(tmp_path)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if step == "rename":
        monkeypatch.setattr(layers.os, "rename", fail)
    else:
        monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(
        UserError, match="cannot write to the catalog: No space left on device; nothing was changed"
    ):
        run(csv_file(NEW), tmp_path)
    monkeypatch.undo()
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert load_catalog(tmp_path).total == 3398


def test_a_process_killed_on_the_way_leaves_no_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class KilledError(BaseException):
        """Stands for a signal."""

    def killed(*_: object) -> None:
        raise KilledError

    monkeypatch.setattr(layers.os, "rename", killed)
    monkeypatch.setattr(layers.shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(KilledError):
        run(csv_file(NEW), tmp_path)
    monkeypatch.undo()
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".import-")
    assert load_catalog(tmp_path).digest == bundled_catalog().digest
    assert run(csv_file(NEW), tmp_path)[0] == 1


def test_the_place_of_the_folder_is_a_file(tmp_path: Path) -> None:
    plan = plan_import(read(csv_file(NEW)), bundled_catalog())
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="nothing was changed"):
        write_import(plan, tmp_path / "file" / "catalog")


def test_two_imports_at_once_are_two_layers(tmp_path: Path) -> None:
    # both planned before either is written: what both have counts once
    both = csv_file(NEW), csv_file(NEW, {**NEW, "Scenario": "Server"})
    plans = [plan_import(read(data), bundled_catalog()) for data in both]
    for plan in plans:
        write_import(plan, tmp_path)
    catalog = load_catalog(tmp_path)
    assert catalog.total == 3399
    assert len([claim for claim in catalog.claims("deepseek-r1") if claim.submitter == "Example"]) == 2


def test_the_same_import_at_once_is_one_result(tmp_path: Path) -> None:
    plan = plan_import(read(csv_file(NEW)), bundled_catalog())
    first, second = write_import(plan, tmp_path), write_import(plan, tmp_path)
    assert first != second
    assert load_catalog(tmp_path).total == 3398


def test_a_layer_is_never_written_over_another(tmp_path: Path) -> None:
    write_layer({"manifest.json": b"1"}, tmp_path / "layer")
    with pytest.raises(UserError, match="nothing was changed"):
        write_layer({"manifest.json": b"2"}, tmp_path / "layer")
    assert contents(tmp_path) == {"layer/manifest.json": b"1"}


def test_a_layer_can_be_read_by_others(tmp_path: Path) -> None:
    write_layer({"manifest.json": b"1"}, tmp_path / "layer")
    assert os.stat(tmp_path / "layer").st_mode & 0o777 == 0o755
