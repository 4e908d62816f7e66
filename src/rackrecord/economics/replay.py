"""Own load tests beside the verified evidence: the point that counts, and the realized fraction it gives.

The fraction is for the user's own capacity planning; it compares production with a benchmark, not products.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from rackrecord.data import Data
from rackrecord.economics.options import Measured
from rackrecord.measurements.measurement import Measurement
from rackrecord.measurements.sweep import LatencyObjective, MetricResult, sweep
from rackrecord.profile.models import Profile, Slo
from rackrecord.selection.select import Selection


class MeasuredPoint(Data):
    """One point of an option's load tests against the SLO."""

    measurement: Measurement
    results: tuple[MetricResult, ...]
    meets: bool


class OptionMeasurement(Data):
    """An option's own load tests. `chosen` is the index of the best point that meets the SLO.

    `realized_fraction` is its rate per accelerator over the option's verified planning figure, in the
    benchmark's own unit; `why_none` says what stands in the way where it is None.
    """

    option: str
    note: str | None
    points: tuple[MeasuredPoint, ...]
    chosen: int | None
    realized_fraction: Decimal | None
    why_none: str | None


class Replays(msgspec.Struct, frozen=True):
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
        best = swept.best.measurement if swept.best is not None else None
        own = _per_accelerator(best) if best is not None else None
        if own is not None:
            rates[option.id] = own
        fraction, why_none = _fraction(best, own, selections[0], option.id)
        options.append(
            OptionMeasurement(
                option=option.id,
                note=option.measurements.note if option.measurements is not None else None,
                points=tuple(
                    MeasuredPoint(measurement=point.measurement, results=point.results, meets=point.meets)
                    for point in swept.points
                ),
                chosen=points.index(best) if best is not None else None,
                realized_fraction=fraction,
                why_none=why_none,
            )
        )
    return Replays(rates, tuple(options))


def _per_accelerator(point: Measurement) -> Measured | None:
    """The point's rates per accelerator, None where their number is not known or nothing was served."""
    if point.accelerators is None or point.output_tokens_per_second <= 0:
        return None
    requests = point.requests_per_second
    return Measured(
        tokens=Decimal(repr(point.output_tokens_per_second)) / point.accelerators,
        requests=Decimal(repr(requests)) / point.accelerators if requests else None,
    )


def _fraction(
    best: Measurement | None, own: Measured | None, selection: Selection, option_id: str
) -> tuple[Decimal | None, str | None]:
    """The realized fraction, or what stands in its way."""
    if best is None:
        return None, "no measured point is known to meet the SLO"
    if own is None:
        return None, "the number of accelerators measured is not known; state it beside the files"
    planning = selection.evidence(option_id).planning
    if planning is None:
        return None, "there is no verified figure to compare it with"
    fraction = own.fraction_of(planning, selection)
    if fraction is None:
        return None, f"the load test does not count requests, and the verified figure is in {selection.unit}"
    return fraction, None


def _objective(slo: Slo | None) -> LatencyObjective:
    if slo is None:
        return LatencyObjective()
    limits = {
        name: float(value) for name in ("ttft_ms", "tpot_ms", "e2e_ms") if (value := getattr(slo, name))
    }
    return LatencyObjective(**limits, percentile=float(slo.percentile))
