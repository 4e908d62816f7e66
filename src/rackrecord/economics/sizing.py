"""From demand to racks: racks = Σ⌈D·(1+h)/T⌉ + s over the parts, and its course over the years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from rackrecord.economics.throughput import PartRate
from rackrecord.profile.models import Demand, Workload
from rackrecord.selection.rules import TOKEN_UNIT

# A quotient that exceeds a whole number by less than this is that number: rounding of the last digit buys no rack.
_TOLERANCE = Decimal("1e-18")


@dataclass(frozen=True, slots=True)
class PartDemand:
    """Peak demand of one part, in output tokens/s or, where `in_requests`, in requests/s."""

    peak: Decimal
    in_requests: bool


def peak_demand(demand: Demand, workloads: Sequence[Workload], units: Sequence[str]) -> tuple[PartDemand, ...]:
    """The peak of each part. Requests/s stay requests/s where the benchmark counts requests, else become tokens/s."""
    return tuple(_part_demand(demand, workload, unit) for workload, unit in zip(workloads, units, strict=True))


def _part_demand(demand: Demand, workload: Workload, unit: str) -> PartDemand:
    share = workload.share if workload.share is not None else Decimal(1)
    if demand.output_tokens_per_second is not None:
        return PartDemand(demand.output_tokens_per_second.value * share, in_requests=False)
    if demand.users is not None:
        return PartDemand(demand.users.concurrent * demand.users.tokens_per_second_each * share, in_requests=False)
    assert demand.requests_per_second is not None  # one of the three, checked when the profile was read
    requests = demand.requests_per_second.value * share
    if unit != TOKEN_UNIT:
        return PartDemand(requests, in_requests=True)
    assert workload.output_tokens_per_request is not None  # checked when the profile was read
    return PartDemand(requests * workload.output_tokens_per_request, in_requests=False)


def rack_capacity(part: PartRate, demand: PartDemand, accelerators: int, realized_fraction: Decimal) -> Decimal:
    """What one rack serves of the part alone, in the unit of its demand."""
    rate = part.native if demand.in_requests else part.tokens
    return rate * accelerators * realized_fraction


def racks_needed(
    demands: Sequence[PartDemand], capacities: Sequence[Decimal], headroom: Decimal, spares: int, grown: Decimal
) -> int:
    """Racks for a peak that has grown by the factor `grown`; each part has its own racks."""
    serving = 0
    for demand, capacity in zip(demands, capacities, strict=True):
        quotient = demand.peak * grown * (1 + headroom) / capacity
        serving += int((quotient - _TOLERANCE).to_integral_value(rounding=ROUND_CEILING))
    return serving + spares


def years_until_next_rack(
    demands: Sequence[PartDemand], capacities: Sequence[Decimal], headroom: Decimal, growth: Decimal
) -> Decimal | None:
    """Years until growth fills the serving racks of the first part to do so; None without growth.

    Solves D·(1+g)^t·(1+h) = ⌈D·(1+h)/T⌉·T for t.
    """
    if growth <= 0:
        return None
    times = []
    for demand, capacity in zip(demands, capacities, strict=True):
        needed = demand.peak * (1 + headroom)
        racks = racks_needed((demand,), (capacity,), headroom, 0, Decimal(1))
        times.append((racks * capacity / needed).ln() / (1 + growth).ln())
    return max(min(times), Decimal(0))
