"""How results are shown: as a table, CSV, JSON, or one in full."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from textwrap import wrap

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.benchmarks import benchmarks, compatible_group
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import RoundInfo
from rackrecord.catalog.table import COLUMNS
from rackrecord.citations import MARK, citations
from rackrecord.cli.text import derived_figure, figure, printable, spreadsheet_safe, table

DERIVED = f"derived, not an official {MARK} metric"

_LIST: dict[str, Callable[[Claim], str]] = {
    "benchmark": lambda claim: _with_target(claim),
    "round": lambda claim: claim.round,
    "scenario": lambda claim: claim.scenario,
    "division": lambda claim: claim.division,
    "availability": lambda claim: claim.availability,
    "suite": lambda claim: ", ".join(claim.suites),
    "submitter": lambda claim: claim.submitter,
    "accelerator": lambda claim: accelerator_name(claim.accelerator) or "none",
    "count": lambda claim: str(claim.accelerator_count or ("unclear" if claim.accelerator else "")),
    "result": lambda claim: figure(claim.value),
    "unit": lambda claim: claim.unit,
    "per accelerator": lambda claim: derived_figure(claim.per_accelerator),
    "caveats": lambda claim: ", ".join(caveat.code for caveat in claim.caveats),
    "id": lambda claim: claim.id,
}
_RIGHT = ("count", "result", "per accelerator")
_FOLDED = ("benchmark", "round", "scenario", "division", "availability", "suite", "unit")

_NUMBERS = ("value", "accelerator_count", "nodes", "accelerators_per_node", "mean_output_tokens", "power")


def _with_target(claim: Claim) -> str:
    return f"{claim.benchmark}-{claim.accuracy_target}" if claim.accuracy_target else claim.benchmark


def as_table(claims: Sequence[Claim]) -> str:
    """A table for people. What all results share stands once above it; the last line counts."""
    count = f"{len(claims):,} result{'' if len(claims) == 1 else 's'}"
    if not claims:
        return count
    columns = {name: [show(claim) for claim in claims] for name, show in _LIST.items()}
    shared = [name for name in _FOLDED if len(set(columns[name])) == 1]
    kept = [name for name in columns if name not in shared and any(columns[name])]
    rows = zip(*(columns[name] for name in kept), strict=True)
    right = [index for index, name in enumerate(kept) if name in _RIGHT]
    lines = [" · ".join(printable(columns[name][0]) for name in shared)] if shared else []
    lines.append(table([name.upper() for name in kept], rows, right=right))
    lines.append(f"{count}; per accelerator: {DERIVED}" if "per accelerator" in kept else count)
    return "\n".join(lines)


def as_csv(claims: Iterable[Claim]) -> Iterator[str]:
    """Lines of CSV with every field and the figure per accelerator. No cell is taken for a formula."""
    fields = ["id", "round", "published", "benchmark", *(field for field in COLUMNS if field != "id")]
    fields += ["source", "retrieved"]
    yield _csv_line([*fields, "per_accelerator_derived"])
    for claim in claims:
        cells = []
        for field in fields:
            write = COLUMNS[field][0] if field in COLUMNS else _plain
            cell = write(getattr(claim, field))
            cells.append(cell if field in _NUMBERS else spreadsheet_safe(cell))
        yield _csv_line([*cells, _derived_number(claim)])


def _csv_line(cells: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _plain(value: object) -> str:
    return "" if value is None else str(value)


def _derived_number(claim: Claim) -> str:
    figure = claim.per_accelerator
    return "" if figure is None else f"{figure:.6g}" if figure < 1 else f"{figure:.6f}"


def as_json(claims: Iterable[Claim]) -> str:
    """A JSON array with every field; figures are numbers, `per_accelerator_derived` is ours."""
    return json.dumps([_json_object(claim) for claim in claims], indent=1, ensure_ascii=False)


def _json_object(claim: Claim) -> dict[str, object]:
    fields: dict[str, object] = claim.model_dump(mode="json")
    for field in _NUMBERS:
        value = getattr(claim, field)
        fields[field] = float(value) if isinstance(value, Decimal) else value
    figure = _derived_number(claim)
    fields["per_accelerator_derived"] = float(figure) if figure else None
    return fields


def in_full(claim: Claim) -> str:
    """One result with every field, its caveats, the benchmark's limits, and what a citation of it needs."""
    lines = [claim.id, *_fields(_result_fields(claim))]
    if claim.caveats:
        lines += ["", "caveats", *(f"  {caveat.code}: {printable(caveat.text)}" for caveat in claim.caveats)]
    lines += ["", "benchmark", *_fields(_benchmark_fields(claim))]
    lines += ["", "source", *_fields(_source_fields(claim))]
    lines += ["", "citation", *_citation(claim)]
    return "\n".join(lines)


def _fields(fields: Iterable[tuple[str, str]]) -> list[str]:
    shown = [(name, printable(value) or "-") for name, value in fields]
    width = max(len(name) for name, _ in shown)
    return [f"  {name:{width}}  {value}" for name, value in shown]


def _result_fields(claim: Claim) -> list[tuple[str, str]]:
    count = (
        str(claim.accelerator_count)
        if claim.accelerator_count
        else "unclear"
        if claim.accelerator
        else "none"
    )
    derived = derived_figure(claim.per_accelerator)
    fields = [
        ("result", f"{figure(claim.value)} {claim.unit}"),
        (
            "per accelerator",
            f"{derived} {claim.unit} ({DERIVED})" if derived else "-",
        ),
        ("round", f"{claim.round}, published {claim.published}"),
        ("division", claim.division),
        ("availability", claim.availability),
        ("suite", ", ".join(claim.suites)),
        ("submitter", claim.submitter),
        ("system", claim.system),
        ("platform", claim.platform),
        ("scenario", claim.scenario),
        ("accelerator", accelerator_name(claim.accelerator) or "none"),
        ("  as submitted", claim.accelerator_as_submitted),
        ("accelerators", count),
        ("nodes", _plain(claim.nodes)),
        ("accelerators per node", _plain(claim.accelerators_per_node)),
        ("weights", ", ".join(claim.precision)),
        ("  as submitted", claim.precision_as_submitted),
        ("software", claim.software),
        ("mean output tokens", _plain(claim.mean_output_tokens)),
        (
            "measured power",
            f"{figure(claim.power)} {claim.power_unit or ''}" if claim.power is not None else "",
        ),
        ("inferred", "yes" if claim.inferred else "no"),
        ("valid", "yes" if claim.valid else "no: the source marks errors or non-compliance"),
    ]
    return fields


def _benchmark_fields(claim: Claim) -> list[tuple[str, str]]:
    facts = benchmarks().get(claim.benchmark)
    scenario = facts.scenario(claim.scenario) if facts else None
    limits = []
    if scenario is not None:
        named = (("TTFT", scenario.ttft_ms), ("TPOT", scenario.tpot_ms), ("request", scenario.e2e_ms))
        limits = [f"{name} {limit:f} ms" for name, limit in named if limit is not None]
    return [
        ("name", _with_target(claim)),
        ("  as submitted", claim.benchmark_as_submitted),
        ("model as submitted", claim.model_as_submitted),
        ("task", (facts.task if facts else None) or ""),
        ("limits (p99)", ", ".join(limits) or ("none" if scenario is not None else "not on record")),
        ("comparable rounds", ", ".join(compatible_group(claim.benchmark, claim.scenario, claim.round))),
    ]


def _citation(claim: Claim) -> list[str]:
    """What a document that quotes the result must say, as it must say it."""
    if not claim.valid:
        return ["  none: the source marks errors or non-compliance"]
    cited = citations([claim])
    texts = [cited.in_text[0].text, f"[{cited.footnotes[0].number}] {cited.footnotes[0].text}"]
    if claim.per_accelerator is not None:
        texts.append(cited.derived)
    return [
        line
        for text in texts
        for line in wrap(
            printable(text), 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    ]


def _source_fields(claim: Claim) -> list[tuple[str, str]]:
    return [
        ("published in", claim.source),
        ("path", claim.location),
        ("retrieved", _plain(claim.retrieved)),
        ("official result id", claim.result_id or "none in the source"),
    ]


def rounds_table(rounds: Sequence[RoundInfo]) -> str:
    """The rounds and their sources, one line a source, notes below."""
    rows = []
    for info in rounds:
        for index, source in enumerate(info.sources):
            first = index == 0
            rows.append(
                (
                    info.round if first else "",
                    str(info.published) if first else "",
                    f"{info.results:,}" if first else "",
                    str(len(info.benchmarks)) if first else "",
                    str(source.retrieved),
                    source.sha256[:12],
                    source.source,
                )
            )
    header = ("ROUND", "PUBLISHED", "RESULTS", "BENCHMARKS", "RETRIEVED", "SHA-256", "SOURCE")
    notes = [
        f"{info.round}: {printable(source.note)}" for info in rounds for source in info.sources if source.note
    ]
    return "\n".join([table(header, rows, right=(2, 3)), *notes])


def rounds_json(rounds: Iterable[RoundInfo]) -> str:
    """The rounds with all that the manifests say of them."""
    return json.dumps([info.model_dump(mode="json") for info in rounds], indent=1, ensure_ascii=False)
