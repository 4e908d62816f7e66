"""docs/profile.md is what the models say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rackrecord.profile.reference import reference

DOCS = Path(__file__).parent.parent / "docs"


def test_the_file_in_docs_is_current() -> None:
    assert (DOCS / "profile.md").read_text(encoding="utf-8") == reference()


def test_the_command_that_it_names_prints_it() -> None:
    command = [sys.executable, "-m", "rackrecord.profile.reference"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout.decode("utf-8") == reference()


def test_fields_with_unit_value_default_and_meaning() -> None:
    lines = reference().splitlines()
    for line in (
        "## `options[].price.rent`",
        "Exactly one of `rent`, `purchase` is given.",
        "| `kw` | number above 0, at most 5,000, or range | kW | **required** | Power of one rack. |",
        "| `spares` | whole number, 0 to 1,000,000 | racks | `0` | Racks held in reserve. |",
        "| `deliver_by` | date |  |  | Latest date for the first rack to serve. |",
        "| `up_to` | `true` or `false` |  | `false` | True where the statement says `up to`. |",
        "| `purchase_budget` | amount | money |  | For buying, once. |",
    ):
        assert line in lines


def test_every_table_row_has_five_cells() -> None:
    rows = [line for line in reference().splitlines() if line.startswith("|")]
    assert len(rows) > 150
    assert {row.replace("\\|", "").count("|") for row in rows} == {6}
