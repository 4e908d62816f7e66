"""Makes the stored records of tests/fixtures/records again: one of the present schema, one of schema 0.

Run it only while the present schema is not released; after that, its sample is what shows that later versions
read it. Usage: python scripts/record_samples.py
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from rackrecord.migrations import SCHEMA  # noqa: E402
from registers import content_of, make, profile_text, seal, sums  # noqa: E402

TARGET = ROOT / "tests" / "fixtures" / "records"


def main() -> None:
    """Write both samples."""
    work = ROOT / "build" / "samples"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    made = make(work / "records", profile_text(), "--rounds", "v6.0", "--as-of", "2026-06-01")
    present = TARGET / f"schema-{SCHEMA}"
    for folder in (present, TARGET / "schema-0"):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)
    content = content_of(made)
    # Before the first release a record had no history and no link to the one it supersedes.
    old = {key: value for key, value in content.items() if key not in ("history", "supersedes")}
    (TARGET / "schema-0" / "record.json").write_bytes(
        seal({**old, "schema_version": 0, "tool": "rackrecord 0.0.1"})
    )
    sums(TARGET / "schema-0")
    print(f"written: {present.name}, schema-0")


if __name__ == "__main__":
    main()
