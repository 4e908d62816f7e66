"""The interface of a load-test reader, and the raw facts that it hands on to the checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.measurement import Measurement


@dataclass(frozen=True, slots=True)
class Facts:
    """What a file says beside its figures, for the checks alone.

    `requested_output_tokens` is the length asked for a request, where none was measured.
    `recomputed_output_rate` is tokens ÷ time in tokens/s, worked out from other fields than the stated rate,
    and `recomputed_from` says which. `other_output_count` is a second count of the same output tokens as
    `output_count`, with its meaning. `statistic` is what the output rate is ("mean", "median", "peak") and
    `peak_output_rate` the file's own peak in tokens/s. `whole_run_rate` is the output rate over the whole run
    where the stated rate counts the shorter `legacy_window_s`. `accelerator_hint` tells why the number of
    accelerators could not be read, or what the file says near it.
    """

    invalid: tuple[str, ...] = ()
    converted: str | None = None
    scope_unclear: str | None = None
    recomputed_output_rate: float | None = None
    recomputed_from: str = ""
    output_count: float | None = None
    other_output_count: float | None = None
    other_output_meaning: str = ""
    statistic: str = "mean"
    peak_output_rate: float | None = None
    blended_stages: bool = False
    legacy_window_s: float | None = None
    whole_run_rate: float | None = None
    accelerator_hint: str | None = None
    latency_definitions: tuple[str, ...] = ()
    requested_output_tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One measurement as the file has it, before the checks, with the facts that the checks need."""

    measurement: Measurement
    facts: Facts


@dataclass(frozen=True, slots=True)
class Reader:
    """One tool's format.

    `recognize` tells from the content alone whether the file is this tool's. `read` gives every point in it,
    in the order of the file, and raises UserError with file, line and field where the content is not what the
    tool writes.
    """

    name: str
    title: str
    recognize: Callable[[Content], bool]
    read: Callable[[Content, Source], tuple[Reading, ...]]
