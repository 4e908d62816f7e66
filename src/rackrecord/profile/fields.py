"""The kinds of value that a profile holds: numbers, fractions, money, dates, names, inputs with a range."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, get_args

from pydantic import Field
from pydantic_core import core_schema

from rackrecord.model import StrictModel
from rackrecord.profile.currencies import CURRENCIES
from rackrecord.profile.rules import Finding, RuledModel, failure
from rackrecord.suggest import did_you_mean
from rackrecord.yaml_file import quoted

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

LARGEST = Decimal(10) ** 18
SMALLEST = Decimal(10) ** -9
MOST_DIGITS = 15
"""So many significant digits come back unchanged from the record's JSON (IEEE 754 binary64)."""

LONGEST_LINE = 200
LONGEST_TEXT = 5000

_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%\Z")
_MONEY = re.compile(r"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?) ([A-Za-z]{2,5})\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_QUOTED_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")


class Kind:
    """How a kind of value is read, and how JSON Schema describes it.

    One annotation for both, and its answer made once: Pydantic asks for it at every field.
    """

    def __init__(self, check: Callable[[Any], object], **json_schema: Any) -> None:
        self.check = check
        self.json_schema = json_schema
        self._core: core_schema.BeforeValidatorFunctionSchema | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        if self._core is None:
            inner = handler(source)
            core = core_schema.no_info_before_validator_function(self.check, inner)
            if inner["type"] == "definition-ref":  # a reference to a model holds only where it was given
                return core
            self._core = core
        return self._core.copy()  # what is asked for one field may be changed for it

    def __get_pydantic_json_schema__(
        self, core: "CoreSchema", handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        return dict(self.json_schema)


def _as_decimal(value: object, expected: str) -> Decimal:
    # A float only comes from a record's JSON, never from YAML; its shortest form is the number as written.
    if isinstance(value, float) and isfinite(value):
        return Decimal(repr(value))
    if isinstance(value, str) and len(value) <= MOST_DIGITS and _QUOTED_NUMBER.match(value):
        raise failure(f"{expected}, without quotes")
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not Decimal(value).is_finite():
        raise failure(expected)
    number = Decimal(value)
    if len("".join(map(str, number.as_tuple().digits)).strip("0")) > MOST_DIGITS:
        raise failure(f"expected at most {MOST_DIGITS} significant digits")
    return number if number else Decimal(0)  # no minus zero


def _number(expected: str, low: Decimal | str, high: Decimal | str = LARGEST, **limits: float) -> Kind:
    """A number from `low` to `high`, both included."""

    def check(value: object) -> Decimal:
        number = _as_decimal(value, expected)
        if number > LARGEST:
            raise failure(f"expected a number of at most {LARGEST:,}")
        if not Decimal(low) <= number <= Decimal(high):
            raise failure(expected)
        return number

    return Kind(check, type="number", **limits)


def _share(expected: str, low: Decimal | str, high: Decimal | str, **limits: float) -> Kind:
    """Like `_number`, for what people also write in percent: the message then says how it is written."""

    def check(value: object) -> Decimal:
        if isinstance(value, str) and (match := _PERCENT.match(value)):
            raise failure(f"{expected}; {match[1]} % is written {_plain(Decimal(match[1]) / 100)}")
        number = _as_decimal(value, expected)
        if not Decimal(low) <= number <= Decimal(high):
            as_share = number / 100
            hint = number >= 2 and Decimal(low) <= as_share <= Decimal(high)
            raise failure(f"{expected}; {number} % is written {_plain(as_share)}" if hint else expected)
        return number

    return Kind(check, type="number", **limits)


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


Positive = Annotated[Decimal, _number("expected a number above 0", SMALLEST, exclusiveMinimum=0)]
NonNegative = Annotated[Decimal, _number("expected 0 or a number above", "0", minimum=0)]
Fraction = Annotated[Decimal, _share("expected a fraction from 0 to 1", "0", "1", minimum=0, maximum=1)]
PositiveFraction = Annotated[
    Decimal, _share("expected a fraction above 0, at most 1", "0.0001", "1", exclusiveMinimum=0, maximum=1)
]
Discount = Annotated[
    Decimal, _share("expected a fraction from 0 to 0.99", "0", "0.99", minimum=0, maximum=0.99)
]
Rate = Annotated[Decimal, _share("expected a yearly rate from 0 to 0.5", "0", "0.5", minimum=0, maximum=0.5)]
Growth = Annotated[
    Decimal, _share("expected a yearly growth from -0.9 to 5", "-0.9", "5", minimum=-0.9, maximum=5)
]
Margin = Annotated[Decimal, _share("expected a fraction from 0 to 5", "0", "5", minimum=0, maximum=5)]
PueValue = Annotated[
    Decimal, _number("expected a PUE from 1 to 5, such as 1.25", "1", "5", minimum=1, maximum=5)
]
Percentile = Annotated[
    Decimal,
    _number("expected a percentile from 50 to 99.99, such as 99", "50", "99.99", minimum=50, maximum=99.99),
]
RackKilowatts = Annotated[
    Decimal,
    _number("expected kilowatts above 0, at most 5000", SMALLEST, "5000", exclusiveMinimum=0, maximum=5000),
]


def _whole(expected: str, low: int, high: int) -> Kind:
    def check(value: object) -> int:
        if isinstance(value, str) and value.isdecimal():
            raise failure(f"{expected}, without quotes")
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise failure(expected)
        return value

    return Kind(check, type="integer", minimum=low, maximum=high)


Count = Annotated[int, _whole("expected a whole number from 1 to 1,000,000", 1, 1_000_000)]
CountOrNone = Annotated[int, _whole("expected a whole number from 0 to 1,000,000", 0, 1_000_000)]
Years = Annotated[int, _whole("expected a whole number of years from 1 to 15", 1, 15)]


def _day(value: object) -> date:
    if isinstance(value, date):
        return value
    if isinstance(value, str) and _DATE.match(value):
        day = as_day(value)
        if day is None:
            raise failure("no such day; expected a date such as 2026-12-31")
        if not 1990 <= day.year <= 2100:
            raise failure("expected a date of the years 1990 to 2100")
        return day
    raise failure("expected a date such as 2026-12-31 (year, month, day)")


def as_day(value: object) -> date | None:
    """A date, or the text of one, as a date; None for anything else."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not _DATE.match(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _reader(longest: int, *, one_line: bool) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, (bool, int, Decimal)):
            raise failure("expected text; put it in quotes")
        if not isinstance(value, str) or not value.strip():
            raise failure("expected text")
        text = value.strip()
        if len(text) > longest:
            raise failure(f"a text of {len(text):,} characters; expected at most {longest:,}")
        if one_line and "\n" in text:
            raise failure("expected one line of text")
        return text

    return read


_line, _text = _reader(LONGEST_LINE, one_line=True), _reader(LONGEST_TEXT, one_line=False)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise failure("expected true or false" + (", without quotes" if value in ("true", "false") else ""))
    return value


_IDENTIFIER = r"[a-z0-9][a-z0-9.-]{0,39}"


def _identifier(given: object) -> str:
    value = _line(given)
    if not re.fullmatch(_IDENTIFIER, value):
        raise failure(
            "expected a short id of small letters, digits, dots and hyphens (40 at most), such as gb300-rack"
        )
    return value


def currency_code(value: str) -> str:
    """An ISO 4217 code, or an error that offers the nearest one."""
    if value not in CURRENCIES:
        raise failure(f"expected a currency code of ISO 4217, such as USD{did_you_mean(value, CURRENCIES)}")
    return value


def _currency(given: object) -> str:
    return currency_code(_line(given))


Day = Annotated[date, Kind(_day, type="string", format="date", examples=["2026-12-31"])]
Line = Annotated[str, Kind(_line, type="string", minLength=1, maxLength=LONGEST_LINE)]
Text = Annotated[str, Kind(_text, type="string", minLength=1, maxLength=LONGEST_TEXT)]
Flag = Annotated[bool, Kind(_flag, type="boolean")]
Identifier = Annotated[str, Kind(_identifier, type="string", pattern=f"^{_IDENTIFIER}$")]
Currency = Annotated[str, Kind(_currency, type="string", pattern="^[A-Z]{3}$", examples=["USD", "EUR"])]


class Money(StrictModel):
    """An amount; `currency` is None where the profile's own currency is meant."""

    amount: Decimal
    currency: str | None

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}" if self.currency else str(self.amount)


_AMOUNT = "expected an amount such as 3.30, or with a currency such as 3.30 EUR"


def _money(value: object) -> Money:
    if isinstance(value, Money):
        return value
    if isinstance(value, dict) and value.keys() == {"amount", "currency"}:  # as a record's JSON has it
        return _amount_in(value["amount"], value["currency"])
    if isinstance(value, str) and (match := _MONEY.match(value)):
        return _amount_in(Decimal(match[1]), match[2])
    return _amount_in(value, None)


def _amount_in(number: object, currency: object) -> Money:
    amount = _as_decimal(number, _AMOUNT)
    if not 0 <= amount <= LARGEST:
        raise failure("expected an amount of 0 or more" if amount < 0 else f"expected at most {LARGEST:,}")
    if not isinstance(currency, str | None):
        raise failure(_AMOUNT)
    return Money(amount=amount, currency=currency_code(currency) if currency is not None else None)


def currency_of(value: object) -> str | None:
    """The currency that an amount names, as the profile or the model has it; None where it names none."""
    if isinstance(value, Money):
        return value.currency
    match = _MONEY.match(value) if isinstance(value, str) else None
    return match[2] if match else None


def size_of(value: object) -> Decimal | None:
    """The number in a number or an amount, as the profile or the model has it; None for anything else."""
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, str) and (match := _MONEY.match(value)):
        return Decimal(match[1])
    return Decimal(value) if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else None


MoneyAmount = Annotated[
    Money,
    Kind(
        _money,
        anyOf=[
            {"type": "number", "minimum": 0},
            {"type": "string", "pattern": r"^(0|[1-9][0-9]*)(\.[0-9]+)? [A-Z]{3}$"},
        ],
    ),
]

T = TypeVar("T")


class Ranged(RuledModel, Generic[T]):
    """An input: its value, the range it may move in, and where it comes from."""

    value: T = Field(description="The value used.")
    low: T | None = Field(default=None, description="The lowest value considered possible.")
    high: T | None = Field(default=None, description="The highest value considered possible.")
    source: Text | None = Field(default=None, description="Where the value comes from.")

    @classmethod
    def model_rebuild(cls, **options: Any) -> bool | None:
        """Nothing for the range of no kind in particular: it only serves to derive the others from."""
        return None if cls is Ranged else super().model_rebuild(**options)

    @classmethod
    def contradictions(cls, values: Mapping[str, Any]) -> list[Finding]:
        """The range encloses the value, in one currency."""
        found: list[Finding] = []
        value = size_of(values.get("value"))
        low, high = size_of(values.get("low")), size_of(values.get("high"))
        if value is not None and low is not None and low > value:
            found.append(
                ("low", f"found {_plain(low)}, above the value {_plain(value)}; expected at most that")
            )
        if value is not None and high is not None and high < value:
            found.append(
                ("high", f"found {_plain(high)}, below the value {_plain(value)}; expected at least that")
            )
        own = currency_of(values.get("value"))
        for name in ("low", "high"):
            other = currency_of(values.get(name))
            if size_of(values.get(name)) is not None and value is not None and other != own:
                text = f"found {other or 'no currency'}; expected {own or 'no currency'}, as in value"
                found.append((name, text))
        return found


def _expand(value: object) -> object:
    return value if isinstance(value, (dict, Ranged)) else {"value": value}


def _ranged(kind: Any) -> Kind:
    """A range as people write it: the value alone, or the value with its range and source."""
    value, text = _json_schema(kind), _json_schema(Text)
    whole = {
        "type": "object",
        "description": "A value with the range it may move in and its source.",
        "properties": {
            name: {**(text if name == "source" else value), "description": field.description}
            for name, field in Ranged.model_fields.items()
        },
        "required": ["value"],
        "additionalProperties": False,
    }
    return Kind(_expand, anyOf=[*value.get("anyOf", [value]), whole])


def _json_schema(kind: Any) -> dict[str, Any]:
    """The schema that an annotated type carries."""
    return next(part.json_schema for part in get_args(kind) if isinstance(part, Kind))


RangedMoney = Annotated[Ranged[MoneyAmount], _ranged(MoneyAmount)]
RangedPositive = Annotated[Ranged[Positive], _ranged(Positive)]
RangedKilowatts = Annotated[Ranged[RackKilowatts], _ranged(RackKilowatts)]
RangedFraction = Annotated[Ranged[PositiveFraction], _ranged(PositiveFraction)]
RangedShare = Annotated[Ranged[Fraction], _ranged(Fraction)]
RangedRate = Annotated[Ranged[Rate], _ranged(Rate)]
RangedPue = Annotated[Ranged[PueValue], _ranged(PueValue)]


def in_unit(name: str) -> dict[str, Any]:
    """A field's unit, for its JSON schema, its documentation and messages about it."""
    return {"unit": name}


def shown(value: object) -> str:
    """What was found, for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        names = [quoted(str(key), 20).strip("'\"") for key in value]
        return f"fields ({', '.join(names[:5])}{', …' if len(names) > 5 else ''})" if names else "no fields"
    if isinstance(value, tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    return str(value)
