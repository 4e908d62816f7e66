"""The accelerators that results name, one canonical id each, with the spellings seen in published files."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec

from rackrecord.data import Data

TABLE_PATH = Path(__file__).parent / "data" / "accelerators.json"

NO_ACCELERATOR = frozenset({"", "n/a", "none", "-"})
"""What a source writes for a system without accelerators, in lower case."""

_MULTIPLIER = re.compile(r"\s*\(x\d+(?:x\d+)?\)")
_SEPARATOR = re.compile(r"\s+and\s+|\s+\+\s+|,\s+")


class Accelerator(Data):
    """One kind of accelerator. Power-capped, virtualized and CTS ones are kinds of their own."""

    id: str
    name: str
    vendor: str
    spellings: tuple[str, ...]


@cache
def accelerators() -> Mapping[str, Accelerator]:
    """Every accelerator on record, by id."""
    rows = msgspec.json.decode(TABLE_PATH.read_bytes(), type=tuple[Accelerator, ...])
    return MappingProxyType({accelerator.id: accelerator for accelerator in rows})


def _key(spelling: str) -> str:
    """What two spellings must share to be one: letters in any case, any white space, no `(x8)`."""
    return " ".join(_MULTIPLIER.sub("", spelling).split()).casefold()


@cache
def _spellings() -> Mapping[str, str]:
    return {
        _key(text): accelerator.id
        for accelerator in accelerators().values()
        for text in (accelerator.id, accelerator.name, *accelerator.spellings)
    }


def parts_of(spelling: str) -> tuple[str, ...]:
    """The accelerators that a cell names, without counts: several for a mixed system, none for `N/A`."""
    if " ".join(spelling.split()).casefold() in NO_ACCELERATOR:
        return ()
    if _key(spelling) in _spellings():
        return (spelling,)
    parts = (_MULTIPLIER.sub("", part).strip() for part in _SEPARATOR.split(spelling))
    return tuple(part for part in parts if part)


def canonical(spelling: str) -> str | None:
    """The id that a spelling in a published file stands for, None where the table lacks it.

    A cell that names several kinds ("A (x8) and B (x8)", "A + B", "A (x32), B (x16)") gives their ids, sorted
    and joined by `+`, or None if one of them is not in the table.
    """
    ids = {_spellings().get(_key(part)) for part in parts_of(spelling)}
    known = {accelerator for accelerator in ids if accelerator is not None}
    return "+".join(sorted(known)) if known and len(known) == len(ids) else None


@cache
def _short_names() -> Mapping[str, str]:
    """Ids, names and spellings without their vendor: `gb300`, `vr200`. No two vendors share one."""
    return {
        _key(text)[len(accelerator.vendor) + 1 :].replace(" ", "-"): accelerator.id
        for accelerator in accelerators().values()
        for text in (accelerator.id, accelerator.name, *accelerator.spellings)
        if _key(text).startswith(tuple(f"{accelerator.vendor}{mark}".casefold() for mark in " -"))
    }


def find_accelerator(text: str) -> str | None:
    """The id for what a person writes, in any case: an id, with or without its vendor, a name or a spelling.

    `nvidia-gb300`, `GB300` and "NVIDIA GB300" give the same id; several may be joined by `+`. `H200` alone,
    of which there are several kinds, gives None.
    """
    ids = [
        canonical(part) or _short_names().get("-".join(part.casefold().split())) for part in text.split("+")
    ]
    known = {accelerator for accelerator in ids if accelerator is not None}
    return "+".join(sorted(known)) if None not in ids else canonical(text)


def accelerator_name(accelerator_id: str) -> str:
    """The name for readers: "NVIDIA GB300"; several joined by " + "; an unknown spelling as it is."""
    table = accelerators()
    if accelerator_id in table:
        return table[accelerator_id].name
    parts = accelerator_id.split("+")
    if all(part in table for part in parts):
        return " + ".join(table[part].name for part in parts)
    return accelerator_id
