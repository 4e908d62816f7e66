"""From demand to racks: racks = Σ⌈D·(1+h)/T⌉ + s over the parts, and its course over the years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from rackrecord.economics.throughput import PartRate
from rackrecord.profile.models import Demand, Workload
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection

# A quotient that exceeds a whole number by less than this share of it is that number: a last digit buys no rack.
_TOLERANCE = Decimal("1e-18")


@dataclass(frozen=True, slots=True)
class PartDemand:
    """Peak demand of one part: in requests/s where `in_requests`, else in output tokens/s; `tokens` is the latter."""

    peak: Decimal
    in_requests: bool
    tokens: Decimal


def peak_demand(
    demand: Demand, workloads: Sequence[Workload], selections: Sequence[Selection]
) -> tuple[PartDemand, ...]:
    """The peak of each part.

    A part's share is of the output tokens, so its share of the requests is share/length over the sum of these.
    Requests/s stay requests/s where the benchmark counts requests, else become tokens/s by the workload's length.
    """
    shares = [workload.share if workload.share is not None else Decimal(1) for workload in workloads]
    if demand.requests_per_second is None:
        total = _tokens(demand)
        return tuple(PartDemand(total * share, in_requests=False, tokens=total * share) for share in shares)
    requests = demand.requests_per_second.value
    if len(shares) == 1:
        return (_of_requests(requests, workloads[0], selections[0]),)
    weights = [
        share / _length(workload, selection)
        for share, workload, selection in zip(shares, workloads, selections, strict=True)
    ]
    whole = sum(weights, Decimal(0))
    return tuple(
        _of_requests(requests * weight / whole, workload, selection)
        for weight, workload, selection in zip(weights, workloads, selections, strict=True)
    )


def _tokens(demand: Demand) -> Decimal:
    if demand.output_tokens_per_second is not None:
        return demand.output_tokens_per_second.value
    assert demand.users is not None  # one of the three forms, checked when the profile was read
    return demand.users.concurrent * demand.users.tokens_per_second_each


def _of_requests(requests: Decimal, workload: Workload, selection: Selection) -> PartDemand:
    tokens = requests * _length(workload, selection)
    in_requests = selection.unit != TOKEN_UNIT
    return PartDemand(requests if in_requests else tokens, in_requests=in_requests, tokens=tokens)


def _length(workload: Workload, selection: Selection) -> Decimal:
    """Output tokens per request of the workload, of the benchmark where the workload's are not stated."""
    length = workload.output_tokens_per_request or selection.mean_output_tokens
    assert length is not None  # the profile's checks ask for it where the benchmark counts tokens; the rest have a mean
    return length


def rack_capacity(part: PartRate, demand: PartDemand, accelerators: int, realized_fraction: Decimal) -> Decimal:
    """What one rack serves of the part alone, in the unit of its demand."""
    rate = part.native if demand.in_requests else part.tokens
    return rate * accelerators * realized_fraction


def serving_racks(demand: PartDemand, capacity: Decimal, headroom: Decimal, grown: Decimal = Decimal(1)) -> int:
    """⌈D·(1+h)/T⌉ of one part for a peak that has grown by the factor `grown`."""
    quotient = demand.peak * grown * (1 + headroom) / capacity
    return int((quotient * (1 - _TOLERANCE)).to_integral_value(rounding=ROUND_CEILING))


def racks_needed(
    demands: Sequence[PartDemand], capacities: Sequence[Decimal], headroom: Decimal, spares: int, grown: Decimal
) -> int:
    """Racks for a peak that has grown by the factor `grown`; each part has its own racks, all share the spares."""
    parts = zip(demands, capacities, strict=True)
    return spares + sum(serving_racks(demand, capacity, headroom, grown) for demand, capacity in parts)


def years_until_next_rack(
    demands: Sequence[PartDemand], capacities: Sequence[Decimal], headroom: Decimal, growth: Decimal
) -> Decimal | None:
    """Years until steady growth fills the serving racks of the first part to do so; None without growth.

    Solves D·(1+g)^t·(1+h) = ⌈D·(1+h)/T⌉·T for t.
    """
    if growth <= 0 or (1 + growth).ln() == 0:
        return None
    times = []
    for demand, capacity in zip(demands, capacities, strict=True):
        full = serving_racks(demand, capacity, headroom) * capacity
        times.append((full / (demand.peak * (1 + headroom))).ln() / (1 + growth).ln())
    return max(min(times), Decimal(0))


def native_demand(demand: PartDemand, selection: Selection, headroom: Decimal) -> Decimal | None:
    """The peak with headroom in the benchmark's own unit; None where tokens cannot become requests."""
    peak = demand.peak * (1 + headroom)
    if demand.in_requests or selection.unit == TOKEN_UNIT:
        return peak
    return peak / selection.mean_output_tokens if selection.mean_output_tokens is not None else None
