"""From the bytes of a load-test file to measurements with their checks."""

from __future__ import annotations

import hashlib

from rackrecord.data import ValidationError
from rackrecord.errors import UserError
from rackrecord.measurements.checks import Expectation, duplicates, with_checks
from rackrecord.measurements.content import Content, Source, clean, decode, shown
from rackrecord.measurements.measurement import Measurement
from rackrecord.measurements.reader import Reader, Reading
from rackrecord.measurements.registry import READERS
from rackrecord.measurements.unread import explain


def format_names() -> tuple[str, ...]:
    """The names that `format` may take, in alphabetical order."""
    return tuple(sorted(reader.name for reader in READERS))


def read_measurements(
    data: bytes,
    name: str,
    *,
    format: str | None = None,
    accelerators: int | None = None,
    expectation: Expectation | None = None,
) -> tuple[Measurement, ...]:
    """Every run or sweep point of one load-test file, in the order of the file, with its checks.

    `name` is the file as the user gave it. The format is recognized from the content unless `format` names
    one of `format_names()`. `accelerators` is the number that served the run, which overrides the file's; a
    file that records none leaves the number unknown and a check that asks for it.

    Raises UserError, with file and line where known, for a file that is empty, larger than 64 MB, truncated,
    of another tool, or holds a figure that is not a finite number of zero or more.
    """
    name = clean(name)
    if accelerators is not None and accelerators < 1:
        raise UserError.of(f"found {accelerators} accelerators, expected at least 1", file=name)
    content = decode(data, name)
    source = Source(name, hashlib.sha256(data).hexdigest())
    reader = _reader(content, source, format)
    readings = _read(reader, content, source)
    if not readings:
        raise UserError.of("no result in the file; at least one is expected", file=source.file)
    repeated = duplicates(readings)
    return tuple(
        with_checks(reading, accelerators=accelerators, expectation=expectation, repeats=repeats)
        for reading, repeats in zip(readings, repeated, strict=True)
    )


def _reader(content: Content, source: Source, format: str | None) -> Reader:
    if format is not None:
        for reader in READERS:
            if reader.name == format:
                return reader
        raise UserError.of(f"found the format {shown(format)}, expected one of {', '.join(format_names())}")
    for reader in READERS:
        if reader.recognize(content):
            return reader
    if content.json_error is not None and content.text.lstrip()[:1] in ("{", "["):
        raise content.json_error
    raise UserError.of(
        f"{explain(content)}; not a load-test result of a known tool ({', '.join(format_names())})",
        file=source.file,
    )


def _read(reader: Reader, content: Content, source: Source) -> tuple[Reading, ...]:
    try:
        return reader.read(content, source)
    except ValidationError as error:
        # the fields are checked one by one; only a figure that overflows in a conversion gets this far
        raise UserError.of(
            "a figure that no load test reaches, expected a finite number", file=source.file, path=str(error)
        ) from None
