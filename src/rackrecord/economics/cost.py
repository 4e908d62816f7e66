"""What one rack costs per hour, line by line (formula C of docs/economics.md)."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from rackrecord.economics.finance import (
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    capital_recovery_factor,
    sinking_fund_factor,
)
from rackrecord.economics.inputs import PurchaseTerms, RackInputs, RentTerms
from rackrecord.model import StrictModel


class CostLine(StrEnum):
    """The lines of a rack's hourly cost."""

    RENT = "rent"
    CAPITAL = "capital"
    RESIDUAL = "residual value"
    SUPPORT = "support"
    OTHER = "other yearly costs"
    ELECTRICITY = "electricity"
    COLOCATION = "colocation"


class CostItem(StrictModel):
    """One line of the cost of a rack: money per hour; a residual value counts negative."""

    line: CostLine
    per_hour: Decimal


class CostGap(Exception):
    """A cost cannot be worked out: the message names what the profile leaves out."""


def hourly_cost(inputs: RackInputs) -> tuple[CostItem, ...]:
    """The lines of C, money per hour of one rack; CostGap names a missing input rather than counting it as zero.

    Purchase: (price + installation)·CRF − residual·price·SFF + support + other, each / 8760; price after discount.
    Electricity: P·PUE·price per kWh, and colocation P·price·12/8760, unless the rent covers both.
    """
    terms = inputs.terms
    if terms is None:
        raise CostGap("no price")
    if isinstance(terms, RentTerms):
        lines = [CostItem(line=CostLine.RENT, per_hour=terms.per_hour.value)]
        return tuple(lines if terms.power_included else lines + _power_lines(inputs))
    return tuple(_purchase_lines(terms) + _power_lines(inputs))


def total(items: tuple[CostItem, ...]) -> Decimal:
    """C, money per rack and hour."""
    return sum((item.per_hour for item in items), Decimal(0))


def _purchase_lines(terms: PurchaseTerms) -> list[CostItem]:
    price = terms.price.value
    yearly = {
        CostLine.CAPITAL: (price + terms.installation) * capital_recovery_factor(terms.rate, terms.years),
        CostLine.RESIDUAL: -price * terms.residual * sinking_fund_factor(terms.rate, terms.years),
        CostLine.SUPPORT: price * terms.support_rate + terms.support_per_year,
        CostLine.OTHER: terms.other_per_year,
    }
    always = (CostLine.CAPITAL,)
    return [
        CostItem(line=line, per_hour=amount / HOURS_PER_YEAR)
        for line, amount in yearly.items()
        if amount or line in always
    ]


def _power_lines(inputs: RackInputs) -> list[CostItem]:
    site = inputs.site
    if site.rack_kw is None:
        raise CostGap("no rack power, so no electricity cost")
    if site.per_kwh is None and site.colocation is None:
        raise CostGap("no electricity or colocation price")
    lines = []
    if site.per_kwh is not None:
        electricity = site.rack_kw.value * site.pue.value * site.per_kwh.value
        lines.append(CostItem(line=CostLine.ELECTRICITY, per_hour=electricity))
    if site.colocation is not None:
        colocation = site.rack_kw.value * site.colocation.value * MONTHS_PER_YEAR / HOURS_PER_YEAR
        lines.append(CostItem(line=CostLine.COLOCATION, per_hour=colocation))
    return lines
