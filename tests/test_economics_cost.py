"""The cost of a rack-hour, line by line, each expected value worked out by hand."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from economics_cases import TERMS, D, Tree, bought, close, option, profile, rented
from rackrecord.economics.cost import CostGap, CostLine, hourly_cost, total
from rackrecord.economics.inputs import RackInputs, Span, rack_inputs
from rackrecord.economics.trace import OptionInputs, option_inputs

CRF = D("0.08") * D("1.36048896") / D("0.36048896")
SFF = D("0.08") / D("0.36048896")


def inputs(tree: Tree, **sections: Any) -> RackInputs:
    found = profile(tree, **sections)
    return rack_inputs(found, found.options[0])


def lines(tree: Tree, **sections: Any) -> dict[CostLine, Decimal]:
    return {item.line: item.per_hour for item in hourly_cost(inputs(tree, **sections))}


def trace(tree: Tree, **sections: Any) -> OptionInputs:
    found = profile(tree, **sections)
    return option_inputs(found, found.options[0], rack_inputs(found, found.options[0]))


# --- rent


def test_rent_per_accelerator_hour() -> None:
    # 72 accelerators · 3.30 = 237.60; the rent covers power.
    assert lines(rented("a", "3.30")) == {CostLine.RENT: D("237.60")}


def test_rent_per_rack_hour() -> None:
    assert lines(option("a", price={"rent": {"per_rack_hour": "237.60"}})) == {CostLine.RENT: D("237.60")}


def test_rent_per_rack_month() -> None:
    # A month is 8760 / 12 = 730 hours: 173,448 / 730 = 237.60.
    found = lines(option("a", price={"rent": {"per_rack_month": "173448"}}))
    assert close(found[CostLine.RENT], "237.60")


def test_rent_counts_every_system_of_the_rack() -> None:
    # 8 systems of 8 accelerators · 2.35 = 150.40.
    tree = rented("a", "2.35", size=8, systems_per_rack=8)
    assert lines(tree) == {CostLine.RENT: D("150.40")}


def test_rent_after_a_discount_for_commitment() -> None:
    # 3.30 · (1 − 0.35) = 2.145; · 72 = 154.44.
    tree = rented("a", "3.30", rent={"discount": "0.35", "commitment": "three-years"})
    assert lines(tree) == {CostLine.RENT: D("154.44")}
    rent = trace(tree).rent
    assert rent is not None
    assert (rent.price.given, rent.unit, rent.commitment) == (D("3.30"), "accelerator-hour", "three-years")
    assert (rent.discount, rent.per_rack_hour, rent.power_included) == (D("0.35"), D("154.44"), True)


def test_rent_without_power_pays_electricity_and_colocation() -> None:
    # Electricity 132 kW · 1.25 · 0.085 = 14.025 an hour. Colocation 132 · 150 · 12 / 8760 = 27.1232…
    tree = rented("a", "3.30", rent={"power_included": False})
    found = lines(tree, facility={"colocation_per_kw_month": "150"})
    assert found[CostLine.RENT] == D("237.60")
    assert found[CostLine.ELECTRICITY] == D("14.025")
    assert close(found[CostLine.COLOCATION], D(132 * 150 * 12) / 8760)
    assert not trace(rented("a", "3.30")).power.counted
    assert trace(tree).power.counted


# --- purchase


def test_purchase_line_by_line() -> None:
    # Capital 3,900,000 · 0.3019208… = 1,177,491.14 a year; residual 390,000 · 0.2219208… = 86,549.11 back;
    # support 195,000; together 1,285,942.02 / 8760 = 146.7970, and 14.025 for electricity: 160.8220 an hour.
    found = hourly_cost(inputs(bought("a", "3900000", purchase=TERMS)))
    yearly = {item.line: item.per_year for item in found}
    assert close(yearly[CostLine.CAPITAL], 3_900_000 * CRF)
    assert close(yearly[CostLine.RESIDUAL], -390_000 * SFF)
    assert yearly[CostLine.SUPPORT] == 195_000
    assert yearly[CostLine.ELECTRICITY] == D("14.025") * 8760
    assert all(close(item.per_hour * 8760, item.per_year) for item in found)
    assert close(total(found), (3_900_000 * CRF - 390_000 * SFF + 195_000) / 8760 + D("14.025"))
    assert round(total(found), 4) == D("160.8220")


def test_purchase_at_rate_0_is_straight_line() -> None:
    # (3,900,000 − 390,000) / 4 = 877,500 a year for capital less residual value, and 195,000 of support.
    found = hourly_cost(inputs(bought("a", "3900000", purchase=TERMS | {"rate": "0"})))
    assert close(total(found), D(877_500 + 195_000) / 8760 + D("14.025"))


def test_purchase_for_one_year() -> None:
    # 3,900,000 · 1.08 − 390,000 · 1 + 195,000 = 4,017,000 a year.
    found = hourly_cost(inputs(bought("a", "3900000", purchase=TERMS | {"years": 1})))
    assert close(total(found), D(4_017_000) / 8760 + D("14.025"))


def test_purchase_with_full_residual_value_costs_its_interest() -> None:
    # CRF − SFF = rate: 3,900,000 · 0.08 = 312,000 a year, and 195,000 of support.
    found = hourly_cost(inputs(bought("a", "3900000", purchase=TERMS | {"residual": "1"})))
    assert close(total(found), D(312_000 + 195_000) / 8760 + D("14.025"))


def test_purchase_with_everything() -> None:
    # Paid 4,000,000 · 0.9 = 3,600,000. A year: (3,600,000 + 60,000) · CRF − 360,000 · SFF
    # + 3,600,000 · 0.05 + 30,000 + 20,000. An hour: 132 · 1.25 · 0.085, and 132 · 150 · 12 / 8760.
    extra = {
        "discount": "0.10",
        "installation_per_rack": "60000",
        "support_per_year": "30000",
        "other_per_year": "20000",
    }
    tree = bought("a", "4000000", purchase=TERMS | extra)
    found = hourly_cost(inputs(tree, facility={"colocation_per_kw_month": "150"}))
    yearly = 3_660_000 * CRF - 360_000 * SFF + 180_000 + 30_000 + 20_000 + 132 * 150 * 12
    assert close(total(found), yearly / 8760 + D("14.025"))
    assert [item.line for item in found] == [
        CostLine.CAPITAL,
        CostLine.RESIDUAL,
        CostLine.SUPPORT,
        CostLine.OTHER,
        CostLine.ELECTRICITY,
        CostLine.COLOCATION,
    ]


def test_rate_and_years_default_to_the_term() -> None:
    given = bought("a", "3900000", purchase={"rate": "0.06", "years": 5})
    plain = bought("a", "3900000")
    assert total(hourly_cost(inputs(plain, term={"rate": "0.06", "years": 5}))) == total(
        hourly_cost(inputs(given))
    )


def test_the_trace_of_a_purchase_redoes_its_capital_cost() -> None:
    tree = bought("a", "4000000", purchase=TERMS | {"discount": "0.10", "installation_per_rack": "60000"})
    purchase = trace(tree).purchase
    assert purchase is not None
    assert purchase.installation is not None
    assert (purchase.price.given, purchase.paid, purchase.residual_value) == (4_000_000, 3_600_000, 360_000)
    capital = (purchase.paid + purchase.installation.value) * purchase.capital_recovery_factor
    residual = purchase.residual_value * purchase.sinking_fund_factor
    found = lines(tree)
    assert close(found[CostLine.CAPITAL], capital / 8760)
    assert close(found[CostLine.RESIDUAL], -residual / 8760)


# --- power


def test_zero_power_costs_nothing_and_is_no_gap() -> None:
    zero = inputs(bought("a", "3900000", purchase=TERMS))
    zero = replace(zero, site=replace(zero.site, rack_kw=Span(D(0))))
    found = {item.line: item.per_hour for item in hourly_cost(zero)}
    assert found[CostLine.ELECTRICITY] == 0
    assert close(sum(found.values()), (3_900_000 * CRF - 390_000 * SFF + 195_000) / 8760)


def test_colocation_instead_of_electricity() -> None:
    # 132 kW · 180 a month · 12 / 8760 = 32.5479…
    sections = {"facility": {"electricity_per_kwh": None, "colocation_per_kw_month": "180"}}
    found = lines(bought("a", "3900000"), **sections)
    assert CostLine.ELECTRICITY not in found
    assert close(found[CostLine.COLOCATION], D(132 * 180 * 12) / 8760)


@pytest.mark.parametrize(
    ("tree", "facility", "gap"),
    [
        (option("a", price=None), {}, "no price"),
        (bought("a", "3900000", kw=None), {}, "no rack power, so no electricity cost"),
        (bought("a", "3900000"), {"electricity_per_kwh": None}, "no electricity or colocation price"),
        (
            rented("a", "3.30", rent={"power_included": False}, kw=None),
            {},
            "no rack power, so no electricity cost",
        ),
        (
            rented("a", "3.30", rent={"power_included": False}),
            {"electricity_per_kwh": None},
            "no electricity or colocation price",
        ),
    ],
)
def test_what_is_missing_is_named_and_never_counts_as_free(tree: Tree, facility: Tree, gap: str) -> None:
    with pytest.raises(CostGap, match=gap):
        hourly_cost(inputs(tree, facility=facility))


def test_rent_with_power_needs_neither_power_nor_its_price() -> None:
    tree = rented("a", "3.30", kw=None)
    assert lines(tree, facility={"electricity_per_kwh": None}) == {CostLine.RENT: D("237.60")}


# --- currencies


EURO: Tree = {"currency": "EUR", "rate": "1.10", "date": date(2026, 11, 2), "source": "a bank"}


def test_foreign_prices_are_converted_at_the_dated_rate() -> None:
    # 3.00 EUR · 1.10 = 3.30 USD; · 72 = 237.60.
    tree = rented("a", "3.00 EUR")
    assert lines(tree, exchange_rates=[EURO]) == {CostLine.RENT: D("237.60")}
    rent = trace(tree, exchange_rates=[EURO]).rent
    assert rent is not None
    price = rent.price
    assert (price.given, price.currency, price.value) == (D("3.00"), "EUR", D("3.30"))
    assert (price.exchange_rate, price.exchange_date) == (D("1.10"), date(2026, 11, 2))


def test_every_money_of_a_purchase_is_converted() -> None:
    # All but the price in EUR at 1.10: 110,000 of installation once, 33,000 and 22,000 a year, 0.11 per kWh,
    # 165 per kW and month.
    extra = {
        "installation_per_rack": "100000 EUR",
        "support_per_year": "30000 EUR",
        "other_per_year": "20000 EUR",
    }
    facility = {"electricity_per_kwh": "0.10 EUR", "colocation_per_kw_month": "150 EUR"}
    tree = bought("a", "3900000", purchase={"rate": "0", "years": 4} | extra)
    found = hourly_cost(inputs(tree, facility=facility, exchange_rates=[EURO]))
    yearly = (D(3_900_000) + 110_000) / 4 + 33_000 + 22_000 + 132 * 165 * 12
    assert close(total(found), yearly / 8760 + D("132") * D("1.25") * D("0.11"))


def test_its_own_currency_has_no_rate() -> None:
    for text in ("3.30", "3.30 USD"):
        rent = trace(rented("a", text)).rent
        assert rent is not None
        assert (rent.price.currency, rent.price.exchange_rate, rent.price.exchange_date) == ("USD", 1, None)
