"""Own load tests beside the verified evidence: the point that counts, and the realized fraction it gives.

The fraction is for the user's own capacity planning; it compares production with a benchmark, not products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rackrecord.economics.options import Measured
from rackrecord.measurements.measurement import Measurement
from rackrecord.measurements.sweep import LatencyObjective, MetricResult, sweep
from rackrecord.model import StrictModel
from rackrecord.profile.models import Profile, Slo
from rackrecord.selection.select import Selection, token_rate


class MeasuredPoint(StrictModel):
    """One point of an option's load tests against the SLO."""

    measurement: Measurement
    results: tuple[MetricResult, ...]
    meets: bool


class OptionMeasurement(StrictModel):
    """An option's own load tests. `chosen` is the index of the best point that meets the SLO.

    `realized_fraction` is its output tokens/s per accelerator over the option's verified planning figure; `why_none`
    says what stands in the way where it is None.
    """

    option: str
    note: str | None
    points: tuple[MeasuredPoint, ...]
    chosen: int | None
    realized_fraction: Decimal | None
    why_none: str | None


@dataclass(frozen=True, slots=True)
class Replays:
    """What the measurements give: per-accelerator rates by option, and the data for the record."""

    rates: Mapping[str, Measured]
    options: tuple[OptionMeasurement, ...]


def measured_options(
    profile: Profile, selections: Sequence[Selection], measurements: Mapping[str, Sequence[Measurement]]
) -> Replays:
    """Judge every option's measurements against the SLO of the workload's first part."""
    rates: dict[str, Measured] = {}
    options: list[OptionMeasurement] = []
    for option in profile.options:
        points = tuple(measurements.get(option.id, ()))
        if not points:
            continue
        swept = sweep(points, _objective(profile.parts[0].slo))
        chosen = points.index(swept.best.measurement) if swept.best is not None else None
        why_none = "no measured point is known to meet the SLO" if chosen is None else None
        rate = points[chosen].output_tokens_per_second_per_accelerator if chosen is not None else None
        planning = token_rate(selections[0], selections[0].evidence(option.id).planning)
        if rate is not None:
            rates[option.id] = Measured(Decimal(repr(rate)))
        elif chosen is not None:
            why_none = "the number of accelerators measured is not known; state it beside the files"
        if rate is not None and planning is None:
            why_none = "there is no verified figure to compare it with"
        options.append(
            OptionMeasurement(
                option=option.id,
                note=option.measurements.note if option.measurements is not None else None,
                points=tuple(
                    MeasuredPoint(measurement=point.measurement, results=point.results, meets=point.meets)
                    for point in swept.points
                ),
                chosen=chosen,
                realized_fraction=Decimal(repr(rate)) / planning if rate is not None and planning else None,
                why_none=why_none,
            )
        )
    return Replays(rates, tuple(options))


def _objective(slo: Slo | None) -> LatencyObjective:
    if slo is None:
        return LatencyObjective()
    limits = {name: float(value) for name in ("ttft_ms", "tpot_ms", "e2e_ms") if (value := getattr(slo, name))}
    return LatencyObjective(**limits, percentile=float(slo.percentile))
