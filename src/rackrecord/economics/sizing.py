"""From demand to racks: racks = Σ⌈D·(1+h)/T⌉ + s over the parts, and its course over the years."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal

import msgspec

from rackrecord.economics.throughput import PartRate
from rackrecord.profile.models import Demand, Profile, Workload
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection

# A quotient above a whole number by less than this share of it is that number: a last digit buys no rack.
_TOLERANCE = Decimal("1e-18")


class PartDemand(msgspec.Struct, frozen=True):
    """Peak demand of one part, in requests/s where `in_requests`, else in output tokens/s as `tokens` is."""

    peak: Decimal
    in_requests: bool
    tokens: Decimal


def peak_demand(
    demand: Demand, workloads: Sequence[Workload], selections: Sequence[Selection]
) -> tuple[PartDemand, ...]:
    """The peak of each part.

    A part's share is of the output tokens, so its share of the requests is share/length over the sum of
    these. Requests/s stay requests/s where the benchmark counts requests, else become tokens/s by the
    workload's length.
    """
    shares = [part_share(workload) for workload in workloads]
    if demand.requests_per_second is None:
        total = _tokens(demand)
        return tuple(PartDemand(total * share, in_requests=False, tokens=total * share) for share in shares)
    requests = demand.requests_per_second.value
    if len(shares) == 1:
        return (_of_requests(requests, workloads[0], selections[0]),)
    weights = [
        share / request_length(workload, selection)
        for share, workload, selection in zip(shares, workloads, selections, strict=True)
    ]
    whole = sum(weights, Decimal(0))
    return tuple(
        _of_requests(requests * weight / whole, workload, selection)
        for weight, workload, selection in zip(weights, workloads, selections, strict=True)
    )


def part_share(workload: Workload) -> Decimal:
    """The part's share of the output tokens, all of them where it is the only one."""
    return workload.share if workload.share is not None else Decimal(1)


def _tokens(demand: Demand) -> Decimal:
    if demand.output_tokens_per_second is not None:
        return demand.output_tokens_per_second.value
    assert demand.users is not None  # one of the three forms, checked when the profile was read
    return demand.users.concurrent * demand.users.tokens_per_second_each


def _of_requests(requests: Decimal, workload: Workload, selection: Selection) -> PartDemand:
    tokens = requests * request_length(workload, selection)
    in_requests = selection.unit != TOKEN_UNIT
    return PartDemand(requests if in_requests else tokens, in_requests=in_requests, tokens=tokens)


def request_length(workload: Workload, selection: Selection) -> Decimal:
    """Output tokens per request of the workload, of the benchmark where the workload's are not stated."""
    length = workload.output_tokens_per_request or selection.mean_output_tokens
    assert (
        length is not None
    )  # the profile's checks ask for it where the benchmark counts tokens; the rest have a mean
    return length


def rack_capacity(
    part: PartRate, demand: PartDemand, accelerators: int, realized_fraction: Decimal
) -> Decimal:
    """What one rack serves of the part alone, in the unit of its demand."""
    rate = part.native if demand.in_requests else part.tokens
    return rate * accelerators * realized_fraction


class Sizing(msgspec.Struct, frozen=True):
    """How demand is met: headroom h and yearly growth g as fractions, spares in racks, years of the term."""

    headroom: Decimal
    spares: int
    growth: Decimal
    years: int

    @classmethod
    def of(cls, profile: Profile) -> Sizing:
        """The sizing that the profile asks for."""
        demand = profile.demand
        return cls(demand.headroom, demand.spares, demand.yearly_growth, profile.term.years)


def serving_racks(peak: Decimal, capacity: Decimal, headroom: Decimal) -> int:
    """⌈D·(1+h)/T⌉ for one part; peak and capacity of a rack in one unit."""
    quotient = peak * (1 + headroom) / capacity
    return int((quotient * (1 - _TOLERANCE)).to_integral_value(rounding=ROUND_CEILING))


def racks_by_year(peaks: Sequence[Decimal], capacities: Sequence[Decimal], sizing: Sizing) -> tuple[int, ...]:
    """Racks in place in each year: Σ⌈Dₖ·(1+h)/T⌉ + s with the peak of year k, Dₖ = D·(1+g)^(k−1).

    Each part has its own racks, all share the spares. A falling peak gives no rack back: it is paid for.
    """
    racks: list[int] = []
    for year in range(sizing.years):
        grown = (1 + sizing.growth) ** year
        parts = zip(peaks, capacities, strict=True)
        needed = sum(serving_racks(peak * grown, capacity, sizing.headroom) for peak, capacity in parts)
        racks.append(max(needed + sizing.spares, racks[-1] if racks else 0))
    return tuple(racks)


def years_until_next_rack(
    peaks: Sequence[Decimal], capacities: Sequence[Decimal], sizing: Sizing
) -> Decimal | None:
    """Years until steady growth fills the serving racks of the first part to do so; None without growth.

    Solves D·(1+g)^t·(1+h) = ⌈D·(1+h)/T⌉·T for t.
    """
    growth = (1 + sizing.growth).ln()
    if growth <= 0:
        return None
    times = []
    for peak, capacity in zip(peaks, capacities, strict=True):
        full = serving_racks(peak, capacity, sizing.headroom) * capacity
        times.append((full / (peak * (1 + sizing.headroom))).ln() / growth)
    return max(min(times), Decimal(0))
