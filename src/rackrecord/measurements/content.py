"""From the bytes of a file to text and JSON values: bounded, strict, and with the line of every record."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from rackrecord.errors import UserError

MAX_BYTES = 64 * 1024 * 1024
MAX_DIGITS = 40
MAX_DEPTH = 100

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a measurement was read from: the file's name as given, and the SHA-256 of its bytes in hex."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class NotFinite:
    """A bare `Infinity`, `-Infinity` or `NaN`, which is not JSON; kept apart, never a figure."""

    spelling: str


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value of a file: the file's only one, a line of JSON Lines, or an element of its array.

    `path` is empty, or the index of an array element such as `[2]`.
    """

    value: Any
    line: int
    path: str


@dataclass(frozen=True, slots=True)
class Content:
    """A decoded file. `records` is empty where the text is not JSON, and `json_error` then says why."""

    text: str
    records: tuple[Record, ...]
    json_error: UserError | None

    @property
    def first(self) -> JsonObject:
        """The first record where it is an object, else an empty object: what recognition looks at."""
        if self.records and isinstance(self.records[0].value, dict):
            return self.records[0].value
        return {}


_SPACE = re.compile(r"\s*")


class _BadJson(Exception):
    """JSON that parses and is still refused."""


def decode(data: bytes, name: str) -> Content:
    """The text of a file and its JSON records.

    Raises UserError for a file that is empty, larger than 64 MB, not UTF-8 or holds NUL characters. Text that
    is not JSON is no error here: some tools write CSV or logs.
    """
    if len(data) > MAX_BYTES:
        raise UserError.of(
            f"more than {MAX_BYTES:,} bytes; a load-test result of at most that is expected", file=name
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError.of("not UTF-8 text; a load-test result is", file=name, line=line) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError.of("a NUL character; a load-test result is plain text", file=name, line=line)
    if not text.strip():
        raise UserError.of("the file is empty; a load-test result is expected", file=name)
    try:
        return Content(text, tuple(_records(text, name)), None)
    except UserError as error:
        return Content(text, (), error)


def _records(text: str, name: str) -> list[Record]:
    values = _json_values(text, name)
    if len(values) == 1 and isinstance(values[0].value, list):
        line = values[0].line
        return [Record(value, line, f"[{index}]") for index, value in enumerate(values[0].value)]
    return values


def _json_values(text: str, name: str) -> list[Record]:
    """Every JSON value of the text, one after the other: one document, or one object a line."""
    decoder = json.JSONDecoder(
        object_pairs_hook=_object,
        parse_constant=NotFinite,
        parse_int=_integer,
        parse_float=_float,
    )
    values: list[Record] = []
    position, line, counted = 0, 1, 0
    while True:
        position = _SPACE.match(text, position).end()  # type: ignore[union-attr]  # \s* always matches
        if position == len(text):
            return values
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise _json_error(error, text, name) from None
        except _BadJson as error:
            raise UserError.of(str(error), file=name, line=line) from None
        except RecursionError:
            raise _too_deep(name, line) from None
        if _depth_above(value, MAX_DEPTH):
            raise _too_deep(name, line)
        values.append(Record(value, line, ""))


def _json_error(error: json.JSONDecodeError, text: str, name: str) -> UserError:
    ended = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    if ended:
        message = "the file ends in the middle of a JSON value; it looks truncated"
    else:
        message = f"not JSON: {error.msg.lower()}"
    return UserError.of(message, file=name, line=error.lineno, column=error.colno)


def _too_deep(name: str, line: int) -> UserError:
    return UserError.of(
        f"nested deeper than {MAX_DEPTH} levels; a load-test result is not", file=name, line=line
    )


def _depth_above(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            child
            for parent in level
            if isinstance(parent, dict | list)
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
        if not level:
            return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _BadJson(f"the key {shown(key)} stands twice in one object; once is expected")
            seen.add(key)
    return value


def _integer(digits: str) -> int:
    # int() of many digits takes quadratic time, and Python refuses it past a limit with an error of its own
    if len(digits) > MAX_DIGITS:
        _refuse_number(digits)
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > 10 * MAX_DIGITS:
        _refuse_number(digits)
    return float(digits)


def _refuse_number(digits: str) -> NoReturn:
    raise _BadJson(f"a number of {len(digits):,} characters; no load-test figure has that many")


def shown(value: object, limit: int = 60) -> str:
    """A value for an error message: short, printable, texts in quotes."""
    if isinstance(value, NotFinite):
        return value.spelling
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = clean(str(value), limit)
    return f'"{text}"' if isinstance(value, str) else text


def clean(text: str, limit: int = 200) -> str:
    """Text from a file made safe to print: one line, no control characters, at most `limit` characters."""
    printable = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:limit]
    )
    return printable + "…" if len(text) > limit else printable
