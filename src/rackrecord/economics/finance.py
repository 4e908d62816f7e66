"""Formulas of finance, in Decimal. Rates are per year as fractions, terms in years.

Source: the standard annuity formulas of engineering economics (capital recovery, sinking fund, present worth).
"""

from __future__ import annotations

from decimal import Decimal

HOURS_PER_YEAR = 8760
MONTHS_PER_YEAR = 12


def capital_recovery_factor(rate: Decimal, years: int) -> Decimal:
    """Yearly payment that repays 1 over `years`: i·(1+i)^n / ((1+i)^n − 1); 1/n at rate 0 (straight line)."""
    if rate == 0:
        return Decimal(1) / years
    growth = (1 + rate) ** years
    return rate * growth / (growth - 1)


def sinking_fund_factor(rate: Decimal, years: int) -> Decimal:
    """Yearly amount that grows to 1 after `years`: i / ((1+i)^n − 1); 1/n at rate 0."""
    return capital_recovery_factor(rate, years) - rate


def present_value(rate: Decimal, yearly: tuple[Decimal, ...]) -> Decimal:
    """Value today of amounts due at the end of year 1, 2, …: Σ aₖ/(1+i)^k."""
    return sum((amount / (1 + rate) ** (k + 1) for k, amount in enumerate(yearly)), Decimal(0))
