"""What one rack costs per hour, line by line (formula C of docs/economics.md)."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum

from rackrecord.data import Data
from rackrecord.economics.finance import (
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    capital_recovery_factor,
    sinking_fund_factor,
)
from rackrecord.economics.inputs import PurchaseTerms, RackInputs, RentTerms


class CostLine(StrEnum):
    """The lines of a rack's hourly cost."""

    RENT = "rent"
    CAPITAL = "capital"
    RESIDUAL = "residual value"
    SUPPORT = "support"
    OTHER = "other yearly costs"
    ELECTRICITY = "electricity"
    COLOCATION = "colocation"


class CostItem(Data):
    """One line of a rack's cost, money per hour and per year of 8760 hours; a residual value is negative."""

    line: CostLine
    per_hour: Decimal
    per_year: Decimal


class CostGap(Exception):
    """A cost cannot be worked out: the message names what the profile leaves out."""


def hourly_cost(inputs: RackInputs) -> tuple[CostItem, ...]:
    """The lines of C of one rack; CostGap names a missing input rather than counting it as zero.

    Purchase: ((price + installation)·CRF − residual·price·SFF + support + other) / 8760, price after
    discount. Electricity P·PUE·price per kWh and colocation P·price·12/8760, unless the rent covers both.
    """
    terms = inputs.terms
    if terms is None:
        raise CostGap("no price")
    if isinstance(terms, RentTerms):
        lines = [_hourly(CostLine.RENT, terms.per_hour.value)]
        return tuple(lines if terms.power_included else lines + _power_lines(inputs))
    return tuple(_purchase_lines(terms) + _power_lines(inputs))


def total(items: Iterable[CostItem]) -> Decimal:
    """C, money per rack and hour."""
    return sum((item.per_hour for item in items), Decimal(0))


def _hourly(line: CostLine, amount: Decimal) -> CostItem:
    return CostItem(line=line, per_hour=amount, per_year=amount * HOURS_PER_YEAR)


def _yearly(line: CostLine, amount: Decimal) -> CostItem:
    return CostItem(line=line, per_hour=amount / HOURS_PER_YEAR, per_year=amount)


def _purchase_lines(terms: PurchaseTerms) -> list[CostItem]:
    price, rate, years = terms.price.value, terms.rate.value, terms.years
    optional = {
        CostLine.RESIDUAL: -price * terms.residual.value * sinking_fund_factor(rate, years),
        CostLine.SUPPORT: price * terms.support_rate.value + terms.support_per_year.value,
        CostLine.OTHER: terms.other_per_year.value,
    }
    capital = (price + terms.installation.value) * capital_recovery_factor(rate, years)
    extras = [_yearly(line, amount) for line, amount in optional.items() if amount]
    return [_yearly(CostLine.CAPITAL, capital), *extras]


def _power_lines(inputs: RackInputs) -> list[CostItem]:
    site = inputs.site
    if site.rack_kw is None:
        raise CostGap("no rack power, so no electricity cost")
    if site.per_kwh is None and site.colocation is None:
        raise CostGap("no electricity or colocation price")
    lines = []
    if site.per_kwh is not None:
        electricity = site.rack_kw.value * site.pue.value * site.per_kwh.value
        lines.append(_hourly(CostLine.ELECTRICITY, electricity))
    if site.colocation is not None:
        monthly = site.rack_kw.value * site.colocation.value
        lines.append(_yearly(CostLine.COLOCATION, monthly * MONTHS_PER_YEAR))
    return lines
