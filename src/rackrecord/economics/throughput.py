"""From per-accelerator evidence to the throughput of a rack (T = r·A·d of docs/economics.md)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import msgspec

SECONDS_PER_HOUR = 3600
MILLION = 10**6


class PartRate(msgspec.Struct, frozen=True):
    """The evidence for one part of the workload, per accelerator.

    `tokens` is output tokens/s, `native` the same in the benchmark's own unit (tokens/s or queries/s);
    `share` is the part's share of the output tokens; the parts' shares add up to 1.
    """

    share: Decimal
    tokens: Decimal
    native: Decimal


def rack_throughput(parts: Sequence[PartRate], accelerators: int, realized_fraction: Decimal) -> Decimal:
    """T, output tokens/s of one rack.

    For several parts the rack's time is shared so that each part yields its share of the tokens: the harmonic
    mean 1 / Σ(share/T). The cost per token is then the weighted sum of the parts' costs per token.
    """
    if len(parts) == 1:
        return parts[0].tokens * accelerators * realized_fraction
    seconds_per_token = sum((part.share / part.tokens for part in parts), Decimal(0))
    return accelerators * realized_fraction / seconds_per_token


def cost_per_million_tokens(
    cost_per_hour: Decimal, tokens_per_second: Decimal, utilization: Decimal
) -> Decimal:
    """C·10⁶ / (3600·T·u), money per million output tokens."""
    return cost_per_hour * MILLION / (SECONDS_PER_HOUR * tokens_per_second * utilization)


def tokens_per_money(
    cost_per_hour: Decimal, tokens_per_second: Decimal, utilization: Decimal
) -> Decimal | None:
    """3600·T·u / C, output tokens per unit of money; None for a rack that costs nothing."""
    if cost_per_hour <= 0:
        return None
    return SECONDS_PER_HOUR * tokens_per_second * utilization / cost_per_hour


def tokens_per_joule(tokens_per_second: Decimal, rack_kw: Decimal) -> Decimal | None:
    """T / (1000·P), output tokens per joule of provisioned rack power; None at zero power."""
    return tokens_per_second / (1000 * rack_kw) if rack_kw else None
