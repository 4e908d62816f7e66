"""What the register shows of each record, read without building the whole record: a fifth of the time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

import msgspec

from rackrecord.errors import UserError
from rackrecord.migrations import SCHEMA, migrated
from rackrecord.register.folder import RECORD_JSON, number_of, record_folders

REVIEWS = "reviews"
AFTERWARDS = "afterwards.json"

_T = TypeVar("_T")


class Step(msgspec.Struct, frozen=True):
    """A step of the record's life; `successor` only where another record supersedes it."""

    status: str
    by: str
    on: date
    note: str | None = None
    successor: int | None = None


class TriggerFacts(msgspec.Struct, frozen=True):
    """A reason to look again, as record.Trigger has it."""

    kind: str
    subject: str
    due: date | None
    text: str


class DecisionFacts(msgspec.Struct, frozen=True):
    """What is recommended and decided."""

    recommended: str | None
    recommendation: str
    strength: str
    decided: str | None


class ReviewFacts(msgspec.Struct, frozen=True):
    """When the record is to be looked at again."""

    next_round: str | None
    expected: str | None
    date: date | None


class Fields(msgspec.Struct, frozen=True):
    """Of the seven fields, those that the register shows."""

    workload: str
    decision: DecisionFacts
    review_due: ReviewFacts


class PartFacts(msgspec.Struct, frozen=True):
    """One part of the workload: which results it stands on."""

    benchmark: str
    scenario: str
    newest_round: str | None


class RoundFacts(msgspec.Struct, frozen=True):
    """A round that the catalog had."""

    round: str


class OptionFacts(msgspec.Struct, frozen=True):
    """An option's name."""

    id: str
    name: str


class ProfileFacts(msgspec.Struct, frozen=True):
    """Of the profile, what the register shows."""

    owner: str
    approver: str | None
    options: tuple[OptionFacts, ...]


class Facts(msgspec.Struct, frozen=True):
    """Of a record's JSON, what the register and the review need."""

    schema_version: int
    number: int | None
    title: str
    status: str
    history: tuple[Step, ...]
    supersedes: int | None
    as_of: date
    capacity_decision_record: Fields
    evidence: tuple[PartFacts, ...]
    triggers: tuple[TriggerFacts, ...]
    catalog_rounds: tuple[RoundFacts, ...]
    profile: ProfileFacts
    profile_sha256: str | None
    sha256: str

    def option_name(self, option_id: str) -> str:
        """An option's name, its id where the profile has none of that id."""
        return next((option.name for option in self.profile.options if option.id == option_id), option_id)


class RecheckFacts(msgspec.Struct, frozen=True):
    """Of a re-check's JSON, what the review needs."""

    as_of: date
    verdict: str
    rounds: tuple[str, ...]


class _Afterwards(msgspec.Struct, frozen=True):
    changes: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of the register. `files` are the names in its folder, `recheck` is the newest there is."""

    folder: str
    number: int
    facts: Facts
    afterwards: tuple[Step, ...]
    files: frozenset[str]
    recheck: RecheckFacts | None

    @property
    def status(self) -> str:
        """The status that holds now."""
        return self.afterwards[-1].status if self.afterwards else self.facts.status

    @property
    def successor(self) -> int | None:
        """The record that supersedes this one, by number."""
        return self.afterwards[-1].successor if self.afterwards else None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole history, oldest first."""
        return (*self.facts.history, *self.afterwards)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record's folder that cannot be read, and why."""

    folder: str
    number: int
    why: str


def read_entries(records: Path) -> Iterator[Entry | Unreadable]:
    """Every record of a register, by number.

    Raises:
        UserError: the folder itself cannot be read.
    """
    for folder in record_folders(records):
        number = number_of(folder)
        assert number is not None  # record_folders finds no other
        try:
            yield read_entry(folder, number)
        except UserError as error:
            problem = error.problems[0]
            yield Unreadable(folder.name, number, f"{os.path.basename(problem.file)} {problem.message}")


def read_entry(folder: Path, number: int) -> Entry:
    """The record in a folder; UserError where it cannot be read."""
    place = str(folder)
    files = frozenset(_names(place))
    facts = _facts(_read(os.path.join(place, RECORD_JSON)), RECORD_JSON)
    afterwards: tuple[Step, ...] = ()
    if AFTERWARDS in files:
        afterwards = _decoded(_read(os.path.join(place, AFTERWARDS)), _AFTERWARDS, AFTERWARDS).changes
    recheck = _newest_recheck(os.path.join(place, REVIEWS)) if REVIEWS in files else None
    return Entry(folder.name, number, facts, afterwards, files, recheck)


_FACTS = msgspec.json.Decoder(Facts)
_AFTERWARDS = msgspec.json.Decoder(_Afterwards)
_RECHECK = msgspec.json.Decoder(RecheckFacts)


def _facts(data: bytes, name: str) -> Facts:
    """The facts in a record's JSON; one of an earlier schema goes the slow way."""
    try:
        facts = _FACTS.decode(data)
    except msgspec.DecodeError as error:
        reason = str(error)
    else:
        if facts.schema_version == SCHEMA:
            return facts
        reason = ""
    return _migrated_facts(data, name, reason)


def _migrated_facts(data: bytes, name: str, reason: str) -> Facts:
    try:
        content = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise UserError.of(f"is not the JSON of a record: {error}", file=name) from error
    if not isinstance(content, dict):
        raise UserError.of("is not a capacity decision record", file=name)
    version = content.get("schema_version")
    present = migrated(content)
    if present is None:
        message = f"has record schema {version!r}; this version reads schemas up to {SCHEMA}"
        raise UserError.of(message, file=name)
    try:
        return msgspec.convert(present, Facts)
    except msgspec.ValidationError as error:
        raise UserError.of(f"is not a whole record: {reason or error}", file=name) from error


def _decoded(data: bytes, decoder: msgspec.json.Decoder[_T], name: str) -> _T:
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as error:
        raise UserError.of(f"is not what it should be: {error}", file=name) from error


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UserError.of(f"cannot be read: {error.strerror or error}", file=path) from error


def _names(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError as error:
        raise UserError.of(f"cannot be read: {error.strerror or error}", file=path) from error


def _newest_recheck(folder: str) -> RecheckFacts | None:
    """The re-check with the latest day, which is its file's name; one that is damaged counts for nothing."""
    try:
        names = sorted((name for name in _names(folder) if name.endswith(".json")), reverse=True)
    except UserError:
        return None
    for name in names:
        try:
            return _decoded(_read(os.path.join(folder, name)), _RECHECK, name)
        except UserError:
            continue
    return None
