"""Scaling, spread and round against round. Expected figures are worked out by hand from the official rows."""

from __future__ import annotations

import pytest

from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog, bundled_catalog
from rackrecord.claim_check.results import comparable, distinct_runs, figure_of, group_of, groups
from rackrecord.claim_check.rounds import Direction, RoundDiff, diff_rounds
from rackrecord.claim_check.scaling import ScalingCurve, scaling_curves
from rackrecord.claim_check.spread import Spread, spreads


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return bundled_catalog()


@pytest.fixture(scope="module")
def diff(catalog: Catalog) -> RoundDiff:
    return diff_rounds(catalog, "v6.0", "v6.1")


def of_round(catalog: Catalog, benchmark: str, round: str, **asked: str) -> list[Claim]:
    return [claim for claim in comparable(catalog.claims(benchmark), **asked) if claim.round == round]  # type: ignore[arg-type]


class TestComparable:
    """Every condition has a result of the bundled catalog that it keeps and one that it leaves out."""

    @pytest.mark.parametrize(
        ("benchmark", "claim_id"),
        [
            # open division
            ("qwen3-vl-235b-a22b", "v6.1/open/Krai/h200/qwen3-vl-235b-a22b/Offline"),
            # two kinds of accelerator
            ("gpt-oss-120b", "v6.1/closed/Dell_MangoBoost/2x8xMI355X_2x8xMI300X/gpt-oss-120b/Server"),
            # accelerator count unclear
            ("gpt-oss-120b", "v6.0/closed/AMD/94xMI355X_24xEPYC_9575F/gpt-oss-120b/Server"),
        ],
    )
    def test_left_out(self, catalog: Catalog, benchmark: str, claim_id: str) -> None:
        claims = catalog.claims(benchmark)
        assert claim_id in {claim.id for claim in claims}
        assert claim_id not in {claim.id for claim in comparable(claims)}

    def test_latencies_are_no_rates(self, catalog: Catalog) -> None:
        claims = catalog.claims("wan-2.2-t2v-a14b")
        assert {claim.scenario for claim in claims} == {"Offline", "SingleStream"}
        assert {claim.scenario for claim in comparable(claims)} == {"Offline"}

    def test_suites(self, catalog: Catalog) -> None:
        claims = catalog.claims("llama3.1-8b-edge")
        assert comparable(claims) == ()
        assert comparable(claims, suite="edge")

    def test_accuracy(self, catalog: Catalog) -> None:
        claims = catalog.claims("llama2-70b")
        assert {claim.accuracy_target for claim in comparable(claims)} == {"99", "99.9"}
        assert {claim.accuracy_target for claim in comparable(claims, accuracy="99.9")} == {"99.9"}

    def test_availability(self, catalog: Catalog) -> None:
        claims = catalog.claims("deepseek-r1")
        assert {claim.availability for claim in comparable(claims)} == {"available", "preview"}
        assert {c.availability for c in comparable(claims, availabilities=("available",))} == {"available"}

    def test_invalid_results_and_research_systems(self, catalog: Catalog) -> None:
        claim = comparable(catalog.claims("deepseek-r1"))[0]
        assert comparable([claim]) == (claim,)
        assert comparable([claim.model_copy(update={"valid": False})]) == ()
        assert comparable([claim.model_copy(update={"availability": "rdi"})]) == ()

    def test_one_run_under_two_accuracy_targets_counts_once(self, catalog: Catalog) -> None:
        claims = [
            claim
            for claim in catalog.claims("llama2-70b")
            if claim.round == "v6.0"
            and claim.platform == "8xMI355X_2xEPYC_9575F"
            and claim.submitter == "AMD"
        ]
        offline = [claim for claim in claims if claim.scenario == "Offline"]
        assert [claim.accuracy_target for claim in offline] == ["99.9", "99"]
        assert len({claim.value for claim in offline}) == 1
        assert [claim.accuracy_target for claim in distinct_runs(offline)] == ["99.9"]
        group = group_of(offline)
        assert (group.results, len(group.claims)) == (1, 2)

    def test_a_figure_needs_a_count(self, catalog: Catalog) -> None:
        claim = next(claim for claim in catalog.claims("gpt-oss-120b") if claim.accelerator_count is None)
        with pytest.raises(ValueError, match="no accelerator count"):
            figure_of(claim)

    def test_groups_are_in_order(self, catalog: Catalog) -> None:
        found = groups(comparable(catalog.claims("qwen3-vl-235b-a22b")))
        gb300 = [
            (group.scenario, group.round, group.size)
            for group in found
            if group.accelerator == "nvidia-gb300"
        ]
        assert gb300 == [
            ("Offline", "v6.0", 4),
            ("Offline", "v6.1", 4),
            ("Offline", "v6.1", 72),
            ("Server", "v6.0", 4),
            ("Server", "v6.1", 4),
            ("Server", "v6.1", 72),
            ("Interactive", "v6.1", 4),
            ("Interactive", "v6.1", 72),
        ]


class TestScaling:
    def curve(self, catalog: Catalog, accelerator: str, scenario: str) -> ScalingCurve:
        curves = scaling_curves(of_round(catalog, "deepseek-r1", "v6.1"))
        (found,) = (c for c in curves if (c.accelerator, c.scenario) == (accelerator, scenario))
        return found

    def test_efficiency_against_the_smallest_size(self, catalog: Catalog) -> None:
        curve = self.curve(catalog, "nvidia-gb300", "Server")
        points = [
            (p.group.size, p.group.results, f"{p.efficiency_best:.3f}", f"{p.efficiency_median:.3f}")
            for p in curve.points
        ]
        # best per accelerator 8,517.25, 8,375.32, 7,041.77; medians 8,482.27, 8,238.44, 7,041.77
        assert points == [
            (8, 2, "1.000", "1.000"),
            (72, 4, "0.983", "0.971"),
            (288, 1, "0.827", "0.830"),
        ]
        assert (curve.name, curve.round, curve.unit) == ("NVIDIA GB300", "v6.1", "Tokens/s")

    def test_a_larger_system_may_be_better_per_accelerator(self, catalog: Catalog) -> None:
        curve = self.curve(catalog, "nvidia-vera-rubin", "Offline")
        # 1,183,326.854 / 72 over 558,802.829 / 36
        assert [(p.group.size, f"{p.efficiency_best:.3f}") for p in curve.points] == [
            (36, "1.000"),
            (72, "1.059"),
        ]

    def test_one_size_is_a_curve_of_one_point(self, catalog: Catalog) -> None:
        assert len(self.curve(catalog, "nvidia-b200", "Offline").points) == 1


class TestSpread:
    def spread(self, catalog: Catalog, benchmark: str, accelerator: str, scenario: str, size: int) -> Spread:
        found = spreads(of_round(catalog, benchmark, "v6.1"))
        (one,) = (
            s
            for s in found
            if (s.group.accelerator, s.group.scenario, s.group.size) == (accelerator, scenario, size)
        )
        return one

    def test_between_submitters_on_one_kind_of_system(self, catalog: Catalog) -> None:
        found = self.spread(catalog, "gpt-oss-120b", "nvidia-gb300", "Server", 72)
        assert [item.submitter for item in found.by_submitter] == ["CoreWeave", "NVIDIA", "Nebius", "Oracle"]
        assert f"{found.spread:.4f}" == "0.0621"  # 1,160,490 over 1,092,610
        assert found.between_submitters == found.spread
        assert found.outliers == ()

    def test_several_results_of_one_submitter(self, catalog: Catalog) -> None:
        found = self.spread(catalog, "gpt-oss-120b", "amd-mi355x", "Server", 8)
        assert (found.group.results, len(found.by_submitter)) == (8, 7)
        pair = next(item for item in found.by_submitter if item.submitter == "Dell_MangoBoost")
        # 109,065 and 110,153 on 8
        assert (pair.results, f"{pair.lowest:.3f}", f"{pair.median:.3f}", f"{pair.highest:.3f}") == (
            2,
            "13633.125",
            "13701.125",
            "13769.125",
        )

    def test_a_result_at_half_of_its_peers_is_named_and_kept(self, catalog: Catalog) -> None:
        found = self.spread(catalog, "deepseek-r1", "nvidia-b300", "Offline", 8)
        assert found.outliers == ("v6.1/closed/VibeHPC/B300-SXM-270GBx8_TRT/deepseek-r1/Offline",)
        assert f"{found.spread:.3f}" == "0.977"  # 72,445.1 over 36,639.6

    def test_a_single_result_has_no_spread(self, catalog: Catalog) -> None:
        found = spreads(of_round(catalog, "deepseek-r1", "v6.1"))
        assert found
        assert all(item.group.results > 1 for item in found)
        assert not any(item.group.size == 288 for item in found)

    def test_one_submitter_has_no_spread_between_submitters(self, catalog: Catalog) -> None:
        claims = [c for c in of_round(catalog, "gpt-oss-120b", "v6.1") if c.submitter == "Dell_MangoBoost"]
        assert {item.between_submitters for item in spreads(claims)} == {None}


class TestRounds:
    def test_benchmarks_that_came_and_went(self, diff: RoundDiff) -> None:
        assert diff.new_benchmarks == ("e2e-rag",)
        assert diff.gone_benchmarks == ("llama3.1-405b", "mixtral-8x7b")

    def test_what_may_not_be_compared_and_why(self, diff: RoundDiff) -> None:
        found = {(s.benchmark, s.scenario): s.not_comparable for s in diff.scenarios if s.not_comparable}
        assert found == {
            (
                "gpt-oss-120b",
                "Interactive",
            ): "gpt-oss-120b Interactive of v6.0 and of v6.1 may not be compared: v6.1 "
            "admits speculative decoding in Interactive, v6.0 does not",
            (
                "qwen3-vl-235b-a22b",
                "Interactive",
            ): "qwen3-vl-235b-a22b Interactive of v6.0 and of v6.1 may not be "
            "compared: the scenario is new in v6.1",
        }
        assert all(not s.changes for s in diff.scenarios if s.not_comparable)

    def test_better_and_worse(self, diff: RoundDiff) -> None:
        changes = {
            (s.benchmark, s.scenario, c.newer.accelerator, c.newer.size): c
            for s in diff.scenarios
            for c in s.changes
        }
        better = changes["gpt-oss-120b", "Server", "amd-mi355x", 8]
        assert better.direction == Direction.BETTER
        assert f"{better.ratio_best:.3f}" == "1.379"  # 113,241 over 82,136.1
        worse = changes["deepseek-r1", "Offline", "nvidia-gb300", 8]
        assert worse.direction == Direction.WORSE
        assert f"{worse.ratio_best:.3f}" == "0.980"  # 77,031.7 over 78,564

    def test_new_and_gone(self, diff: RoundDiff) -> None:
        (server,) = (s for s in diff.scenarios if (s.benchmark, s.scenario) == ("deepseek-r1", "Server"))
        assert [(g.accelerator, g.size) for g in server.new] == [
            ("amd-mi355x", 512),
            ("nvidia-b300", 16),
            ("nvidia-gb200", 288),
            ("nvidia-vera-rubin", 36),
            ("nvidia-vera-rubin", 72),
        ]
        assert [(g.accelerator, g.size) for g in server.gone] == [("nvidia-gb200", 64)]

    def test_accelerators_that_became_available(self, diff: RoundDiff) -> None:
        assert {(item.name, item.was_preview) for item in diff.now_available} == {
            ("AMD Instinct MI350P", False),
            ("Intel Arc Pro B70", True),
            ("NVIDIA RTX PRO 6000 Blackwell", False),
        }

    def test_nothing_new_the_other_way_round_is_lost(self, catalog: Catalog, diff: RoundDiff) -> None:
        back = diff_rounds(catalog, "v6.1", "v6.0")
        assert back.new_benchmarks == diff.gone_benchmarks
        assert [s.new for s in back.scenarios] == [s.gone for s in diff.scenarios]
        assert len(back.scenarios) > 10

    def test_one_benchmark_of_one_suite(self, catalog: Catalog) -> None:
        found = diff_rounds(catalog, "v6.0", "v6.1", benchmarks=["yolo"], suite="edge")
        assert {s.benchmark for s in found.scenarios} == {"yolo"}
        assert found.new_benchmarks == found.gone_benchmarks == ()
