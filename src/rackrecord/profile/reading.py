"""A profile in plain words: what was understood, and what follows from what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from rackrecord.catalog.accelerators import accelerator_name, find_accelerator
from rackrecord.catalog.benchmarks import find_benchmark
from rackrecord.profile.fields import Money, Ranged
from rackrecord.profile.models import Demand, Option, Price, Profile, Slo, Use, Workload
from rackrecord.quantities import fixed, trimmed

Line = tuple[str, str]
"""A heading and what stands beside it."""

_COMMITMENTS = {"on-demand": "on demand", "one-year": "for one year", "three-years": "for three years"}


def reading(profile: Profile) -> tuple[Line, ...]:
    """What the profile says, a line a subject; a subject of several lines has its heading on each."""
    lines = [("title", profile.title), ("owner", profile.owner)]
    lines += [("workload", _workload(part)) for part in profile.parts]
    lines.append(("demand", _demand(profile.demand)))
    lines += [("use", text) for text in _use(profile.use)]
    lines.append(("term", _term(profile)))
    lines += [("option", _option(option, profile)) for option in profile.options]
    lines += [("limit", text) for text in _limits(profile)]
    lines += [("fleet", text) for text in _fleet(profile)]
    if profile.vendor_claims:
        lines.append(("statements", f"{_plural(len(profile.vendor_claims), 'statement')} to check"))
    lines += [("policy", text) for text in _policy(profile)]
    if profile.decision is not None:
        lines.append(("decision", profile.decision.statement))
    lines.append(("review", _review(profile)))
    return tuple(lines)


def left_open(profile: Profile) -> tuple[Line, ...]:
    """Optional inputs that are absent: the field, and what that means for the record."""
    return (*_general_gaps(profile), *(gap for option in profile.options for gap in _gaps(option, profile)))


def _workload(part: Workload) -> str:
    found = find_benchmark(part.benchmark)
    name = found[0] if found is not None else part.benchmark
    target = part.accuracy if part.accuracy is not None else found[1] if found is not None else None
    pieces = [f"{name} at {target} % accuracy" if target is not None else name, part.scenario, part.suite]
    text = f"{', '.join(pieces)}; {_slo(part.slo)}"
    if part.share is not None:
        text = f"{_percent(part.share)} of the tokens: {text}"
    tokens = (("input", part.input_tokens_per_request), ("output", part.output_tokens_per_request))
    given = [f"{_amount(number)} {kind}" for kind, number in tokens if number is not None]
    return f"{text}; {' and '.join(given)} tokens a request" if given else text


def _slo(slo: Slo | None) -> str:
    if slo is None:
        return "any latency"
    metrics = (("TTFT", slo.ttft_ms), ("TPOT", slo.tpot_ms), ("whole request", slo.e2e_ms))
    limits = [f"{name} ≤ {_amount(limit)} ms" for name, limit in metrics if limit is not None]
    return f"p{trimmed(slo.percentile)} {', '.join(limits)}"


def _demand(demand: Demand) -> str:
    if demand.output_tokens_per_second is not None:
        text = f"{_range(demand.output_tokens_per_second)} output tokens/s at peak"
    elif demand.requests_per_second is not None:
        text = f"{_range(demand.requests_per_second)} requests/s at peak"
    else:
        assert demand.users is not None  # one of the three, checked when the profile was read
        users, each = demand.users.concurrent, demand.users.tokens_per_second_each
        text = f"{_amount(users)} users at once, {_amount(each)} output tokens/s each: "
        text += f"{_amount(users * each)} output tokens/s at peak"
    text += f", {_percent(demand.headroom)} headroom" if demand.headroom else ", no headroom"
    if demand.spares:
        text += f", {_plural(demand.spares, 'spare rack')}"
    return f"{text}; grows {_percent(demand.yearly_growth)} a year" if demand.yearly_growth else text


def _use(use: Use) -> Iterator[str]:
    if use.realized_fraction is not None:
        yield f"production gets {_range(use.realized_fraction)} of the benchmark's throughput"
    if use.utilization is not None:
        yield f"{_range(use.utilization)} of that is used, averaged over the term"


def _term(profile: Profile) -> str:
    rate = f"at {_percent(profile.term.rate)} a year" if profile.term.rate else "without discounting"
    return f"{_plural(profile.term.years, 'year')} {rate}, in {profile.currency}"


def _option(option: Option, profile: Profile) -> str:
    number = option.accelerators_per_system * option.systems_per_rack
    accelerator = find_accelerator(option.accelerator)
    name = accelerator_name(accelerator) if accelerator is not None else option.accelerator
    text = f"{option.id}: {number} × {name} per rack"
    if option.systems_per_rack > 1:
        text += f" ({option.systems_per_rack} systems of {option.accelerators_per_system})"
    text += f"; {_price(option.price, profile.currency)}"
    if option.power is not None:
        text += f"; {_range(option.power.kw)} kW ({option.power.basis})"
    if option.quote is not None and option.quote.valid_until is not None:
        text += f"; price holds until {option.quote.valid_until}"
    return text


def _price(price: Price | None, currency: str) -> str:
    if price is None:
        return "no price"
    if price.purchase is not None:
        text = f"bought at {_range(price.purchase.per_rack, currency)} per rack"
        discount = price.purchase.discount
    else:
        assert price.rent is not None  # one of the two, checked when the profile was read
        rent = price.rent
        forms = (
            (rent.per_accelerator_hour, "accelerator-hour"),
            (rent.per_rack_hour, "rack-hour"),
            (rent.per_rack_month, "rack-month"),
        )
        text = "".join(f"rented at {_range(form, currency)} per {unit}" for form, unit in forms if form)
        text += f", {_COMMITMENTS[rent.commitment]}"
        discount = rent.discount
    return f"{text}, less {_percent(discount)}" if discount else text


def _limits(profile: Profile) -> Iterator[str]:
    limits = profile.limits
    for number, text in (
        (limits.power_kw, "kW for all racks"),
        (limits.rack_power_kw, "kW per rack"),
        (limits.racks, "racks"),
    ):
        if number is not None:
            yield f"{_amount(number)} {text}"
    for money, text in (
        (limits.purchase_budget, "for buying"),
        (limits.yearly_budget, "a year"),
        (limits.term_budget, "for the whole term"),
    ):
        if money is not None:
            yield f"{_amount(money, profile.currency)} {text}"
    if limits.deliver_by is not None:
        yield f"delivery by {limits.deliver_by}"


def _fleet(profile: Profile) -> Iterator[str]:
    fleet = profile.fleet
    if fleet is not None:
        number = fleet.racks * fleet.systems_per_rack * fleet.accelerators_per_system
        racks = _plural(fleet.racks, "rack")
        yield f"{racks} with {fixed(number, 0)} × {fleet.accelerator}, software of {fleet.software_round}"


def _policy(profile: Profile) -> Iterator[str]:
    """The departures from the defaults."""
    policy = profile.policy
    if policy.objective != "cost-per-million-tokens":
        yield f"ranked by {policy.objective.replace('-', ' ')}"
    if policy.basis != "verified":
        yield "ranked on own measurements instead of verified results"
    if policy.scale != "nearest":
        yield f"results of other system sizes: {policy.scale}"
    if policy.statistic != "median":
        yield f"planned with the {policy.statistic.replace('-', ' ')} of the results"
    if policy.precisions is not None:
        yield f"weight formats {', '.join(policy.precisions)} only"
    if policy.materiality is not None:
        yield f"no clear winner within {_percent(policy.materiality)}"


def _review(profile: Profile) -> str:
    due = ["at the next MLPerf® round"] if profile.review.next_round else []
    if profile.review.date is not None:
        due.append(f"on {profile.review.date}")
    return " and ".join(due)


def _general_gaps(profile: Profile) -> Iterator[Line]:
    uses = [option.use for option in profile.options]
    for name, meaning in (
        ("realized_fraction", "benchmark throughput is taken for production's: a benchmark ceiling"),
        ("utilization", "racks are taken to be fully used at all hours: a benchmark ceiling"),
    ):
        stated = [use is not None and getattr(use, name) is not None for use in uses]
        if getattr(profile.use, name) is None and not all(stated):
            yield f"use.{name}", meaning
    if not profile.demand.headroom:
        yield "demand.headroom", "no capacity is kept free above the peak"
    if profile.workloads is None and profile.parts[0].slo is None:
        yield "workload.slo", "results of any latency count"
    if "rate" not in profile.term.model_fields_set:
        yield "term.rate", "later costs count in full"
    if profile.approver is None:
        yield "approver", "the record names nobody who decides"


def _gaps(option: Option, profile: Profile) -> Iterator[Line]:
    price = option.price
    if price is None:
        yield f"{option.id}: price", "not ranked"
        return
    pays_power = price.purchase is not None or (price.rent is not None and not price.rent.power_included)
    site = profile.facility
    if option.power is None:
        yield (
            f"{option.id}: power",
            "not ranked: no electricity cost" if pays_power else "no tokens per joule",
        )
    elif pays_power and site.electricity_per_kwh is None and site.colocation_per_kw_month is None:
        yield f"{option.id}: facility.electricity_per_kwh", "not ranked: no electricity cost"
    if option.quote is None:
        yield f"{option.id}: quote", "nothing says where the price comes from"


def _percent(fraction: Decimal) -> str:
    return f"{trimmed(fraction * 100)} %"


def _plural(number: int, noun: str) -> str:
    return f"{fixed(number, 0)} {noun}{'' if number == 1 else 's'}"


def _amount(value: Decimal | int | Money, currency: str = "") -> str:
    """A number as given, thousands parted; an amount with its currency, else with the profile's."""
    if isinstance(value, Money):
        return f"{value.amount:,f} {value.currency or currency}"
    return f"{value:,f}" if isinstance(value, Decimal) else f"{value:,}"


def _range(value: Ranged[Decimal] | Ranged[Money], currency: str = "") -> str:
    """The value, with its range in parentheses."""
    text = _amount(value.value, currency)
    low, high = (_amount(end) if end is not None else None for end in (value.low, value.high))
    low, high = (end.strip().removesuffix(str(currency)) if end is not None else None for end in (low, high))
    if low is None and high is None:
        return text
    return f"{text} ({low or '…'} to {high or '…'})"
