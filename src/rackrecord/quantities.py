"""Numbers as people read them. The only place where a figure is rounded; every caller adds the unit."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

MINUS = "\u2212"
_SCALES = ((Decimal(10) ** 12, "T"), (Decimal(10) ** 9, "G"), (Decimal(10) ** 6, "M"), (Decimal(10) ** 3, "k"))


def fixed(value: Decimal | int | float, decimals: int = 2) -> str:
    """`value` with that many decimals, thousands grouped: 15,577.78."""
    number = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    text = f"{abs(number):,.{decimals}f}"
    return MINUS + text if number < 0 else text


def significant(value: Decimal | int | float, digits: int = 4) -> str:
    """`value` with at least that many significant digits, never fewer than its whole digits: 0.09483, 1,188."""
    number = Decimal(str(value))
    if number == 0:
        return "0"
    decimals = max(0, digits - 1 - number.adjusted())
    return fixed(number, decimals)


def trimmed(value: Decimal | int | float, digits: int = 6) -> str:
    """`significant` without trailing zeros after the point: 0.7, 132, 1.25."""
    text = significant(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def compact(value: Decimal | int | float, digits: int = 3) -> str:
    """`value` with a scale letter from a thousand on: 785 k, 12.7 M, 940."""
    number = Decimal(str(value))
    for scale, letter in _SCALES:
        if abs(number) >= scale:
            return f"{significant(number / scale, digits)} {letter}"
    return significant(number, digits)


def percent(value: Decimal | int | float, decimals: int = 1, *, signed: bool = False) -> str:
    """A fraction as percent: 12.7 %; with a sign where asked: +12.7 %, −9.0 %."""
    number = Decimal(str(value)) * 100
    sign = "+" if signed and number > 0 else ""
    return f"{sign}{fixed(number, decimals)} %"
