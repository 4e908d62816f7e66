"""Which accelerator a statement speaks of, in the words that vendors use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from rackrecord.catalog.accelerators import accelerators, find_accelerator

# Words that name a vendor or a product line, not a chip.
_COMMON = frozenset({"nvidia", "amd", "instinct", "intel", "google", "untetherai"})
_WORD = re.compile(r"[a-z0-9]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


@cache
def _distinctive() -> Mapping[str, tuple[frozenset[str], ...]]:
    """For each accelerator the sets of words, one for each of its spellings, that name it."""
    return {
        accelerator.id: tuple(
            words for text in (accelerator.name, *accelerator.spellings) if (words := _words(text) - _COMMON)
        )
        for accelerator in accelerators().values()
    }


def find_subject(text: str, known: Iterable[str] = ()) -> str | None:
    """The id of the one accelerator that a text names, None if it names none or leaves it open.

    An exact name, spelling or id first, also of `known` accelerators that the table lacks; else the
    accelerator all of whose distinctive words are in the text: "GB300 NVL72" names NVIDIA GB300. Of two, the
    one with more words stands ("H200 NVL" is not H200 SXM); "H200" alone names neither.
    """
    exact = find_accelerator(text)
    if exact is not None:
        return exact
    for accelerator in known:
        if accelerator.casefold() == text.strip().casefold():
            return accelerator
    words = _words(text)
    fits = {
        accelerator: max((len(names) for names in spellings if names <= words), default=0)
        for accelerator, spellings in _distinctive().items()
    }
    most = max(fits.values(), default=0)
    best = sorted(accelerator for accelerator, count in fits.items() if count == most)
    return best[0] if most and len(best) == 1 else None


def near_subjects(text: str) -> tuple[str, ...]:
    """The names of accelerators that share a distinctive word with a text, sorted: what it may have meant."""
    words = _words(text) - _COMMON
    return tuple(
        sorted(
            accelerators()[accelerator].name
            for accelerator, spellings in _distinctive().items()
            if any(names & words for names in spellings)
        )
    )
