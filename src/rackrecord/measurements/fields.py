"""Reading one JSON object: each value by its key, with its type and sign checked and its place in errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from rackrecord.errors import UserError
from rackrecord.measurements.content import Content, JsonObject, NotFinite, Record, Source, clean, shown

LARGEST = 1e18
"""No rate, count or latency in any unit that the tools use comes near it."""


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of the file with its place: `path` is empty at the top, else such as `metrics.ttft`."""

    values: JsonObject
    file: str
    line: int | None
    path: str = ""

    def has(self, key: str) -> bool:
        """Whether the key is there with something other than null."""
        return self.values.get(key) is not None

    def fail(self, key: str, message: str) -> NoReturn:
        """Raise a UserError that points at the key."""
        raise UserError.of(message, file=self.file, line=self.line, path=self._path(key))

    def section(self, *keys: str) -> Fields | None:
        """The object at the end of the keys, None where one of them is absent or null."""
        here = self
        for key in keys:
            value = here.values.get(key)
            if value is None:
                return None
            if not isinstance(value, dict):
                here.fail(key, f"found {shown(value)}, expected an object")
            here = Fields(value, self.file, self.line, here._path(key))
        return here

    def objects(self, key: str) -> tuple[Fields, ...]:
        """The objects of a list, none where the key is absent or null."""
        value = self.values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.fail(key, f"found {shown(value)}, expected a list")
        found = []
        for index, element in enumerate(value):
            if not isinstance(element, dict):
                self.fail(f"{key}[{index}]", f"found {shown(element)}, expected an object")
            found.append(Fields(element, self.file, self.line, self._path(f"{key}[{index}]")))
        return tuple(found)

    def number(self, key: str) -> float:
        """A finite number of zero or more that must be there."""
        if not self.has(key):
            self.fail(key, "missing; a number is expected")
        return self._number(key)

    def number_or_none(self, key: str) -> float | None:
        """A finite number of zero or more, None where the key is absent or null."""
        return self._number(key) if self.has(key) else None

    def count_or_none(self, key: str) -> int | None:
        """A whole number of zero or more, None where the key is absent or null."""
        value = self.number_or_none(key)
        if value is None:
            return None
        if not value.is_integer():
            self.fail(key, f"found {shown(self.values[key])}, expected a whole number")
        return int(value)

    def text_or_none(self, key: str) -> str | None:
        """A text made safe to print, None where the key is absent, null or an empty text."""
        value = self.values.get(key)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self.fail(key, f"found {shown(value)}, expected a text")
        return clean(value)

    def flag_or_none(self, key: str) -> bool | None:
        """True or false, also where a tool wrote it as a text; None where the key is absent or null."""
        value = self.values.get(key)
        if value is None:
            return None
        spelled = value.strip().lower() if isinstance(value, str) else value
        flags: dict[Any, bool] = {"true": True, "false": False}
        if isinstance(spelled, bool):
            return spelled
        if isinstance(spelled, str) and spelled in flags:
            return flags[spelled]
        self.fail(key, f"found {shown(value)}, expected true or false")

    def _number(self, key: str) -> float:
        value = self.values[key]
        if isinstance(value, NotFinite):
            self.fail(key, f"found {value.spelling}, expected a finite number")
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(key, f"found {shown(value)}, expected a number")
        if isinstance(value, float) and not math.isfinite(value):
            self.fail(key, "a number too large to be read, expected a finite number")
        if value < 0:
            self.fail(key, f"found {shown(value)}, expected zero or more")
        if value > LARGEST:
            self.fail(key, f"found {shown(value)}, which no load test reaches")
        return float(value)

    def _path(self, key: str) -> str:
        key = clean(key, 60)
        return f"{self.path}.{key}" if self.path else key


def record_fields(record: Record, file: str) -> Fields:
    """The object of a record, with its line and array index for errors. Raises UserError for another type."""
    if not isinstance(record.value, dict):
        raise UserError.of(
            f"found {shown(record.value)}, expected an object", file=file, line=record.line, path=record.path
        )
    return Fields(record.value, file, record.line, record.path)


def each_record(content: Content, source: Source) -> Iterator[tuple[Fields, str]]:
    """Every record as fields with its label inside the file: empty for a lone record, else its line or index.

    Raises UserError where the text is not JSON or holds no record.
    """
    if content.json_error is not None:
        raise content.json_error
    if not content.records:
        raise UserError.of("an empty list; at least one result is expected", file=source.file)
    lone = len(content.records) == 1
    for record in content.records:
        label = "" if lone else record.path or f"line {record.line}"
        yield record_fields(record, source.file), label


def ratio(numerator: float | None, denominator: float | None) -> float | None:
    """Their quotient, None where either is unknown, the denominator is zero or the result is not finite."""
    if numerator is None or denominator is None or denominator == 0:
        return None
    quotient = numerator / denominator
    return quotient if math.isfinite(quotient) else None


def product(*factors: float | None) -> float | None:
    """Their product, None where any of them is unknown."""
    result = 1.0
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result


def joined(parts: Iterable[str | None]) -> str:
    """The parts of a label that are there, separated by commas."""
    return ", ".join(part for part in parts if part)


def plain(number: float) -> str:
    """A number for a label: 16 rather than 16.0."""
    return f"{number:g}" if abs(number) < 1e6 else f"{number:.0f}"
