"""The nearest known name for one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 80
"""A longer text is no misspelled name, and comparing it would take long."""


def nearest(found: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """The known name most like `found`, None where none is near; case does not count."""
    if len(found) > _LONGEST:
        return None
    from difflib import get_close_matches  # needed for a mistake only

    names = {name.casefold(): name for name in sorted(known)}
    near = get_close_matches(found.casefold(), names, n=1, cutoff=cutoff)
    return names[near[0]] if near else None


def did_you_mean(found: str, known: Iterable[str]) -> str:
    """` (did you mean X?)`, or nothing where no known name is near; case does not count."""
    name = nearest(found, known)
    return f" (did you mean {name}?)" if name is not None else ""
