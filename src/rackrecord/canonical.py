"""Canonical JSON by RFC 8785: one text for the same data, so that a digest over it means something.

msgspec writes the very same text but for some numbers (5.0, 2e-6, 1e16, integers that RFC 8785 refuses) and
for the order of keys beyond the Basic Multilingual Plane. Where the text has something like that, the data is
put right first, with the help of the `rfc8785` library.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import Any

import msgspec

from rackrecord.data import plain_model

_LARGEST = 2**53 - 1
"""RFC 8785 takes no larger integer: a double could not tell it from its neighbors."""

# What such a number looks like in an object or array, and the first byte of a character beyond that plane.
# Text may look the same inside, which only costs time. Three patterns, each with one letter to look for, are
# quicker than one with a choice of three.
_NUMBERS = tuple(
    re.compile(before + rb"-?(?:[0-9]{16}|[0-9.]+(?:\.0|e-6|e[0-9]+)[,\]}])")
    for before in (rb":", rb",", rb"\[")
)
_FOUR_BYTES = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")


def canonical_json(value: object) -> bytes:
    """The canonical JSON of Data, dict, list, tuple, str, int, finite float, bool and None.

    A decimal is the nearest double, a date its ISO 8601 text.

    Raises:
        ValueError: a decimal is beyond the range of a double, or an integer is beyond 2**53 - 1.
    """
    try:
        text = _SORTED.encode(value)
    except OverflowError as error:  # beyond 64 bits
        raise ValueError(f"found an integer beyond {_LARGEST}") from error
    if _doubtful(text):
        text = _AS_GIVEN.encode(_exact(msgspec.to_builtins(value, builtin_types=_KEPT, enc_hook=plain_model)))
    return text


def _doubtful(text: bytes) -> bool:
    alone = not text.startswith((b"{", b"["))
    return alone or any(byte in text for byte in _FOUR_BYTES) or any(p.search(text) for p in _NUMBERS)


def _exact(value: Any) -> Any:
    """The same data with keys in the order of their UTF-16 code units and no number that msgspec writes its
    own way.
    """
    if isinstance(value, dict):
        return {key: _exact(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
    if isinstance(value, (list, tuple)):
        return [_exact(item) for item in value]
    if isinstance(value, (Decimal, float)):
        return _number(value)
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise ValueError(f"found the integer {value}, expected at most {_LARGEST}")
    return value


def _number(value: Decimal | float) -> int | float | msgspec.Raw:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"found the number {value}, expected a finite one")
    if number.is_integer() and abs(number) <= _LARGEST:
        return int(number)
    if not (number.is_integer() or 1e-6 <= abs(number) < 1e-5):
        return number
    import rfc8785  # for numbers that hardly ever occur

    return msgspec.Raw(rfc8785.dumps(number))


_KEPT = (Decimal, date)
_SORTED = msgspec.json.Encoder(order="sorted", decimal_format=_number, enc_hook=plain_model)
_AS_GIVEN = msgspec.json.Encoder(enc_hook=plain_model)
