"""Reads official MLPerf Inference summaries into claims of our own schema, with all the mistakes found at
once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation

from rackrecord.catalog import repairs
from rackrecord.catalog.accelerators import canonical, parts_of
from rackrecord.catalog.benchmarks import find_benchmark, is_round, rounds
from rackrecord.catalog.claim import Caveat, CaveatCode, Claim
from rackrecord.catalog.layouts import MAX_CELL, Layout, Row, layout_of, rows_of
from rackrecord.catalog.precision import weight_formats
from rackrecord.errors import Problem, UserError
from rackrecord.model import StrictModel

AVAILABILITIES = ("available", "preview", "rdi")
DIVISIONS = ("closed", "network", "open")
SUITES = ("datacenter", "edge")
MAX_PROBLEMS = 50
MAX_COUNT = 10_000_000

_COMPLIANT = frozenset({"1", "true", "closed", "open", "network"})
_TOKENS_PER_SAMPLE = re.compile(r"TOKENS_PER_SAMPLE: *([0-9]+(?:\.[0-9]+)?)")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LARGEST = Decimal(10) ** 15


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


class Import(StrictModel):
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
    reader = _Reader(name, round)
    layout: Layout | None = None
    unknown: set[str] = set()
    for row in rows_of(data, name):
        if layout is None:
            layout = layout_of(row, name)
            unknown = set(row.cells) - {*layout.required.values(), *layout.optional.values(), *_IGNORED}
        reader.read(row, layout)
        if progress is not None and row.number % 256 == 0:
            progress(row.done)
    reader.raise_problems()
    the_round, published = reader.round_and_date(published)
    claims = reader.claims(published=published, source=source, retrieved=retrieved)
    return Import(
        round=the_round,
        published=published,
        source=source,
        retrieved=retrieved,
        note=note,
        sha256=hashlib.sha256(data).hexdigest(),
        rows=len(claims),
        ignored_columns=tuple(sorted(unknown)),
        claims=claims,
    )


class _Cells:
    """One row's cells read with their types; what is wrong goes to the list of problems."""

    def __init__(self, row: Row, layout: Layout, name: str, problems: list[Problem]) -> None:
        self.row = row
        self.columns = {**layout.optional, **layout.required}
        self.optional = layout.optional
        self.name = name
        self.problems = problems

    def problem(self, field: str, found: object, expected: str) -> None:
        shown = repr(found if not isinstance(found, Decimal) else str(found))
        shown = shown if len(shown) <= 80 else f"{shown[:60]}… ({len(str(found))} characters)"
        self.problems.append(
            Problem(
                self.name,
                self.row.line,
                None,
                f"row {self.row.number}, {self.columns[field]}",
                f"found {shown}, expected {expected}",
            )
        )

    def raw(self, field: str) -> object:
        column = self.columns.get(field, "")
        if column not in self.row.cells:
            if column and field not in self.optional:
                self.problem(field, "no such column", "a value")
            return None
        return self.row.cells[column]

    def text(self, field: str, *, required: bool = False) -> str:
        """A text cell without surrounding space; empty for null or an absent column."""
        value = self.raw(field)
        if value is None:
            value = ""
        if not isinstance(value, str):
            self.problem(field, value, "text")
            return ""
        if len(value) > MAX_CELL:
            self.problem(field, value, f"at most {MAX_CELL} characters")
            return ""
        if _UNPRINTABLE.search(value):
            self.problem(field, value, "text without control characters")
            return ""
        if required and not value.strip():
            self.problem(field, value, "a value")
        return value.strip()

    def choice(self, field: str, choices: tuple[str, ...]) -> str:
        """A text cell that must be one of `choices`, in any case."""
        value = self.text(field)
        if value.casefold() not in choices:
            self.problem(field, value, "one of " + ", ".join(choices))
        return value.casefold()

    def number(self, field: str) -> Decimal | None:
        """A number as published, None for an empty cell."""
        value = self.raw(field)
        if value is None or (isinstance(value, str) and value.strip().casefold() in ("", "n/a", "none")):
            return None
        try:
            number = Decimal(value.strip()) if isinstance(value, str) and len(value) < 100 else value
        except InvalidOperation:
            number = value
        if not isinstance(number, Decimal):
            self.problem(field, value, "a number")
            return None
        if not number.is_finite():
            self.problem(field, value, "a finite number")
            return None
        if number < 0 or number > _LARGEST or (number and number.adjusted() < -30):
            self.problem(field, value, "a number from 0 to 1e15")
            return None
        return number

    def figure(self, field: str) -> Decimal:
        """A number that must be there."""
        before = len(self.problems)
        number = self.number(field)
        if number is None and len(self.problems) == before:
            self.problem(field, self.raw(field), "a number")
        return number if number is not None else Decimal(0)

    def count(self, field: str) -> int | None:
        """A whole number, None for an empty cell; `8.0`, as in v4.1, is 8."""
        number = self.number(field)
        if number is None:
            return None
        if number != number.to_integral_value() or number > MAX_COUNT:
            self.problem(field, number, f"a whole number up to {MAX_COUNT}")
            return None
        return int(number)

    def flag(self, field: str) -> bool:
        """True for true, 1 and "True"; false for false, 0 and "False"."""
        text = self.loose(field)
        if text not in ("1", "true", "0", "false"):
            self.problem(field, self.raw(field), "0, 1, true or false")
        return text in ("1", "true")

    def loose(self, field: str) -> str:
        """A cell that holds text, a number or a boolean, as lower-case text."""
        value = self.raw(field)
        if not isinstance(value, str | bool | Decimal):
            self.problem(field, value, "text, a number or a boolean")
            return ""
        return str(value).strip().casefold()[:MAX_CELL]


class _Reader:
    """Gathers claims and problems over the rows of one file."""

    def __init__(self, name: str, round: str | None) -> None:
        self.name = name
        self.round = round
        self.problems: list[Problem] = []
        self.drafts: list[dict[str, object]] = []
        self.lines: dict[str, int] = {}
        self.rounds: dict[str, int] = {}

    def read(self, row: Row, layout: Layout) -> None:
        before = len(self.problems)
        draft = _draft(_Cells(row, layout, self.name, self.problems), self.round)
        self.rounds.setdefault(str(draft["round"]), row.line)
        if len(self.problems) > before:
            if len(self.problems) > 20 * MAX_PROBLEMS:
                self.raise_problems()
            return
        identifier = str(draft["id"])
        if identifier in self.lines:
            message = f"the same result as on line {self.lines[identifier]}: {identifier}; expected each once"
            self.problems.append(Problem(self.name, row.line, None, f"row {row.number}", message))
            return
        self.lines[identifier] = row.line
        self.drafts.append(draft)

    def raise_problems(self) -> None:
        if not self.problems:
            return
        shown = self.problems[:MAX_PROBLEMS]
        if len(self.problems) > MAX_PROBLEMS:
            message = f"and more: only the first {MAX_PROBLEMS} problems are shown"
            shown.append(Problem(self.name, shown[-1].line, None, "~", message))
        raise UserError(shown)

    def round_and_date(self, published: date | None) -> tuple[str, date]:
        """The one round of the file and the day it was published."""
        if len(self.rounds) > 1:
            found = ", ".join(f"{round} (line {line})" for round, line in self.rounds.items())
            raise UserError.of(
                f"found results of several rounds: {found}; expected one a file", file=self.name
            )
        round = next(iter(self.rounds))
        facts = rounds().get(round)
        published = published or (facts.published if facts else None)
        if published is None:
            message = f"the publication date of round {round} is not on record; give it (--published DATE)"
            raise UserError.of(message, file=self.name)
        return round, published

    def claims(self, *, published: date, source: str, retrieved: date) -> tuple[Claim, ...]:
        facts = {"published": published, "source": source, "retrieved": retrieved}
        claims = sorted(
            (Claim.model_validate({**draft, **facts}) for draft in self.drafts), key=lambda c: c.id
        )
        above = repairs.server_above_offline(claims)
        return tuple(
            claim.model_copy(update={"caveats": _ordered([*claim.caveats, above[claim.id]])})
            if claim.id in above
            else claim
            for claim in claims
        )


def _ordered(caveats: list[Caveat | None]) -> tuple[Caveat, ...]:
    order = list(CaveatCode)
    return tuple(sorted((c for c in caveats if c is not None), key=lambda c: (order.index(c.code), c.text)))


def _draft(cells: _Cells, round: str | None) -> dict[str, object]:
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
    accelerator, accelerator_caveat = _accelerator(cells.text("accelerator"))
    nodes, per_node = cells.count("nodes"), cells.count("per_node")
    count, count_caveat = repairs.accelerator_count(
        cells.text("accelerator") if accelerator else "",
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
        "accelerator_as_submitted": cells.text("accelerator"),
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


def _suites(cells: _Cells) -> tuple[str, ...]:
    suites = tuple(sorted({suite.strip().casefold() for suite in cells.text("suites").split(",")}))
    if not set(suites) <= set(SUITES):
        cells.problem("suites", cells.text("suites"), "datacenter, edge or both")
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


def _valid(cells: _Cells) -> bool:
    errors = cells.figure("errors")
    return errors == 0 and cells.loose("compliance").removesuffix(".0") in _COMPLIANT


def _mean_output_tokens(accuracy: str) -> Decimal | None:
    match = _TOKENS_PER_SAMPLE.search(accuracy)
    return Decimal(match[1]) if match else None
