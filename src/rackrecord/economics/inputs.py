"""An option's inputs as plain numbers in the record's currency: what every formula starts from.

The profile leaves much open (three forms of rent, defaults, currencies); here each of them is one number.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeVar, overload

import msgspec
from msgspec.structs import replace

from rackrecord.economics.finance import HOURS_PER_YEAR, MONTHS_PER_YEAR
from rackrecord.profile.fields import Money, Ranged
from rackrecord.profile.models import Option, Profile, Purchase, Rent

T = TypeVar("T")
RentUnit = Literal["accelerator-hour", "rack-hour", "rack-month"]
UseBasis = Literal["stated", "own measurements", "not stated"]


class Span(msgspec.Struct, frozen=True):
    """A number and the range its source gives for it; the ends are None where none is given."""

    value: Decimal
    low: Decimal | None = None
    high: Decimal | None = None


class RentTerms(msgspec.Struct, frozen=True):
    """Rent of one rack: money per hour after discount."""

    per_hour: Span
    power_included: bool


class PurchaseTerms(msgspec.Struct, frozen=True):
    """Purchase of one rack, money in the record's currency.

    price: after discount · rate: per year, as a fraction · residual, support_rate (per year): fractions of
    the price · installation: once · support_per_year, other_per_year: a year.
    """

    price: Span
    installation: Span
    rate: Span
    years: int
    residual: Span
    support_rate: Span
    support_per_year: Span
    other_per_year: Span


class Site(msgspec.Struct, frozen=True):
    """Power and its price: kW a rack, money per kWh, money per kW and month; None where not given."""

    rack_kw: Span | None
    pue: Span
    per_kwh: Span | None
    colocation: Span | None


class RackInputs(msgspec.Struct, frozen=True):
    """All that the cost of one rack's tokens depends on, apart from the evidence.

    A realized fraction or utilization whose basis is `not stated` is 1, a benchmark ceiling.
    """

    accelerators: int
    realized_fraction: Span
    utilization: Span
    terms: RentTerms | PurchaseTerms | None
    site: Site
    fraction_basis: UseBasis
    utilization_basis: UseBasis

    @property
    def ceiling(self) -> bool:
        """Whether the figures are a benchmark ceiling for want of a realized fraction or a utilization."""
        return "not stated" in (self.fraction_basis, self.utilization_basis)

    def with_value(self, name: str, value: Decimal) -> RackInputs:
        """These inputs with one of `LEVERS` set to another value."""
        return LEVERS[name].put(self, value)

    def span(self, name: str) -> Span | None:
        """The input of that name in `LEVERS`, None where the option has none."""
        return LEVERS[name].get(self)


class Lever(msgspec.Struct, frozen=True):
    """One input that may move, a field of `RackInputs` or of its `terms` or `site`.

    In `unit`, `money` stands for the record's currency.
    """

    label: str
    unit: str
    field: str
    within: Literal["terms", "site"] | None = None

    def get(self, inputs: RackInputs) -> Span | None:
        """The input, None where the option has none."""
        owner = getattr(inputs, self.within) if self.within is not None else inputs
        span: Span | None = getattr(owner, self.field, None)
        return span

    def put(self, inputs: RackInputs, value: Decimal) -> RackInputs:
        """The inputs with that value in its place; unchanged where the option has no such input."""
        if self.get(inputs) is None:
            return inputs
        change: dict[str, Any] = {self.field: Span(value)}
        if self.within is not None:
            change = {self.within: replace(getattr(inputs, self.within), **change)}
        return replace(inputs, **change)


def price_lever(inputs: RackInputs) -> str:
    """The name in `LEVERS` of the option's price."""
    return "rent" if isinstance(inputs.terms, RentTerms) else "price"


LEVERS = {
    "rent": Lever("rent", "money per rack-hour", "per_hour", "terms"),
    "price": Lever("price", "money per rack", "price", "terms"),
    "installation": Lever("installation", "money per rack", "installation", "terms"),
    "rate": Lever("cost of capital", "per year", "rate", "terms"),
    "residual": Lever("residual value", "of the price", "residual", "terms"),
    "support_rate": Lever("support rate", "of the price, per year", "support_rate", "terms"),
    "support_per_year": Lever("support", "money per rack and year", "support_per_year", "terms"),
    "other_per_year": Lever("other yearly costs", "money per rack and year", "other_per_year", "terms"),
    "realized_fraction": Lever("realized fraction", "", "realized_fraction"),
    "utilization": Lever("utilization", "", "utilization"),
    "per_kwh": Lever("electricity price", "money per kWh", "per_kwh", "site"),
    "rack_kw": Lever("rack power", "kW", "rack_kw", "site"),
    "pue": Lever("PUE", "", "pue", "site"),
    "colocation": Lever("colocation price", "money per kW and month", "colocation", "site"),
}


class Converter:
    """Amounts in the profile's currency, by the profile's own dated rates."""

    def __init__(self, profile: Profile) -> None:
        self._rates = {rate.currency: (rate.rate, rate.date) for rate in profile.exchange_rates}
        self.currency = profile.currency

    def rate(self, money: Money) -> tuple[Decimal, date | None]:
        """Units of the profile's currency for one of `money`'s, and the rate's day (None for its own)."""
        if money.currency is None or money.currency == self.currency:
            return Decimal(1), None
        return self._rates[money.currency]  # the profile's checks made sure of the rate

    def amount(self, money: Money) -> Decimal:
        """`money` in the profile's currency."""
        return money.amount * self.rate(money)[0]

    def span(self, ranged: Ranged[Money], factor: Decimal = Decimal(1)) -> Span:
        """The amount with its range, times `factor`."""
        return _span(ranged, lambda money: self.amount(money) * factor)


def _span(ranged: Ranged[T], number: Callable[[T], Decimal]) -> Span:
    return Span(
        number(ranged.value),
        number(ranged.low) if ranged.low is not None else None,
        number(ranged.high) if ranged.high is not None else None,
    )


@overload
def plain(ranged: Ranged[Decimal]) -> Span: ...
@overload
def plain(ranged: Ranged[Decimal] | None) -> Span | None: ...
def plain(ranged: Ranged[Decimal] | None) -> Span | None:
    """A ranged number as a span."""
    return _span(ranged, lambda number: number) if ranged is not None else None


def rack_inputs(profile: Profile, option: Option, measured_fraction: Decimal | None = None) -> RackInputs:
    """The inputs of one option: its own use before the profile's, d as measured where none is stated."""
    convert, facility = Converter(profile), profile.facility
    own, shared = option.use, profile.use
    fraction = plain((own and own.realized_fraction) or shared.realized_fraction)
    utilization = plain((own and own.utilization) or shared.utilization)
    basis: UseBasis = "stated" if fraction is not None else "not stated"
    if fraction is None and measured_fraction is not None:
        fraction, basis = Span(measured_fraction), "own measurements"
    return RackInputs(
        accelerators=option.accelerators_per_system * option.systems_per_rack,
        realized_fraction=fraction or Span(Decimal(1)),
        utilization=utilization or Span(Decimal(1)),
        terms=_terms(profile, option, convert),
        site=Site(
            rack_kw=plain(option.power.kw) if option.power is not None else None,
            pue=plain(facility.pue),
            per_kwh=convert.span(facility.electricity_per_kwh) if facility.electricity_per_kwh else None,
            colocation=convert.span(facility.colocation_per_kw_month)
            if facility.colocation_per_kw_month
            else None,
        ),
        fraction_basis=basis,
        utilization_basis="stated" if utilization is not None else "not stated",
    )


def _terms(profile: Profile, option: Option, convert: Converter) -> RentTerms | PurchaseTerms | None:
    if option.price is None:
        return None
    if option.price.rent is not None:
        return RentTerms(_rent_per_hour(option.price.rent, option, convert), option.price.rent.power_included)
    assert option.price.purchase is not None  # one of the two, checked when the profile was read
    return _purchase(option.price.purchase, profile, convert)


def rent_price(rent: Rent) -> tuple[Ranged[Money], RentUnit]:
    """The rent as given, and what it is the rent of."""
    if rent.per_accelerator_hour is not None:
        return rent.per_accelerator_hour, "accelerator-hour"
    if rent.per_rack_hour is not None:
        return rent.per_rack_hour, "rack-hour"
    assert rent.per_rack_month is not None  # one of the three, checked when the profile was read
    return rent.per_rack_month, "rack-month"


def _rent_per_hour(rent: Rent, option: Option, convert: Converter) -> Span:
    price, unit = rent_price(rent)
    factors = {
        "accelerator-hour": Decimal(option.accelerators_per_system * option.systems_per_rack),
        "rack-hour": Decimal(1),
        "rack-month": Decimal(MONTHS_PER_YEAR) / HOURS_PER_YEAR,
    }
    return convert.span(price, (1 - rent.discount) * factors[unit])


def _purchase(purchase: Purchase, profile: Profile, convert: Converter) -> PurchaseTerms:
    def money(given: Ranged[Money] | None) -> Span:
        """An additional cost, 0 where the profile leaves it out."""
        return convert.span(given) if given is not None else Span(Decimal(0))

    return PurchaseTerms(
        price=convert.span(purchase.per_rack, 1 - purchase.discount),
        installation=money(purchase.installation_per_rack),
        rate=plain(purchase.rate) or Span(profile.term.rate),
        years=purchase.years if purchase.years is not None else profile.term.years,
        residual=plain(purchase.residual),
        support_rate=plain(purchase.support_rate),
        support_per_year=money(purchase.support_per_year),
        other_per_year=money(purchase.other_per_year),
    )
