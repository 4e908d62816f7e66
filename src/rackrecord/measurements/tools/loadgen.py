"""What the two MLPerf LoadGen logs share: the measurement of a run from the figures of either.

In both, latencies are nanoseconds and every token is an output token of the whole system.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rackrecord.measurements.build import Parts, measurement, nanoseconds, summary
from rackrecord.measurements.content import Source
from rackrecord.measurements.fields import joined, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts, Reading

TOOL = "MLPerf LoadGen"
PERFORMANCE = "PerformanceOnly"


@dataclass
class NanosecondLatency:
    """One latency of a log in nanoseconds."""

    mean: float | None = None
    percentiles: dict[float, float] = field(default_factory=dict)

    def summary(self) -> LatencySummary | None:
        """The same in milliseconds, None where the log has none."""
        mean = None if self.mean is None else nanoseconds(self.mean)
        return summary(
            mean, {percentile: nanoseconds(value) for percentile, value in self.percentiles.items()}
        )


@dataclass
class Run:
    """The figures of one log, in the log's own units: rates per second, latencies in ns.

    `samples_rate` is the completed samples/s, `scheduled_rate` the offered ones. `errors` counts LoadGen's
    own error messages.
    """

    scenario: str | None = None
    mode: str | None = None
    validity: str | None = None
    version: str | None = None
    tokens_rate: float | None = None
    samples_rate: float | None = None
    scheduled_rate: float | None = None
    queries: int | None = None
    errors: int | None = None
    ttft: NanosecondLatency = field(default_factory=NanosecondLatency)
    tpot: NanosecondLatency = field(default_factory=NanosecondLatency)
    e2e: NanosecondLatency = field(default_factory=NanosecondLatency)


def reading(run: Run, tokens_rate: float, source: Source) -> Reading:
    """The measurement of a log. Model and number of accelerators stand in other files of a submission."""
    parts = Parts(
        tool_version=run.version,
        label=joined((run.scenario,)),
        scenario=run.scenario,
        requests_per_second=run.samples_rate,
        ttft=run.ttft.summary(),
        tpot=run.tpot.summary(),
        e2e=run.e2e.summary(),
        request_rate=run.scheduled_rate,
        completed=run.queries,
        mean_output_tokens=ratio(tokens_rate, run.samples_rate),
    )
    return Reading(measurement(TOOL, source, tokens_rate, parts), Facts(invalid=_invalid(run)))


def _invalid(run: Run) -> tuple[str, ...]:
    reasons = []
    if run.validity != "VALID":
        reasons.append(f"the result is {run.validity or 'not marked VALID'}")
    if run.mode != PERFORMANCE:
        reasons.append(f"the mode is {run.mode or 'not recorded'}, not {PERFORMANCE}")
    if run.errors:
        reasons.append(f"LoadGen logged {run.errors} errors")
    return tuple(reasons)
