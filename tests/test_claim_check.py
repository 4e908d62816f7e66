"""Statements against the bundled results. Expected figures are worked out by hand from the official rows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from rackrecord.catalog.store import Catalog, bundled_catalog
from rackrecord.claim_check.multiplier import ScenarioCheck
from rackrecord.claim_check.subjects import find_subject, near_subjects
from rackrecord.claim_check.vendor import ClaimCheck, ClaimClass, Verdict, check_claim
from rackrecord.profile.models import VendorClaim

QWEN = "qwen3-vl-235b-a22b"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return bundled_catalog()


def statement(**stated: Any) -> VendorClaim:
    facts: dict[str, Any] = {
        "id": "claim",
        "who": "a vendor",
        "where": "a web page",
        "date": date(2026, 9, 16),
        "statement": "in the vendor's words",
        "stage": "published",
        "round": "v6.1",
    }
    return VendorClaim.model_validate(facts | stated)


def rubin(benchmark: str, multiplier: str, **stated: Any) -> VendorClaim:
    return statement(
        subject="NVIDIA Vera Rubin",
        baseline="NVIDIA GB300",
        benchmark=benchmark,
        multiplier=Decimal(multiplier),
        **stated,
    )


def scenario(check: ClaimCheck, name: str) -> ScenarioCheck:
    return next(item for item in check.scenarios if item.scenario == name)


def ratios(check: ClaimCheck) -> dict[str, tuple[str, str, bool]]:
    """Ratio of the best and of the medians to two places, and whether the claim is reached, by scenario."""
    return {
        f"{item.scenario} on {comparison.subject.size}": (
            f"{comparison.ratio_best:.2f}",
            f"{comparison.ratio_median:.2f}",
            comparison.reaches,
        )
        for item in check.scenarios
        for comparison in item.compared
    }


class TestPreviewAgainstAvailable:
    def test_qwen3_vl_is_supported_in_interactive_only(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7"), catalog)
        assert ratios(check) == {
            "Offline on 72": ("1.83", "1.84", False),
            "Server on 72": ("1.92", "1.94", False),
            "Interactive on 72": ("3.74", "3.74", True),
        }
        assert check.verdict == Verdict.SUPPORTED_IN_PART
        assert check.sentence == (
            "Supported in Interactive (3.74x); Offline 1.83x and Server 1.92x do not reach it."
        )

    def test_deepseek_r1_is_supported_in_interactive_only(self, catalog: Catalog) -> None:
        check = check_claim(rubin("deepseek-r1", "2.5"), catalog)
        assert ratios(check) == {
            "Offline on 72": ("1.72", "1.76", False),
            "Server on 72": ("1.95", "1.98", False),
            "Interactive on 72": ("2.51", "2.57", True),
        }
        assert check.verdict == Verdict.SUPPORTED_IN_PART

    def test_both_sides_are_shown_with_system_submitter_and_size(self, catalog: Catalog) -> None:
        comparison = scenario(check_claim(rubin("deepseek-r1", "2.5"), catalog), "Interactive").compared[0]
        subject, baseline = comparison.subject.best, comparison.baseline.best
        assert subject.value == Decimal("652750.1447708113")
        assert (subject.submitter, subject.system, subject.accelerators, subject.availability) == (
            "NVIDIA",
            "NVIDIA Vera Rubin NVL72 (72x VR-288GB_aarch64)",
            72,
            "preview",
        )
        assert (baseline.submitter, baseline.value, baseline.availability) == (
            "Azure",
            Decimal("260098.0"),
            "available",
        )
        assert comparison.baseline.submitters == ("Azure", "NVIDIA", "Oracle")
        assert comparison.differences == (
            "availability: preview against available",
            "submitter: NVIDIA against Azure",
        )

    @pytest.mark.parametrize(("benchmark", "multiplier"), [(QWEN, "3.7"), ("deepseek-r1", "2.5")])
    def test_being_supported_leaves_a_preview_directional(
        self, catalog: Catalog, benchmark: str, multiplier: str
    ) -> None:
        check = check_claim(rubin(benchmark, multiplier), catalog)
        assert check.classification == ClaimClass.DIRECTIONAL
        assert "preview" in check.why

    def test_a_named_scenario_alone_counts_and_the_others_are_shown(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7", scenario="Interactive"), catalog)
        assert check.verdict == Verdict.SUPPORTED
        assert check.sentence == (
            "Supported in Interactive (3.74x). In scenarios that it does not name: Offline 1.83x and "
            "Server 1.92x."
        )
        check = check_claim(rubin(QWEN, "3.7", scenario="Server"), catalog)
        assert check.verdict == Verdict.NOT_SUPPORTED

    def test_the_ratio_is_rounded_to_the_precision_of_the_claim(self, catalog: Catalog) -> None:
        # 3.7407 is 3.74 at two places and 4 at none
        for multiplier, verdict in (
            ("3.74", Verdict.SUPPORTED),
            ("3.741", Verdict.SUPPORTED),
            ("3.75", Verdict.NOT_SUPPORTED),
            ("4", Verdict.SUPPORTED),
            ("4.0", Verdict.NOT_SUPPORTED),
        ):
            check = check_claim(rubin(QWEN, multiplier, scenario="Interactive"), catalog)
            assert check.verdict == verdict, multiplier


class TestSoftwareClaim:
    def claim(self, catalog: Catalog, **stated: Any) -> ClaimCheck:
        facts = {
            "subject": "NVIDIA GB300",
            "baseline": "NVIDIA GB300",
            "baseline_round": "v6.0",
            "benchmark": QWEN,
            "multiplier": Decimal("1.6"),
        }
        return check_claim(statement(**(facts | stated)), catalog)

    def test_four_accelerators_are_the_only_size_in_both_rounds(self, catalog: Catalog) -> None:
        check = self.claim(catalog)
        assert ratios(check) == {
            # 18.2965 over 15.3111 is 1.19499
            "Offline on 4": ("1.19", "1.19", False),
            "Server on 4": ("1.50", "1.55", False),
        }
        server = scenario(check, "Server").compared[0]
        assert f"{server.subject.best.per_accelerator:.2f}" == "16.16"
        assert f"{server.baseline.best.per_accelerator:.2f}" == "10.79"
        offline = scenario(check, "Offline").compared[0]
        assert f"{offline.subject.best.per_accelerator:.2f}" == "18.30"
        assert f"{offline.baseline.best.per_accelerator:.2f}" == "15.31"
        assert Decimal("1.1949") < offline.ratio_best < Decimal("1.1950")
        assert (check.verdict, check.classification) == (Verdict.NOT_SUPPORTED, ClaimClass.COMPARABLE)

    def test_it_says_what_it_would_take(self, catalog: Catalog) -> None:
        check = self.claim(catalog)
        other = scenario(check, "Server").elsewhere
        assert [(pair.subject.size, pair.baseline.size) for pair in other] == [(72, 4)]
        assert f"{other[0].ratio_best:.3f}" == "1.558"
        assert other[0].reaches
        # 72 against 4 is 1.18 in Offline, so no pair of sizes would reach it there
        assert scenario(check, "Offline").elsewhere == ()
        assert (
            "It would take 72 against 4 accelerators (v6.1 against v6.0) to reach 1.6x in Server (1.56x)"
            in (check.sentence)
        )

    def test_interactive_is_new_and_has_no_older_result(self, catalog: Catalog) -> None:
        interactive = scenario(self.claim(catalog), "Interactive")
        assert interactive.incompatible
        assert interactive.missing is not None
        assert "new in v6.1" in interactive.missing

    def test_rounds_that_may_not_be_compared_exclude_the_statement(self, catalog: Catalog) -> None:
        check = self.claim(catalog, benchmark="gpt-oss-120b", scenario="Interactive")
        assert (check.verdict, check.classification) == (Verdict.CANNOT_BE_CHECKED, ClaimClass.EXCLUDED)
        assert "v6.1 admits speculative decoding in Interactive, v6.0 does not" in check.sentence
        assert "incompatible-round" in check.why

    def test_without_a_second_round_there_is_nothing_to_compare(self, catalog: Catalog) -> None:
        check = self.claim(catalog, baseline_round=None)
        assert check.classification == ClaimClass.UNCLASSIFIED
        assert check.gaps == ("names no baseline: neither another accelerator nor another round",)


class TestSizes:
    def test_sizes_in_common_are_all_compared_largest_first(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="NVIDIA GB300",
                baseline="AMD Instinct MI355X",
                benchmark="gpt-oss-120b",
                scenario="Server",
                multiplier=Decimal("1.2"),
            ),
            catalog,
        )
        assert ratios(check) == {
            # on 72, Offline 1,197,710 over 1,039,900 is 1.2 at one place; Server 1,160,490 over 964,468
            "Offline on 72": ("1.15", "1.11", True),
            "Offline on 8": ("1.09", "1.13", False),
            "Server on 72": ("1.20", "1.16", True),
            "Server on 8": ("1.13", "1.17", False),
        }
        assert check.verdict == Verdict.SUPPORTED_IN_PART
        assert check.sentence.startswith(
            "Supported in Server on 72 (1.20x); Server on 8 1.13x does not reach it."
        )

    def test_a_stated_size_is_the_only_one_that_counts(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="NVIDIA GB300",
                baseline="AMD Instinct MI355X",
                benchmark="gpt-oss-120b",
                scenario="Server",
                multiplier=Decimal("1.2"),
                accelerators=8,
            ),
            catalog,
        )
        assert check.verdict == Verdict.NOT_SUPPORTED

    def test_sides_on_different_sizes_only_show_the_nearest(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="AMD Instinct MI355X",
                baseline="NVIDIA GB300",
                benchmark="gpt-oss-120b",
                scenario="Interactive",
                multiplier=Decimal(2),
            ),
            catalog,
        )
        interactive = scenario(check, "Interactive")
        assert interactive.compared == ()
        assert interactive.missing == (
            "no system size has results of both in Interactive: AMD Instinct MI355X on 8 and 16 and NVIDIA "
            "GB300 on 72"
        )
        # 59,297.4 / 16 over 669,305 / 72
        assert [(pair.subject.size, pair.baseline.size) for pair in interactive.elsewhere] == [(16, 72)]
        assert f"{interactive.elsewhere[0].ratio_best:.2f}" == "0.40"
        assert check.verdict == Verdict.CANNOT_BE_CHECKED
        assert check.classification == ClaimClass.DIRECTIONAL

    def test_a_missing_size_says_what_there_is(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7", accelerators=36), catalog)
        assert check.verdict == Verdict.CANNOT_BE_CHECKED
        assert check.gaps[0] == (
            "no Offline result of NVIDIA Vera Rubin in v6.1 on 36 accelerators (there are in v6.1 on 72); "
            "no Offline result of NVIDIA GB300 in v6.1 on 36 accelerators (there are in v6.0 on 4 and v6.1 "
            "on 4 and 72)"
        )


class TestRounds:
    def test_a_statement_without_rounds_may_compare_compatible_ones(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="MI355X",
                baseline="NVIDIA H200-SXM-141GB",
                benchmark="gpt-oss-120b",
                scenario="Server",
                multiplier=Decimal("4.7"),
                round=None,
            ),
            catalog,
        )
        comparison = scenario(check, "Server").compared[0]
        assert (comparison.subject.round, comparison.baseline.round) == ("v6.1", "v6.0")
        assert "round: v6.1 against v6.0" in comparison.differences
        assert "v6.1 against v6.0" in check.sentence

    def test_a_stated_round_is_not_replaced(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="MI355X",
                baseline="NVIDIA H200-SXM-141GB",
                benchmark="gpt-oss-120b",
                scenario="Server",
                multiplier=Decimal("4.7"),
            ),
            catalog,
        )
        assert scenario(check, "Server").compared == ()
        assert check.gaps == ("no Server result of NVIDIA H200 SXM in v6.1 (there are in v6.0 on 8)",)
        assert [pair.baseline.round for pair in scenario(check, "Server").elsewhere] == ["v6.0"]


class TestAbsolute:
    def test_the_result_is_found_and_placed_among_other_sizes(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="AMD Instinct MI355X",
                benchmark="gpt-oss-120b",
                value=Decimal(5_750_000),
                unit="Tokens/s",
                accelerators=512,
            ),
            catalog,
        )
        assert check.absolute is not None
        result = check.absolute.result
        assert result is not None
        assert (result.submitter, result.scenario, result.value) == (
            "Crusoe",
            "Offline",
            Decimal("5749440.0"),
        )
        assert f"{result.per_accelerator:.2f}" == "11229.38"
        shares = {s.group.size: f"{s.share_of_median:.3f}" for s in check.absolute.standings}
        # medians: 14,647.50 of eight results on 8, 14,280.50 on 16, 14,443.06 on 72
        assert shares == {8: "0.767", 16: "0.786", 72: "0.777", 512: "1.000"}
        assert check.verdict == Verdict.SUPPORTED
        assert check.sentence == (
            "It is a published result: Crusoe, gpt-oss-120b Offline of v6.1 on 512 accelerators, 5,749,440 "
            "Tokens/s, "
            "11,229.38 per accelerator; per accelerator that is 76.7 % of the median on 8, 78.6 % of the "
            "median on 16 "
            "and 77.7 % of the median on 72."
        )

    @pytest.mark.parametrize(
        ("value", "found", "verdict"),
        [
            ("5750000", True, Verdict.SUPPORTED),
            ("5749440", True, Verdict.SUPPORTED),
            ("5760000", False, Verdict.NOT_SUPPORTED),
            ("5.7e6", True, Verdict.SUPPORTED),
            ("5000000", False, Verdict.SUPPORTED),  # less than was measured
        ],
    )
    def test_a_figure_is_the_result_at_its_printed_precision(
        self, catalog: Catalog, value: str, found: bool, verdict: Verdict
    ) -> None:
        check = check_claim(
            statement(
                subject="AMD Instinct MI355X",
                benchmark="gpt-oss-120b",
                scenario="Offline",
                value=Decimal(value),
                unit="Tokens/s",
                accelerators=512,
            ),
            catalog,
        )
        assert check.absolute is not None
        assert (check.absolute.result is not None, check.verdict) == (found, verdict)

    def test_an_open_division_result_is_named_and_not_counted(self, catalog: Catalog) -> None:
        # v6.1, Krai, open division: 9.2217 samples/s on eight H200
        check = check_claim(
            statement(
                subject="NVIDIA H200-SXM-141GB", benchmark=QWEN, value=Decimal("9.22"), unit="Samples/s"
            ),
            catalog,
        )
        assert check.absolute is not None
        assert check.absolute.result is not None
        assert check.absolute.result.submitter == "Krai"
        assert check.classification == ClaimClass.EXCLUDED
        assert "open division" in check.sentence

    def test_another_unit_says_which_units_there_are(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(subject="NVIDIA GB300", benchmark=QWEN, value=Decimal(100), unit="Tokens/s"), catalog
        )
        assert check.verdict == Verdict.CANNOT_BE_CHECKED
        assert "there are some in Queries/s and Samples/s" in check.sentence


class TestScalingEfficiency:
    def test_a_size_without_results_of_the_subject_names_who_has_some(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="NVIDIA Vera Rubin",
                benchmark="deepseek-r1",
                scaling_efficiency=Decimal("0.99"),
                accelerators=288,
                stage="preview",
            ),
            catalog,
        )
        assert check.sentence == (
            "Cannot be checked: no result of NVIDIA Vera Rubin in v6.1 on 288 accelerators (there are in "
            "v6.1 on 36 "
            "and 72); on 288 there are results of NVIDIA GB200 and NVIDIA GB300."
        )
        assert check.classification == ClaimClass.UNCLASSIFIED
        assert check.efficiency is not None
        gb300 = [figure for figure in check.efficiency.others if figure.accelerator == "nvidia-gb300"]
        # NVIDIA, v6.1: 2,705,130 Offline and 2,028,030 Server
        assert [figure.value for figure in gb300] == [Decimal("2705130.0"), Decimal("2028030.0")]

    def test_efficiency_against_every_smaller_size(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="NVIDIA GB300",
                benchmark="deepseek-r1",
                scaling_efficiency=Decimal("0.98"),
                accelerators=288,
            ),
            catalog,
        )
        assert check.efficiency is not None
        found = {
            (item.scenario, step.smaller.size): (f"{step.efficiency_best:.3f}", step.reaches)
            for item in check.efficiency.checks
            for step in item.steps
        }
        assert found == {
            # 9,392.81 over 9,628.96 and 9,582.79; 7,041.77 over 8,517.25 and 8,375.32
            ("Offline", 8): ("0.975", True),
            ("Offline", 72): ("0.980", True),
            ("Server", 8): ("0.827", False),
            ("Server", 72): ("0.841", False),
        }
        assert check.verdict == Verdict.SUPPORTED_IN_PART


class TestWhatCannotBeChecked:
    def test_after_the_deadline_nothing_is_compared(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7", stage="after-deadline"), catalog)
        assert (check.verdict, check.classification) == (Verdict.CANNOT_BE_CHECKED, ClaimClass.EXCLUDED)
        assert "not-verified" in check.why
        assert check.scenarios == ()

    def test_a_multiplier_without_a_workload_is_marketing(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(subject="NVIDIA Vera Rubin", multiplier=Decimal(10), stage="marketing"), catalog
        )
        assert (check.verdict, check.classification) == (Verdict.CANNOT_BE_CHECKED, ClaimClass.EXCLUDED)
        assert "marketing" in check.sentence
        assert "no-workload" in check.why

    def test_an_unknown_benchmark_offers_the_nearest(self, catalog: Catalog) -> None:
        check = check_claim(rubin("qwen3-vl", "3.7"), catalog)
        assert check.gaps == (f"the catalog has no result on 'qwen3-vl' (did you mean {QWEN}?)",)

    def test_an_open_subject_lists_what_it_may_mean(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(subject="H200", baseline="B200", benchmark="gpt-oss-120b", multiplier=Decimal(2)),
            catalog,
        )
        assert check.classification == ClaimClass.UNCLASSIFIED
        assert (
            "'H200' names no single accelerator on record; it may mean NVIDIA H200 NVL, NVIDIA H200 SXM"
            in (check.gaps[0])
        )

    def test_an_unknown_baseline_is_named(self, catalog: Catalog) -> None:
        check = check_claim(
            statement(
                subject="B200", baseline="the competition", benchmark="gpt-oss-120b", multiplier=Decimal(2)
            ),
            catalog,
        )
        assert check.gaps == ("the baseline 'the competition' names no single accelerator on record",)

    def test_a_subject_without_results_in_the_round_says_where_it_has_some(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7", round="v6.0"), catalog)
        assert check.verdict == Verdict.CANNOT_BE_CHECKED
        assert "no Server result of NVIDIA Vera Rubin in v6.0 (there are in v6.1 on 72)" in check.gaps

    def test_a_round_without_any_result_of_either(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7", round="v5.1"), catalog)
        assert check.scenarios == ()
        assert check.gaps == (
            "no result of NVIDIA Vera Rubin in v5.1 (there are in v6.1 on 72)",
            "no result of NVIDIA GB300 in v5.1 (there are in v6.0 on 4 and v6.1 on 4 and 72)",
        )


class TestClass:
    def test_published_available_results_are_comparable(self, catalog: Catalog) -> None:
        stated = {
            "subject": "NVIDIA GB300",
            "baseline": "NVIDIA GB200",
            "benchmark": "gpt-oss-120b",
            "multiplier": Decimal("1.2"),
        }
        assert check_claim(statement(**stated), catalog).classification == ClaimClass.COMPARABLE
        marketing = check_claim(statement(**stated, stage="marketing"), catalog)
        assert marketing.classification == ClaimClass.DIRECTIONAL
        assert marketing.verdict != Verdict.CANNOT_BE_CHECKED
        assert (
            check_claim(statement(**stated, stage="preview"), catalog).classification
            == ClaimClass.DIRECTIONAL
        )

    def test_the_other_suite_has_no_datacenter_results(self, catalog: Catalog) -> None:
        check = check_claim(rubin(QWEN, "3.7"), catalog, suite="edge")
        assert check.verdict == Verdict.CANNOT_BE_CHECKED


class TestCited:
    def test_every_result_shown_is_cited_and_in_the_catalog(self, catalog: Catalog) -> None:
        ids = {claim.id for claim in catalog.claims(QWEN)}
        check = check_claim(rubin(QWEN, "3.7"), catalog)
        assert len(check.cited) == 6
        assert set(check.cited) <= ids
        absolute = check_claim(
            statement(subject="MI355X", benchmark="gpt-oss-120b", value=Decimal(5_750_000), unit="Tokens/s"),
            catalog,
        )
        assert "v6.1/closed/Crusoe/512xMI355X_Crusoe_GPT/gpt-oss-120b/Offline" in absolute.cited
        scaling = check_claim(
            statement(
                subject="GB300", benchmark="deepseek-r1", scaling_efficiency=Decimal("0.9"), accelerators=288
            ),
            catalog,
        )
        assert len(scaling.cited) == 8  # two on 288, four on smaller sizes, two of GB200 on 288


class TestSubjects:
    @pytest.mark.parametrize(
        ("text", "accelerator"),
        [
            ("NVIDIA GB300", "nvidia-gb300"),
            ("gb300", "nvidia-gb300"),
            ("GB300 NVL72 rack", "nvidia-gb300"),
            ("the Vera Rubin NVL72 platform", "nvidia-vera-rubin"),
            ("MI355X", "amd-mi355x"),
            ("Instinct MI355X servers", "amd-mi355x"),
            ("H200 NVL", "nvidia-h200-nvl"),
            ("RTX PRO 6000 Blackwell Server Edition", "nvidia-rtx-pro-6000-blackwell-server"),
            ("H200", None),
            ("GB300 and GB200", None),
            ("our new chip", None),
            ("NVIDIA", None),
        ],
    )
    def test_a_vendor_word_names_one_accelerator_or_none(self, text: str, accelerator: str | None) -> None:
        assert find_subject(text) == accelerator

    def test_an_accelerator_of_the_catalog_that_the_table_lacks(self) -> None:
        assert find_subject("acme x1", ["Acme X1"]) == "Acme X1"

    def test_near_names_share_a_distinctive_word(self) -> None:
        assert near_subjects("an H100 box") == ("NVIDIA H100 NVL", "NVIDIA H100 PCIe", "NVIDIA H100 SXM")
        assert near_subjects("NVIDIA") == ()
