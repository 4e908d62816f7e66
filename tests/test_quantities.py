"""Figures as people read them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackrecord.quantities import compact, fixed, percent, significant, trimmed


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (fixed(Decimal("15577.777")), "15,577.78"),
        (fixed(Decimal("0.125")), "0.12"),  # half to even
        (fixed(Decimal("0.135")), "0.14"),
        (fixed(Decimal("-1234.5"), 1), "−1,234.5"),
        (fixed(Decimal("-0.001")), "0.00"),
        (fixed(1188, 0), "1,188"),
        (significant(Decimal("0.0948321857")), "0.09483"),
        (significant(Decimal("1188.4")), "1,188"),
        (significant(Decimal("123456")), "123,456"),
        (significant(Decimal("9.9996")), "10.00"),
        (significant(Decimal("0.00999996")), "0.01000"),
        (significant(0), "0"),
        (trimmed(Decimal("0.70")), "0.7"),
        (trimmed(132), "132"),
        (trimmed(Decimal("1.250")), "1.25"),
        (trimmed(1000), "1,000"),
        (compact(Decimal("785120")), "785 k"),
        (compact(Decimal("12700000")), "12.7 M"),
        (compact(940), "940"),
        (compact(Decimal("999999")), "1.00 M"),
        (compact(Decimal("999.6")), "1.00 k"),
        (compact(Decimal("-1234567")), "−1.23 M"),
        (compact(0), "0"),
        (compact(Decimal("1e15")), "1,000 T"),
        (percent(Decimal("0.127")), "12.7 %"),
        (percent(Decimal("0.127"), signed=True), "+12.7 %"),
        (percent(Decimal("-0.09"), signed=True), "−9.0 %"),
        (percent(Decimal("0.0004"), signed=True), "0.0 %"),
        (percent(Decimal("-0.0004"), signed=True), "0.0 %"),
        (percent(Decimal("0.05"), 0), "5 %"),
    ],
)
def test_as_people_read_them(shown: str, expected: str) -> None:
    assert shown == expected


def test_very_large_figures_are_rounded_as_well() -> None:
    # More digits than a decimal has by default.
    assert (
        fixed(Decimal("12345678901234567890123456789012.345"))
        == "12,345,678,901,234,567,890,123,456,789,012.34"
    )


@given(
    st.decimals(min_value=-(10**15), max_value=10**15, allow_nan=False, places=9),
    st.sampled_from([fixed, significant, trimmed]),
)
def test_rounding_stays_within_half_of_the_last_digit(value: Decimal, show: Callable[[Decimal], str]) -> None:
    text = show(value).replace(",", "").replace("−", "-")
    decimals = len(text.partition(".")[2])
    if show is not trimmed:
        assert abs(Decimal(text) - value) <= Decimal(5).scaleb(-decimals - 1)
    else:
        assert abs(Decimal(text) - value) <= max(abs(value) * Decimal("5e-6"), Decimal("0.5"))
