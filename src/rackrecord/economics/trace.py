"""Every number that an option's cost was worked out from, for a reader to do the arithmetic by hand."""

from datetime import date
from decimal import Decimal
from typing import Literal

from rackrecord.data import Data
from rackrecord.economics.finance import capital_recovery_factor, sinking_fund_factor
from rackrecord.economics.inputs import (
    Converter,
    PurchaseTerms,
    RackInputs,
    RentTerms,
    RentUnit,
    UseBasis,
    rent_price,
)
from rackrecord.profile.fields import Money, Ranged
from rackrecord.profile.models import Option, Profile, Purchase, Rent


class Amount(Data):
    """Money as the profile gives it, and `value` = given · exchange_rate in the record's currency.

    exchange_rate: units of the record's currency for one of `currency`, 1 with no date for its own.
    """

    given: Decimal
    currency: str
    exchange_rate: Decimal
    exchange_date: date | None
    value: Decimal


class RentTrace(Data):
    """Rent step by step: `per_rack_hour` is price · (1 − discount), times A or 12/8760 as `unit` asks."""

    price: Amount
    unit: RentUnit
    commitment: Literal["on-demand", "one-year", "three-years"]
    discount: Decimal
    per_rack_hour: Decimal
    power_included: bool


class PurchaseTrace(Data):
    """Purchase step by step. `price` is the list price of a rack; money is in the record's currency.

    paid: price · (1 − discount) · rate: per year · years: of use · capital_recovery_factor,
    sinking_fund_factor: per year · residual, support_rate: fractions of the paid price · residual_value:
    money at the end of the years. The yearly capital cost is (paid + installation) · CRF − residual_value ·
    SFF.
    """

    price: Amount
    discount: Decimal
    paid: Decimal
    installation: Amount | None
    rate: Decimal
    years: int
    capital_recovery_factor: Decimal
    residual: Decimal
    residual_value: Decimal
    sinking_fund_factor: Decimal
    support_rate: Decimal
    support_per_year: Amount | None
    other_per_year: Amount | None


class PowerTrace(Data):
    """What the rack's power costs: kW · PUE · price per kWh, and kW · colocation price · 12/8760.

    `counted` is False where the rent covers both; None marks what the profile leaves out.
    """

    counted: bool
    rack_kw: Decimal | None
    basis: str | None
    pue: Decimal
    electricity_per_kwh: Amount | None
    colocation_per_kw_month: Amount | None


class OptionInputs(Data):
    """The inputs of one option's figures. One of `rent` and `purchase` is given."""

    rent: RentTrace | None
    purchase: PurchaseTrace | None
    power: PowerTrace
    realized_fraction_basis: UseBasis
    utilization_basis: UseBasis
    headroom: Decimal
    spares: int
    yearly_growth: Decimal
    term_years: int
    term_rate: Decimal


def option_inputs(profile: Profile, option: Option, inputs: RackInputs) -> OptionInputs:
    """The trace of one option whose price is known."""
    convert = Converter(profile)
    price, terms = option.price, inputs.terms
    rent = purchase = None
    if price is not None and price.rent is not None and isinstance(terms, RentTerms):
        rent = _rent(price.rent, terms, convert)
    if price is not None and price.purchase is not None and isinstance(terms, PurchaseTerms):
        purchase = _purchase(price.purchase, terms, convert)
    return OptionInputs(
        rent=rent,
        purchase=purchase,
        power=_power(profile, option, inputs, convert),
        realized_fraction_basis=inputs.fraction_basis,
        utilization_basis=inputs.utilization_basis,
        headroom=profile.demand.headroom,
        spares=profile.demand.spares,
        yearly_growth=profile.demand.yearly_growth,
        term_years=profile.term.years,
        term_rate=profile.term.rate,
    )


def amount(convert: Converter, money: Money) -> Amount:
    """`money` as given and converted."""
    rate, day = convert.rate(money)
    return Amount(
        given=money.amount,
        currency=money.currency or convert.currency,
        exchange_rate=rate,
        exchange_date=day,
        value=convert.amount(money),
    )


# In quotes, since Ranged[Money] would make a class.
def _optional(convert: Converter, ranged: "Ranged[Money] | None") -> Amount | None:
    return amount(convert, ranged.value) if ranged is not None else None


def _rent(rent: Rent, terms: RentTerms, convert: Converter) -> RentTrace:
    ranged, unit = rent_price(rent)
    return RentTrace(
        price=amount(convert, ranged.value),
        unit=unit,
        commitment=rent.commitment,
        discount=rent.discount,
        per_rack_hour=terms.per_hour.value,
        power_included=terms.power_included,
    )


def _purchase(purchase: Purchase, terms: PurchaseTerms, convert: Converter) -> PurchaseTrace:
    paid = terms.price.value
    return PurchaseTrace(
        price=amount(convert, purchase.per_rack.value),
        discount=purchase.discount,
        paid=paid,
        installation=_optional(convert, purchase.installation_per_rack),
        rate=terms.rate.value,
        years=terms.years,
        capital_recovery_factor=capital_recovery_factor(terms.rate.value, terms.years),
        residual=terms.residual.value,
        residual_value=paid * terms.residual.value,
        sinking_fund_factor=sinking_fund_factor(terms.rate.value, terms.years),
        support_rate=terms.support_rate.value,
        support_per_year=_optional(convert, purchase.support_per_year),
        other_per_year=_optional(convert, purchase.other_per_year),
    )


def _power(profile: Profile, option: Option, inputs: RackInputs, convert: Converter) -> PowerTrace:
    site = inputs.site
    return PowerTrace(
        counted=not (isinstance(inputs.terms, RentTerms) and inputs.terms.power_included),
        rack_kw=site.rack_kw.value if site.rack_kw is not None else None,
        basis=option.power.basis if option.power is not None else None,
        pue=site.pue.value,
        electricity_per_kwh=_optional(convert, profile.facility.electricity_per_kwh),
        colocation_per_kw_month=_optional(convert, profile.facility.colocation_per_kw_month),
    )
