"""What the profile puts in: demand, use, term, site, fleet, and every departure from the default policy."""

from __future__ import annotations

from decimal import Decimal

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.profile.fields import Money, Ranged
from rackrecord.profile.models import Fleet, Policy, Profile
from rackrecord.quantities import percent, trimmed
from rackrecord.record import DecisionRecord
from rackrecord.render.view.options import DASH
from rackrecord.render.view.table import Table, table, text
from rackrecord.selection.select import accelerator_id

Row = list[str]


def inputs(record: DecisionRecord) -> Table:
    """Each input that is not an option's own: its value, the range it may move in, where it comes from."""
    profile = record.profile
    rows = [*_demand(profile), *_use(profile), *_term(profile), *_site(profile), *_rates(profile)]
    if profile.fleet is not None:
        rows.append(["fleet in use", _fleet(profile.fleet), DASH, "not subtracted from the demand"])
    columns = (text("Input", 24), text("Value", 36), text("Range", 18), text("Source", 22))
    return table(columns, rows)


def _ranged(name: str, ranged: Ranged[Decimal], unit: str) -> Row:
    ends = [trimmed(end, 9) if end is not None else "…" for end in (ranged.low, ranged.high)]
    span = " to ".join(ends) if ranged.low is not None or ranged.high is not None else DASH
    return [name, f"{trimmed(ranged.value, 9)} {unit}".strip(), span, ranged.source or DASH]


def _money(name: str, ranged: Ranged[Money], currency: str, per: str) -> Row:
    own = ranged.value.currency or currency
    ends = [trimmed(end.amount, 9) if end is not None else "…" for end in (ranged.low, ranged.high)]
    span = " to ".join(ends) if ranged.low is not None or ranged.high is not None else DASH
    return [name, f"{trimmed(ranged.value.amount, 9)} {own} per {per}", span, ranged.source or DASH]


def _plain(name: str, value: str, source: str = DASH) -> Row:
    return [name, value, DASH, source]


def _demand(profile: Profile) -> list[Row]:
    demand, rows = profile.demand, []
    if demand.output_tokens_per_second is not None:
        rows.append(_ranged("peak demand", demand.output_tokens_per_second, "output tokens/s"))
    if demand.requests_per_second is not None:
        rows.append(_ranged("peak demand", demand.requests_per_second, "requests/s"))
    if demand.users is not None:
        users = demand.users
        value = (
            f"{trimmed(users.concurrent, 9)} concurrent users, "
            f"{trimmed(users.tokens_per_second_each)} output tokens/s each"
        )
        rows.append(_plain("peak demand", value))
    rows.append(_plain("headroom, spare racks", f"{percent(demand.headroom, 0)}, {demand.spares}"))
    rows.append(_plain("growth of the peak", f"{percent(demand.yearly_growth, 0)} a year"))
    return rows


def _use(profile: Profile) -> list[Row]:
    rows = []
    named = (
        ("realized fraction", profile.use.realized_fraction),
        ("utilization", profile.use.utilization),
    )
    for name, ranged in named:
        if ranged is not None:
            rows.append(_ranged(name, ranged, ""))
        else:
            rows.append(_plain(name, "not stated for all options: 1, a benchmark ceiling, where none is"))
    for option in profile.options:
        own = option.use
        pairs = (
            ("realized fraction", own and own.realized_fraction),
            ("utilization", own and own.utilization),
        )
        rows += [_ranged(f"{name}, {option.name}", ranged, "") for name, ranged in pairs if ranged]
    return rows


def _term(profile: Profile) -> list[Row]:
    return [_plain("term, discount rate", f"{profile.term.years} years, {percent(profile.term.rate)} a year")]


def _site(profile: Profile) -> list[Row]:
    facility, rows = profile.facility, []
    if facility.electricity_per_kwh is not None:
        rows.append(_money("electricity", facility.electricity_per_kwh, profile.currency, "kWh"))
    rows.append(_ranged("PUE", facility.pue, ""))
    if facility.colocation_per_kw_month is not None:
        rows.append(_money("colocation", facility.colocation_per_kw_month, profile.currency, "kW-month"))
    return rows


def _rates(profile: Profile) -> list[Row]:
    return [
        _plain(
            f"exchange rate, {rate.date.isoformat()}",
            f"1 {rate.currency} = {trimmed(rate.rate, 9)} {profile.currency}",
            rate.source or DASH,
        )
        for rate in profile.exchange_rates
    ]


def _fleet(fleet: Fleet) -> str:
    name = accelerator_name(accelerator_id(fleet.accelerator))
    whole = fleet.racks * fleet.systems_per_rack * fleet.accelerators_per_system
    return f"{fleet.racks} racks with {whole} {name}, software of {fleet.software_round}"


def departures(record: DecisionRecord) -> str:
    """How the profile's policy departs from the default one."""
    policy, default = record.profile.policy, Policy()
    pairs = [(name, getattr(policy, name), getattr(default, name)) for name in Policy.model_fields]
    changed = [
        f"{name.replace('_', ' ')} {_setting(value)} (default {_setting(usual)})"
        for name, value, usual in pairs
        if value != usual
    ]
    return "; ".join(changed) + "." if changed else "there are none."


def _setting(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return trimmed(value) if isinstance(value, Decimal) else str(value)
