"""A measurement: what one load test reached, in one set of units, whichever tool wrote it."""

from math import isfinite

from rackrecord.data import Data, ValidationError
from rackrecord.measurements.codes import Check, Severity

MEDIAN = 50.0


def _check_finite(name: str, value: object) -> None:
    if isinstance(value, float) and not isfinite(value):
        raise ValidationError(name)


class LatencySummary(Data):
    """One latency over the requests of a run, in milliseconds.

    `percentiles_ms` holds (percentile, milliseconds) pairs in rising order of percentile; the median is the
    50th. Only what the file records is there: nothing is interpolated.
    """

    mean_ms: float | None
    percentiles_ms: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        """ValidationError where a latency is not finite."""
        _check_finite("mean_ms", self.mean_ms)
        for percentile, latency in self.percentiles_ms:
            _check_finite(f"percentiles_ms.{percentile:g}", latency)

    @property
    def median_ms(self) -> float | None:
        """The 50th percentile in milliseconds, None where it is not recorded."""
        return self.percentile_ms(MEDIAN)

    def percentile_ms(self, percentile: float) -> float | None:
        """The milliseconds at exactly that percentile (99 for p99), None where it is not recorded."""
        return dict(self.percentiles_ms).get(percentile)


class Measurement(Data):
    """One run or one point of a sweep.

    Rates are for the **whole system** and means over the run. `output_tokens_per_second` counts generated
    tokens only, `total_tokens_per_second` input and output. `concurrency` is the number of requests that the
    load generator kept, or allowed, in flight; `mean_concurrency` what it measured. `request_rate` is the
    offered load in requests per second, never a result; None where none was set or it was unlimited.
    `failed` and `unfinished` are None where the tool does not count them. `accelerators_source` names the
    field of the file that the number came from, or is "given", or None with an unknown number. `label` tells
    the points of one file apart. Mean lengths are tokens per completed request.
    """

    tool: str
    tool_version: str | None
    format_version: str | None
    file: str
    sha256: str
    label: str
    model: str | None
    scenario: str | None
    output_tokens_per_second: float
    input_tokens_per_second: float | None
    total_tokens_per_second: float | None
    requests_per_second: float | None
    ttft: LatencySummary | None
    tpot: LatencySummary | None
    itl: LatencySummary | None
    e2e: LatencySummary | None
    concurrency: float | None
    mean_concurrency: float | None
    request_rate: float | None
    duration_s: float | None
    completed: int | None
    failed: int | None
    unfinished: int | None
    accelerators: int | None
    accelerators_source: str | None
    mean_output_tokens: float | None
    mean_input_tokens: float | None
    checks: tuple[Check, ...]

    def __post_init__(self) -> None:
        """ValidationError where a figure is not finite."""
        for name in self.__struct_fields__:
            _check_finite(name, getattr(self, name))

    @property
    def output_tokens_per_second_per_accelerator(self) -> float | None:
        """Output tokens/s ÷ accelerators, None while the number of accelerators is unknown."""
        if self.accelerators is None:
            return None
        return self.output_tokens_per_second / self.accelerators

    @property
    def usable(self) -> bool:
        """Whether no check says that the figure must not be used."""
        return all(check.severity is not Severity.UNUSABLE for check in self.checks)
