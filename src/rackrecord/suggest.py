"""The nearest known name for one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(found: str, known: Iterable[str]) -> str:
    """` (did you mean X?)`, or nothing where no known name is near; case does not count."""
    names = {name.casefold(): name for name in known}
    near = get_close_matches(found.casefold(), names, n=1, cutoff=0.6)
    return f" (did you mean {names[near[0]]}?)" if near else ""
