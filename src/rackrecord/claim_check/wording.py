"""How analyses write figures in a sentence: numbers as a reader expects them, lists with a last `and`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from rackrecord.catalog.benchmarks import benchmarks


def rounded(value: Decimal, places: int) -> Decimal:
    """`value` to decimal places, halves up, as a reader rounds."""
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def ratio_text(ratio: Decimal) -> str:
    """A ratio to two places: `3.74x`."""
    return f"{rounded(ratio, 2)}x"


def plain(value: Decimal) -> str:
    """A number as it was given, with thousands separated: `5,750,000`, `3.7`."""
    return f"{value:,f}"


def rate_text(value: Decimal) -> str:
    """A rate to two places with thousands separated: `11,229.38`, and to four below 100: `4.8513`."""
    return f"{rounded(value, 2 if value >= 100 else 4):,f}"


def percent_text(fraction: Decimal) -> str:
    """A fraction as percent to one place: `76.7 %`."""
    return f"{rounded(fraction * 100, 1)} %"


def listed(items: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; nothing gives an empty text."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def why_incompatible(benchmark_id: str, scenario: str, first: str, second: str) -> str:
    """One sentence: that results of two rounds may not be compared, and why where that is on record."""
    facts = benchmarks().get(benchmark_id)
    because = facts.incompatible_because.get(scenario) if facts is not None else None
    text = f"{benchmark_id} {scenario} of {first} and of {second} may not be compared"
    return f"{text}: {because}" if because else f"{text}: the rounds are not on record as compatible"
