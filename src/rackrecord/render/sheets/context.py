"""What the rows of the sheet Options are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rackrecord.profile.models import Purchase, Rent
from rackrecord.record import DecisionRecord
from rackrecord.render.sheets.book import Value
from rackrecord.render.sheets.evidence import EvidenceSheet
from rackrecord.render.sheets.grid import Grid, Row
from rackrecord.render.sheets.inputs import Inputs
from rackrecord.render.sheets.model import OptionModel, Part
from rackrecord.render.sheets.years import YearsSheet


@dataclass(frozen=True, slots=True)
class Context:
    """The record, its options and parts, and where everything stands."""

    record: DecisionRecord
    parts: Sequence[Part]
    models: Sequence[OptionModel]
    inputs: Inputs
    evidence: EvidenceSheet
    years: YearsSheet
    grid: Grid

    @property
    def money(self) -> str:
        """The record's currency."""
        return self.record.profile.currency

    def row(
        self,
        key: str,
        label: str,
        unit: str,
        style: str,
        formula: Callable[[OptionModel], str | None],
        value: Callable[[OptionModel], Value],
    ) -> Row:
        """A row with a formula for every option that has evidence."""
        return Row(key, label, unit, style, lambda model: formula(model) if model.evidence else None, value)

    def cell(self, key: str, model: OptionModel) -> str:
        """A figure's cell in the option's column."""
        return self.grid.cell(key, model)

    def name(self, key: str, model: OptionModel) -> str:
        """The name of an input, the option's own before the general one."""
        return self.inputs.name(key, model.option.id)


def rent_of(model: OptionModel) -> Rent | None:
    """The option's rent, None where it is bought or has no price."""
    return model.option.price.rent if model.option.price is not None else None


def purchase_of(model: OptionModel) -> Purchase | None:
    """The option's purchase, None where it is rented or has no price."""
    return model.option.price.purchase if model.option.price is not None else None


def figure(name: str) -> Callable[[OptionModel], Value]:
    """That figure of the record; not available for an option that has none."""

    def value(model: OptionModel) -> Value:
        found: Value = getattr(model.figures, name) if model.figures is not None else None
        return found

    return value
