"""Reads official MLPerf Inference summaries into claims of our own schema, with all the mistakes found at
once.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from rackrecord.catalog import repairs
from rackrecord.catalog.accelerators import canonical, parts_of
from rackrecord.catalog.benchmarks import find_benchmark, is_round, rounds
from rackrecord.catalog.cells import Cells
from rackrecord.catalog.claim import Caveat, CaveatCode, Claim
from rackrecord.catalog.layouts import Layout, Row, layout_of, rows_of
from rackrecord.catalog.precision import weight_formats
from rackrecord.data import Data
from rackrecord.errors import Problem, UserError

AVAILABILITIES = ("available", "preview", "rdi")
DIVISIONS = ("closed", "network", "open")
SUITES = ("datacenter", "edge")
MAX_PROBLEMS = 50
UNKNOWN_DATE = date(1, 1, 1)
"""Stands for the publication date of a round that has none on record, until that is said."""

_COMPLIANT = frozenset({"1", "true", "closed", "open", "network"})
_TOKENS_PER_SAMPLE = re.compile(r"TOKENS_PER_SAMPLE: *([0-9]+(?:\.[0-9]+)?)")


# official columns that no claim needs: free text, derived figures, internal ids
_IGNORED = frozenset(
    (
        "Processor",
        "host_processors_per_node",
        "host_processor_core_count",
        "host_processor_model_name",
        "operating_system",
        "has_power",
        "p#",
        "Details",
        "Code",
        "Unique ID (e.g. for Audit)",
        "ColorKey",
        "design_power_watts",
        "PrivateID",
    )
)


class Import(Data):
    """What one official summary file holds: its claims, sorted by id, and the facts for a manifest."""

    round: str
    published: date
    source: str
    retrieved: date
    note: str
    sha256: str
    rows: int
    ignored_columns: tuple[str, ...]
    claims: tuple[Claim, ...]


def read_summary(
    data: bytes,
    name: str,
    *,
    source: str,
    retrieved: date,
    round: str | None = None,
    published: date | None = None,
    note: str = "",
    progress: Callable[[float], None] | None = None,
) -> Import:
    """The claims of an official summary file of one round.

    `name` is the file's name in errors, `source` where it was published (repository and path), `retrieved`
    the day it was fetched. `round` stands for the file's own `version` column if given; `published` is needed
    where the round's date is not on record. `progress` is told the share of the file that is read, now and
    then.

    Raises UserError with everything wrong: a file that is cut off or of another layout, and each cell of a
    wrong type or out of range with its line, column name, what was found and what is expected.
    """
    given = {"published": published, "source": source, "retrieved": retrieved}
    reader = _Reader(name, round, given)
    layout: Layout | None = None
    unknown: set[str] = set()
    try:
        for row in rows_of(data, name):
            if layout is None:
                layout = layout_of(row, name)
                unknown = set(row.cells) - {*layout.required.values(), *layout.optional.values(), *_IGNORED}
            reader.read(row, layout)
            if progress is not None and row.number % 256 == 0:
                progress(row.done)
    except UserError as error:
        # a file that breaks off: what is wrong before that is said too
        reader.problems += error.problems
    the_round, the_date, claims = reader.finish()
    return Import(
        round=the_round,
        published=the_date,
        source=source,
        retrieved=retrieved,
        note=note,
        sha256=hashlib.sha256(data).hexdigest(),
        rows=len(claims),
        ignored_columns=tuple(sorted(unknown)),
        claims=claims,
    )


class _Reader:
    """Gathers claims and problems over the rows of one file."""

    def __init__(self, name: str, round: str | None, facts: Mapping[str, object]) -> None:
        self.name = name
        self.round = round
        self.facts = facts
        self.problems: list[Problem] = []
        self.claims: list[Claim] = []
        self.lines: dict[str, int] = {}
        self.rounds: dict[str, int] = {}
        self.texts: dict[str, str] = {}

    def read(self, row: Row, layout: Layout) -> None:
        before = len(self.problems)
        draft = _draft(Cells(row, layout, self.name, self.problems, self.texts), self.round)
        if is_round(str(draft["round"])):
            self.rounds.setdefault(str(draft["round"]), row.line)
        if len(self.problems) > before:
            if len(self.problems) > 20 * MAX_PROBLEMS:
                self.raise_problems()
            return
        claim = Claim.model_validate({**draft, **self.facts, "published": self.published()})
        if claim.id in self.lines:
            message = f"the same result as on line {self.lines[claim.id]}: {claim.id}; expected each once"
            self.problems.append(Problem(self.name, row.line, None, f"row {row.number}", message))
            return
        self.lines[claim.id] = row.line
        self.claims.append(claim)

    def published(self) -> date:
        """The day the file's round was published: given, or on record."""
        given = self.facts.get("published")
        facts = rounds().get(next(iter(self.rounds)))
        if isinstance(given, date):
            return given
        return facts.published if facts and facts.published else UNKNOWN_DATE

    def finish(self) -> tuple[str, date, tuple[Claim, ...]]:
        """The one round of the file, the day it was published, and its claims. Raises UserError."""
        if len(self.rounds) > 1:
            found = ", ".join(f"{round} (line {line})" for round, line in self.rounds.items())
            self.file_problem(f"found results of several rounds: {found}; expected one a file")
        elif self.rounds and self.published() == UNKNOWN_DATE:
            round = next(iter(self.rounds))
            self.file_problem(f"the publication date of round {round} is not on record (--published DATE)")
        self.raise_problems()
        self.claims.sort(key=lambda claim: claim.id)
        above = repairs.server_above_offline(self.claims)
        claims = tuple(
            claim.model_copy(update={"caveats": _ordered([*claim.caveats, above[claim.id]])})
            if claim.id in above
            else claim
            for claim in self.claims
        )
        return next(iter(self.rounds)), self.published(), claims

    def file_problem(self, message: str) -> None:
        self.problems.insert(0, Problem(self.name, None, None, "", message))

    def raise_problems(self) -> None:
        if not self.problems:
            return
        shown = self.problems[:MAX_PROBLEMS]
        if len(self.problems) > MAX_PROBLEMS:
            message = f"and more: only the first {MAX_PROBLEMS} problems are shown"
            shown.append(Problem(self.name, shown[-1].line, None, "~", message))
        raise UserError(shown)


def _ordered(caveats: list[Caveat | None]) -> tuple[Caveat, ...]:
    order = list(CaveatCode)
    return tuple(sorted((c for c in caveats if c is not None), key=lambda c: (order.index(c.code), c.text)))


def _draft(cells: Cells, round: str | None) -> dict[str, object]:
    """One row as the fields of a claim that need no look at other rows."""
    round = round or cells.text("round")
    if not is_round(round):
        cells.problem("round", round, "a round such as v6.1")
    division = cells.choice("division", DIVISIONS)
    submitter = cells.text("submitter", required=True)
    platform = cells.text("platform", required=True)
    benchmark_as_submitted = cells.text("benchmark", required=True)
    model = cells.text("model") or benchmark_as_submitted
    benchmark, target = find_benchmark(benchmark_as_submitted) or (benchmark_as_submitted.casefold(), None)
    scenario, scenario_caveat = repairs.repair_scenario(cells.text("scenario", required=True))
    unit, unit_caveat = repairs.repair_unit(round, benchmark, scenario, cells.text("unit", required=True))
    inferred = cells.flag("inferred")
    accelerator_as_submitted = cells.text("accelerator")
    accelerator, accelerator_caveat = _accelerator(accelerator_as_submitted)
    nodes, per_node = cells.count("nodes"), cells.count("per_node")
    count, count_caveat = repairs.accelerator_count(
        accelerator_as_submitted if accelerator else "",
        nodes=nodes,
        per_node=per_node,
        total=cells.count("total"),
    )
    power = cells.number("power")
    precision = cells.text("precision")
    caveats = [
        scenario_caveat,
        unit_caveat,
        accelerator_caveat,
        count_caveat,
        repairs.inferred_caveat(inferred),
        repairs.division_note_caveat(division, cells.text("notes")),
    ]
    return {
        "id": claim_id(round, division, submitter, platform, benchmark, target, scenario, model),
        "round": round,
        "division": division,
        "availability": cells.choice("availability", AVAILABILITIES),
        "suites": _suites(cells),
        "submitter": submitter,
        "system": cells.text("system"),
        "platform": platform,
        "benchmark": benchmark,
        "accuracy_target": target,
        "benchmark_as_submitted": benchmark_as_submitted,
        "model_as_submitted": model,
        "scenario": scenario,
        "value": cells.figure("value"),
        "unit": unit,
        "accelerator": accelerator,
        "accelerator_as_submitted": accelerator_as_submitted,
        "accelerator_count": count,
        "nodes": nodes,
        "accelerators_per_node": per_node if accelerator else None,
        "precision": weight_formats(precision),
        "precision_as_submitted": precision,
        "software": cells.text("software"),
        "inferred": inferred,
        "valid": _valid(cells),
        "mean_output_tokens": _mean_output_tokens(cells.text("accuracy")),
        "power": power,
        "power_unit": (cells.text("power_unit") or None) if power is not None else None,
        "result_id": cells.text("result_id") or None,
        "location": cells.text("location").removeprefix("./"),
        "caveats": _ordered(caveats),
    }


def claim_id(
    round: str,
    division: str,
    submitter: str,
    platform: str,
    benchmark: str,
    accuracy_target: str | None,
    scenario: str,
    model: str,
) -> str:
    """The stable id of a result; it ends with the model where that is not the benchmark's own (open
    division).
    """
    with_target = f"{benchmark}-{accuracy_target}" if accuracy_target else benchmark
    reference = find_benchmark(model)
    own = model.casefold() == benchmark or (reference is not None and reference[0] == benchmark)
    suffix = "" if own else f"+{model}"
    return f"{round}/{division}/{submitter}/{platform}/{with_target}/{scenario}{suffix}"


def _suites(cells: Cells) -> tuple[str, ...]:
    text = cells.text("suites")
    suites = tuple(sorted({suite.strip().casefold() for suite in text.split(",")}))
    if not set(suites) <= set(SUITES):
        cells.problem("suites", text, "datacenter, edge or both")
    return suites


def _accelerator(as_submitted: str) -> tuple[str, Caveat | None]:
    """The canonical id, and a caveat where the table lacks a spelling, which then stays as it is."""
    parts = parts_of(as_submitted)
    ids = {part: canonical(part) for part in parts}
    unknown = sorted(part for part, known in ids.items() if known is None)
    caveat = None
    if unknown:
        text = "no accelerator on record is spelled " + " or ".join(repr(part) for part in unknown)
        caveat = Caveat(code=CaveatCode.UNKNOWN_ACCELERATOR, text=text)
    return "+".join(sorted({known or part for part, known in ids.items()})), caveat


def _valid(cells: Cells) -> bool:
    errors = cells.figure("errors")
    return errors == 0 and cells.loose("compliance").removesuffix(".0") in _COMPLIANT


def _mean_output_tokens(accuracy: str) -> Decimal | None:
    match = _TOKENS_PER_SAMPLE.search(accuracy)
    return Decimal(match[1]) if match else None
