"""`rackrecord measure`: what a load-test file says, what to mind about it, and the figure per accelerator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rackrecord.errors import Problem, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rackrecord.measurements.measurement import LatencySummary, Measurement

FINDING = 1
"""Exit code when a figure must not be used."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--accelerators",
    type=int,
    metavar="N",
    help="How many accelerators served the run; overrides the file's.",
)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="Read as this format instead of recognizing it: aiperf, endpoints, genai-perf, guidellm, "
    "inference-perf, inferencex, llmperf, loadgen-detail, loadgen-summary, sglang or vllm.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def measure(
    context: click.Context,
    files: tuple[Path, ...],
    accelerators: int | None,
    format_name: str | None,
    as_json: bool,
) -> None:
    """Read the result files of load tests: one's own replay, in one set of units.

    The format is recognized from the content. Exit code 1 when a check says that a figure must not be used.
    """
    measurements = _measurements(files, accelerators, format_name)
    click.echo(to_json(measurements) if as_json else to_text(measurements))
    if not all(measurement.usable for measurement in measurements):
        context.exit(FINDING)


def _measurements(
    files: Sequence[Path], accelerators: int | None, format_name: str | None
) -> tuple[Measurement, ...]:
    """The measurements of every file. Raises one UserError with the problems of all of them."""
    from rackrecord.measurements.reading import read_measurements

    found: list[Measurement] = []
    problems: list[Problem] = []
    for file in files:
        try:
            data = _read_bytes(file)
            found += read_measurements(data, str(file), format=format_name, accelerators=accelerators)
        except UserError as error:
            problems += error.problems
    if problems:
        raise UserError(dict.fromkeys(problems))
    return tuple(found)


def _read_bytes(file: Path) -> bytes:
    """The bytes of a file, one more than the limit at most: the reader refuses what is larger."""
    from rackrecord.measurements.content import MAX_BYTES

    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise UserError.of(f"{reason}; a load-test result is expected", file=str(file)) from None


def to_json(measurements: Sequence[Measurement]) -> str:
    """The measurements as JSON, keys in alphabetical order, with the figure per accelerator."""
    listed = []
    for measurement in measurements:
        values = measurement.model_dump(mode="json")
        figure = measurement.output_tokens_per_second_per_accelerator
        values["output_tokens_per_second_per_accelerator"] = figure
        listed.append(values)
    return json.dumps({"measurements": listed}, ensure_ascii=False, indent=2, sort_keys=True)


def to_text(measurements: Sequence[Measurement]) -> str:
    """The measurements for reading, one block each."""
    return "\n\n".join("\n".join(_block(measurement)) for measurement in measurements)


def _block(measurement: Measurement) -> list[str]:
    label = f" ({measurement.label})" if measurement.label else ""
    versions = [measurement.tool, measurement.tool_version]
    rows = [
        ("read as", " ".join(part for part in versions if part)),
        ("SHA-256", measurement.sha256),
        ("model", measurement.model or "not recorded"),
        ("output", f"{measurement.output_tokens_per_second:,.2f} tokens/s, whole system"),
        ("per accelerator", _per_accelerator(measurement)),
        ("total", _figure(measurement.total_tokens_per_second, "tokens/s, input and output")),
        ("requests", _figure(measurement.requests_per_second, "requests/s completed")),
        ("offered", _figure(measurement.request_rate, "requests/s")),
        ("concurrency", _figure(measurement.concurrency, "", 0)),
        ("duration", _figure(measurement.duration_s, "s")),
        ("requests done", _requests(measurement)),
        ("TTFT", _latency(measurement.ttft)),
        ("TPOT", _latency(measurement.tpot)),
        ("ITL", _latency(measurement.itl)),
        ("whole request", _latency(measurement.e2e)),
    ]
    lines = [f"{measurement.file}{label}"]
    lines += [f"  {name:<16} {text}" for name, text in rows if text]
    lines += [f"  {check.severity:<8} {check.code}: {check.message}" for check in measurement.checks]
    return lines


def _per_accelerator(measurement: Measurement) -> str:
    figure = measurement.output_tokens_per_second_per_accelerator
    if figure is None:
        return "unknown: give the number of accelerators with --accelerators N"
    return (
        f"{figure:,.2f} tokens/s ({measurement.accelerators} accelerators, {measurement.accelerators_source})"
    )


def _figure(value: float | None, unit: str, digits: int = 2) -> str:
    return "" if value is None else f"{value:,.{digits}f} {unit}".rstrip()


def _requests(measurement: Measurement) -> str:
    counts = (
        (measurement.completed, "completed"),
        (measurement.failed, "failed"),
        (measurement.unfinished, "unfinished"),
    )
    return ", ".join(f"{count:,} {word}" for count, word in counts if count is not None)


def _latency(summary: LatencySummary | None) -> str:
    """Mean and the percentiles from the median up, in ms."""
    if summary is None:
        return ""
    parts = [] if summary.mean_ms is None else [f"mean {summary.mean_ms:,.2f} ms"]
    parts += [
        f"p{percentile:g} {value:,.2f} ms" for percentile, value in summary.percentiles_ms if percentile >= 50
    ]
    return ", ".join(parts)
