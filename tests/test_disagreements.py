"""Statements of one profile that speak of the same thing and do not agree."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from rackrecord.catalog.store import bundled_catalog
from rackrecord.claim_check.disagreements import disagreements
from rackrecord.claim_check.vendor import check_vendor_claims
from rackrecord.profile.models import Profile, VendorClaim


def statement(claim_id: str, **stated: Any) -> VendorClaim:
    facts: dict[str, Any] = {
        "id": claim_id,
        "who": f"{claim_id} inc",
        "where": "a web page",
        "date": date(2026, 9, 16),
        "statement": "words",
        "stage": "published",
        "subject": "NVIDIA Vera Rubin",
        "benchmark": "deepseek-r1",
    }
    return VendorClaim.model_validate(facts | stated)


def times(claim_id: str, multiplier: str, **stated: Any) -> VendorClaim:
    return statement(claim_id, multiplier=Decimal(multiplier), **({"baseline": "NVIDIA GB300"} | stated))


def value(claim_id: str, figure: int, **stated: Any) -> VendorClaim:
    return statement(claim_id, value=Decimal(figure), **({"unit": "Tokens/s", "accelerators": 72} | stated))


def texts(*claims: VendorClaim) -> list[str]:
    found = disagreements(claims)
    return [item.text for claim in claims for item in found.get(claim.id, ())]


def test_two_multipliers_of_the_same_pair() -> None:
    pair = "NVIDIA Vera Rubin over NVIDIA GB300"
    text = f"a (a inc) and b (b inc) disagree on {pair} on deepseek-r1: 2.5x and 2.7x"
    assert texts(times("a", "2.5"), times("b", "2.7")) == [text, text]


def test_spellings_of_one_accelerator_and_benchmark_are_one() -> None:
    other = times("b", "2.7", subject="Vera Rubin NVL72", baseline="GB300", benchmark="DEEPSEEK-R1")
    assert len(texts(times("a", "2.5"), other)) == 2


def test_a_scenario_that_one_of_them_leaves_open_is_said() -> None:
    (text, _) = texts(times("a", "2.5", scenario="Interactive"), times("b", "2.7"))
    assert text.endswith("on deepseek-r1 Interactive: 2.5x and 2.7x; b names no scenario")


def test_each_says_the_other_is_slower() -> None:
    other = times("b", "1.2", subject="NVIDIA GB300", baseline="NVIDIA Vera Rubin")
    (text, _) = texts(times("a", "2.5"), other)
    assert "which of NVIDIA Vera Rubin and NVIDIA GB300 is the faster" in text


def test_two_figures_of_one_system_size() -> None:
    (text, _) = texts(value("a", 650_000), value("b", 1_200_000))
    assert "disagree on NVIDIA Vera Rubin on deepseek-r1: 650,000 and 1,200,000 Tokens/s" in text


def test_two_scaling_efficiencies_of_one_system_size() -> None:
    def scaling(claim_id: str, share: str) -> VendorClaim:
        return statement(claim_id, scaling_efficiency=Decimal(share), accelerators=288)

    (text, _) = texts(scaling("a", "0.99"), scaling("b", "0.9"))
    assert "the scaling of NVIDIA Vera Rubin on deepseek-r1: 0.99 and 0.9" in text


def test_gains_between_the_same_rounds() -> None:
    rounds = {"subject": "GB300", "baseline": "GB300", "round": "v6.1", "baseline_round": "v6.0"}
    assert len(texts(times("a", "1.6", **rounds), times("b", "1.5", **rounds))) == 2
    assert (
        texts(times("a", "1.6", **rounds), times("b", "1.5", **(rounds | {"baseline_round": "v5.1"}))) == []
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (times("a", "2.5"), times("b", "2.5")),
        (times("a", "2.5"), times("b", "2.7", baseline="NVIDIA GB200")),
        (times("a", "2.5"), times("b", "2.7", subject="NVIDIA B300")),
        (times("a", "2.5"), times("b", "2.7", benchmark="gpt-oss-120b")),
        (times("a", "2.5"), times("b", "2.7", benchmark=None)),
        (times("a", "2.5", scenario="Server"), times("b", "2.7", scenario="Offline")),
        (times("a", "2.5", accelerators=72), times("b", "2.7", accelerators=36)),
        (times("a", "2.5", round="v6.1"), times("b", "2.7", round="v6.0")),
        (times("a", "3.7", up_to=True), times("b", "2.5")),
        (times("a", "2.5"), times("b", "0.9", subject="NVIDIA GB300", baseline="NVIDIA Vera Rubin")),
        (value("a", 650_000), value("b", 650_000)),
        (value("a", 650_000), value("b", 300_000, accelerators=36)),
        (value("a", 650_000), value("b", 650_001, unit="Queries/s")),
        (value("a", 650_000), value("b", 600_000, subject="NVIDIA GB300")),
        (times("a", "2.5"), value("b", 650_000)),
    ],
)
def test_what_agrees_or_speaks_of_something_else(one: VendorClaim, other: VendorClaim) -> None:
    assert texts(one, other) == []
    assert texts(other, one) == []


def test_up_to_reaches_no_further_than_it_says() -> None:
    assert len(texts(times("a", "2.5", up_to=True), times("b", "3.7"))) == 2
    assert len(texts(times("a", "2.5", up_to=True), times("b", "3.7", up_to=True))) == 2


def test_the_checks_of_a_profile_carry_them() -> None:
    profile = Profile.model_validate(
        {
            "title": "t",
            "owner": "o",
            "currency": "USD",
            "workload": {"benchmark": "deepseek-r1", "scenario": "Server"},
            "demand": {"output_tokens_per_second": 1000},
            "options": (
                {"id": "a", "name": "a", "accelerator": "NVIDIA GB300", "accelerators_per_system": 72},
            ),
            "vendor_claims": (
                times("a", "2.5"),
                times("b", "2.7"),
                times("c", "2.7", benchmark="gpt-oss-120b"),
            ),
        }
    )
    checks = check_vendor_claims(profile, bundled_catalog())
    assert [[item.other for item in check.disagreements] for check in checks] == [["b"], ["a"], []]
    assert [check.id for check in checks] == ["a", "b", "c"]
