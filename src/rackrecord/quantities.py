"""Numbers as people read them. The only place where a figure is rounded; every caller adds the unit."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

MINUS = "\u2212"
_SCALES = ((12, "T"), (9, "G"), (6, "M"), (3, "k"))
# Wide enough for the digits of any figure of a record; the default of 28 refuses to round very large ones.
_WIDE = Context(prec=400, rounding=ROUND_HALF_EVEN)


def _decimal(value: Decimal | int | float) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


def _rounded(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), context=_WIDE)


def fixed(value: Decimal | int | float, decimals: int = 2) -> str:
    """`value` with that many decimals, thousands grouped: 15,577.78."""
    number = _rounded(_decimal(value), decimals)
    text = f"{number.copy_abs():,.{decimals}f}"
    return MINUS + text if number < 0 else text


def significant(value: Decimal | int | float, digits: int = 4) -> str:
    """`value` with that many significant digits, never fewer than its whole digits: 0.09483, 1,188."""
    number = _decimal(value)
    if number == 0:
        return "0"
    decimals = max(0, digits - 1 - number.adjusted())
    rounded = _rounded(number, decimals)
    if rounded.adjusted() > number.adjusted():  # 9.9996 has become 10.000
        decimals = max(0, decimals - 1)
    return fixed(number, decimals)


def trimmed(value: Decimal | int | float, digits: int = 6) -> str:
    """`significant` without trailing zeros after the point: 0.7, 132, 1.25."""
    text = significant(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def compact(value: Decimal | int | float, digits: int = 3) -> str:
    """`value` with a scale letter from a thousand on: 785 k, 12.7 M, 940."""
    number = _decimal(value)
    if number == 0:
        return "0"
    # Rounded first, so that 999,999 reads 1.00 M and not 1,000 k.
    rounded = _rounded(number, digits - 1 - number.adjusted())
    for power, letter in _SCALES:
        if rounded.adjusted() >= power:
            return f"{significant(rounded.scaleb(-power, context=_WIDE), digits)} {letter}"
    return significant(number, digits)


def percent(value: Decimal | int | float, decimals: int = 1, *, signed: bool = False) -> str:
    """A fraction as percent: 12.7 %; with a sign where asked: +12.7 %, −9.0 %."""
    number = _rounded(_decimal(value).scaleb(2, context=_WIDE), decimals)
    sign = "+" if signed and number > 0 else ""
    return f"{sign}{fixed(number, decimals)} %"
