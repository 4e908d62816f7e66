"""The base of all that the program works out and stores: immutable, no unknown fields, typed JSON.

What a user writes is a `model.StrictModel`, of Pydantic, which names each mistake in its place. A class of
Data costs microseconds to define and a large record a few milliseconds to read. Its values are checked where
they come from outside (`model_validate_json`, `model_validate`), not where the program makes them itself: a
record is read back when it is sealed. The methods have Pydantic's names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any, Literal, Self, dataclass_transform

import msgspec

ValidationError = msgspec.ValidationError
"""Raised for JSON or values that are not the data expected; its text names the place."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class _DataMeta(msgspec.StructMeta):
    """Gives every class of Data the same settings; msgspec's own inheritance leaves `kw_only` out."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **settings: bool
    ) -> _DataMeta:
        everywhere: dict[str, Any] = {"frozen": True, "kw_only": True, "forbid_unknown_fields": True}
        return super().__new__(cls, name, bases, namespace, **(everywhere | settings))


class Data(msgspec.Struct, metaclass=_DataMeta):
    """Immutable data without unknown fields."""

    @classmethod
    def model_validate_json(cls, data: bytes | str) -> Self:
        """The data that JSON text holds.

        Raises:
            ValidationError: it is no JSON; a field is missing, unknown or of another type; a number is none
                that a double can hold.
        """
        made = cls._read(data)
        try:
            # A decimal reads any number, even from text; it has to be one of JSON that a double can hold.
            msgspec.json.decode(_NUMBERS.encode(made))
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return made

    @classmethod
    def _read(cls, data: bytes | str) -> Self:
        """The data that JSON text holds, whose numbers are known to be what they should be."""
        try:
            made: Self = _decoder(cls).decode(data)
        except (ValueError, RecursionError) as error:
            raise ValidationError(str(error)) from error
        return made

    @classmethod
    def model_validate(cls, values: Mapping[str, object]) -> Self:
        """The data made of values by field name.

        Raises:
            ValidationError: a field is missing, unknown or of another type.
        """
        return msgspec.convert(values, cls, dec_hook=_read_model)

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """The same with other values of some fields."""
        return msgspec.structs.replace(self, **update)

    def model_dump(
        self, *, mode: Literal["python", "json"] = "python", exclude: Collection[str] = ()
    ) -> dict[str, Any]:
        """Fields by name, down to plain values; in mode `json` decimals and dates are text."""
        kept = (Decimal, date) if mode == "python" else ()
        plain: dict[str, Any] = msgspec.to_builtins(self, builtin_types=kept, enc_hook=plain_model)
        return {name: value for name, value in plain.items() if name not in exclude}

    def model_dump_json(self) -> str:
        """JSON text; decimals are strings."""
        return msgspec.json.encode(self, enc_hook=plain_model).decode()


@cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, dec_hook=_read_model)


def _read_model(kind: type[Any], value: object) -> object:
    """A part that is a `StrictModel`: the profile, as a record carries it."""
    try:
        return kind.model_validate_json(msgspec.json.encode(value))
    except ValueError as error:
        raise ValidationError(str(error)) from error


def plain_model(value: Any) -> object:
    """Such a part as plain data."""
    return value.model_dump()


_NUMBERS = msgspec.json.Encoder(decimal_format="number", enc_hook=plain_model)
