"""What a verification is made of: material, checks, and how a check came out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rackrecord.data import Data

_SHOWN = 5


class State(StrEnum):
    """How a check came out; a note is on what could not be checked, and why."""

    OK = "ok"
    FAILED = "failed"
    NOTE = "note"


class Check(Data):
    """One check and what it found."""

    name: str
    state: State
    text: str


class Verification(Data):
    """Every check of one record, PDF or register."""

    subject: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.state is not State.FAILED for check in self.checks)


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to check: the files of a record by name, or a PDF and what it carries (`alone`).

    `number` is that of the folder's name, None where it has none.
    """

    subject: str
    files: Mapping[str, bytes]
    number: int | None = None
    alone: bool = False
    templates: Path | None = None


def passed(name: str, text: str) -> Check:
    """A check that is all right."""
    return Check(name=name, state=State.OK, text=text)


def failed(name: str, text: str) -> Check:
    """A check that found something."""
    return Check(name=name, state=State.FAILED, text=text)


def noted(name: str, text: str) -> Check:
    """A check that could not be made, or not in full."""
    return Check(name=name, state=State.NOTE, text=text)


def some(items: Iterable[str]) -> str:
    """The first few of many findings, and how many more there are."""
    every = list(items)
    more = f"; and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return "; ".join(every[:_SHOWN]) + more
