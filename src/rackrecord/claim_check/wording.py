"""How analyses put figures into a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackrecord.catalog.benchmarks import benchmarks
from rackrecord.quantities import fixed


def ratio_text(ratio: Decimal) -> str:
    """A ratio to two places: `3.74x`."""
    return f"{fixed(ratio, 2)}x"


def plain(value: Decimal) -> str:
    """A figure, thousands grouped, without zeros that end its decimals: `5,750,000`, `3.7`."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def rate_text(value: Decimal) -> str:
    """A rate to two places, below 100 to four: `11,229.38`, `4.8513`."""
    return fixed(value, 2 if abs(value) >= 100 else 4)


def published_text(value: Decimal) -> str:
    """A published figure to its own decimals, four at most: `5,749,440`, `1,306.6078`."""
    return plain(round(value, 4))


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
