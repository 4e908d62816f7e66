"""Ranking, strength, break-evens and tornado. A break-even that is put back as input gives a tie."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from economics_cases import TERMS, D, Tree, bought, close, merged, profile, rank, rented, selection
from rackrecord.catalog.claim import CaveatCode
from rackrecord.economics.break_even import BreakEven
from rackrecord.economics.comparison import Comparison
from rackrecord.economics.options import Economics
from rackrecord.economics.strength import Strength
from rackrecord.economics.tornado import Swing

OBJECTIVES = (
    "cost-per-million-tokens",
    "tokens-per-money",
    "tokens-per-joule",
    "tokens-per-second-per-rack",
    "whole-term-cost",
)
RATES = {"a": "15000", "b": "10000"}
USE: Tree = {"realized_fraction": "0.7", "utilization": "0.6"}
# b costs more per token than a, is slower and draws more power; a is bought, b is rented and pays its power.
A = bought("a", "3900000", purchase=TERMS)
B = rented("b", "3.00", rent={"power_included": False}, kw="140")


def ranked(*options: Tree, rates: dict[str, Any] | None = None, **sections: Any) -> Economics:
    return rank(profile(*options, **merged({"use": USE}, sections)), selection(rates or RATES))


def comparison(*options: Tree, rates: dict[str, Any] | None = None, **sections: Any) -> Comparison:
    return ranked(*options, rates=rates, **sections).comparison


def policy(objective: str) -> Tree:
    return {"policy": {"objective": objective}}


def of(found: Comparison, option: str) -> BreakEven:
    return next(item for item in found.break_even if item.option == option)


def score(found: Economics, option: str) -> Decimal:
    """What the objective counts, read off the figures."""
    figures = next(item for item in found.figures if item.option == option)
    value = {
        "cost-per-million-tokens": figures.cost_per_million_tokens,
        "tokens-per-money": figures.tokens_per_money,
        "tokens-per-joule": figures.tokens_per_joule,
        "tokens-per-second-per-rack": figures.tokens_per_second,
        "whole-term-cost": figures.term_cost,
    }[found.comparison.objective]
    assert value is not None
    return value


def is_tie(found: Economics) -> bool:
    return found.comparison.margin == 0 and close(score(found, "a"), score(found, "b"))


# --- ranking


def test_the_cheapest_per_token_comes_first_whatever_the_order() -> None:
    assert comparison(A, B).ranking == comparison(B, A).ranking == ("a", "b")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_each_objective_ranks_by_its_own_figure(objective: str) -> None:
    # c is as slow as b, but rented at a tenth of its price with its power: the cheapest, and 20 kW only.
    options = (A, B, rented("c", "0.30", kw="20"))
    found = ranked(*options, rates=RATES | {"c": "10000"}, **policy(objective))
    best_is_most = objective in ("tokens-per-money", "tokens-per-joule", "tokens-per-second-per-rack")
    by_figure = sorted("abc", key=lambda option: score(found, option), reverse=best_is_most)
    assert list(found.comparison.ranking) == by_figure
    assert found.comparison.best == ("a" if objective == "tokens-per-second-per-rack" else "c")


def test_equal_options_keep_the_order_of_the_profile() -> None:
    first, second = rented("x", "3.30"), rented("y", "3.30")
    rates = {"x": "10000", "y": "10000"}
    assert comparison(first, second, rates=rates).ranking == ("x", "y")
    assert comparison(second, first, rates=rates).ranking == ("y", "x")
    assert comparison(first, second, rates=rates).margin == 0


def test_equal_prices_in_other_words_are_equal() -> None:
    # 219.00 a rack-hour · 730 hours = 159,870 a rack-month; 1/730 has no finite decimal form.
    monthly = {"rent": {"per_rack_month": "159870"}}
    other = rented("y", "1") | {"price": monthly}
    exact = rented("x", "1") | {"price": {"rent": {"per_rack_hour": "219.00"}}}
    assert comparison(exact, other, rates={"x": "10000", "y": "10000"}).ranking == ("x", "y")
    assert comparison(other, exact, rates={"x": "10000", "y": "10000"}).ranking == ("y", "x")


def test_margin_is_relative_to_the_first() -> None:
    # Same rate, 3.00 against 3.60: 20 % above.
    found = comparison(rented("a", "3.60"), rented("b", "3.00"), rates={"a": "15000", "b": "15000"})
    assert found.best == "b"
    assert close(found.margin, "0.2")
    assert close(of(found, "a").cost_above_best, "0.2")


# --- not ranked, infeasible


def test_options_without_evidence_price_or_power_are_not_ranked() -> None:
    options = (
        rented("a", "3.30"),
        rented("none", "3.30"),
        rented("price", "3.30") | {"price": None},
        bought("power", "3900000", kw=None),
    )
    rates = {"a": "15000", "none": None, "price": "15000", "power": "15000"}
    found = ranked(*options, rates=rates)
    assert [(item.option, item.reason) for item in found.comparison.not_ranked] == [
        ("none", "No result on this benchmark is for its accelerator"),
        ("price", "not ranked: no price"),
        ("power", "not ranked: no rack power, so no electricity cost"),
    ]
    assert [item.option for item in found.figures] == ["a"]


def test_tokens_per_joule_need_a_rack_power() -> None:
    found = comparison(rented("a", "3.30"), rented("b", "3.30", kw=None), **policy("tokens-per-joule"))
    assert found.ranking == ("a",)
    assert [(item.option, item.reason) for item in found.not_ranked] == [
        ("b", "not ranked: no rack power, so no tokens per joule")
    ]


def test_an_infeasible_option_has_figures_and_break_evens_and_is_not_recommended() -> None:
    # b is half as dear as a per token, but two kilowatts above what a rack position supplies.
    cheap = rented("b", "1.00", kw="140")
    found = ranked(A, cheap, limits={"rack_power_kw": "138"})
    assert (found.comparison.best, found.comparison.ranking) == ("a", ("a",))
    assert found.comparison.infeasible == ("b",)
    assert found.comparison.strength is Strength.LIKELY
    assert {item.option for item in found.figures} == {"a", "b"}
    figures = next(item for item in found.figures if item.option == "b")
    assert figures.binding == "power per rack"
    # On cost alone it is ahead and could be dearer: put back, it costs as much as a.
    assert of(found.comparison, "b").ahead
    change = of(found.comparison, "b").price_change
    assert change is not None
    assert change > 0
    raised = rented("b", str(round(1 + change, 14)), kw="140")
    assert close(score(ranked(A, raised), "b"), score(found, "a"), "1e-12")


def test_all_infeasible() -> None:
    found = comparison(A, B, limits={"rack_power_kw": "100"})
    assert (found.strength, found.best, found.ranking) == (Strength.INFEASIBLE, None, ())
    assert found.infeasible == ("a", "b")
    assert (found.break_even, found.tornado, found.fraction_floor) == ((), (), None)


def test_no_evidence() -> None:
    found = comparison(A, B, rates={"a": None, "b": None})
    assert (found.strength, found.best, found.infeasible) == (Strength.NO_EVIDENCE, None, ())


# --- strength. Rents of 3.00 and 3.60 on one rate: 20 % apart.

CHEAP, DEAR = rented("a", "3.00"), rented("b", "3.60")


@pytest.mark.parametrize(
    ("evidence", "strength"),
    [
        # No range: a's worst is its plan, and beats b's.
        ({"a": "10000", "b": "10000"}, Strength.ROBUST),
        # a's worst is 3.00 / 0.96, 3.125; b's best is 3.60 / 1.04, 3.46. Spread 8.3 %, under the 20 %.
        ({"a": ("10000", "9600", "10400"), "b": ("10000", "9600", "10400")}, Strength.ROBUST),
        # a's worst 3.00 / 0.9, 3.33; b's best 3.60 / 1.08, 3.33: no better. Spread 20 %, as the margin.
        ({"a": ("10000", "9000", "10800"), "b": ("10000", "9000", "10800")}, Strength.NO_CLEAR_WINNER),
        # a's worst 3.00 / 0.9, 3.33; b's best 3.60 / 1.09, 3.30: they overlap, the spreads are under 20 %.
        ({"a": ("10000", "9000", "10000"), "b": ("10000", "10000", "10900")}, Strength.LIKELY),
    ],
)
def test_strength_by_the_range_of_the_evidence(evidence: dict[str, Any], strength: Strength) -> None:
    assert comparison(CHEAP, DEAR, rates=evidence).strength is strength


def test_a_worst_case_that_only_equals_is_no_robust_lead() -> None:
    # a's worst 3.00 / 0.9 and b's best 3.60 / 1.08 are both 3.33.
    evidence = {"a": ("10000", "9000", "10000"), "b": ("10000", "10000", "10800")}
    policy = {"materiality": "0.05"}
    assert comparison(CHEAP, DEAR, rates=evidence, policy=policy).strength is Strength.LIKELY
    evidence["b"] = ("10000", "10000", "10799")
    assert comparison(CHEAP, DEAR, rates=evidence, policy=policy).strength is Strength.ROBUST


@pytest.mark.parametrize(
    ("a", "b", "strength"),
    [
        # Racks for 1,000,000 tokens/s, of 720,000, 2 · 3.00; of 720,000, 2 · 3.60: no range.
        ("10000", "10000", Strength.ROBUST),
        # a at worst 432,000: 3 · 3.00 = 9.00 against 7.20.
        (("10000", "6000", "10000"), "10000", Strength.LIKELY),
        # b at best 1,008,000: 1 · 3.60 against 6.00.
        ("10000", ("10000", "10000", "14000"), Strength.LIKELY),
        # Within the same whole racks a range changes nothing: a at worst 504,000, b at best 936,000.
        (("10000", "7000", "10000"), ("10000", "10000", "13000"), Strength.ROBUST),
    ],
)
def test_the_range_of_the_evidence_counts_in_whole_racks_over_the_term(
    a: Any, b: Any, strength: Strength
) -> None:
    found = comparison(
        CHEAP,
        DEAR,
        rates={"a": a, "b": b},
        use={"realized_fraction": "1"},
        demand={"output_tokens_per_second": "1000000"},
        policy={"objective": "whole-term-cost", "materiality": "0.05"},
    )
    assert (found.best, found.strength) == ("a", strength)


def test_a_third_option_can_make_it_likely() -> None:
    # c costs 4.00, but its best result is 45 % above its plan: 4.00 / 1.45 = 2.76 is below a's 3.00.
    options = (CHEAP, DEAR, rented("c", "4.00"))
    rates = {"a": "10000", "b": "10000", "c": ("10000", "10000", "14500")}
    found = comparison(*options, rates=rates)
    assert (found.strength, found.materiality) == (Strength.LIKELY, D("0.05"))


@pytest.mark.parametrize("code", [CaveatCode.SINGLE_SOURCE, CaveatCode.SCALED, CaveatCode.OLDER_ROUND])
def test_doubtful_evidence_holds_back_a_robust_lead(code: CaveatCode) -> None:
    evidence = selection({"a": "10000", "b": "10000"}, caveats={"b": (code,)})
    found = rank(profile(CHEAP, DEAR, use=USE), evidence).comparison
    assert found.strength is Strength.LIKELY
    assert found.why.startswith("its worst evidence beats every other option's best, but ")


def test_requests_of_another_length_hold_back_a_robust_lead() -> None:
    evidence = selection({"a": "10000", "b": "10000"}, mean="1000")
    for length, strength in (("2000", Strength.ROBUST), ("2001", Strength.LIKELY), ("499", Strength.LIKELY)):
        workload = {"output_tokens_per_request": length}
        found = rank(profile(CHEAP, DEAR, use=USE, workload=workload), evidence).comparison
        assert found.strength is strength


def test_a_single_option_is_likely() -> None:
    assert comparison(A).strength is Strength.LIKELY


@pytest.mark.parametrize(
    ("stated", "evidence", "materiality", "basis"),
    [
        (None, {"a": "10000", "b": "10000"}, "0.05", "default"),
        # 10,400 / 10,000 − 1 = 4 %, under 5 %
        (None, {"a": ("10000", "10000", "10400"), "b": "10000"}, "0.05", "default"),
        # 11,000 / 10,000 − 1 = 10 % on the second option
        (
            None,
            {"a": "10000", "b": ("10000", "10000", "11000")},
            "0.1",
            "the spread between results on the same accelerator and size",
        ),
        ("0.02", {"a": ("10000", "9000", "11000"), "b": "10000"}, "0.02", "stated in the profile"),
        ("0", {"a": "10000", "b": "10000"}, "0", "stated in the profile"),
    ],
)
def test_materiality(stated: str | None, evidence: Any, materiality: str, basis: str) -> None:
    sections = {"policy": {"materiality": stated}} if stated is not None else {}
    found = comparison(CHEAP, DEAR, rates=evidence, **sections)
    assert (found.materiality, found.materiality_basis) == (D(materiality), basis)


def test_an_outlier_does_not_decide_what_is_material() -> None:
    # The range is 3,000 to 10,000; without the 3,000, under 60 % of the median, 9,800 to 10,000, 2 %.
    evidence = selection({"a": "10000", "b": ("10000", "3000", "10000")})
    narrow = evidence.options[1].model_copy(update={"spread_without_outliers": D("0.02")})
    found = rank(
        profile(CHEAP, DEAR, use=USE),
        evidence.model_copy(update={"options": (evidence.options[0], narrow)}),
    ).comparison
    assert (found.materiality, found.materiality_basis) == (D("0.05"), "default")


def test_the_materiality_itself_is_no_clear_winner() -> None:
    for stated, strength in (("0.2", Strength.NO_CLEAR_WINNER), ("0.1999", Strength.ROBUST)):
        found = comparison(CHEAP, DEAR, rates={"a": "10000", "b": "10000"}, policy={"materiality": stated})
        assert found.strength is strength


# --- offers on the same results: what moves one moves the other


RANGE = ("10000", "9000", "10800")  # 10,800 over 9,000: a spread of 20 %


def on_same_results(*options: Tree, **sections: Any) -> Comparison:
    evidence = selection({option["id"]: RANGE for option in options}, used=("r1", "r2"))
    return rank(profile(*options, use=USE, **sections), evidence).comparison


def test_a_dearer_offer_of_the_same_rack_is_dearer_whatever_the_evidence() -> None:
    # 3.30 over 3.00 is 10 %, less than the spread; but at every result b costs 10 % more.
    found = on_same_results(CHEAP, rented("b", "3.30"))
    assert (found.strength, found.materiality, found.materiality_basis) == (
        Strength.ROBUST,
        D("0.05"),
        "default",
    )
    assert found.why == "all options stand on the same results, so only cost and use tell them apart"
    # The same two, each on results of its own: 3.00 / 0.9 is more than 3.30 / 1.08.
    apart = comparison(CHEAP, rented("b", "3.30"), rates={"a": RANGE, "b": RANGE})
    assert (apart.strength, apart.materiality) == (Strength.NO_CLEAR_WINNER, D("0.2"))


def test_offers_of_the_same_rack_close_in_price_are_no_clear_winner() -> None:
    # 3.12 over 3.00 is 4 %, within the 5 % that are the default.
    assert on_same_results(CHEAP, rented("b", "3.12")).strength is Strength.NO_CLEAR_WINNER
    stated = on_same_results(CHEAP, rented("b", "3.12"), policy={"materiality": "0.03"})
    assert stated.strength is Strength.ROBUST


def test_a_second_offer_hides_no_third_that_the_evidence_does_not_tell_apart() -> None:
    # c at 3.36 is 12 % behind, its results are 20 % apart; b at 3.30 is of a's rack.
    rates = {"a": RANGE, "b": RANGE, "c": RANGE}
    evidence = selection(rates, used=("r1", "r2"))
    (*same, other) = evidence.options
    evidence = evidence.model_copy(update={"options": (*same, other.model_copy(update={"used": ("r3",)}))})
    options = (CHEAP, rented("b", "3.30"), rented("c", "3.36"))
    found = rank(profile(*options, use=USE), evidence).comparison
    assert found.ranking == ("a", "b", "c")
    assert found.strength is Strength.NO_CLEAR_WINNER
    assert found.why == "Rack c is 12.0 % behind, within the spread of the evidence, 20.0 %"
    # The difference to the next is what it is: 3.30 over 3.00.
    assert (found.margin, found.materiality) == (D("0.1"), D("0.05"))
    # At 3.61, beyond the spread, a's worst, 3.00 / 0.9 = 3.333, beats c's best, 3.61 / 1.08 = 3.343.
    clear = rank(profile(*options[:2], rented("c", "3.61"), use=USE), evidence).comparison
    assert clear.strength is Strength.ROBUST
    rest = "the rest stand on its own"
    assert clear.why == f"its worst evidence beats the best of every option on other results; {rest}"


def test_doubts_about_the_same_results_hold_back_a_lead_as_well() -> None:
    # Which offer is dearer is not in doubt, but what either yields is.
    evidence = selection({"a": RANGE, "b": RANGE}, used=("r1",), caveats={"a": (CaveatCode.SINGLE_SOURCE,)})
    found = rank(profile(CHEAP, DEAR, use=USE), evidence).comparison
    assert found.strength is Strength.LIKELY
    assert found.why.startswith(
        "all options stand on the same results, so only cost and use tell them apart, but "
    )


def test_whole_racks_can_turn_the_same_results_against_the_first() -> None:
    # For 1,000,000 tokens/s: a needs 2 racks of 720,000, 2 · 216 = 432 an hour; b one of 2,000,000, 460.
    # At 6,000 per accelerator a needs 3, 648 an hour, and b still one.
    evidence = selection(
        {"a": ("10000", "6000", "10000"), "b": ("10000", "6000", "10000")}, used=("r1", "r2")
    )
    found = rank(
        profile(
            CHEAP,
            rented("b", "2.30", size=200),
            use={**USE, "realized_fraction": "1"},
            demand={"output_tokens_per_second": "1000000"},
            policy={"objective": "whole-term-cost"},
        ),
        evidence,
    ).comparison
    assert found.ranking == ("a", "b")
    assert close(found.margin, str(D(460) / D(432) - 1))
    assert found.strength is Strength.LIKELY


def test_a_free_rack_beats_all_and_ties_with_another() -> None:
    rates = {"a": "10000", "b": "10000"}
    found = comparison(rented("a", "0"), DEAR, rates=rates)
    assert (found.best, found.margin, found.strength) == ("a", None, Strength.ROBUST)
    assert of(found, "b").cost_above_best is None
    # Only a price of nothing would do, and b's price is all that it costs.
    assert of(found, "b").price_change == -1
    tie = comparison(rented("a", "0"), rented("b", "0"), rates=rates)
    assert (tie.margin, tie.strength) == (0, Strength.NO_CLEAR_WINNER)


# --- break-evens, put back


@pytest.mark.parametrize("objective", ["cost-per-million-tokens", "tokens-per-money", "whole-term-cost"])
@pytest.mark.parametrize("winner_bought", [True, False])
def test_price_put_back_ties(objective: str, winner_bought: bool) -> None:
    """The price to 15 digits, as a profile takes it, so the tie is to 14."""
    bought_option = bought("b", "3900000", purchase=TERMS | {"installation_per_rack": "50000"})
    loser = B if winner_bought else bought_option
    winner = A if winner_bought else rented("a", "1.50")
    found = ranked(winner, loser, **policy(objective))
    assert found.comparison.ranking == ("a", "b")
    change = of(found.comparison, "b").price_change
    assert change is not None
    assert -1 < change < 0
    if winner_bought:
        changed = merged(loser, {"price": {"rent": {"per_accelerator_hour": f"{3 * (1 + change):.14f}"}}})
    else:
        changed = merged(loser, {"price": {"purchase": {"per_rack": f"{3_900_000 * (1 + change):.8f}"}}})
    again = ranked(winner, changed, **policy(objective))
    assert close(score(again, "b"), score(again, "a"), "1e-12")


def test_price_by_hand() -> None:
    # Rent alone: 3.00 against 3.60 on one rate is −1/6.
    found = comparison(CHEAP, DEAR, rates={"a": "10000", "b": "10000"})
    assert close(of(found, "b").price_change, D(-1) / 6)
    # b at half the rate costs 7.20 in a's terms: to 1.50, −58.33 %.
    found = comparison(CHEAP, DEAR, rates={"a": "10000", "b": "5000"})
    assert close(of(found, "b").price_change, D("1.50") / D("3.60") - 1)


def test_no_price_helps_where_power_alone_costs_more() -> None:
    hungry = rented("b", "3.00", rent={"power_included": False}, kw="5000")
    found = comparison(CHEAP, hungry)
    assert of(found, "b").price_change is None
    assert of(found, "b").throughput_change is not None


@pytest.mark.parametrize("objective", OBJECTIVES[:-1])
def test_throughput_put_back_ties(objective: str) -> None:
    found = ranked(A, B, **policy(objective))
    change = of(found.comparison, "b").throughput_change
    assert change is not None
    assert change > 0
    again = ranked(A, B, rates={"a": "15000", "b": str(10_000 * (1 + change))}, **policy(objective))
    assert is_tie(again)


def test_throughput_for_the_whole_term_saves_whole_racks() -> None:
    # Racks of 1,000,000 and 500,000 tokens/s at 240 and 150 an hour, for 3,600,000 tokens/s: 4 · 240 = 960
    # against 8 · 150 = 1,200. b wins with 6 racks, 900: each must serve 600,000, 20 % more.
    fast = rented("a", "1") | {"price": {"rent": {"per_rack_hour": "240"}}, "accelerators_per_system": 10}
    slow = rented("b", "1") | {"price": {"rent": {"per_rack_hour": "150"}}, "accelerators_per_system": 10}
    sections: Tree = {
        "demand": {"output_tokens_per_second": "3600000"},
        "use": {"realized_fraction": "1"},
        **policy("whole-term-cost"),
    }
    found = ranked(fast, slow, rates={"a": "100000", "b": "50000"}, **sections)
    change = of(found.comparison, "b").throughput_change
    assert change is not None
    assert close(change, "0.2", "1e-9")
    enough = ranked(fast, slow, rates={"a": "100000", "b": str(50_000 * (1 + change))}, **sections)
    assert enough.comparison.best == "b"
    short = ranked(fast, slow, rates={"a": "100000", "b": "59999"}, **sections)
    assert short.comparison.best == "a"
    # The other way round: a may fall to 900,000 before it needs a fifth rack, 5 · 240 = 1,200, b's cost.
    # At 3,600,000 / 5 = 720,000 five racks still tie; below that it is six.
    assert found.comparison.fraction_floor is not None
    assert close(found.comparison.fraction_floor, "0.72", "1e-9")


def test_no_throughput_helps_where_one_rack_costs_more() -> None:
    slow = rented("b", "100")
    demand = {"output_tokens_per_second": "1000"}
    found = comparison(A, slow, demand=demand, **policy("whole-term-cost"))
    assert found.ranking == ("a", "b")
    assert of(found, "b").throughput_change is None


def test_utilization_put_back_ties() -> None:
    # b costs 1.25 times a: at 0.6 · 1.25 = 0.75 it ties.
    rates = {"a": "10000", "b": "10000"}
    dear = rented("b", "3.75")
    found = ranked(CHEAP, dear, rates=rates)
    assert of(found.comparison, "b").utilization == D("0.75")
    assert is_tie(ranked(CHEAP, dear | {"use": {"utilization": "0.75"}}, rates=rates))


def test_utilization_above_1_is_not_offered() -> None:
    # 0.6 · 2 = 1.2
    assert of(comparison(CHEAP, rented("b", "6.00"), rates={"a": "9", "b": "9"}), "b").utilization is None


@pytest.mark.parametrize("objective", ["cost-per-million-tokens", "whole-term-cost"])
def test_electricity_put_back_ties(objective: str) -> None:
    # b is bought a little dearer and draws half the power: it wins when electricity is dear enough.
    frugal = bought("b", "4100000", purchase=TERMS, kw="66")
    rates = {"a": "15000", "b": "15000"}
    found = ranked(A, frugal, rates=rates, **policy(objective))
    assert found.comparison.ranking == ("a", "b")
    price = of(found.comparison, "b").electricity_price
    assert price is not None
    # By hand: 200,000 · (CRF − 0.1 · SFF + 0.05) / 8760 a rack-hour, saved with 66 kW · 1.25 = 82.5 kWh.
    crf, sff = D("0.08") * D("1.36048896") / D("0.36048896"), D("0.08") / D("0.36048896")
    assert close(price, 200_000 * (crf - sff / 10 + D("0.05")) / 8760 / D("82.5"))
    again = ranked(
        A, frugal, rates=rates, facility={"electricity_per_kwh": f"{price:.14f}"}, **policy(objective)
    )
    assert close(score(again, "b"), score(again, "a"), "1e-12")
    dearer = ranked(A, frugal, rates=rates, facility={"electricity_per_kwh": "0.5"}, **policy(objective))
    assert dearer.comparison.best == "b"


def test_electricity_of_rent_with_power_is_the_landlords() -> None:
    # b at a fixed rent; a's electricity would have to cost more for b to win.
    found = ranked(A, rented("b", "3.30"), rates={"a": "15000", "b": "15000"})
    price = of(found.comparison, "b").electricity_price
    assert price is not None
    assert price > D("0.085")
    facility = {"electricity_per_kwh": f"{price:.14f}"}
    again = ranked(A, rented("b", "3.30"), rates={"a": "15000", "b": "15000"}, facility=facility)
    assert close(score(again, "b"), score(again, "a"), "1e-12")


def test_electricity_that_no_price_can_settle() -> None:
    # Both draw alike on one rate: their difference stays. And two rents do not feel it.
    alike = bought("b", "4100000", purchase=TERMS)
    assert of(comparison(A, alike, rates={"a": "9", "b": "9"}), "b").electricity_price is None
    assert of(comparison(CHEAP, DEAR), "b").electricity_price is None
    assert of(comparison(CHEAP, DEAR, facility={"electricity_per_kwh": None}), "b").electricity_price is None
    # b is dearer and draws more: only a negative price would do.
    hungry = bought("b", "4100000", purchase=TERMS, kw="140")
    assert of(comparison(A, hungry, rates={"a": "9", "b": "9"}), "b").electricity_price is None


@pytest.mark.parametrize(
    ("objective", "offered"),
    [
        (
            "cost-per-million-tokens",
            {"price_change", "throughput_change", "utilization", "electricity_price"},
        ),
        ("tokens-per-money", {"price_change", "throughput_change", "utilization", "electricity_price"}),
        ("tokens-per-joule", {"throughput_change"}),
        ("tokens-per-second-per-rack", {"throughput_change"}),
        ("whole-term-cost", {"price_change", "throughput_change", "electricity_price"}),
    ],
)
def test_each_objective_offers_what_moves_it(objective: str, offered: set[str]) -> None:
    # Half as fast and a third cheaper, at half the power: every break-even of a cost exists.
    slow = bought("b", "2600000", purchase=TERMS, kw="30")
    found = comparison(
        A, slow, rates={"a": "15000", "b": "9000"}, use={"utilization": "0.4"}, **policy(objective)
    )
    if objective == "tokens-per-joule":
        found = comparison(slow, A, rates={"a": "15000", "b": "9000"}, **policy(objective))
    item = found.break_even[0]
    names = ("price_change", "throughput_change", "utilization", "electricity_price")
    assert {name for name in names if getattr(item, name) is not None} == offered


@pytest.mark.parametrize("objective", OBJECTIVES[:-1])
def test_the_fraction_floor_put_back_ties(objective: str) -> None:
    found = ranked(A, B, **policy(objective))
    floor = found.comparison.fraction_floor
    assert floor is not None
    assert floor < D("0.7")
    lowered = A | {"use": {"realized_fraction": f"{floor:.15f}"}}
    again = ranked(lowered, B, **policy(objective))
    assert close(score(again, "b"), score(again, "a"), "1e-12")


# --- tornado


RANGED = bought(
    "a",
    {"value": "3900000", "low": "3600000", "high": "4300000"},
    purchase={
        "years": 4,
        "rate": {"value": "0.08", "low": "0.06", "high": "0.11"},
        "residual": {"value": "0.10", "low": "0", "high": "0.25"},
        "support_rate": {"value": "0.05", "low": "0.03", "high": "0.06"},
        "installation_per_rack": {"value": "60000", "low": "40000", "high": "90000"},
        "support_per_year": {"value": "12000", "low": "10000", "high": "15000"},
        "other_per_year": {"value": "20000", "low": "0", "high": "25000"},
    },
    kw={"value": "132", "low": "120", "high": "140"},
)
RANGES: Tree = {
    "use": {
        "realized_fraction": {"value": "0.7", "low": "0.6", "high": "0.8"},
        "utilization": {"value": "0.6", "low": "0.5", "high": "0.75"},
    },
    "facility": {
        "electricity_per_kwh": {"value": "0.085", "low": "0.06", "high": "0.12"},
        "pue": {"value": "1.25", "low": "1.1", "high": "1.4"},
        "colocation_per_kw_month": {"value": "20", "low": "15", "high": "30"},
    },
}


def swings(*options: Tree, rates: Any = None, **sections: Any) -> dict[str, Swing]:
    return {swing.input: swing for swing in comparison(*options, rates=rates, **sections).tornado}


def test_every_input_with_a_range_swings_and_each_end_put_back_gives_its_cost() -> None:
    evidence = {"a": ("15000", "14000", "16000")}
    found = swings(RANGED, rates=evidence, **RANGES)
    facility, use = "facility", "use"
    # Where each input stands in the profile.
    places: dict[str, tuple[str, ...]] = {
        "price": ("price", "purchase", "per_rack"),
        "cost of capital": ("price", "purchase", "rate"),
        "residual value": ("price", "purchase", "residual"),
        "support rate": ("price", "purchase", "support_rate"),
        "support": ("price", "purchase", "support_per_year"),
        "installation": ("price", "purchase", "installation_per_rack"),
        "other yearly costs": ("price", "purchase", "other_per_year"),
        "rack power": ("power", "kw"),
        "realized fraction": (use, "realized_fraction"),
        "utilization": (use, "utilization"),
        "electricity price": (facility, "electricity_per_kwh"),
        "PUE": (facility, "pue"),
        "colocation price": (facility, "colocation_per_kw_month"),
    }
    assert set(found) == {*places, "benchmark evidence"}
    for name, path in places.items():
        for end in ("low", "high"):
            changed: Any = str(getattr(found[name], end))
            for key in reversed(path):
                changed = {key: changed}
            if path[0] in (facility, use):
                again = ranked(RANGED, rates=evidence, **merged(RANGES, changed))
            else:
                again = ranked(merged(RANGED, changed), rates=evidence, **RANGES)
            cost = again.figures[0].cost_per_million_tokens
            assert close(getattr(found[name], f"cost_at_{end}"), cost)
    figures = ranked(RANGED, rates=evidence, **RANGES).figures[0]
    assert close(found["benchmark evidence"].cost_at_low, figures.cost_high)
    assert close(found["benchmark evidence"].cost_at_high, figures.cost_low)


def test_the_tornado_is_widest_first() -> None:
    found = comparison(RANGED, rates={"a": ("15000", "14000", "16000")}, **RANGES).tornado
    widths = [abs(swing.cost_at_high - swing.cost_at_low) for swing in found]
    assert widths == sorted(widths, reverse=True)


def test_one_end_given_leaves_the_value_as_the_other() -> None:
    tree = rented("a", {"value": "3.30", "high": "3.80"})
    swing = swings(tree)["rent"]
    assert (swing.low, swing.value, swing.high) == (D("237.60"), D("237.60"), D("273.60"))
    assert swing.unit == "money per rack-hour"


def test_a_range_in_another_currency_and_with_discount() -> None:
    # (2.80 … 3.40) · 1.1 · (1 − 0.1) · 72
    tree = rented("a", {"value": "3 EUR", "low": "2.80 EUR", "high": "3.40 EUR"}, rent={"discount": "0.1"})
    rates = [{"currency": "EUR", "rate": "1.1", "date": date(2026, 11, 2)}]
    swing = swings(tree, exchange_rates=rates)["rent"]
    assert (swing.low, swing.high) == (D("199.584"), D("242.352"))


def test_what_cannot_move_the_cost_is_left_out() -> None:
    # Rent with power: electricity, PUE and rack power have ranges and no effect.
    tree = rented("a", "3.30", kw={"value": "132", "low": "120", "high": "140"})
    found = swings(tree, rates={"a": "15000"}, facility=RANGES["facility"])
    assert found == {}


def test_the_tornado_is_the_winners() -> None:
    options = (rented("a", {"value": "3.30", "low": "3.00"}), rented("b", {"value": "9", "low": "8"}))
    found = swings(*options, rates={"a": "10000", "b": "10000"})
    assert found["rent"].high == D("237.60")
