"""Software first, from the bundled results. Expected figures are worked out from the official rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from rackrecord.catalog.store import Catalog, bundled_catalog
from rackrecord.claim_check.software import SoftwareGain, software_first, software_gains
from rackrecord.profile.models import Fleet, Workload

QWEN = "qwen3-vl-235b-a22b"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return bundled_catalog()


def gain(
    catalog: Catalog, benchmark: str, scenario: Any, fleet: dict[str, Any], **asked: Any
) -> SoftwareGain:
    facts = {"accelerator": "NVIDIA GB300", "racks": 1, "software_round": "v6.0"} | fleet
    found = software_first(
        Fleet.model_validate(facts), Workload(benchmark=benchmark, scenario=scenario), catalog, **asked
    )
    assert found is not None
    return found


def test_without_a_fleet_there_is_nothing_to_gain(catalog: Catalog) -> None:
    assert software_first(None, Workload(benchmark=QWEN, scenario="Server"), catalog) is None


def test_the_gain_at_the_fleets_own_size(catalog: Catalog) -> None:
    # deepseek-r1 Server on 72 GB300. v6.0: 400,437 and 575,580, median 488,008.5.
    # v6.1: 586,852, 589,391, 596,944 and 603,023, median 593,167.5.
    found = gain(catalog, "deepseek-r1", "Server", {"accelerators_per_system": 72, "racks": 3})
    assert found.same_size is not None
    assert (found.from_round, found.to_round, found.nearest) == ("v6.0", "v6.1", None)
    assert f"{found.same_size.gain_median:.4f}" == "1.2155"
    assert f"{found.same_size.gain_best:.4f}" == "1.0477"
    assert found.accelerators == 216
    assert found.unit == "Tokens/s"
    assert found.added is not None
    assert round(found.added, 6) == Decimal("315477")  # 3 x 105,159
    assert found.added_best is not None
    assert round(found.added_best, 6) == Decimal("82329")  # 3 x 27,443
    assert found.fleet_now is not None
    assert round(found.fleet_now, 6) == Decimal("1464025.5")
    assert found.added_tokens == found.added
    assert "1.22x of the medians, 1.05x best over best" in found.sentence


def test_the_share_of_the_shortfall_that_it_covers(catalog: Catalog) -> None:
    fleet = {"accelerators_per_system": 72, "racks": 3}
    found = gain(catalog, "deepseek-r1", "Server", fleet, demand=Decimal("2094979.5"))
    assert found.shortfall is not None
    assert round(found.shortfall, 6) == Decimal(630954)
    assert found.shortfall_covered is not None
    assert round(found.shortfall_covered, 9) == Decimal("0.5")
    assert "50.0 % of the shortfall" in found.sentence
    half = gain(
        catalog, "deepseek-r1", "Server", fleet, demand=Decimal("2094979.5"), realized_fraction=Decimal("0.5")
    )
    # at half the throughput the shortfall is 1,362,966.75 and the gain 157,738.5
    assert half.shortfall_covered is not None
    assert round(half.shortfall_covered, 6) == Decimal("0.115732")


def test_a_demand_that_is_met_has_no_shortfall_to_cover(catalog: Catalog) -> None:
    found = gain(catalog, "deepseek-r1", "Server", {"accelerators_per_system": 72}, demand=Decimal(1000))
    assert (found.shortfall, found.shortfall_covered) == (Decimal(0), None)
    assert "there is no shortfall" in found.sentence


def test_it_covers_at_most_all_of_the_shortfall(catalog: Catalog) -> None:
    fleet = {"accelerators_per_system": 72}
    found = gain(catalog, "deepseek-r1", "Server", fleet, demand=Decimal(488_010))
    assert found.shortfall_covered == 1


def test_a_size_that_a_round_lacks_is_said_and_the_nearest_shown(catalog: Catalog) -> None:
    found = gain(catalog, QWEN, "Server", {"accelerators_per_system": 72})
    assert found.same_size is None
    assert found.nearest is not None
    assert found.nearest.size == 4
    assert f"{found.nearest.gain_best:.2f}" == "1.50"
    assert f"{found.nearest.gain_median:.2f}" == "1.55"
    assert found.added is None
    assert found.sentence == (
        "NVIDIA GB300 on qwen3-vl-235b-a22b Server: no Server result of NVIDIA GB300 in v6.0 on 72 "
        "accelerators "
        "(there are in v6.0 on 4 and v6.1 on 4 and 72). The nearest size that both rounds have is 4: 1.55x "
        "of the "
        "medians, 1.50x best over best."
    )


def test_queries_become_tokens_by_the_benchmarks_own_mean(catalog: Catalog) -> None:
    found = gain(catalog, QWEN, "Server", {"accelerators_per_system": 4})
    assert found.unit == "Queries/s"
    assert found.added is not None
    # medians of the systems: 64.6138890626 and 41.6351
    assert f"{found.added:.4f}" == "22.9788"
    assert found.added_tokens == found.added * 43


def test_rounds_that_may_not_be_compared_say_why(catalog: Catalog) -> None:
    found = gain(catalog, "gpt-oss-120b", "Interactive", {"accelerators_per_system": 72})
    assert (found.to_round, found.same_size, found.nearest, found.added) == (None, None, None, None)
    assert "v6.1 admits speculative decoding in Interactive, v6.0 does not" in found.sentence


def test_other_scenarios_give_a_direction_where_its_own_has_none(catalog: Catalog) -> None:
    # Interactive is new in v6.1. On 4 GB300:
    # Offline, samples/s: v6.0 60.6154, 60.9525, 61.2443; v6.1 71.1217, 72.5980, 72.7862, 73.1861.
    # Server, queries/s: v6.0 41.6342, 41.6351, 43.1538; v6.1 64.1320, 64.6078, 64.6200, 64.6245.
    found = gain(catalog, QWEN, "Interactive", {"accelerators_per_system": 72})
    assert (found.same_size, found.nearest, found.added) == (None, None, None)
    assert [(item.scenario, item.size) for item in found.elsewhere] == [("Offline", 4), ("Server", 4)]
    assert [f"{item.gain_best:.4f}" for item in found.elsewhere] == ["1.1950", "1.4975"]
    assert [f"{item.gain_median:.4f}" for item in found.elsewhere] == ["1.1926", "1.5519"]
    assert (
        "A direction from other scenarios: Offline on 4 accelerators, v6.0 to v6.1, 1.19x" in found.sentence
    )
    shown = {claim for item in found.elsewhere for claim in (*item.older.claims, *item.newer.claims)}
    assert set(found.cited) == shown
    # Where its own scenario has a gain, the others are not looked at.
    assert gain(catalog, QWEN, "Server", {"accelerators_per_system": 4}).elsewhere == ()


def test_the_newest_round_has_nothing_to_gain(catalog: Catalog) -> None:
    found = gain(catalog, "deepseek-r1", "Server", {"accelerators_per_system": 72, "software_round": "v6.1"})
    assert found.added is None
    assert found.sentence.endswith("no round after v6.1 has a verified result, so no gain can be stated.")


def test_newer_results_that_are_no_higher_add_nothing(catalog: Catalog) -> None:
    # deepseek-r1 Interactive, 72 GB200: one result of 240,318 in v6.0, 240,274 and 232,160 in v6.1
    fleet = {"accelerator": "NVIDIA GB200", "accelerators_per_system": 72}
    found = gain(catalog, "deepseek-r1", "Interactive", fleet, demand=Decimal(300_000))
    assert found.added is not None
    assert round(found.added, 6) == Decimal(-4101)
    assert found.shortfall_covered == 0
    assert found.sentence.endswith("The newer results are no higher, so software adds nothing.")


def test_previews_are_no_software_of_a_fleet(catalog: Catalog) -> None:
    # v6.0 has Intel Arc Pro B70 as a preview only
    fleet = {"accelerator": "Intel Arc Pro B70", "accelerators_per_system": 4}
    found = gain(catalog, "gpt-oss-120b", "Server", fleet)
    assert found.same_size is None
    assert "no Server result of Intel Arc Pro B70 in v6.0 on 4 accelerators" in found.sentence


def test_an_accelerator_without_results(catalog: Catalog) -> None:
    found = gain(catalog, QWEN, "Server", {"accelerator": "TPU v6", "accelerators_per_system": 4})
    assert found.sentence.endswith("no verified result in any round.")


def test_every_result_it_stands_on_is_cited(catalog: Catalog) -> None:
    found = gain(catalog, "deepseek-r1", "Server", {"accelerators_per_system": 72})
    assert len(found.cited) == 6  # two in v6.0, four in v6.1
    assert set(found.cited) <= {claim.id for claim in catalog.claims("deepseek-r1")}


class TestGains:
    def test_sizes_of_both_rounds_and_what_is_missing(self, catalog: Catalog) -> None:
        found = {
            item.scenario: item for item in software_gains("nvidia-gb300", QWEN, "v6.0", "v6.1", catalog)
        }
        assert list(found) == ["Offline", "Server", "Interactive"]
        sizes = {name: [gain.size for gain in item.gains] for name, item in found.items()}
        assert sizes == {"Offline": [4], "Server": [4], "Interactive": []}
        assert found["Server"].newer_sizes == (4, 72)
        assert f"{found['Offline'].gains[0].gain_best:.3f}" == "1.195"
        assert f"{found['Offline'].gains[0].gain_median:.3f}" == "1.193"
        assert found["Interactive"].note is not None
        assert "new in v6.1" in found["Interactive"].note

    def test_a_round_without_the_accelerator(self, catalog: Catalog) -> None:
        found = software_gains("amd-mi355x", "deepseek-r1", "v6.0", "v6.1", catalog)
        assert [item.note for item in found] == ["no result in v6.0", "no result in v6.0"]

    def test_no_size_in_common(self, catalog: Catalog) -> None:
        # llama2-70b on GB200: 4 in v5.1, 72 in v6.0
        found = software_gains("nvidia-gb200", "llama2-70b", "v5.1", "v6.0", catalog)
        assert [(item.note, item.older_sizes, item.newer_sizes) for item in found] == [
            ("no system size has results in both rounds", (4,), (72,))
        ] * 3
