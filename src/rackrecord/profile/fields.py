"""The kinds of value that a profile holds: numbers, fractions, money, dates, names, and inputs with a range."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from rackrecord.model import StrictModel
from rackrecord.profile.currencies import CURRENCIES
from rackrecord.suggest import did_you_mean

LARGEST = Decimal(10) ** 18


def _fail(kind: str, message: str) -> PydanticCustomError:
    return PydanticCustomError(kind, "{text}", {"text": message})


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise _fail("number", "expected a number")
    return Decimal(value)


def _within(low: Decimal | None, high: Decimal, expected: str, *, strict: bool = False) -> Callable[[Decimal], Decimal]:
    def check(value: Decimal) -> Decimal:
        if value > high or (low is not None and (value <= low if strict else value < low)):
            raise _fail("range", expected)
        return value

    return check


def _fraction(value: Decimal) -> Decimal:
    if value < 0 or value > 1:
        hint = f"; {value} % is written {value / 100}" if 1 < value <= 100 else ""
        raise _fail("fraction", f"expected a fraction from 0 to 1{hint}")
    return value


def _positive_fraction(value: Decimal) -> Decimal:
    if _fraction(value) == 0:
        raise _fail("fraction", "expected a fraction above 0 and at most 1")
    return value


def _whole(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _fail("whole", "expected a whole number")
    return value


def _date(value: object) -> object:
    if isinstance(value, date):
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise _fail("date", "no such day; expected a date such as 2026-12-31") from None
    raise _fail("date", "expected a date such as 2026-12-31")


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise _fail("text", "expected text; put it in quotes if it looks like a number or a truth value")
    if not value.strip():
        raise _fail("text", "expected some text")
    if len(value) > 5000:
        raise _fail("text", "expected at most 5000 characters")
    return value.strip()


def _flag(value: object) -> object:
    if not isinstance(value, bool):
        raise _fail("flag", "expected true or false")
    return value


def _identifier(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,39}", value):
        raise _fail("id", "expected a short id of a-z, 0-9, dots and hyphens, such as gb300-rack")
    return value


def currency_code(value: str) -> str:
    """An ISO 4217 code, or an error that offers the nearest one."""
    if value not in CURRENCIES:
        raise _fail("currency", f"unknown currency {value!r}; expected an ISO 4217 code{did_you_mean(value, CURRENCIES)}")
    return value


_BASE = Annotated[Decimal, BeforeValidator(_number)]
_NUMBER_SCHEMA = {"type": "number"}

Positive = Annotated[
    _BASE,
    AfterValidator(_within(Decimal(0), LARGEST, "expected a number above 0", strict=True)),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
NonNegative = Annotated[
    _BASE,
    AfterValidator(_within(Decimal(0), LARGEST, "expected 0 or a number above")),
    WithJsonSchema({"type": "number", "minimum": 0}),
]
Fraction = Annotated[
    _BASE, AfterValidator(_fraction), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})
]
PositiveFraction = Annotated[
    _BASE,
    AfterValidator(_positive_fraction),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
]
Rate = Annotated[
    _BASE,
    AfterValidator(_within(Decimal(0), Decimal("0.5"), "expected a yearly rate from 0 to 0.5; 8 % is written 0.08")),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 0.5}),
]
Growth = Annotated[
    _BASE,
    AfterValidator(_within(Decimal("-0.9"), Decimal(10), "expected a yearly growth from -0.9 to 10; 50 % is 0.5")),
    WithJsonSchema({"type": "number", "minimum": -0.9, "maximum": 10}),
]
Margin = Annotated[
    _BASE,
    AfterValidator(_within(Decimal(0), Decimal(5), "expected a fraction from 0 to 5; 25 % is written 0.25")),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 5}),
]
PueValue = Annotated[
    _BASE,
    AfterValidator(_within(Decimal(1), Decimal(5), "expected a PUE from 1 to 5, such as 1.25")),
    WithJsonSchema({"type": "number", "minimum": 1, "maximum": 5}),
]
Percentile = Annotated[
    _BASE,
    AfterValidator(_within(Decimal(50), Decimal("99.99"), "expected a percentile from 50 to 99.99, such as 99")),
    WithJsonSchema({"type": "number", "minimum": 50, "maximum": 99.99}),
]


def _count(low: int, high: int, expected: str) -> AfterValidator:
    def check(value: int) -> int:
        if not low <= value <= high:
            raise _fail("count", expected)
        return value

    return AfterValidator(check)


Count = Annotated[
    int,
    BeforeValidator(_whole),
    _count(1, 1_000_000, "expected a whole number from 1 to 1,000,000"),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 1_000_000}),
]
CountOrNone = Annotated[
    int,
    BeforeValidator(_whole),
    _count(0, 1_000_000, "expected a whole number from 0 to 1,000,000"),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": 1_000_000}),
]
Years = Annotated[
    int,
    BeforeValidator(_whole),
    _count(1, 15, "expected a whole number of years from 1 to 15"),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 15}),
]
Day = Annotated[date, BeforeValidator(_date), WithJsonSchema({"type": "string", "format": "date"})]
Text = Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": "string", "minLength": 1})]
Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})]
Identifier = Annotated[Text, AfterValidator(_identifier)]
Currency = Annotated[Text, AfterValidator(currency_code), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{3}$"})]


class Money(StrictModel):
    """An amount; `currency` is None where the profile's own currency is meant."""

    amount: Decimal
    currency: str | None

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}" if self.currency else str(self.amount)


def _money(value: object) -> object:
    if isinstance(value, Money):
        return value
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        amount, currency = Decimal(value), None
    elif isinstance(value, str) and (match := re.fullmatch(r"(-?[0-9]+(?:\.[0-9]+)?) ([A-Za-z]{2,4})", value)):
        amount, currency = Decimal(match[1]), currency_code(match[2])
    else:
        raise _fail("money", "expected an amount such as 3.30, or with a currency such as 3.30 EUR")
    if amount < 0 or amount > LARGEST:
        raise _fail("money", "expected an amount of 0 or more")
    return Money(amount=amount, currency=currency)


_MONEY_SCHEMA = {
    "anyOf": [
        {"type": "number", "minimum": 0},
        {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? [A-Z]{3}$"},
    ]
}
MoneyAmount = Annotated[Money, BeforeValidator(_money), WithJsonSchema(_MONEY_SCHEMA)]

T = TypeVar("T")


def _size(value: Any) -> Decimal:
    return value.amount if isinstance(value, Money) else value


class Ranged(StrictModel, Generic[T]):
    """An input: its value, the range it may move in, and where it comes from."""

    value: T = Field(description="The value used.")
    low: T | None = Field(default=None, description="The lowest value considered possible.")
    high: T | None = Field(default=None, description="The highest value considered possible.")
    source: Text | None = Field(default=None, description="Where the value comes from.")

    @model_validator(mode="after")
    def _ordered(self) -> Ranged[T]:
        if self.low is not None and _size(self.low) > _size(self.value):
            raise _fail("range", "expected low to be at most value")
        if self.high is not None and _size(self.high) < _size(self.value):
            raise _fail("range", "expected high to be at least value")
        currencies = {m.currency for m in (self.value, self.low, self.high) if isinstance(m, Money)}
        if len(currencies) > 1:
            raise _fail("range", "expected value, low and high in one currency")
        return self


def shorthand(value: object) -> object:
    """`3.30` stands for `{value: 3.30}`."""
    return value if isinstance(value, (dict, Ranged)) else {"value": value}


RangedMoney = Annotated[Ranged[MoneyAmount], BeforeValidator(shorthand)]
RangedPositive = Annotated[Ranged[Positive], BeforeValidator(shorthand)]
RangedNonNegative = Annotated[Ranged[NonNegative], BeforeValidator(shorthand)]
RangedFraction = Annotated[Ranged[PositiveFraction], BeforeValidator(shorthand)]
RangedGrowth = Annotated[Ranged[Growth], BeforeValidator(shorthand)]
RangedPue = Annotated[Ranged[PueValue], BeforeValidator(shorthand)]
