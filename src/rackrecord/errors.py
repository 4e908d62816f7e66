"""What a user can get wrong, as data: every problem with its place, collected and raised at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One mistake in an input.

    `line` and `column` count from 1 and are None where the input has no lines (a folder, a binary file).
    `path` is the field's place in the document, such as `options[2].price.rent`, or empty.
    """

    file: str
    line: int | None
    column: int | None
    path: str
    message: str

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        return ": ".join(part for part in (place, self.path, self.message) if part)


class UserError(Exception):
    """Wrong input: all the problems found in it, in reading order. The command line exits with 2."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(
            sorted(problems, key=lambda p: (p.file, p.line or 0, p.column or 0, p.path, p.message))
        )
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @classmethod
    def of(
        cls,
        message: str,
        *,
        file: str = "",
        line: int | None = None,
        column: int | None = None,
        path: str = "",
    ) -> UserError:
        """A UserError of one problem."""
        return cls([Problem(file, line, column, path, message)])
