"""What a profile's values become, and the rules between fields of one model."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from profiles import SMALL, edited, mistakes, read
from rackrecord.profile import Profile
from rackrecord.profile.fields import (
    CURRENCIES,
    Currency,
    Day,
    Fraction,
    Money,
    MoneyAmount,
    Positive,
    Ranged,
    RangedMoney,
    Text,
)


def value(kind: Any, given: object) -> Any:
    return TypeAdapter(kind).validate_python(given, strict=True)


def refused(kind: Any, given: object) -> str:
    with pytest.raises(ValidationError) as caught:
        value(kind, given)
    return str(caught.value.errors()[0]["msg"])


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (Positive, 5, Decimal(5)),
        (Positive, Decimal("0.085"), Decimal("0.085")),
        (Positive, 3.3, Decimal("3.3")),
        (Positive, 10**18, Decimal(10**18)),
        (Fraction, 0, Decimal(0)),
        (Fraction, 1, Decimal(1)),
        (Day, "2026-12-31", date(2026, 12, 31)),
        (Day, "2028-02-29", date(2028, 2, 29)),
        (Text, "  two words \n", "two words"),
        (Currency, "EUR", "EUR"),
    ],
)
def test_accepted(kind: Any, given: object, expected: object) -> None:
    assert value(kind, given) == expected


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (Positive, 0),
        (Positive, True),
        (Positive, Decimal("NaN")),
        (Positive, Decimal("Infinity")),
        (Positive, float("nan")),
        (Positive, float("inf")),
        (Positive, 10**18 + 1),
        (Positive, Decimal("1e-10")),
        (Positive, "1"),
        (Positive, None),
        (Fraction, Decimal("1.01")),
        (Fraction, Decimal("-0.01")),
        (Day, "2027-02-29"),
        (Day, "20261231"),
        (Day, "2026-12-31T00:00"),
        (Day, 20261231),
        (Text, "   "),
        (Text, "x" * 5001),
        (Text, 5),
        (Currency, "eur"),
        (Currency, "BTC"),
        (MoneyAmount, "3.30 EURO"),
        (MoneyAmount, "3.30EUR"),
        (MoneyAmount, "EUR 3.30"),
        (MoneyAmount, "3.30"),
        (MoneyAmount, "03.30 EUR"),
        (MoneyAmount, "-3.30 EUR"),
        (MoneyAmount, {"amount": "abc", "currency": None}),
        (MoneyAmount, {"amount": 3, "currency": 5}),
        (MoneyAmount, {"amount": 3, "currency": "eur"}),
        (MoneyAmount, {"amount": 3}),
        (MoneyAmount, [3]),
    ],
)
def test_refused(kind: Any, given: object) -> None:
    assert "expected" in refused(kind, given)


def test_minus_zero_is_zero() -> None:
    assert str(value(Fraction, Decimal("-0.0"))) == "0"


def test_fifteen_digits_come_back_from_json_and_sixteen_are_refused() -> None:
    fifteen = Decimal("1234567.12345678")
    assert Decimal(repr(float(value(Positive, fifteen)))) == fifteen
    assert refused(Positive, Decimal("1234567.123456789")) == "expected at most 15 significant digits"
    assert value(Positive, Decimal("0.00012345678901234500")) == Decimal("0.000123456789012345")


@pytest.mark.parametrize(
    ("given", "amount", "currency"),
    [
        (Decimal("3.30"), "3.30", None),
        ("3.30 EUR", "3.30", "EUR"),
        (0, "0", None),
        ({"amount": 3.3, "currency": "EUR"}, "3.3", "EUR"),
        (Money(amount=Decimal(1), currency=None), "1", None),
    ],
)
def test_money(given: object, amount: str, currency: str | None) -> None:
    assert value(MoneyAmount, given) == Money(amount=Decimal(amount), currency=currency)


def test_a_value_alone_stands_for_a_range_without_ends() -> None:
    alone = value(RangedMoney, Decimal("3.30"))
    assert alone == value(RangedMoney, {"value": Decimal("3.30")})
    assert (alone.low, alone.high, alone.source) == (None, None, None)


def test_a_range_of_one_point_is_a_range() -> None:
    assert value(Ranged[Positive], {"value": 1, "low": 1, "high": 1}).high == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"value": 2, "low": 3}, "found 3, above the value 2; expected at most that"),
        ({"value": 2, "high": 1}, "found 1, below the value 2; expected at least that"),
    ],
)
def test_a_range_in_disorder_is_refused_wherever_it_comes_from(given: object, message: str) -> None:
    assert refused(Ranged[Positive], given) == message


def test_a_range_of_two_currencies_is_refused() -> None:
    given = {"value": "3.30 EUR", "high": "3.50 USD"}
    assert refused(RangedMoney, given) == "found USD; expected EUR, as in value"


def test_iso_4217() -> None:
    assert {"USD", "EUR", "CNY", "JPY", "GBP", "INR", "CHF", "XCG"} <= CURRENCIES
    assert all(len(code) == 3 and code.isupper() for code in CURRENCIES)
    assert not {"DEM", "HRK", "BGN", "BTC", "XXX"} & CURRENCIES


def test_defaults_of_a_small_profile() -> None:
    profile = read(SMALL).profile
    assert (profile.status, profile.term.years, profile.term.rate) == ("proposed", 4, 0)
    assert profile.facility.pue.value == 1
    assert (profile.demand.headroom, profile.demand.spares, profile.demand.yearly_growth) == (0, 0, 0)
    assert profile.options[0].systems_per_rack == 1
    assert profile.use.realized_fraction is None
    assert (profile.review.next_round, profile.review.date) == (True, None)
    assert profile.parts == (profile.workload,)
    assert profile.option("gb300").name == "GB300 NVL72 rack"
    with pytest.raises(KeyError):
        profile.option("b300")


def test_a_profile_comes_back_from_json_as_a_record_has_it() -> None:
    """Decimals as numbers, dates as ISO text."""
    text = SMALL + "facility: {electricity_per_kwh: {value: 0.085 USD, low: 0.06 USD}, pue: 1.25}\n"
    profile = read(text + "review: {date: 2027-05-31}\n").profile

    def plain(value: object) -> object:
        return float(value) if isinstance(value, Decimal) else str(value)

    data = json.dumps(profile.model_dump(), default=plain)
    assert Profile.model_validate_json(data) == profile


def test_fields_left_blank_are_absent() -> None:
    text = SMALL + "limits:\nfacility: {electricity_per_kwh: , pue: ~}\nvendor_claims:\nnotes: null\n"
    assert read(text).profile == read(SMALL).profile


def test_a_benchmark_may_have_any_of_its_names() -> None:
    for name in ("GPT-OSS-120B", "gpt-oss-120b"):
        assert read(edited("gpt-oss-120b", name)).profile.parts[0].benchmark == name
    text = edited("gpt-oss-120b", "llama2-70b-99.9")
    assert read(text).profile.parts[0].benchmark == "llama2-70b-99.9"


def test_several_workloads() -> None:
    part = "  - {benchmark: %s, scenario: Server, share: %s}\n"
    old = "workload:\n  benchmark: gpt-oss-120b\n  scenario: Server\n"
    text = edited(old, "workloads:\n" + part % ("gpt-oss-120b", "0.7") + part % ("deepseek-r1", "0.3"))
    assert [part.share for part in read(text).profile.parts] == [Decimal("0.7"), Decimal("0.3")]


def test_a_model_is_under_its_rules_without_a_file() -> None:
    values = read(SMALL).profile.model_dump()
    values["workload"] = None
    with pytest.raises(ValidationError, match="found none of workload and workloads"):
        Profile.model_validate(values)


def test_an_amount_in_another_currency_needs_its_rate() -> None:
    text = edited("3.30", "3.30 EUR")
    assert len(mistakes(text)) == 1
    rate = "exchange_rates:\n  - {currency: EUR, rate: 1.08, date: 2026-11-30}\n"
    price = read(text + rate).profile.options[0].price
    assert price is not None
    assert price.rent is not None
    assert price.rent.per_accelerator_hour is not None
    assert str(price.rent.per_accelerator_hour.value) == "3.30 EUR"


def test_many_mistakes_are_counted_beyond_two_hundred() -> None:
    text = SMALL + "".join(f"unknown{n}: 1\n" for n in range(1000))
    found = mistakes(text)
    assert len(found) == 201
    assert found[-1] == "profile.yaml:217:1: and 800 more from here on"


def test_a_mistake_of_a_different_kind_is_not_hidden_by_another_in_the_same_section() -> None:
    text = edited("output_tokens_per_second: 5000000", "output_tokens_per_second: 0\n  users: 5\n  spares: x")
    assert [line.split(": ", 2)[1] for line in mistakes(text)] == [
        "demand.output_tokens_per_second",
        "demand.users",
        "demand.spares",
    ]
