"""Formulas of finance. Rates are per year as fractions, terms in whole years, payments at year's end.

Source: the standard compound-interest factors of engineering economics (capital recovery A/P, sinking fund
A/F, present worth P/F), as any textbook of the subject tabulates them. Written as sums of discounted
payments, which need no exception at rate 0: there the capital recovery factor is 1/n, straight-line.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

HOURS_PER_YEAR = 8760
MONTHS_PER_YEAR = 12


def capital_recovery_factor(rate: Decimal, years: int) -> Decimal:
    """Yearly payment that repays 1 over `years`: 1 / Σ (1+i)^−k (k = 1…n), or i·(1+i)^n / ((1+i)^n − 1)."""
    return 1 / sum(((1 + rate) ** -k for k in range(1, years + 1)), Decimal(0))


def sinking_fund_factor(rate: Decimal, years: int) -> Decimal:
    """Yearly amount that grows to 1 after `years`: 1 / Σ (1+i)^k (k = 0…n−1), or i / ((1+i)^n − 1)."""
    return 1 / sum(((1 + rate) ** k for k in range(years)), Decimal(0))


def present_value(rate: Decimal, yearly: Sequence[Decimal]) -> Decimal:
    """Value today of amounts due at the end of year 1, 2, …: Σ aₖ / (1+i)^k."""
    return sum((amount / (1 + rate) ** k for k, amount in enumerate(yearly, start=1)), Decimal(0))
