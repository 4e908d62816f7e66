"""Makes the bundled catalog from a folder of official summaries: `python -m rackrecord.catalog.build FOLDER`.

The folder holds the four files below under these names. The same files give the same bytes.
"""

from __future__ import annotations

import shutil
import sys
from datetime import date
from pathlib import Path

from rackrecord.catalog.imports import source_of
from rackrecord.catalog.layers import layer_files, write_layer
from rackrecord.catalog.mlperf import read_summary
from rackrecord.catalog.store import BUNDLED
from rackrecord.errors import UserError

RETRIEVED = date(2026, 11, 30)

SOURCES = (
    ("v4.1-summary_results.json", "mlcommons/inference_results_v4.1 summary_results.json", ""),
    ("v5.1-summary_results.json", "mlcommons/inference_results_v5.1 summary_results.json", ""),
    (
        "v6.0-summary_results.json",
        "mlcommons/inference_results_v6.0 summary_results.json",
        "taken from a public fork of the results repository",
    ),
    (
        "v6.1-summary.csv",
        "mlcommons/inference_results_v6.1 summary.csv",
        "transcription of the official summary.csv with operating system and notes left blank",
    ),
)


def bundled_files(folder: Path) -> dict[str, bytes]:
    """The files of the bundled layer, made from the official summaries in `folder`. Raises UserError."""
    batches = []
    for name, source, note in SOURCES:
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            raise UserError.of(f"cannot read: {error.strerror}", file=str(folder / name)) from None
        imported = read_summary(data, name, source=source, retrieved=RETRIEVED, note=note)
        batches.append((source_of(imported), imported.claims))
    return layer_files(batches)


def main(arguments: list[str]) -> int:
    """Rebuilds the bundled layer in place; the exit code."""
    if len(arguments) != 1:
        print("usage: python -m rackrecord.catalog.build FOLDER", file=sys.stderr)
        return 2
    try:
        files = bundled_files(Path(arguments[0]))
        staged = BUNDLED.with_name("results.new")
        write_layer(files, staged)
        shutil.rmtree(BUNDLED, ignore_errors=True)
        staged.rename(BUNDLED)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(files) - 1} partitions in {BUNDLED}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
