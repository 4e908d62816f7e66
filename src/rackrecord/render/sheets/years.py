"""The sheet Years: racks and cost of each year, racks also with the evidence at its highest and lowest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from rackrecord.economics.finance import HOURS_PER_YEAR
from rackrecord.record import DecisionRecord
from rackrecord.render.sheets.book import Book, Sheet, Value, address, span
from rackrecord.render.sheets.inputs import Inputs
from rackrecord.render.sheets.model import OptionModel, Part

MOST_YEARS = 15
"""A profile's term is no longer; the rows beyond the term stay empty."""

_FIRST_ROW = 5
_KINDS = ("racks", "cost", "racks at highest", "racks at lowest")
_TITLES = (
    "racks",
    "all-in cost, {money}",
    "racks, evidence at its highest",
    "racks, evidence at its lowest",
)
# ⌈x⌉, but a last digit of binary arithmetic buys no rack.
_WHOLE = "ROUNDUP({quotient}*(1-1E-12),0)"

Reference = Callable[[str, OptionModel], str]


class YearsSheet:
    """Where the years of each option stand."""

    def __init__(self, record: DecisionRecord, parts: Sequence[Part], models: Sequence[OptionModel]) -> None:
        self._record = record
        self._parts = tuple(parts)
        self._models = tuple(model for model in models if model.evidence is not None)

    def first(self, kind: str, model: OptionModel) -> str:
        """The first year's cell of `racks` or `cost`."""
        return f"Years!{address(_FIRST_ROW, self._column(kind, model), fixed=True)}"

    def all(self, kind: str, model: OptionModel) -> str:
        """The cells of all years of one of the kinds."""
        column = self._column(kind, model)
        return f"Years!{span(_FIRST_ROW, column, _FIRST_ROW + MOST_YEARS - 1, column)}"

    def growth(self) -> str:
        """The cells of the demand's growth."""
        return f"Years!{span(_FIRST_ROW, 1, _FIRST_ROW + MOST_YEARS - 1, 1)}"

    def _column(self, kind: str, model: OptionModel) -> int:
        return 2 + len(_KINDS) * self._models.index(model) + _KINDS.index(kind)

    def write(self, book: Book, inputs: Inputs, options: Reference) -> None:
        """Write the years; `options` gives a figure's cell on the sheet Options."""
        money = self._record.profile.currency
        sheet = book.sheet("Years", (8, 14, *[14] * (len(_KINDS) * len(self._models))))
        sheet.text(0, 0, "Years", "title")
        sheet.text(1, 0, "Racks follow the peak upward; a falling peak gives none back.", "note")
        for column, title in enumerate(("Year", "Demand over the first year's")):
            sheet.text(_FIRST_ROW - 1, column, title, "head")
        for model in self._models:
            sheet.text(_FIRST_ROW - 2, self._column("racks", model), model.option.name, "section")
            for kind, title in zip(_KINDS, _TITLES, strict=True):
                sheet.text(_FIRST_ROW - 1, self._column(kind, model), title.replace("{money}", money), "head")
        self._write_growth(sheet, inputs)
        for model in self._models:
            self._write_option(sheet, inputs, options, model)
        sheet.freeze(_FIRST_ROW, 2)

    def _write_growth(self, sheet: Sheet, inputs: Inputs) -> None:
        years, growth = inputs.name("term_years"), inputs.name("yearly_growth")
        profile = self._record.profile
        for index in range(MOST_YEARS):
            row = _FIRST_ROW + index
            sheet.number(row, 0, index + 1, "count")
            grown = (1 + profile.demand.yearly_growth) ** index
            value: Value = grown if index < profile.term.years else ""
            year = address(row, 0)
            sheet.formula(row, 1, f'IF({year}<={years},(1+{growth})^({year}-1),"")', value, "four")

    def _write_option(self, sheet: Sheet, inputs: Inputs, options: Reference, model: OptionModel) -> None:
        evidence, profile = model.evidence, self._record.profile
        assert evidence is not None  # the others have no columns here
        at = {
            "racks": evidence.planning,
            "racks at highest": evidence.highest,
            "racks at lowest": evidence.lowest,
        }
        for kind, rates in at.items():
            racks = model.racks(rates, self._parts, profile)
            column = self._column(kind, model)
            capacity = {"racks": "capacity", "racks at highest": "capacity_high"}.get(kind, "capacity_low")
            for index in range(MOST_YEARS):
                formula = self._racks_formula(inputs, options, model, capacity, index, column)
                value: Value = Decimal(racks[index]) if index < len(racks) else ""
                sheet.formula(_FIRST_ROW + index, column, formula, value, "count")
        self._write_cost(sheet, options, model)

    def _racks_formula(
        self, inputs: Inputs, options: Reference, model: OptionModel, capacity: str, index: int, column: int
    ) -> str:
        row = _FIRST_ROW + index
        growth = address(row, 1)
        growth = f"${growth}"
        needed = []
        for part in self._parts:
            peak, one = options(f"demand_{part.number}", model), options(f"{capacity}_{part.number}", model)
            quotient = f"{peak}*{growth}*(1+{inputs.name('headroom')})/{one}"
            needed.append(_WHOLE.format(quotient=quotient))
        before = address(row - 1, column) if index else "0"
        return f'IF({growth}="","",MAX({before},{"+".join(needed)}+{inputs.name("spares")}))'

    def _write_cost(self, sheet: Sheet, options: Reference, model: OptionModel) -> None:
        evidence = model.evidence
        assert evidence is not None
        per_hour = model.per_hour()
        racks = model.racks(evidence.planning, self._parts, self._record.profile)
        column, beside = self._column("cost", model), self._column("racks", model)
        for index in range(MOST_YEARS):
            row = _FIRST_ROW + index
            count = address(row, beside)
            formula = f'IF({count}="","",{count}*{options("per_hour", model)}*{HOURS_PER_YEAR})'
            value: Value = ""
            if index < len(racks):
                value = racks[index] * per_hour * HOURS_PER_YEAR if per_hour is not None else None
            sheet.formula(row, column, formula, value, "whole")
