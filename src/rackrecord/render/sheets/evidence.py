"""The sheet Evidence: the claims used, their per-accelerator figures, and statistics of these by formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.claim import Claim
from rackrecord.render.sheets.book import Book, Sheet, address, span
from rackrecord.render.sheets.inputs import Inputs
from rackrecord.render.sheets.model import OptionModel, Part
from rackrecord.selection.select import OptionEvidence

_SUMMARY_TITLES = (
    "Benchmark, scenario",
    "Option",
    "Unit, per accelerator",
    "Results counted",
    "Median",
    "Minimum",
    "Lower quartile",
    "Maximum",
    "Planning figure",
)
_CLAIM_TITLES = (
    "Benchmark, scenario",
    "Option",
    "Claim",
    "Round",
    "Division",
    "Availability",
    "Submitter",
    "System",
    "Accelerator",
    "Result",
    "Unit",
    "Accelerators",
    "Counted",
    "Per accelerator, derived",
    "Precision",
    "Result id",
    "Location",
    "Retrieved",
)
_WIDTHS = (28, 30, 30, 12, 14, 16, 20, 34, 18, 16, 12, 13, 16, 20, 12, 12, 60, 12)
_COUNTED, _PER_ACCELERATOR = 12, 13
_SUMMARY_ROW = 5


@dataclass(frozen=True, slots=True)
class _Block:
    """The claims of one option in one part, from row `first` on; `row` is its line in the summary."""

    part: Part
    model: OptionModel
    evidence: OptionEvidence
    claims: tuple[Claim, ...]
    row: int
    first: int

    def range(self, column: int) -> str:
        return span(self.first, column, self.first + len(self.claims) - 1, column)


class EvidenceSheet:
    """Where the figures of each option and part stand, so that other sheets can refer to them."""

    def __init__(self, parts: Sequence[Part], models: Sequence[OptionModel]) -> None:
        pairs = []
        for part in parts:
            claims = {claim.id: claim for claim in part.selection.used}
            for model in models:
                found = part.selection.evidence(model.option.id)
                used = tuple(claims[claim] for claim in found.used)
                if used:
                    pairs.append((part, model, found, used))
        first = _SUMMARY_ROW + len(pairs) + 4
        self._blocks: list[_Block] = []
        for row, (part, model, found, used) in enumerate(pairs, start=_SUMMARY_ROW):
            self._blocks.append(_Block(part, model, found, used, row, first))
            first += len(used)

    def reference(self, part: Part, model: OptionModel, figure: str) -> str:
        """The cell of one of `median`, `minimum`, `maximum` and `planning`."""
        columns = {"median": 4, "minimum": 5, "maximum": 7, "planning": 8}
        for block in self._blocks:
            if block.part is part and block.model is model:
                return f"Evidence!{address(block.row, columns[figure], fixed=True)}"
        raise KeyError(figure)

    def write(self, book: Book, inputs: Inputs) -> None:
        """Write the summary of every option and the claims behind it."""
        sheet = book.sheet("Evidence", _WIDTHS)
        sheet.text(0, 0, "Evidence", "title")
        sheet.text(
            1,
            0,
            "Verified, comparable MLPerf\u00ae results. Per-accelerator figures are derived; "
            "they are not official MLPerf metrics.",
            "note",
        )
        sheet.text(2, 0, "Set Counted to no to see the figures without a result.", "note")
        for column, title in enumerate(_SUMMARY_TITLES):
            sheet.text(_SUMMARY_ROW - 1, column, title, "head")
        for block in self._blocks:
            _summary(sheet, block, inputs)
        titles = _SUMMARY_ROW + len(self._blocks) + 3
        for column, title in enumerate(_CLAIM_TITLES):
            sheet.text(titles, column, title, "head")
        for block in self._blocks:
            _claims(sheet, block)
        last = max((block.first + len(block.claims) - 1 for block in self._blocks), default=titles)
        sheet.filter(titles, last, len(_CLAIM_TITLES) - 1)


def _summary(sheet: Sheet, block: _Block, inputs: Inputs) -> None:
    found, figures, row = block.evidence, block.range(_PER_ACCELERATOR), block.row
    statistic = inputs.name("statistic")
    planning = (
        f'IF({statistic}="minimum",MIN({figures}),IF({statistic}="maximum",MAX({figures}),'
        f'IF({statistic}="lower-quartile",QUARTILE({figures},1),MEDIAN({figures}))))'
    )
    sheet.text(row, 0, _part_name(block.part))
    sheet.text(row, 1, block.model.option.name)
    sheet.text(row, 2, found.unit or "")
    sheet.formula(row, 3, f"COUNT({figures})", found.runs, "count")
    sheet.formula(row, 4, f"MEDIAN({figures})", found.median, "two")
    sheet.formula(row, 5, f"MIN({figures})", found.minimum, "two")
    sheet.formula(row, 6, f"QUARTILE({figures},1)", _lower_quartile(block), "two")
    sheet.formula(row, 7, f"MAX({figures})", found.maximum, "two")
    sheet.formula(row, 8, planning, found.planning, "two")


def _lower_quartile(block: _Block) -> Decimal:
    """The lower quartile between neighbors, as the function QUARTILE has it."""
    counted = zip(block.claims, _counted(block.claims), strict=True)
    figures = sorted(claim.per_accelerator or Decimal(0) for claim, counts in counted if counts)
    place = Decimal(len(figures) - 1) / 4
    below = int(place)
    above = min(below + 1, len(figures) - 1)
    return figures[below] + (figures[above] - figures[below]) * (place - below)


def _claims(sheet: Sheet, block: _Block) -> None:
    for row, (claim, counts) in enumerate(
        zip(block.claims, _counted(block.claims), strict=True), start=block.first
    ):
        texts = (
            _part_name(block.part),
            block.model.option.name,
            claim.id,
            claim.round,
            claim.division,
            claim.availability,
            claim.submitter,
            claim.system,
            accelerator_name(claim.accelerator),
        )
        for column, text in enumerate(texts):
            sheet.text(row, column, text)
        sheet.number(row, 9, claim.value, "general")
        sheet.text(row, 10, claim.unit)
        sheet.number(row, 11, claim.accelerator_count or 0, "count")
        sheet.text(row, _COUNTED, "yes" if counts else "no", "input-text")
        sheet.choices(row, _COUNTED, ("yes", "no"))
        value, size, word = (address(row, column) for column in (9, 11, _COUNTED))
        figure = claim.per_accelerator if counts else ""
        sheet.formula(row, _PER_ACCELERATOR, f'IF({word}="yes",{value}/{size},"")', figure, "two")
        sheet.text(row, 14, ", ".join(claim.precision))
        sheet.text(row, 15, claim.result_id or "none published")
        sheet.text(row, 16, claim.location)
        if claim.retrieved is not None:
            sheet.day(row, 17, claim.retrieved)


def _counted(claims: Sequence[Claim]) -> list[bool]:
    """Whether each counts: a run published under two accuracy targets does once."""
    seen: set[tuple[str, str, str, Decimal]] = set()
    counts = []
    for claim in claims:
        run = (claim.round, claim.submitter, claim.platform, claim.value)
        counts.append(run not in seen)
        seen.add(run)
    return counts


def _part_name(part: Part) -> str:
    return f"{part.selection.benchmark_name}, {part.selection.scenario}"
