"""The figures of one option, worked out by hand; first those of the worked example of docs/economics.md."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy_financial
import pytest

from economics_cases import TERMS, D, Tree, bought, close, only, profile, rented, selection
from rackrecord.economics.figures import OptionFigures

CRF = D("0.08") * D("1.36048896") / D("0.36048896")
SFF = D("0.08") / D("0.36048896")
USE: Tree = {"realized_fraction": "0.7", "utilization": "0.6"}
# T at d = 1: 15,577.777… · 72.
T = D(1_121_600)


def figures(tree: Tree, **sections: Any) -> OptionFigures:
    return only(profile(tree, **sections))


# --- the worked example


def test_rent_at_the_benchmark_ceiling() -> None:
    # T = 15,577.78 · 72 = 1,121,600. C = 3.30 · 72 = 237.60. 237.60 · 10⁶ / (3600 · 1,121,600) = 0.0588445…
    found = figures(rented("a", "3.30"))
    assert close(found.tokens_per_second, T)
    assert found.cost_per_hour == D("237.60")
    assert round(found.cost_per_million_tokens, 7) == D("0.0588445")
    assert close(found.cost_per_million_tokens, D("237.60") * 1000 / (D("3.6") * T))
    assert found.ceiling


def test_rent_with_realized_fraction_and_utilization() -> None:
    # T = 1,121,600 · 0.7 = 785,120; 237.60 · 10⁶ / (3600 · 785,120 · 0.6) = 0.140106
    found = figures(rented("a", "3.30"), use=USE)
    assert close(found.tokens_per_second, "785120")
    assert round(found.cost_per_million_tokens, 6) == D("0.140106")
    assert not found.ceiling
    # 3600 · 785,120 · 0.6 / 237.60 tokens for 1 USD; 785,120 / 237.60 tokens/s for 1 USD an hour.
    assert found.tokens_per_money is not None
    assert close(found.tokens_per_money, D(3600) * 785_120 * D("0.6") / D("237.60"))
    assert close(found.tokens_per_second_per_money_hour, D(785_120) / D("237.60"))
    # 785,120 / 132,000 W
    assert close(found.tokens_per_joule, D(785_120) / 132_000)


def test_purchase() -> None:
    # C = 160.8220 (test_economics_cost.py); 160.8220 · 10⁶ / (3600 · 1,121,600) = 0.0398295
    found = figures(bought("a", "3900000", purchase=TERMS))
    assert round(found.cost_per_hour, 4) == D("160.8220")
    assert round(found.cost_per_million_tokens, 7) == D("0.0398295")
    assert found.rack_price == 3_900_000


def test_racks_for_the_demand() -> None:
    # 5,000,000 · 1.25 / 785,120 = 7.96, so 8 racks, and one spare.
    found = figures(
        rented("a", "3.30"),
        use=USE,
        demand={"output_tokens_per_second": "5000000", "headroom": "0.25", "spares": 1},
    )
    assert found.racks == 9
    assert [part.racks for part in found.parts] == [8]
    # 5,000,000 of 9 · 785,120: no average load can use more than 70.8 % of what is paid for.
    assert close(found.attainable_utilization, D(5_000_000) / (9 * 785_120))


@pytest.mark.parametrize(
    ("use", "ceiling", "bases"),
    [
        ({}, True, ("not stated", "not stated")),
        ({"realized_fraction": "0.7"}, True, ("stated", "not stated")),
        ({"utilization": "0.6"}, True, ("not stated", "stated")),
        (USE, False, ("stated", "stated")),
        ({"realized_fraction": "1", "utilization": "1"}, False, ("stated", "stated")),
    ],
)
def test_a_ceiling_is_what_is_not_stated(use: Tree, ceiling: bool, bases: tuple[str, str]) -> None:
    found = figures(rented("a", "3.30"), use=use)
    assert found.ceiling == ceiling
    assert (found.inputs.realized_fraction_basis, found.inputs.utilization_basis) == bases


def test_an_options_own_use_stands_before_the_profiles() -> None:
    found = figures(rented("a", "3.30", use={"realized_fraction": "0.5"}), use=USE)
    assert (found.realized_fraction, found.utilization) == (D("0.5"), D("0.6"))


def test_the_range_of_the_evidence() -> None:
    # Cost is inverse to the rate: 15,000 at best 16,000, at worst 12,000 tokens/s.
    found = only(profile(rented("a", "3.30"), use=USE), selection({"a": ("15000", "12000", "16000")}))
    assert (found.rate_per_accelerator, found.rate_low, found.rate_high) == (15_000, 12_000, 16_000)
    assert close(found.cost_low * 16, found.cost_per_million_tokens * 15)
    assert close(found.cost_high * 12, found.cost_per_million_tokens * 15)


# --- totals


DEMAND: Tree = {"output_tokens_per_second": "5000000", "headroom": "0.25", "spares": 1}


def test_totals_of_a_purchase() -> None:
    # 9 racks: 35,100,000 at once; 1,188 kW; 9 · 132 · 1.25 · 8760 = 13,008,600 kWh a year;
    # 9 · 160.8220… · 8760 a year.
    found = figures(bought("a", "3900000", purchase=TERMS), use=USE, demand=DEMAND)
    yearly = 9 * (3_900_000 * CRF - 390_000 * SFF + 195_000 + D("14.025") * 8760)
    assert found.purchase == found.purchase_term == 35_100_000
    assert found.power_kw == 1188
    assert found.energy_kwh_per_year == 13_008_600
    assert close(found.yearly_cost, yearly)
    # Four equal years, due at their ends, are worth yearly / CRF today.
    assert close(found.term_cost, yearly / CRF)


def test_the_term_of_a_purchase_is_worth_what_is_paid_and_recovered() -> None:
    # Without growth, and with the purchase at the term's own rate and years, the yearly costs are worth what
    # the cash is: price today, support and electricity at each year's end, residual value at the last.
    found = figures(bought("a", "3900000", purchase=TERMS), use=USE, demand=DEMAND)
    running = 195_000 + 14.025 * 8760
    cash = [-3_900_000, -running, -running, -running, -running + 390_000]
    assert float(found.term_cost) == pytest.approx(-9 * numpy_financial.npv(0.08, cash), rel=1e-9)


def test_totals_of_rent() -> None:
    # 9 · 237.60 · 8760 = 18,732,384 a year; over two years at 10 % 18,732,384 · (1/1.1 + 1/1.21).
    found = figures(rented("a", "3.30"), use=USE, demand=DEMAND, term={"years": 2, "rate": "0.10"})
    assert found.yearly_cost == 18_732_384
    assert close(found.term_cost, 18_732_384 * (1 / D("1.1") + 1 / D("1.21")))
    assert found.purchase is None
    assert found.purchase_term is None
    assert found.rack_price is None


def test_the_term_cost_over_the_range_of_the_evidence() -> None:
    # A rack serves 420,000 at best, 350,000 as planned, 280,000 at worst: 3, 3 and 4 racks for 1,000,000.
    rates = ("10000", "8000", "12000")
    found = only(
        profile(
            rented("a", "3.30", size=50),
            use={"realized_fraction": "0.7"},
            demand={"output_tokens_per_second": "1000000"},
            term={"years": 1, "rate": "0"},
        ),
        selection({"a": rates}),
    )
    rack_year = D("165.00") * 8760
    assert (found.term_cost_low, found.term_cost, found.term_cost_high) == (
        3 * rack_year,
        3 * rack_year,
        4 * rack_year,
    )


def test_power_that_is_not_stated_gives_no_figure() -> None:
    found = figures(rented("a", "3.30", kw=None))
    assert found.rack_kw is None
    assert found.power_kw is None
    assert found.energy_kwh_per_year is None
    assert found.tokens_per_joule is None


def test_free_racks_give_no_tokens_per_money() -> None:
    found = figures(rented("a", "0"))
    assert found.cost_per_million_tokens == 0
    assert found.tokens_per_money is None
    assert found.tokens_per_second_per_money_hour is None


# --- growth


def test_racks_follow_the_growth_of_the_peak() -> None:
    # A rack serves 1,000,000. Peaks of 2.6, 3.9, 5.85, 8.775 million need 3, 4, 6, 9 racks, and one spare.
    found = only(
        profile(
            bought("a", "100", purchase={"rate": "0", "years": 4}, size=10, kw="100"),
            demand={"output_tokens_per_second": "2600000", "spares": 1, "yearly_growth": "0.5"},
            facility={"electricity_per_kwh": "0.10", "pue": "1"},
        ),
        selection({"a": "100000"}),
    )
    assert [year.racks for year in found.years] == [4, 5, 7, 10]
    assert [year.added for year in found.years] == [4, 1, 2, 3]
    assert [year.demand for year in found.years] == [2_600_000, 3_900_000, 5_850_000, 8_775_000]
    assert [year.purchase for year in found.years] == [400, 100, 200, 300]
    # A rack costs 100 / 4 a year and 100 kW · 0.10 · 8760 = 87,600 for power.
    assert all(
        close(year.cost, racks * D(87_625)) for year, racks in zip(found.years, (4, 5, 7, 10), strict=True)
    )
    assert (found.purchase, found.purchase_term) == (400, 1000)
    # 3,000,000 / 2,600,000 = 1.153846 = 1.5^t: t = ln 1.153846 / ln 1.5 = 0.352930
    assert found.next_rack_in_years is not None
    assert float(found.next_rack_in_years) == pytest.approx(math.log(30 / 26) / math.log(1.5), rel=1e-12)
    assert round(found.next_rack_in_years, 6) == D("0.352930")
    # Load at the peaks over capacity paid for: (2.6 + 3.9 + 5.85 + 8.775) / (4 + 5 + 7 + 10).
    assert close(found.attainable_utilization, D("21.125") / 26)


def test_a_falling_peak_gives_no_rack_back() -> None:
    # Peaks of 4, 2, 1 million on racks of 1 million.
    found = only(
        profile(
            rented("a", "1", size=10),
            demand={"output_tokens_per_second": "4000000", "yearly_growth": "-0.5"},
            term={"years": 3, "rate": "0"},
        ),
        selection({"a": "100000"}),
    )
    assert [year.racks for year in found.years] == [4, 4, 4]
    assert [year.peak_load for year in found.years] == [1, D("0.5"), D("0.25")]
    assert found.next_rack_in_years is None


# --- several parts


def test_a_mix_costs_the_weighted_sum_and_adds_up_its_racks() -> None:
    # 60 % of the tokens: 10,000 · 72 = 720,000 tokens/s a rack, 237.60 · 10⁶ / (3600 · 720,000) = 0.0916667.
    # 40 %: 2,000 · 72 = 144,000 tokens/s, 0.4583333. Together 0.6 · 0.0916667 + 0.4 · 0.4583333 = 0.2383333.
    # Racks: 3,000,000 / 720,000 = 4.17 and 2,000,000 / 144,000 = 13.89: 5 + 14, and 2 spares once.
    found = only(
        profile(
            rented("a", "3.30"),
            workloads=[
                {"benchmark": "gpt-oss-120b", "scenario": "Server", "share": "0.6"},
                {"benchmark": "deepseek-r1", "scenario": "Server", "share": "0.4"},
            ],
            demand={"output_tokens_per_second": "5000000", "spares": 2},
        ),
        selection({"a": "10000"}),
        selection({"a": "2000"}, benchmark="deepseek-r1"),
    )
    first, second = found.parts
    assert close(first.cost_per_million_tokens, D("237.60") / D("2592"))
    assert close(second.cost_per_million_tokens, D("237.60") / D("518.4"))
    weighted = D("0.6") * first.cost_per_million_tokens + D("0.4") * second.cost_per_million_tokens
    assert close(found.cost_per_million_tokens, weighted)
    assert round(found.cost_per_million_tokens, 7) == D("0.2383333")
    assert (first.racks, second.racks, found.racks) == (5, 14, 21)
    assert (first.demand, second.demand, found.demand) == (3_000_000, 2_000_000, 5_000_000)


def test_a_mix_shares_its_requests_by_their_length() -> None:
    # Shares are of the tokens: 80 % in requests of 800, 20 % in requests of 100, that is 1 : 2 in requests.
    # Of 300 requests/s 100 are long, 80,000 tokens/s, and 200 short, 20,000 tokens/s: 80 % and 20 %.
    found = only(
        profile(
            rented("a", "3.30"),
            workloads=[
                {
                    "benchmark": "gpt-oss-120b",
                    "scenario": "Server",
                    "share": "0.8",
                    "output_tokens_per_request": 800,
                },
                {
                    "benchmark": "deepseek-r1",
                    "scenario": "Server",
                    "share": "0.2",
                    "output_tokens_per_request": 100,
                },
            ],
            demand={"requests_per_second": "300"},
        ),
        selection({"a": "10000"}),
        selection({"a": "2000"}, benchmark="deepseek-r1"),
    )
    assert [part.demand for part in found.parts] == [80_000, 20_000]
    assert (found.demand, found.demand_unit) == (100_000, "output tokens/s")


def test_a_mix_of_token_and_request_benchmarks() -> None:
    # As above, but a benchmark that counts requests has the short ones: 200 requests/s over 4 · 72 = 288.
    found = only(
        profile(
            rented("a", "3.30"),
            workloads=[
                {
                    "benchmark": "gpt-oss-120b",
                    "scenario": "Server",
                    "share": "0.8",
                    "output_tokens_per_request": 800,
                },
                {
                    "benchmark": "qwen3-vl-235b-a22b",
                    "scenario": "Server",
                    "share": "0.2",
                    "output_tokens_per_request": 100,
                },
            ],
            demand={"requests_per_second": "300"},
        ),
        selection({"a": "10000"}),
        selection({"a": "4"}, unit="Queries/s", mean="43", benchmark="qwen3-vl-235b-a22b"),
    )
    tokens, requests = found.parts
    assert (tokens.demand, tokens.demand_unit, tokens.capacity) == (80_000, "output tokens/s", 720_000)
    assert (requests.demand, requests.demand_unit, requests.capacity) == (200, "requests/s", 288)
    assert (found.demand, found.demand_unit, found.racks) == (100_000, "output tokens/s", 2)
    assert (requests.rate, requests.output_tokens_per_request, requests.tokens_per_accelerator) == (
        4,
        43,
        172,
    )


# --- forms of demand


def test_users_times_their_token_rate() -> None:
    # 9,000 · 70 = 630,000 tokens/s on racks of 100,000: 7 racks.
    found = only(
        profile(
            rented("a", "3.30", size=10),
            demand={"users": {"concurrent": 9000, "tokens_per_second_each": 70}},
        ),
        selection({"a": "10000"}),
    )
    assert (found.demand, found.demand_unit, found.racks) == (630_000, "output tokens/s", 7)


def test_requests_times_the_workloads_tokens() -> None:
    # 500 · 1,300 = 650,000 tokens/s.
    found = only(
        profile(
            rented("a", "3.30", size=10),
            workload={"output_tokens_per_request": 1300},
            demand={"requests_per_second": "500"},
        ),
        selection({"a": "10000"}),
    )
    assert (found.demand, found.demand_unit, found.racks) == (650_000, "output tokens/s", 7)


QUERIES = selection({"a": "4.8513"}, unit="Queries/s", mean="43", benchmark="qwen3-vl-235b-a22b")
QWEN: Tree = {"benchmark": "qwen3-vl-235b-a22b", "scenario": "Interactive"}


def test_requests_against_queries_directly() -> None:
    # A rack serves 4.8513 · 72 · 0.8 = 279.43488 requests/s of any length: 2,600 · 1.2 / 279.43 = 11.17.
    # Its token rate is 4.8513 · 43 · 72 · 0.8 by the benchmark's own mean.
    found = only(
        profile(
            rented("a", "3.30"),
            workload=QWEN | {"output_tokens_per_request": 60},
            use={"realized_fraction": "0.8"},
            demand={"requests_per_second": "2600", "headroom": "0.2"},
        ),
        QUERIES,
    )
    assert found.parts[0].capacity == D("279.43488")
    assert (found.demand, found.demand_unit, found.racks) == (2600, "requests/s", 12)
    assert found.tokens_per_second == D("12015.69984")


def test_requests_on_queries_need_no_length() -> None:
    found = only(profile(rented("a", "3.30"), workload=QWEN, demand={"requests_per_second": "2600"}), QUERIES)
    # 4.8513 · 72 = 349.2936 requests/s; 2,600 / 349.2936 = 7.44.
    assert (found.demand, found.racks) == (2600, 8)


def test_tokens_against_queries_by_the_benchmarks_mean() -> None:
    # 4.8513 · 43 · 72 = 15,019.6248 tokens/s a rack; 100,000 / 15,019.6 = 6.66.
    demand: Tree = {"output_tokens_per_second": "100000"}
    found = only(profile(rented("a", "3.30"), workload=QWEN, demand=demand), QUERIES)
    assert found.parts[0].capacity == D("15019.6248")
    assert found.racks == 7


# --- whole racks


@pytest.mark.parametrize(
    ("demand", "racks"),
    [
        ("1121599", 1),
        # Exactly one rack, though r has no finite decimal form and its product is off in the last digit.
        ("1121600", 1),
        ("1121601", 2),
        ("11216000", 10),
        ("1121600000000", 1_000_000),
        ("0.001", 1),
    ],
)
def test_a_rounding_error_buys_no_rack(demand: str, racks: int) -> None:
    assert figures(rented("a", "3.30"), demand={"output_tokens_per_second": demand}).racks == racks


def test_no_part_of_a_rack_is_bought() -> None:
    found = figures(
        rented("a", "3.30"), demand={"output_tokens_per_second": "1121600", "headroom": "0.000001"}
    )
    assert found.racks == 2


def test_figures_are_decimal() -> None:
    found = figures(bought("a", "3900000", purchase=TERMS), use=USE, demand=DEMAND)
    amounts = [
        found.cost_per_million_tokens,
        found.term_cost,
        found.years[0].cost,
        *(c.per_hour for c in found.costs),
    ]
    assert all(isinstance(amount, Decimal) for amount in amounts)
