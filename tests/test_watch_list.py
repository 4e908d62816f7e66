"""Previews and when they are due. Dates are worked out by hand: publication plus 140 days."""

from __future__ import annotations

from datetime import date
from typing import Any, cast

import pytest

from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog, bundled_catalog
from rackrecord.claim_check.watch import WatchState, previews, watch_list
from rackrecord.profile.models import Profile

AS_OF = date(2026, 11, 30)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return bundled_catalog()


def profile(benchmark: str, scenario: str, *accelerators: str, suite: str = "datacenter") -> Profile:
    facts: dict[str, Any] = {
        "title": "t",
        "owner": "o",
        "currency": "USD",
        "workload": {"benchmark": benchmark, "scenario": scenario, "suite": suite},
        "demand": {"output_tokens_per_second": 1000},
        "options": tuple(
            {"id": f"option-{number}", "name": name, "accelerator": name, "accelerators_per_system": 72}
            for number, name in enumerate(accelerators)
        ),
    }
    return Profile.model_validate(facts)


class Shelf:
    """A catalog of given results."""

    def __init__(self, claims: tuple[Claim, ...], rounds: tuple[str, ...]) -> None:
        self._claims, self._rounds = claims, rounds

    def claims(self, benchmark: str) -> tuple[Claim, ...]:
        return tuple(claim for claim in self._claims if claim.benchmark == benchmark)

    def round_names(self) -> tuple[str, ...]:
        return self._rounds


def test_a_pending_preview_waits_for_an_expected_round_or_140_days(catalog: Catalog) -> None:
    asked = profile("qwen3-vl-235b-a22b", "Interactive", "NVIDIA GB300", "NVIDIA Vera Rubin")
    (item,) = watch_list(asked, asked.parts[0], catalog, AS_OF)
    assert (item.accelerator, item.round, item.state) == ("nvidia-vera-rubin", "v6.1", WatchState.PENDING)
    assert item.candidate
    assert item.scenario_matches
    assert item.earliest == date(2027, 2, 3)  # 2026-09-16 plus 140 days
    assert (item.next_round, item.expected, item.due) == ("v7.0", "2027-04", None)
    assert item.scenarios == ("Offline", "Server", "Interactive")
    assert item.sizes == (72,)
    assert len(item.claims) == 3
    assert item.text == (
        "NVIDIA Vera Rubin: preview in v6.1 on qwen3-vl-235b-a22b by NVIDIA; to return as available by v7.0 "
        "(expected 2027-04) or 2027-02-03, whichever is later."
    )


def test_a_preview_of_no_option_is_listed_as_such(catalog: Catalog) -> None:
    asked = profile("deepseek-r1", "Server", "NVIDIA GB300")
    (item,) = watch_list(asked, asked.parts[0], catalog, AS_OF)
    assert (item.accelerator, item.candidate) == ("nvidia-vera-rubin", False)
    assert (item.submitters, item.sizes) == (("NVIDIA", "Nebius"), (36, 72))


def test_a_returned_preview_is_not_watched(catalog: Catalog) -> None:
    asked = profile("gpt-oss-120b", "Server", "Intel Arc Pro B70")
    assert watch_list(asked, asked.parts[0], catalog, AS_OF) == ()
    (item,) = previews("gpt-oss-120b", catalog, AS_OF)
    assert (item.state, item.returned_in) == (WatchState.RETURNED, "v6.1")


def test_before_its_return_it_is_watched_with_the_day(catalog: Catalog) -> None:
    spring = catalog.restricted(("v4.1", "v5.1", "v6.0"))
    asked = profile("gpt-oss-120b", "Server", "Intel Arc Pro B70")
    (item,) = watch_list(asked, asked.parts[0], spring, date(2026, 5, 1))
    # 2026-04-01 plus 140 days is 2026-08-19, v6.1 was published on 2026-09-16
    assert (item.earliest, item.due, item.state) == (date(2026, 8, 19), date(2026, 9, 16), WatchState.PENDING)
    assert item.text.endswith("to return as available by 2026-09-16.")


def test_it_is_overdue_where_the_round_it_was_due_in_lacks_it(catalog: Catalog) -> None:
    claims = tuple(
        claim
        for claim in catalog.claims("gpt-oss-120b")
        if claim.round == "v6.0" or claim.accelerator != "intel-arc-pro-b70"
    )
    shelf = cast("Catalog", Shelf(claims, ("v6.0", "v6.1")))
    (item,) = previews("gpt-oss-120b", shelf, AS_OF)
    assert item.state == WatchState.OVERDUE
    assert item.text.endswith("due to return as available by 2026-09-16, and not there on this benchmark.")
    (pending,) = previews("gpt-oss-120b", shelf, date(2026, 9, 16))
    assert pending.state == WatchState.PENDING


def test_nothing_is_known_where_the_catalog_lacks_the_round_it_was_due_in(catalog: Catalog) -> None:
    # v4.1 was published on 2024-08-28; v5.0 followed on 2025-04-02 and is not bundled
    found = {item.accelerator: item for item in previews("llama2-70b", catalog, AS_OF)}
    item = found["nvidia-gh200-144gb"]
    assert (item.state, item.due) == (WatchState.UNKNOWN, date(2025, 4, 2))
    assert item.text.endswith("v5.0 is not in the catalog.")
    asked = profile("llama2-70b", "Server", "NVIDIA GH200 Grace Hopper Superchip 144GB")
    assert watch_list(asked, asked.parts[0], catalog, AS_OF) == ()


def test_newest_round_first(catalog: Catalog) -> None:
    rounds = [item.round for item in previews("llama2-70b", catalog, AS_OF)]
    assert rounds == ["v6.0", "v4.1", "v4.1", "v4.1"]


def test_the_other_suite_is_another_list(catalog: Catalog) -> None:
    asked = profile("qwen3-vl-235b-a22b", "Server", "NVIDIA GB300", suite="edge")
    assert watch_list(asked, asked.parts[0], catalog, AS_OF) == ()
