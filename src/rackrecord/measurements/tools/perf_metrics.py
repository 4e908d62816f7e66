"""What GenAI-Perf and AIPerf share: a table of metrics, each with its own unit, as JSON or CSV.

A metric is `{unit, avg, p50, p90, ..., min, max, std}`; a single-valued one has only `avg`. The unit is read
from the file for every metric and an unknown one is an error: nothing is guessed from the size of a number.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from rackrecord.errors import UserError
from rackrecord.measurements.build import Parts, summary
from rackrecord.measurements.content import Content, JsonObject, Source, shown
from rackrecord.measurements.fields import Fields, product, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts

_TIME_TO_MS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3, "sec": 1e3, "seconds": 1e3}
_TOKEN_RATES = ("tokens/sec", "tokens/s", "per sec")
_REQUEST_RATES = ("requests/sec", "requests/s", "per sec")
_PERCENTILE = re.compile(r"p\d{1,2}(?:\.\d+)?")
_CSV_NAME = re.compile(r"(?P<name>[^()]+?)\s*(?:\((?P<unit>[^()]*)\))?")

ITL_IS_TPOT = (
    "The tool's inter_token_latency is one average a request, (request - first token) ÷ (tokens - 1), "
    "which the other tools call TPOT; it is read as TPOT"
)


class Metrics:
    """The metrics of one file by their JSON names. Raises UserError for a metric of another shape or unit."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def rate(self, key: str, units: tuple[str, ...]) -> tuple[float | None, str]:
        """A rate over the run, None where the file has none, and its statistic: "mean" or "median"."""
        metric = self.fields.section(key)
        if metric is None:
            return None, "mean"
        unit = self._unit(metric)
        if unit not in units:
            metric.fail("unit", f"found {shown(unit)}, expected {units[0]}")
        if metric.has("avg"):
            return metric.number("avg"), "mean"
        if metric.has("p50"):
            return metric.number("p50"), "median"
        metric.fail("avg", "missing; a number is expected")

    def single(self, *keys: str) -> float | None:
        """The one value, or the mean, of the first of these metrics that is there, in its own unit."""
        for key in keys:
            metric = self.fields.section(key)
            if metric is not None and metric.has("avg"):
                return metric.number("avg")
        return None

    def count(self, key: str) -> int | None:
        """A single-valued metric as a whole number."""
        metric = self.fields.section(key)
        return metric.count_or_none("avg") if metric else None

    def latency(self, *keys: str) -> LatencySummary | None:
        """The first of these latencies that is there, converted to milliseconds by its own unit."""
        for key in keys:
            metric = self.fields.section(key)
            if metric is None:
                continue
            factor = self._to_ms(metric)
            mean = metric.number_or_none("avg")
            percentiles = {}
            for name in metric.values:
                if _PERCENTILE.fullmatch(name) and metric.has(name):
                    percentiles[float(name[1:])] = metric.number(name) * factor
            return summary(None if mean is None else mean * factor, percentiles)
        return None

    def seconds(self, key: str) -> float | None:
        """A duration in seconds."""
        metric = self.fields.section(key)
        if metric is None or not metric.has("avg"):
            return None
        return metric.number("avg") * self._to_ms(metric) / 1000

    def _to_ms(self, metric: Fields) -> float:
        unit = self._unit(metric)
        if unit not in _TIME_TO_MS:
            metric.fail("unit", f"found {shown(unit)}, expected one of {', '.join(_TIME_TO_MS)}")
        return _TIME_TO_MS[unit]

    def _unit(self, metric: Fields) -> str:
        unit = metric.text_or_none("unit")
        if unit is None:
            metric.fail("unit", "missing; the unit of the metric is expected")
        return unit


def is_metric(value: object) -> bool:
    """Whether it is a metric with its unit."""
    return isinstance(value, dict) and "unit" in value


def common_parts(metrics: Metrics) -> tuple[float, Parts, Facts]:
    """The output tokens/s, and what both tools record in the same way."""
    output, statistic = metrics.rate("output_token_throughput", _TOKEN_RATES)
    if output is None:
        metrics.fields.fail(
            "output_token_throughput",
            "missing; the output tokens per second of the whole system are expected "
            "(output_token_throughput_per_user is the rate of one user)",
        )
    total, _ = metrics.rate("total_token_throughput", _TOKEN_RATES)
    requests, _ = metrics.rate("request_throughput", _REQUEST_RATES)
    duration = metrics.seconds("benchmark_duration")
    completed = metrics.count("request_count")
    tokens = metrics.single("total_osl")
    output_length = metrics.single("output_sequence_length")
    if tokens is None:
        tokens = product(output_length, completed)
    input_length = metrics.single("input_sequence_length")
    tpot = metrics.latency("inter_token_latency")
    parts = Parts(
        input_tokens_per_second=product(input_length, requests),
        total_tokens_per_second=total,
        requests_per_second=requests,
        ttft=metrics.latency("time_to_first_token", "ttft"),
        tpot=tpot,
        e2e=metrics.latency("request_latency"),
        duration_s=duration,
        completed=completed,
        mean_output_tokens=output_length,
        mean_input_tokens=input_length,
    )
    if duration is not None:
        recomputed, source = ratio(tokens, duration), "total_osl ÷ benchmark_duration"
    else:
        recomputed, source = product(output_length, requests), "output_sequence_length × request_throughput"
    facts = Facts(
        recomputed_output_rate=recomputed,
        recomputed_from=source,
        output_count=tokens,
        other_output_count=metrics.single("total_output_tokens"),
        other_output_meaning="tokens without reasoning (total_output_tokens)",
        statistic=statistic,
        latency_definitions=(ITL_IS_TPOT,) if tpot is not None else (),
    )
    return output, parts, facts


def is_csv(content: Content) -> bool:
    """Whether the text opens with the header of the metric table and has an output token throughput."""
    head = content.text.lstrip()[:7].lower()
    return head == "metric," and "output token throughput" in content.text.lower()


def csv_header(content: Content) -> tuple[str, ...]:
    """The column names of the first table."""
    first = content.text.lstrip().splitlines()[0]
    return tuple(cell.strip().lower() for cell in first.split(","))


def csv_metrics(content: Content, source: Source) -> Metrics:
    """The metrics of a CSV file under their JSON names, with the unit that each row's name holds.

    A table of statistics, an empty line, then rows of one value. Further tables (telemetry) are left alone.
    """
    values: JsonObject = {}
    header: list[str] = []
    for line, row in _csv_rows(content, source):
        if row[0].strip().lower() == "metric":
            header = [cell.strip().lower() for cell in row]
            continue
        if not header or len(row) > len(header):
            break
        name, unit = _csv_name(row[0])
        if name in values:
            raise UserError.of(
                f"the metric {shown(row[0])} stands twice; once is expected", file=source.file, line=line
            )
        metric: JsonObject = {"unit": unit}
        for column, cell in zip(header[1:], row[1:], strict=False):
            number = _csv_number(cell, source, line, row[0])
            if number is not None:
                metric["avg" if column == "value" else column] = number
        values[name] = metric
    return Metrics(Fields(values, source.file, None))


def _csv_rows(content: Content, source: Source) -> Iterator[tuple[int, list[str]]]:
    rows = csv.reader(io.StringIO(content.text), strict=True)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise UserError.of(f"not CSV: {error}", file=source.file, line=rows.line_num) from None
        if any(cell.strip() for cell in row):
            yield rows.line_num, row


def _csv_name(cell: str) -> tuple[str, str | None]:
    match = _CSV_NAME.fullmatch(cell.strip())
    if match is None:
        return cell.strip().lower(), None
    return re.sub(r"\s+", "_", match["name"].lower()), match["unit"] or None


def _csv_number(cell: str, source: Source, line: int, name: str) -> float | None:
    """A number as the tools print it, with commas between thousands; None for an empty cell or N/A."""
    text = cell.strip().replace(",", "")
    if text in ("", "N/A", "nan"):
        return None
    if not re.fullmatch(r"-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", text):
        raise UserError.of(
            f"found {shown(cell)}, expected a number", file=source.file, line=line, path=name.strip()[:60]
        )
    return float(text)
