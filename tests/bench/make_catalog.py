"""Makes a big made-up catalog for benchmarks and tests: `python tests/bench/make_catalog.py layer FOLDER`.

The bundled results, again and again under made-up submitters, with figures a little apart: as many results to
a round, a benchmark and a system as the real ones have. Nothing is random; the same number gives the same
bytes.

layer FOLDER      one catalog layer, to be opened over the bundled one: a user's folder with one import
wide FOLDER       the same, each copy on benchmarks of its own: a catalog that grows by benchmarks
official FOLDER   one summary_results.json for each round, in the layout of v6.0, to be imported
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import islice
from pathlib import Path

from rackrecord.catalog.claim import Claim
from rackrecord.catalog.layers import layer_files, write_layer
from rackrecord.catalog.layouts import SUMMARY_RESULTS, SUMMARY_RESULTS_OPTIONAL
from rackrecord.catalog.manifest import Source
from rackrecord.catalog.store import Catalog, bundled_catalog

TIMES = 100
RETRIEVED = date(2026, 11, 30)


def copies(claims: tuple[Claim, ...], number: int, *, wide: bool = False) -> Iterator[Claim]:
    """`number` made-up results in the likeness of real ones of one round; `wide`: on made-up benchmarks."""
    prefixes = (f"Example_{index:04d}" for index in range(1, 10**6))
    made = (copy(claim, index, prefix) for index, prefix in enumerate(prefixes) for claim in claims)
    return islice((elsewhere(claim) if wide else claim for claim in made), number)


def elsewhere(claim: Claim) -> Claim:
    """A made-up result on a benchmark of its own submitter's."""
    name = f"{claim.benchmark}-of-{claim.submitter.partition('_')[2][:4]}"
    return claim.model_copy(update={"id": f"{claim.id}-{name}", "benchmark": name, "accuracy_target": None})


def copy(claim: Claim, index: int, prefix: str) -> Claim:
    """A real result under another name, its figure up to 5 % off."""
    submitter = f"{prefix}_{claim.submitter}"
    factor = Decimal(950 + (index * 37 + len(claim.id) * 11) % 101) / 1000
    round, division, _, rest = claim.id.split("/", 3)
    return claim.model_copy(
        update={
            "id": f"{round}/{division}/{submitter}/{rest}",
            "submitter": submitter,
            "value": round_to(claim.value * factor, claim.value),
            "location": f"{division}/{submitter}/results/{rest}",
            "result_id": f"{round}-{submitter}",
            "source": "made up",
        }
    )


def round_to(value: Decimal, like: Decimal) -> Decimal:
    """A figure with as many decimals as another."""
    return value.quantize(Decimal(1).scaleb(min(int(like.as_tuple().exponent), -1)))


def made_up(catalog: Catalog, times: int, *, wide: bool = False) -> Iterator[tuple[str, list[Claim]]]:
    """By round, enough made-up results to make the catalog `times` as large."""
    for round in catalog.round_names():
        claims = tuple(catalog.restricted((round,)).all_claims())
        yield round, list(copies(claims, len(claims) * (times - 1), wide=wide))


def write_big_layer(folder: Path, times: int = TIMES, *, wide: bool = False) -> int:
    """Writes `folder`/big, a layer that makes the bundled catalog `times` as large; how many it has."""
    catalog = bundled_catalog()
    batches = []
    for round, claims in made_up(catalog, times, wide=wide):
        digest = hashlib.sha256(f"made up {round} {times}".encode()).hexdigest()
        source = Source(
            round=round,
            published=claims[0].published,
            source="made up",
            note="made up from the bundled results",
            retrieved=RETRIEVED,
            rows=len(claims),
            sha256=digest,
        )
        batches.append((source, claims))
    write_layer(layer_files(batches, catalog.partition_digests), folder / "big")
    return sum(len(claims) for _, claims in batches)


def write_official(folder: Path, times: int = TIMES) -> list[Path]:
    """Writes a summary for each round in the layout of `summary_results.json` of v6.0; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for round, claims in made_up(bundled_catalog(), times):
        path = folder / f"{round}-summary_results.json"
        with path.open("w", encoding="utf-8") as file:
            for index, claim in enumerate(claims):
                file.write("[\n" if index == 0 else ",\n")
                file.write(json.dumps(official_row(claim), indent=1))
            file.write("\n]\n")
        paths.append(path)
    return paths


def official_row(claim: Claim) -> dict[str, object]:
    """A result as a row of `summary_results.json`."""
    ours: dict[str, object] = {
        "submitter": claim.submitter,
        "availability": claim.availability,
        "division": claim.division,
        "suites": ",".join(claim.suites),
        "system": claim.system,
        "platform": claim.platform,
        "model": claim.model_as_submitted,
        "benchmark": claim.benchmark_as_submitted,
        "scenario": claim.scenario,
        "accuracy": f"TOKENS_PER_SAMPLE: {claim.mean_output_tokens}" if claim.mean_output_tokens else "",
        "nodes": claim.nodes,
        "accelerator": claim.accelerator_as_submitted,
        "per_node": claim.accelerators_per_node or "",
        "total": claim.accelerator_count or 0,
        "location": claim.location,
        "software": claim.software,
        "notes": "",
        "compliance": claim.division,
        "errors": 0,
        "round": claim.round,
        "inferred": int(claim.inferred),
        "precision": claim.precision_as_submitted,
        "value": float(claim.value),
        "unit": claim.unit,
        "result_id": claim.result_id,
        "power": float(claim.power) if claim.power is not None else None,
        "power_unit": claim.power_unit,
    }
    columns = {**SUMMARY_RESULTS, **SUMMARY_RESULTS_OPTIONAL}
    return {columns[field]: value for field, value in ours.items()}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Makes a big made-up catalog.")
    parser.add_argument("kind", choices=("layer", "wide", "official"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=TIMES, help="how often as large (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.kind in ("layer", "wide"):
        made = write_big_layer(arguments.folder, arguments.times, wide=arguments.kind == "wide")
        print(f"{made:,} made-up results")
    else:
        for path in write_official(arguments.folder, arguments.times):
            print(path)


if __name__ == "__main__":
    main()
