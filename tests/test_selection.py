"""Selection on the bundled results: figures worked out from the official rows, and no claim ever lost."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rackrecord.catalog.claim import CaveatCode
from rackrecord.catalog.store import Catalog, bundled_catalog
from rackrecord.profile.models import Profile
from rackrecord.selection.reasons import Reason
from rackrecord.selection.select import OptionEvidence, Selection, select, token_rate


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return bundled_catalog()


def option(accelerator: str, size: int) -> dict[str, Any]:
    return {
        "id": f"{accelerator.split()[-1].lower()}-{size}",
        "name": f"{accelerator} on {size}",
        "accelerator": accelerator,
        "accelerators_per_system": size,
    }


def profile(workload: dict[str, Any], *options: dict[str, Any], **facts: Any) -> Profile:
    return Profile.model_validate(
        {
            "title": "t",
            "owner": "o",
            "currency": "USD",
            "workload": workload,
            "demand": {"output_tokens_per_second": 1000},
            "options": options,
            **facts,
        }
    )


def selected(workload: dict[str, Any], *options: dict[str, Any], **facts: Any) -> Selection:
    asked = profile(workload, *options, **facts)
    return select(asked, asked.parts[0], bundled_catalog())


def figures(evidence: OptionEvidence) -> tuple[str, str, str]:
    """Median, minimum and maximum per accelerator, to three places."""
    return f"{evidence.median:.3f}", f"{evidence.minimum:.3f}", f"{evidence.maximum:.3f}"


def codes(evidence: OptionEvidence) -> set[CaveatCode]:
    return {caveat.code for caveat in evidence.caveats}


def why(selection: Selection, claim_id: str) -> tuple[Reason, ...]:
    (found,) = (item.reasons for item in selection.excluded if item.claim.id == claim_id)
    return found


GB300, B300, MI355X, GB200 = (
    option("NVIDIA GB300", 72),
    option("NVIDIA B300", 8),
    option("AMD Instinct MI355X", 8),
    option("NVIDIA GB200", 72),
)
GPT_OSS_SERVER = {
    "benchmark": "gpt-oss-120b",
    "scenario": "Server",
    "slo": {"ttft_ms": Decimal(3000), "tpot_ms": Decimal(80)},
}


@pytest.fixture(scope="module")
def gpt_oss() -> Selection:
    return selected(GPT_OSS_SERVER, GB300, B300, MI355X)


class TestGptOssServer:
    @pytest.mark.parametrize(
        ("option_id", "median", "minimum", "maximum", "results", "submitters"),
        [
            ("gb300-72", "15577.778", "15175.139", "16117.917", 4, 4),
            ("b300-8", "13405.812", "12522.875", "14210.625", 14, 11),
            ("mi355x-8", "13641.688", "13604.500", "14155.125", 8, 7),
        ],
    )
    def test_planning_figures(
        self,
        gpt_oss: Selection,
        option_id: str,
        median: str,
        minimum: str,
        maximum: str,
        results: int,
        submitters: int,
    ) -> None:
        evidence = gpt_oss.evidence(option_id)
        assert figures(evidence) == (median, minimum, maximum)
        assert (len(evidence.used), evidence.runs, len(evidence.submitters)) == (results, results, submitters)
        assert evidence.planning == evidence.median
        assert (evidence.round, evidence.unit, evidence.why_none) == ("v6.1", "Tokens/s", None)

    def test_a_server_figure_above_offline_is_said(self, gpt_oss: Selection) -> None:
        found = {
            evidence.option: [caveat.code for caveat in evidence.caveats] for evidence in gpt_oss.options
        }
        above = CaveatCode.SERVER_ABOVE_OFFLINE
        assert found == {"gb300-72": [], "b300-8": [above], "mi355x-8": []}
        (caveat,) = gpt_oss.evidence("b300-8").caveats
        assert "ASUSTeK" in caveat.text
        assert "Server 109949.0 is above Offline 109368.0 Tokens/s" in caveat.text

    def test_the_exact_figures_are_kept(self, gpt_oss: Selection) -> None:
        assert gpt_oss.evidence("mi355x-8").maximum == Decimal("14155.125")
        assert gpt_oss.evidence("mi355x-8").median == Decimal("13641.6875")
        assert gpt_oss.evidence("b300-8").median == Decimal("13405.8125")

    def test_the_group_of_rounds(self, gpt_oss: Selection) -> None:
        assert (gpt_oss.newest_round, gpt_oss.compatible_rounds) == ("v6.1", ("v6.0", "v6.1"))

    @pytest.mark.parametrize(
        ("claim_id", "expected"),
        [
            (
                "v6.0/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server",
                (Reason.SUPERSEDED_ROUND,),
            ),
            ("v6.1/closed/Crusoe/512xMI355X_Crusoe_GPT/gpt-oss-120b/Server", (Reason.OTHER_SCALE,)),
            (
                "v6.1/closed/Crusoe/512xMI355X_Crusoe_GPT/gpt-oss-120b/Offline",
                (Reason.OTHER_SCENARIO, Reason.LOOSER_LATENCY, Reason.OTHER_SCALE),
            ),
            (
                "v6.1/closed/Dell_MangoBoost/2x8xMI355X_2x8xMI300X/gpt-oss-120b/Server",
                (Reason.MIXED_ACCELERATORS,),
            ),
            (
                "v6.0/closed/AMD/94xMI355X_24xEPYC_9575F/gpt-oss-120b/Server",
                (Reason.SUPERSEDED_ROUND, Reason.ACCELERATOR_COUNT_UNCLEAR),
            ),
            (
                "v6.0/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Interactive",
                (Reason.OTHER_SCENARIO, Reason.SUPERSEDED_ROUND),
            ),
            ("v6.1/closed/CoreWeave/B200-SXM-180GBx8_TRT/gpt-oss-120b/Server", (Reason.NOT_A_CANDIDATE,)),
        ],
    )
    def test_why_a_result_is_left_out(
        self, gpt_oss: Selection, claim_id: str, expected: tuple[Reason, ...]
    ) -> None:
        assert why(gpt_oss, claim_id) == expected


def test_the_two_systems_whose_counts_disagree(catalog: Catalog) -> None:
    """Named 87 and 94 accelerators, 88 and 96 in total: eight results, all excluded as unclear."""
    unclear = Reason.ACCELERATOR_COUNT_UNCLEAR
    for benchmark, system, results in (("llama2-70b", "87xMI355X", 6), ("gpt-oss-120b", "94xMI355X", 2)):
        found = selected({"benchmark": benchmark, "scenario": "Server"}, MI355X)
        those = [item for item in found.excluded if system in item.claim.platform]
        assert len(those) == results
        assert all(unclear in item.reasons for item in those)
        assert all(item.claim.accelerator_count is None for item in those)


@pytest.fixture(scope="module")
def deepseek() -> Selection:
    workload = {"benchmark": "deepseek-r1", "scenario": "Interactive"}
    return selected(workload, GB300, GB200, B300, MI355X)


class TestDeepSeekInteractive:
    def test_figures_and_rounds(self, deepseek: Selection) -> None:
        found = {
            evidence.option: (f"{evidence.median:.2f}", len(evidence.submitters), evidence.round)
            for evidence in deepseek.options
            if evidence.median is not None
        }
        assert found == {
            "gb300-72": ("3520.92", 3, "v6.1"),
            "gb200-72": ("3280.79", 2, "v6.1"),
            "b300-8": ("616.83", 1, "v6.0"),
        }

    def test_an_older_round_and_a_single_source_are_said(self, deepseek: Selection) -> None:
        found = codes(deepseek.evidence("b300-8"))
        assert {CaveatCode.OLDER_ROUND, CaveatCode.SINGLE_SOURCE} <= found
        assert not {CaveatCode.OLDER_ROUND, CaveatCode.SINGLE_SOURCE} & codes(deepseek.evidence("gb300-72"))

    def test_inferred_results_are_used_and_say_so(self, deepseek: Selection) -> None:
        assert all(claim.inferred for claim in deepseek.used)
        assert len(deepseek.used) == 6
        for evidence in deepseek.options:
            if evidence.used:
                assert CaveatCode.INFERRED in codes(evidence)

    def test_no_verified_result_is_an_answer(self, deepseek: Selection) -> None:
        evidence = deepseek.evidence("mi355x-8")
        assert (evidence.used, evidence.planning, evidence.caveats) == ((), None, ())
        assert evidence.why_none is not None
        assert evidence.why_none.startswith("No verified, comparable result")
        assert "AMD Instinct MI355X" in evidence.why_none
        assert "(2 other-scale, 2 other-scenario)" in evidence.why_none


@pytest.fixture(scope="module")
def qwen() -> Selection:
    return selected({"benchmark": "VLM", "scenario": "Interactive"}, GB300, option("NVIDIA Vera Rubin", 72))


class TestQwenInteractive:
    def test_queries_stay_queries(self, qwen: Selection) -> None:
        evidence = qwen.evidence("gb300-72")
        assert (qwen.unit, qwen.mean_output_tokens) == ("Queries/s", 43)
        assert evidence.median is not None
        assert f"{evidence.median:.4f}" == "4.8513"
        assert f"{token_rate(qwen, evidence.median):.2f}" == "208.61"  # 4.85128 x 43
        assert token_rate(qwen, None) is None

    def test_being_the_fastest_does_not_make_a_preview_usable(self, qwen: Selection) -> None:
        rubin = "v6.1/closed/NVIDIA/VR-NVL72_VR-288GB_aarch64x72_TRT/qwen3-vl-235b-a22b/Interactive"
        assert why(qwen, rubin) == (Reason.PREVIEW,)
        assert qwen.evidence("rubin-72").planning is None

    def test_older_rounds_have_no_such_scenario(self, qwen: Selection) -> None:
        assert qwen.compatible_rounds == ("v6.1",)
        old = [item for item in qwen.excluded if item.claim.round == "v6.0"]
        assert len(old) == 16
        assert all(Reason.INCOMPATIBLE_ROUND in item.reasons for item in old)


class TestScale:
    def test_the_nearest_size_within_a_factor_of_two(self) -> None:
        found = selected(GPT_OSS_SERVER, option("AMD Instinct MI355X", 16))
        evidence = found.evidence("mi355x-16")
        # 16 was measured in Offline and Interactive only; 8 is within a factor of two
        assert evidence.measured_sizes == (8,)
        assert CaveatCode.SCALED in codes(evidence)
        assert evidence.median == Decimal("13641.6875")

    def test_beyond_a_factor_of_two_there_is_none(self) -> None:
        evidence = selected(GPT_OSS_SERVER, option("AMD Instinct MI355X", 17)).evidence("mi355x-17")
        assert evidence.used == ()
        assert evidence.why_none is not None
        assert "other-scale" in evidence.why_none

    def test_exact_allows_no_other_size(self) -> None:
        found = selected(GPT_OSS_SERVER, option("AMD Instinct MI355X", 16), policy={"scale": "exact"})
        assert found.evidence("mi355x-16").used == ()

    def test_any_reaches_beyond_the_factor(self) -> None:
        found = selected(GPT_OSS_SERVER, option("AMD Instinct MI355X", 200), policy={"scale": "any"})
        evidence = found.evidence("mi355x-200")
        assert evidence.measured_sizes == (512,)  # 2.56 times as many, 72 is 2.78 times as few
        assert CaveatCode.SCALED in codes(evidence)

    def test_two_options_of_one_accelerator_have_each_their_size(self) -> None:
        found = selected(GPT_OSS_SERVER, GB300, option("NVIDIA GB300", 4))
        assert found.evidence("gb300-72").measured_sizes == (72,)
        assert found.evidence("gb300-4").measured_sizes == (4,)
        assert found.evidence("gb300-4").runs == 3  # Lambda, Oracle, Wiwynn


class TestStatistic:
    @pytest.mark.parametrize(
        ("statistic", "figure"),
        # the four results: 15,175.139, 15,565.417, 15,590.139, 16,117.917
        [
            ("minimum", "15175.139"),
            ("lower-quartile", "15467.847"),
            ("median", "15577.778"),
            ("maximum", "16117.917"),
        ],
    )
    def test_which_of_the_figures_is_planned_with(self, statistic: str, figure: str) -> None:
        found = selected(GPT_OSS_SERVER, GB300, policy={"statistic": statistic}).evidence("gb300-72")
        assert f"{found.planning:.3f}" == figure
        assert f"{found.median:.3f}" == "15577.778"

    def test_spread_is_maximum_over_minimum(self) -> None:
        found = selected(GPT_OSS_SERVER, GB300).evidence("gb300-72")
        assert f"{found.spread:.5f}" == "0.06213"  # 1,160,490 over 1,092,610


class TestAccuracy:
    def test_one_run_under_two_targets_counts_once(self) -> None:
        workload = {"benchmark": "llama2-70b", "scenario": "Interactive"}
        found = selected(workload, option("NVIDIA GB200", 72)).evidence("gb200-72")
        assert (len(found.used), found.runs) == (2, 1)
        assert CaveatCode.SAME_RUN in codes(found)

    def test_a_target_in_the_name_is_asked_for(self) -> None:
        by_name = selected({"benchmark": "llama2-70b-99.9", "scenario": "Interactive"}, GB200)
        asked = selected(
            {"benchmark": "llama2-70b", "scenario": "Interactive", "accuracy": Decimal("99.9")}, GB200
        )
        assert {claim.accuracy_target for claim in by_name.used} == {"99.9"}
        assert by_name.used == asked.used

    def test_an_outlier_is_kept_and_named(self) -> None:
        found = selected({"benchmark": "deepseek-r1", "scenario": "Server"}, B300).evidence("b300-8")
        assert any("VibeHPC" in claim_id for claim_id in found.used)
        (caveat,) = (caveat for caveat in found.caveats if caveat.code == CaveatCode.OUTLIER)
        assert "VibeHPC" in caveat.text


def test_figures_with_a_repaired_unit_are_used_and_say_so(catalog: Catalog) -> None:
    """Eight rows of v5.1 are labeled Queries/s though they count tokens/s."""
    claims = [
        claim
        for claim in catalog.claims("llama3.1-8b")
        if CaveatCode.UNIT_REPAIRED in {caveat.code for caveat in claim.caveats}
    ]
    assert [(claim.round, claim.scenario, claim.unit) for claim in claims] == [
        ("v5.1", "Interactive", "Tokens/s")
    ] * 8
    found = selected(
        {"benchmark": "llama3.1-8b", "scenario": "Interactive"}, option("NVIDIA H200-SXM-141GB", 8)
    ).options[0]
    assert found.median == Decimal("6724.55")  # 53,475.2 and 54,117.6 on 8
    repaired = [caveat.text for caveat in found.caveats if caveat.code == CaveatCode.UNIT_REPAIRED]
    assert len(repaired) == 2
    assert all("published as Queries/s; the figure counts Tokens/s" in text for text in repaired)


class TestStatements:
    def test_a_vendor_claim_is_never_evidence(self) -> None:
        claims = (
            vendor_claim("same", benchmark="gpt-oss-120b", stage="preview", round="v6.1"),
            vendor_claim("none", benchmark=None, stage="marketing"),
            vendor_claim("other", benchmark="deepseek-r1"),
        )
        found = selected(GPT_OSS_SERVER, GB300, vendor_claims=claims)
        assert {item.id: item.reasons for item in found.excluded_statements} == {
            "same": (Reason.NOT_VERIFIED, Reason.PREVIEW, Reason.NOT_A_CANDIDATE),
            "none": (Reason.NOT_VERIFIED, Reason.NO_WORKLOAD, Reason.NOT_A_CANDIDATE),
        }
        without = selected(GPT_OSS_SERVER, GB300)
        counted = {item.benchmark: item.claims for item in found.out_of_scope}
        before = {item.benchmark: item.claims for item in without.out_of_scope}
        assert counted["deepseek-r1"] == before["deepseek-r1"] + 1


def vendor_claim(claim_id: str, **stated: Any) -> dict[str, Any]:
    facts = {
        "id": claim_id,
        "who": "w",
        "where": "w",
        "date": date(2026, 9, 16),
        "statement": "s",
        "stage": "published",
        "subject": "NVIDIA Vera Rubin",
        "baseline": "NVIDIA GB300",
        "multiplier": Decimal(2),
    }
    return facts | stated


def accounted(selection: Selection) -> int:
    """Every claim that the selection speaks of."""
    return (
        len(selection.used)
        + len(selection.excluded)
        + len(selection.excluded_statements)
        + sum(item.claims for item in selection.out_of_scope)
    )


BENCHMARKS = bundled_catalog().benchmarks()
OPTIONS = st.lists(
    st.builds(
        option,
        st.sampled_from(
            [
                "NVIDIA GB300",
                "NVIDIA B300",
                "NVIDIA GB200",
                "AMD Instinct MI355X",
                "NVIDIA Vera Rubin",
                "NVIDIA T4",
            ]
        ),
        st.sampled_from([1, 4, 8, 16, 36, 72, 100, 288, 512]),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda facts: facts["id"],
)
SLOS = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"percentile": st.sampled_from([Decimal(90), Decimal(99), Decimal("99.9")])},
        optional={name: st.integers(1, 20_000).map(Decimal) for name in ("ttft_ms", "tpot_ms", "e2e_ms")},
    ).filter(lambda limits: len(limits) > 1),
)
WORKLOADS = st.fixed_dictionaries(
    {
        "benchmark": st.sampled_from(BENCHMARKS),
        "scenario": st.sampled_from(["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]),
        "suite": st.sampled_from(["datacenter", "edge"]),
        "slo": SLOS,
    }
)
POLICIES = st.fixed_dictionaries(
    {
        "scale": st.sampled_from(["exact", "nearest", "any"]),
        "statistic": st.sampled_from(["median", "minimum", "lower-quartile", "maximum"]),
        "precisions": st.sampled_from([None, ("fp4",), ("fp4", "fp8")]),
    }
)
STATEMENTS = st.lists(
    st.sampled_from([None, "gpt-oss-120b", "deepseek-r1", "VLM", "llama2-70b-99.9", "an unknown benchmark"]),
    max_size=3,
).map(lambda names: tuple(vendor_claim(f"claim-{n}", benchmark=name) for n, name in enumerate(names)))


@settings(max_examples=150, deadline=None)
@given(workload=WORKLOADS, options=OPTIONS, policy=POLICIES, statements=STATEMENTS)
def test_no_claim_is_ever_lost(
    workload: dict[str, Any],
    options: list[dict[str, Any]],
    policy: dict[str, Any],
    statements: tuple[dict[str, Any], ...],
) -> None:
    catalog = bundled_catalog()
    found = selected(workload, *options, policy=policy, vendor_claims=statements)
    assert accounted(found) == found.claims_considered == catalog.total + len(statements)
    used = [claim.id for claim in found.used]
    excluded = [item.claim.id for item in found.excluded]
    in_scope = [claim.id for claim in catalog.claims(workload["benchmark"])]
    assert Counter(used + excluded) == Counter(in_scope)
    order = list(Reason)
    for item in (*found.excluded, *found.excluded_statements):
        assert item.reasons
        assert list(item.reasons) == sorted(set(item.reasons), key=order.index)
    assert {claim_id for evidence in found.options for claim_id in evidence.used} == set(used)
    for evidence in found.options:
        assert (evidence.why_none is None) == bool(evidence.used)
        if evidence.planning is not None:
            assert evidence.minimum is not None
            assert evidence.maximum is not None
            assert evidence.minimum <= evidence.planning <= evidence.maximum


def test_the_same_question_has_the_same_answer() -> None:
    assert selected(GPT_OSS_SERVER, GB300, B300) == selected(GPT_OSS_SERVER, GB300, B300)


def test_an_option_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        selected(GPT_OSS_SERVER, GB300).evidence("other")


def test_a_benchmark_of_the_catalog_without_facts(catalog: Catalog) -> None:
    """A new benchmark has no facts on record: rounds stand alone, requests cannot become tokens."""
    found = selected({"benchmark": "resnet", "scenario": "Offline"}, option("NVIDIA H200-SXM-141GB", 8))
    assert found.used == ()
    assert found.options[0].why_none is not None
    assert "not-tokens" in found.options[0].why_none
