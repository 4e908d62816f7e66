"""What holds for any price, rate and demand."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from economics_cases import D, Tree, bought, close, merged, only, option, profile, rank, rented, selection
from rackrecord.data import Data
from rackrecord.economics.options import Economics

SETTINGS = settings(max_examples=40, deadline=None)


def amounts(low: str, high: str, places: int = 2) -> st.SearchStrategy[str]:
    """Numbers as a profile has them."""
    return st.decimals(min_value=D(low), max_value=D(high), places=places).map(lambda number: f"{number:f}")


SHARES = amounts("0.05", "1", 3)
RATES = amounts("100", "40000")
FEW_RACKS = amounts("1000000", "30000000", 0)


@st.composite
def purchases(draw: st.DrawFn, id: str = "a") -> Tree:
    """A bought option; its price is the only one of its costs that the price scales, besides support."""
    return bought(
        id,
        draw(amounts("100000", "9000000")),
        purchase={
            "discount": draw(amounts("0", "0.5", 3)),
            "installation_per_rack": draw(amounts("0", "200000")),
            "rate": draw(amounts("0", "0.3", 3)),
            "years": draw(st.integers(1, 8)),
            "residual": draw(amounts("0", "1", 3)),
            "support_rate": draw(amounts("0", "0.2", 3)),
            "support_per_year": draw(amounts("0", "100000")),
            "other_per_year": draw(amounts("0", "100000")),
        },
        kw=draw(amounts("1", "300")),
    )


@st.composite
def rents(draw: st.DrawFn, id: str = "a") -> Tree:
    """A rented option."""
    form = draw(st.sampled_from(["per_accelerator_hour", "per_rack_hour", "per_rack_month"]))
    rent = {
        form: draw(amounts("0.5", "9000")),
        "discount": draw(amounts("0", "0.5", 3)),
        "power_included": draw(st.booleans()),
    }
    return option(id, price={"rent": rent}, kw=draw(amounts("1", "300")))


def offers(id: str = "a") -> st.SearchStrategy[Tree]:
    return st.one_of(purchases(id), rents(id))


@st.composite
def situations(draw: st.DrawFn) -> Tree:
    """The sections of a profile beside its options."""
    return {
        "use": {"realized_fraction": draw(SHARES), "utilization": draw(SHARES)},
        "demand": {
            "output_tokens_per_second": draw(FEW_RACKS),
            "headroom": draw(amounts("0", "1", 3)),
            "spares": draw(st.integers(0, 3)),
            "yearly_growth": draw(amounts("-0.5", "1", 3)),
        },
        "term": {"years": draw(st.integers(1, 6)), "rate": draw(amounts("0", "0.2", 3))},
        "facility": {
            "electricity_per_kwh": draw(amounts("0", "0.5", 4)),
            "colocation_per_kw_month": draw(amounts("0", "300")),
            "pue": draw(amounts("1", "2", 3)),
        },
    }


@SETTINGS
@given(offers(), situations(), RATES, RATES)
def test_more_throughput_never_costs_more(offer: Tree, situation: Tree, one: str, other: str) -> None:
    slow, fast = sorted((one, other), key=D)
    found = [only(profile(offer, **situation), selection({"a": rate})) for rate in (slow, fast)]
    assert found[1].cost_per_million_tokens <= found[0].cost_per_million_tokens
    assert found[1].racks <= found[0].racks
    assert found[1].term_cost <= found[0].term_cost


@SETTINGS
@given(purchases(), situations(), RATES)
def test_cost_is_linear_in_price(offer: Tree, situation: Tree, rate: str) -> None:
    evidence = selection({"a": rate})

    def cost(price: Decimal) -> Decimal:
        changed = merged(offer, {"price": {"purchase": {"per_rack": str(price)}}})
        return only(profile(changed, **situation), evidence).cost_per_million_tokens

    base, step, double = cost(D(0)), cost(D(1_000_000)), cost(D(2_000_000))
    assert abs((double - step) - (step - base)) <= D("1e-20") * double
    assert step >= base


MONEY = {
    "per_accelerator_hour",
    "per_rack_hour",
    "per_rack_month",
    "per_rack",
    "installation_per_rack",
    "support_per_year",
    "other_per_year",
    "electricity_per_kwh",
    "colocation_per_kw_month",
}


def with_money(tree: Any, change: Any) -> Any:
    """The tree with every amount of money changed."""
    if isinstance(tree, dict):
        return {
            key: change(value) if key in MONEY and value is not None else with_money(value, change)
            for key, value in tree.items()
        }
    return tree


# The numbers of the figures that are no money, and those per money; every other one is money.
UNCHANGED = set(
    [
        "year",
        "demand",
        "racks",
        "added",
        "peak_load",
        "rate",
        "rate_per_accelerator",
        "rate_low",
        "rate_high",
        "accelerators",
        "realized_fraction",
        "utilization",
        "attainable_utilization",
        "tokens_per_second",
        "tokens_per_joule",
        "tokens_per_accelerator",
        "rack_kw",
        "power_kw",
        "energy_kwh_per_year",
        "next_rack_in_years",
        "share",
        "output_tokens_per_request",
        "capacity",
    ]
)
PER_MONEY = {"tokens_per_second_per_money_hour", "tokens_per_money"}


def leaves(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Decimal]:
    """Every number of the figures by its path; the inputs, which are given, left out."""
    if isinstance(value, Data):
        fields = {name: getattr(value, name) for name in type(value).__struct_fields__ if name != "inputs"}
        return {k: v for name, item in fields.items() for k, v in leaves(item, (*path, name)).items()}
    if isinstance(value, tuple):
        return {k: v for i, item in enumerate(value) for k, v in leaves(item, (*path, str(i))).items()}
    if isinstance(value, (Decimal, int)) and not isinstance(value, bool):
        return {path: Decimal(value)}
    return {}


@SETTINGS
@given(offers(), situations(), RATES, amounts("0.01", "99"))
def test_scaling_all_money_scales_every_money_figure(
    offer: Tree, situation: Tree, rate: str, times: str
) -> None:
    k, evidence = D(times), selection({"a": rate})

    def scaled(amount: str) -> str:
        return f"{D(amount) * k:f}"

    before = leaves(only(profile(offer, **situation), evidence))
    after = leaves(only(profile(with_money(offer, scaled), **with_money(situation, scaled)), evidence))
    assert before.keys() == after.keys()
    money = 0
    for path, value in before.items():
        name = path[-1]
        if name in UNCHANGED:
            assert after[path] == value, path
        elif name in PER_MONEY:
            assert close(after[path] * k, value), path
        else:
            assert close(after[path], value * k), path
            money += 1
    assert money >= 10


@SETTINGS
@given(offers(), situations(), RATES, amounts("0.01", "200", 4))
def test_currency_conversion_round_trips(offer: Tree, situation: Tree, rate: str, exchange: str) -> None:
    # The same amounts, called EUR in a profile in USD: every figure is the EUR figure times the rate.
    evidence = selection({"a": rate})
    euros = only(profile(offer, **situation, currency="EUR"), evidence)
    dollars = only(
        profile(
            with_money(offer, lambda amount: f"{amount} EUR"),
            **with_money(situation, lambda amount: f"{amount} EUR"),
            currency="USD",
            exchange_rates=[{"currency": "EUR", "rate": exchange, "date": date(2026, 11, 2)}],
        ),
        evidence,
    )
    assert close(dollars.cost_per_hour / D(exchange), euros.cost_per_hour)
    assert close(dollars.cost_per_million_tokens / D(exchange), euros.cost_per_million_tokens)
    assert close(dollars.term_cost / D(exchange), euros.term_cost)
    assert dollars.racks == euros.racks


@SETTINGS
@given(situations(), RATES, FEW_RACKS, FEW_RACKS)
def test_racks_grow_with_demand(situation: Tree, rate: str, one: str, other: str) -> None:
    small, large = sorted((one, other), key=D)
    found = []
    for demand in (small, large):
        sections = merged(situation, {"demand": {"output_tokens_per_second": demand}})
        found.append(only(profile(rented("a", "3.30"), **sections), selection({"a": rate})))
    assert all(
        before.racks <= after.racks for before, after in zip(found[0].years, found[1].years, strict=True)
    )


@SETTINGS
@given(situations(), RATES)
def test_racks_are_enough_and_one_fewer_would_not_be(situation: Tree, rate: str) -> None:
    found = only(profile(rented("a", "3.30"), **situation), selection({"a": rate}))
    (part,) = found.parts
    needed = part.demand * (1 + found.inputs.headroom)
    assert part.racks * part.capacity >= needed * (1 - D("1e-18"))
    assert (part.racks - 1) * part.capacity < needed
    assert found.racks == part.racks + found.inputs.spares
    racks = [year.racks for year in found.years]
    assert racks == sorted(racks)
    assert sum(year.added for year in found.years) == racks[-1]


@SETTINGS
@given(situations(), RATES)
def test_the_next_rack_is_due_when_the_growing_peak_fills_those_there_are(situation: Tree, rate: str) -> None:
    found = only(profile(rented("a", "3.30"), **situation), selection({"a": rate}))
    growth = found.inputs.yearly_growth
    if growth <= 0:
        assert found.next_rack_in_years is None
        return
    assert found.next_rack_in_years is not None
    (part,) = found.parts
    then = part.demand * (1 + growth) ** found.next_rack_in_years * (1 + found.inputs.headroom)
    assert close(then, part.racks * part.capacity, "1e-12")


def three() -> st.SearchStrategy[tuple[Tree, Tree, Tree]]:
    return st.tuples(offers("a"), offers("b"), offers("c"))


OBJECTIVES = st.sampled_from(
    [
        "cost-per-million-tokens",
        "tokens-per-money",
        "tokens-per-joule",
        "tokens-per-second-per-rack",
        "whole-term-cost",
    ]
)
EVIDENCE = st.tuples(RATES, RATES, RATES)


def ranked(options: tuple[Tree, ...], situation: Tree, rates: tuple[str, ...], **sections: Any) -> Economics:
    by_id = dict(zip("abc", rates, strict=True))
    return rank(profile(*options, **situation, **sections), selection(by_id))


@SETTINGS
@given(three(), situations(), EVIDENCE, OBJECTIVES, st.permutations([0, 1, 2]))
def test_the_ranking_does_not_depend_on_the_order_of_the_options(
    options: tuple[Tree, ...], situation: Tree, rates: tuple[str, ...], objective: str, order: list[int]
) -> None:
    policy = {"policy": {"objective": objective}}
    one = ranked(options, situation, rates, **policy).comparison
    other = ranked(tuple(options[i] for i in order), situation, rates, **policy).comparison
    assume(one.margin != 0)  # between equals the profile's order decides
    assert (one.best, one.strength, one.margin) == (other.best, other.strength, other.margin)


@SETTINGS
@given(st.tuples(offers("a"), offers("b")), situations(), st.tuples(RATES, RATES), OBJECTIVES)
def test_break_evens_bring_the_score_to_the_best(
    options: tuple[Tree, ...], situation: Tree, rates: tuple[str, str], objective: str
) -> None:
    policy = {"policy": {"objective": objective}}
    by_id = dict(zip("ab", rates, strict=True))
    found = rank(profile(*options, **situation, **policy), selection(by_id))
    item = found.comparison.break_even[0]
    if item.throughput_change is None:
        assert objective == "whole-term-cost"
        return
    faster = {item.option: str(D(by_id[item.option]) * (1 + item.throughput_change))}
    again = rank(profile(*options, **situation, **policy), selection(by_id | faster))
    if objective == "whole-term-cost":
        assert again.comparison.best == item.option or again.comparison.margin == 0
    else:
        assert again.comparison.margin is not None
        assert abs(again.comparison.margin) < D("1e-15")


@SETTINGS
@given(three(), situations(), EVIDENCE, amounts("0.01", "99"))
def test_scaling_all_money_changes_no_ranking(
    options: tuple[Tree, ...], situation: Tree, rates: tuple[str, ...], times: str
) -> None:
    def scaled(amount: str) -> str:
        return f"{D(amount) * D(times):f}"

    before = ranked(options, situation, rates).comparison
    dearer = tuple(with_money(tree, scaled) for tree in options)
    after = ranked(dearer, with_money(situation, scaled), rates).comparison
    assume(before.margin is None or before.margin > D("1e-15"))
    assert (before.best, before.strength) == (after.best, after.strength)
