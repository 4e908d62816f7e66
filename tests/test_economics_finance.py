"""The factors of finance against hand arithmetic and against numpy-financial."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy_financial
import pytest
from hypothesis import given
from hypothesis import strategies as st

from economics_cases import D, close
from rackrecord.economics.finance import capital_recovery_factor, present_value, sinking_fund_factor

# 1.08^4 = 1.36048896, so CRF = 0.08 · 1.36048896 / 0.36048896 and SFF = 0.08 / 0.36048896.
CRF = D("0.08") * D("1.36048896") / D("0.36048896")
SFF = D("0.08") / D("0.36048896")

RATES = st.decimals(min_value=0, max_value=D("0.5"), places=4)
YEARS = st.integers(1, 15)


def test_capital_recovery_of_8_percent_over_4_years() -> None:
    assert close(capital_recovery_factor(D("0.08"), 4), CRF)
    assert round(capital_recovery_factor(D("0.08"), 4), 7) == D("0.3019208")


def test_sinking_fund_of_8_percent_over_4_years() -> None:
    assert close(sinking_fund_factor(D("0.08"), 4), SFF)
    assert round(sinking_fund_factor(D("0.08"), 4), 7) == D("0.2219208")


@pytest.mark.parametrize("years", [1, 2, 4, 5])
def test_rate_0_is_straight_line(years: int) -> None:
    assert close(capital_recovery_factor(D(0), years), D(1) / years)
    assert close(sinking_fund_factor(D(0), years), D(1) / years)


def test_one_year_is_paid_back_with_one_year_of_interest() -> None:
    # (1 + i)^1 − 1 = i, so CRF = i·(1+i)/i = 1 + i and SFF = i/i = 1.
    assert close(capital_recovery_factor(D("0.08"), 1), "1.08")
    assert sinking_fund_factor(D("0.08"), 1) == 1


def test_a_rate_too_small_to_compound_is_straight_line() -> None:
    assert close(capital_recovery_factor(D("1e-30"), 4), "0.25")


@given(RATES, YEARS)
def test_capital_recovery_equals_numpy_financial(rate: Decimal, years: int) -> None:
    expected = -numpy_financial.pmt(float(rate), years, 1)
    assert float(capital_recovery_factor(rate, years)) == pytest.approx(expected, rel=1e-9)


@given(RATES, YEARS)
def test_sinking_fund_equals_numpy_financial(rate: Decimal, years: int) -> None:
    expected = -numpy_financial.pmt(float(rate), years, 0, 1)
    assert float(sinking_fund_factor(rate, years)) == pytest.approx(expected, rel=1e-9)


@given(RATES, st.lists(st.decimals(min_value=-(10**9), max_value=10**9, places=2), min_size=1, max_size=15))
def test_present_value_equals_numpy_financial(rate: Decimal, amounts: list[Decimal]) -> None:
    # numpy-financial counts the first amount as due today, here the first is due after a year.
    expected = numpy_financial.npv(float(rate), [0, *map(float, amounts)])
    scale = float(sum(abs(amount) for amount in amounts))
    assert float(present_value(rate, amounts)) == pytest.approx(expected, rel=1e-9, abs=1e-9 * (scale + 1))


@given(RATES, YEARS)
def test_the_factors_are_the_closed_forms(rate: Decimal, years: int) -> None:
    if rate == 0:
        return
    i = Fraction(rate)
    growth = (1 + i) ** years
    for found, exact in (
        (capital_recovery_factor(rate, years), i * growth / (growth - 1)),
        (sinking_fund_factor(rate, years), i / (growth - 1)),
    ):
        assert close(found, D(exact.numerator) / D(exact.denominator))


@given(RATES, YEARS)
def test_what_is_recovered_is_what_was_paid(rate: Decimal, years: int) -> None:
    payment = capital_recovery_factor(rate, years)
    assert close(present_value(rate, [payment] * years), "1")
