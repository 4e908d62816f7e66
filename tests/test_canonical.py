"""Canonical JSON against the standard's own library, number by number and as a whole."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rackrecord.canonical import canonical_json

LARGEST = 2**53 - 1

# From appendix B of RFC 8785 and around the powers of ten at which ECMAScript changes its way of writing.
NUMBERS = [
    0.0, -0.0, 5e-324, -5e-324, 1.7976931348623157e308, 9007199254740992.0, -9007199254740992.0,
    295147905179352830000.0, 9.999999999999997e22, 1e23, 1.0000000000000001e23, 999999999999999700000.0,
    999999999999999900000.0, 1e21, 9.999999999999997e-7, 0.000001, 333333333.3333332, 333333333.33333325,
    333333333.3333333, 333333333.3333334, 333333333.33333343, -0.0000033333333333333333, 1424953923781206.2,
    1e15, 1e16, 1e17, 123456789012345680.0, 1e20, 1e22, 0.0001, 0.00001, 1e-6, 1e-7, 1.5e-7, 4.35, 5.0, 1e300,
]  # fmt: skip

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
numbers = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-LARGEST, LARGEST)
    | st.integers(-(10**6), 10**6).map(float)
    | st.sampled_from(NUMBERS)
)
# Text that looks like what the encoder has to look out for in numbers.
lookalikes = st.sampled_from([":5.0,", "[1e21]", ",1234567890123456", "\U0001f600", "\ufb33", "v6.0, v6.1"])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts | lookalikes,
    lambda inner: st.lists(inner) | st.dictionaries(texts | lookalikes, inner),
    max_leaves=30,
)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_as_ecmascript_writes_it(number: float) -> None:
    for value in (number, [number], {"a": number}, [1, number, "x"]):
        assert canonical_json(value) == rfc8785.dumps(value)


@given(values)
def test_any_data_as_the_standards_library_writes_it(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)
    assert canonical_json(json.loads(json.dumps(value))) == rfc8785.dumps(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**25), max_value=10**25))
def test_a_decimal_is_the_nearest_double(value: Decimal) -> None:
    assert canonical_json({"a": value}) == rfc8785.dumps({"a": float(value)})


def test_dates_are_text_and_tuples_are_lists() -> None:
    value = {"day": date(2026, 11, 30), "pair": (1, 2)}
    assert canonical_json(value) == b'{"day":"2026-11-30","pair":[1,2]}'


def test_keys_are_in_the_order_of_their_utf_16_code_units() -> None:
    # the example of RFC 8785, section 3.2.3
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    content = {name: index for index, name in enumerate(names)}
    assert list(json.loads(canonical_json(content))) == [
        "\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [LARGEST + 1, -LARGEST - 1, 10**17, 2**63, 2**64, -(10**30)])
def test_an_integer_that_a_double_cannot_tell_from_its_neighbors(value: int) -> None:
    with pytest.raises(ValueError, match="integer"):
        canonical_json({"a": value})


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_decimal_that_is_no_double(text: str) -> None:
    with pytest.raises(ValueError, match="finite"):
        canonical_json({"a": Decimal(text)})
