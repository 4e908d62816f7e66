"""What the figures take for granted is said, and only where it is so."""

from __future__ import annotations

from typing import Any

import pytest

from economics_cases import Tree, bought, profile, rank, rented
from rackrecord.catalog.claim import Caveat, CaveatCode
from rackrecord.economics.assumptions import assumptions


def found(*options: Tree, **sections: Any) -> tuple[Caveat, ...]:
    given = profile(*options, **sections)
    return assumptions(given, rank(given).figures)


def rent(commitment: str, id: str = "a") -> Tree:
    return rented(id, "3.30", rent={"commitment": commitment})


@pytest.mark.parametrize(
    ("option", "years", "start"),
    [
        (rent("on-demand"), 1, "the rent is not committed for the 1 year compared"),
        (rent("one-year"), 4, "the rent is not committed for the 4 years compared"),
        (rent("three-years"), 2, "the rent is committed for longer than the 2 years compared"),
        (rent("one-year"), 1, None),
        (rent("three-years"), 3, None),
        (bought("a", "1", purchase={"years": 3}), 4, "used for less than the 4 years compared"),
        (bought("a", "1", purchase={"years": 5}), 4, "charged by the year"),
        (bought("a", "1"), 4, None),
    ],
)
def test_terms_that_differ_from_the_one_compared(option: Tree, years: int, start: str | None) -> None:
    texts = [caveat.text for caveat in found(option, term={"years": years})]
    if start is None:
        assert texts == []
    else:
        (text,) = texts
        assert text.startswith(f"Rack a: {start}")


def test_racks_bought_later_are_used_beyond_the_term() -> None:
    demand = {"output_tokens_per_second": "5000000", "yearly_growth": "0.5"}
    (caveat,) = found(bought("a", "1"), demand=demand)
    assert caveat.code is CaveatCode.TERM_ASSUMPTION
    assert caveat.text == (
        "Rack a: charged by the year, also where racks are used beyond the 4 years compared; "
        "the value left in them then is taken to be recovered."
    )


def test_one_sentence_for_all_that_it_concerns() -> None:
    (caveat,) = found(rent("one-year"), rent("on-demand", "b"))
    assert caveat.text.startswith("Rack a; Rack b: ")


def test_a_utilization_that_demand_cannot_reach() -> None:
    # 5,000,000 tokens/s on 6 racks of 1,121,600, one of them spare: 5 / 6.7296 = 0.743. A million tokens cost
    # 237.60 · 10⁶ / (3600 · 1,121,600 · 0.9) = 0.0653828 at 0.9, and 0.0792 at 0.743.
    demand = {"output_tokens_per_second": "5000000", "spares": 1}
    (caveat,) = found(
        rent("three-years"), demand=demand, use={"utilization": "0.9"}, term={"years": 3, "rate": "0"}
    )
    assert caveat.code is CaveatCode.UTILIZATION_TOO_HIGH
    assert caveat.text == (
        "Rack a: a utilization of 0.9 is more than demand can use. At its peak it takes up 0.74 of the "
        "racks, headroom, spares and whole racks counted: a million tokens cost at least 0.07920 USD."
    )


@pytest.mark.parametrize("use", [{}, {"utilization": "0.74"}])
def test_a_utilization_within_reach_or_not_stated(use: Tree) -> None:
    demand = {"output_tokens_per_second": "5000000", "spares": 1}
    assert found(rent("three-years"), demand=demand, use=use, term={"years": 3, "rate": "0"}) == ()


def test_a_pue_of_one_is_said_where_power_is_paid_for() -> None:
    def codes(option: Tree, pue: str) -> list[CaveatCode]:
        caveats = found(option, facility={"pue": pue, "electricity_per_kwh": "0.1"}, term={"years": 4})
        return [caveat.code for caveat in caveats if caveat.code is CaveatCode.PUE_OF_ONE]

    assert codes(bought("a", "1"), "1") == [CaveatCode.PUE_OF_ONE]
    assert codes(bought("a", "1"), "1.2") == []
    assert codes(rent("on-demand"), "1") == []
