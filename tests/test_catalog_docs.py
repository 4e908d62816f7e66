"""docs/catalog.md against what the catalog really has."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from rackrecord.catalog.claim import CaveatCode
from rackrecord.catalog.store import bundled_catalog
from rackrecord.catalog.table import COLUMNS

TEXT = (Path(__file__).parents[1] / "docs" / "catalog.md").read_text(encoding="utf-8")


def table_rows(first_header: str) -> list[list[str]]:
    """The rows of the table whose head begins with this cell."""
    lines = TEXT.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(f"| {first_header} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    assert rows
    return rows


def test_every_column_is_explained_in_its_order() -> None:
    named = [name for row in table_rows("column") for name in re.findall(r"`(\w+)`", row[0])]
    assert named == sorted(named, key=list(COLUMNS).index)
    assert set(named) == set(COLUMNS)


def test_every_repair_is_listed_with_its_count() -> None:
    found = Counter(caveat.code for claim in bundled_catalog().all_claims() for caveat in claim.caveats)
    listed = {row[0].strip("`"): int(row[2]) for row in table_rows("caveat")}
    assert listed == {code: found[CaveatCode(code)] for code in listed}
    assert set(found) <= set(listed)


def test_the_rounds_are_those_bundled() -> None:
    listed = [(row[0], row[1], int(row[2].replace(",", ""))) for row in table_rows("round")]
    bundled = [(info.round, str(info.published), info.results) for info in bundled_catalog().rounds()]
    assert listed == bundled
