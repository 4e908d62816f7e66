"""The same work on many records, on every core, with a progress bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import click

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

MANY = 8
"""From so many items on, starting other processes pays, and a bar is shown."""


def each(
    work: Callable[[_Item], _Result],
    items: Sequence[_Item],
    label: str,
    *,
    prepare: Callable[..., None],
    arguments: tuple[object, ...],
) -> Iterator[_Result]:
    """The result of `work` on each item, in order, as it comes.

    `prepare(*arguments)` is run once in each process before the work, to load there what every item needs.
    """
    workers = min(_cores(), len(items))
    many = len(items) >= MANY
    hidden = not (many and sys.stderr.isatty())
    with click.progressbar(length=len(items), label=label, file=sys.stderr, hidden=hidden) as bar:
        for result in _results(work, items, prepare, arguments, workers if many else 1):
            yield result
            bar.update(1)


def _results(
    work: Callable[[_Item], _Result],
    items: Sequence[_Item],
    prepare: Callable[..., None],
    arguments: tuple[object, ...],
    workers: int,
) -> Iterator[_Result]:
    if workers < 2:
        prepare(*arguments)
        yield from map(work, items)
        return
    with ProcessPoolExecutor(workers, initializer=prepare, initargs=arguments) as pool:
        # Small chunks keep the cores evenly loaded and the bar moving.
        yield from pool.map(work, items, chunksize=max(1, min(8, len(items) // (4 * workers))))


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
