"""The base of computed data: what is read from JSON is checked, what is made cannot be changed."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal

import pytest

from rackrecord.catalog.claim import Caveat, CaveatCode
from rackrecord.data import Data, ValidationError
from rackrecord.measurements.measurement import LatencySummary


class Sample(Data):
    count: int = 1
    rate: Decimal
    day: date | None = None
    codes: tuple[CaveatCode, ...] = ()


def test_reads_what_it_is_meant_to_be() -> None:
    found = Sample.model_validate_json(b'{"rate": 0.1, "day": "2026-11-30", "codes": ["scaled"]}')
    assert found == Sample(rate=Decimal("0.1"), day=date(2026, 11, 30), codes=(CaveatCode.SCALED,))
    assert Sample.model_validate({"rate": Decimal("1.50")}).rate.as_tuple() == Decimal("1.50").as_tuple()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{}", "rate"),
        ('{"rate": 1, "more": 2}', "more"),
        ('{"rate": true}', r"\$\.rate"),
        ('{"rate": 1, "count": 1.5}', r"\$\.count"),
        ('{"rate": 1, "count": "1"}', r"\$\.count"),
        ('{"rate": 1, "day": "2026-02-30"}', r"\$\.day"),
        ('{"rate": 1, "codes": ["unheard-of"]}', r"\$\.codes\[0\]"),
        ("[]", "object"),
        ("{", "truncated"),
        ('{"rate": NaN}', "malformed"),
        ("[" * 100_000, "object"),
    ],
)
def test_refuses_what_it_is_not(text: str, place: str) -> None:
    with pytest.raises(ValidationError, match=place):
        Sample.model_validate_json(text)


@pytest.mark.parametrize("number", ['"NaN"', '"-Infinity"', '" nan "', '"sNaN"', "1e999", '"1e999"'])
def test_a_decimal_is_a_number_of_json(number: str) -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate_json(f'{{"rate": {number}}}')


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_measured_figure_is_finite(number: float) -> None:
    with pytest.raises(ValidationError, match="mean_ms"):
        LatencySummary(mean_ms=number, percentiles_ms=())
    with pytest.raises(ValidationError, match=r"percentiles_ms\.99"):
        LatencySummary(mean_ms=None, percentiles_ms=((50.0, 1.0), (99.0, number)))


def test_cannot_be_changed_but_copied() -> None:
    caveat = Caveat(code=CaveatCode.SCALED, text="one")
    with pytest.raises(AttributeError):
        caveat.text = "two"  # type: ignore[misc]
    assert caveat.model_copy(update={"text": "two"}) == Caveat(code=CaveatCode.SCALED, text="two")
    assert caveat.text == "one"


def test_takes_names_only() -> None:
    with pytest.raises(TypeError):
        Caveat(CaveatCode.SCALED, "one")  # type: ignore[misc]


def test_as_plain_data() -> None:
    sample = Sample(rate=Decimal("1.50"), day=date(2026, 11, 30), codes=(CaveatCode.SCALED,))
    assert sample.model_dump() == {
        "count": 1,
        "rate": Decimal("1.50"),
        "day": date(2026, 11, 30),
        "codes": ("scaled",),
    }
    assert sample.model_dump(mode="json", exclude=("count",)) == {
        "rate": "1.50",
        "day": "2026-11-30",
        "codes": ("scaled",),
    }
    assert Sample.model_validate_json(sample.model_dump_json()) == sample
