"""Each named repair and check, on real rows that need it and on near ones that do not."""

from __future__ import annotations

from decimal import Decimal

import pytest

from catalog_rows import V41, V60, V61, csv_file, json_list, read
from rackrecord.catalog import repairs
from rackrecord.catalog.claim import CaveatCode, Claim
from rackrecord.catalog.store import bundled_catalog

# v5.1, all eight: submitter, platform, figure
REPAIRED_UNITS = {
    ("Dell", "XE9680L_B200_SXM_180GBx8_TRT", "102907.0"),
    ("GigaComputing", "G894-SD1_B200-SXM-180GBx8_TRT", "102829.0"),
    ("HPE", "HPE_Cray_XD670_H200_SXM_141GBx8_TRT", "53475.2"),
    ("HPE", "HPE_PROLIANT_DL380A_RTX_PRO_6000_PCIE_96GBx8_TRT_TRT", "36052.3"),
    ("NVIDIA", "B200-SXM-180GBx8_TRT", "102903.0"),
    ("Quanta_Cloud_Technology", "D74U-7U_H200-SXM-141GBx8_TRT", "54117.6"),
    ("Quanta_Cloud_Technology", "D75E-4U_H200-NVL-141GBx4_TRT", "21944.1"),
    ("Supermicro", "AS-4126GS-NBR-LCC_B200-SXM-180GBx8_TRT", "122269.0"),
}


def codes(claim: Claim) -> list[str]:
    return [caveat.code for caveat in claim.caveats]


def bundled_with(code: CaveatCode) -> list[Claim]:
    found = [claim for claim in bundled_catalog().all_claims() if code in codes(claim)]
    assert found
    return found


def test_unit_repaired_on_exactly_eight_bundled_results() -> None:
    repaired = bundled_with(CaveatCode.UNIT_REPAIRED)
    assert {(claim.submitter, claim.platform, str(claim.value)) for claim in repaired} == REPAIRED_UNITS
    assert len(repaired) == 8
    for claim in repaired:
        assert (claim.round, claim.benchmark, claim.scenario) == ("v5.1", "llama3.1-8b", "Interactive")
        assert claim.unit == "Tokens/s"
        assert "published as Queries/s" in claim.caveats[0].text


@pytest.mark.parametrize(
    ("round", "benchmark", "scenario", "unit"),
    [
        ("v6.0", "llama3.1-8b", "Interactive", "Queries/s"),
        ("v5.1", "llama3.1-405b", "Interactive", "Queries/s"),
        ("v5.1", "llama3.1-8b", "Server", "Queries/s"),
        ("v5.1", "llama3.1-8b", "Interactive", "Samples/s"),
        ("v6.1", "qwen3-vl-235b-a22b", "Interactive", "Queries/s"),
    ],
)
def test_unit_is_repaired_nowhere_else(round: str, benchmark: str, scenario: str, unit: str) -> None:
    assert repairs.repair_unit(round, benchmark, scenario, unit) == (unit, None)


def test_scenario_in_lower_case() -> None:
    row = {**V61, "Scenario": "singlestream", "MlperfModel": "yolo-95", "Model": "yolo-95"}
    (claim,) = read(csv_file(row)).claims
    assert claim.scenario == "SingleStream"
    assert claim.id.endswith("/yolo-95/SingleStream")
    assert codes(claim) == ["scenario-spelling"]
    assert "'singlestream'" in claim.caveats[0].text
    # 14 rows of v6.1, all yolo or resnet on edge systems
    spelled = bundled_with(CaveatCode.SCENARIO_SPELLING)
    assert len(spelled) == 14
    assert {(claim.round, claim.suites) for claim in spelled} == {("v6.1", ("edge",))}


def test_an_unknown_scenario_stays_as_it_is() -> None:
    assert repairs.repair_scenario("Agentic") == ("Agentic", None)
    assert repairs.repair_scenario("Server") == ("Server", None)


def test_inferred_is_disclosed() -> None:
    (claim,) = read(json_list({**V60, "inferred": 1})).claims
    assert claim.inferred
    assert "inferred" in codes(claim)
    (claim,) = read(json_list(V60)).claims
    assert not claim.inferred
    assert "inferred" not in codes(claim)


def test_inferred_bundled_results_by_round() -> None:
    by_round: dict[str, int] = {}
    for claim in bundled_with(CaveatCode.INFERRED):
        assert claim.inferred
        by_round[claim.round] = by_round.get(claim.round, 0) + 1
    # the sums of `inferred` over the published files
    assert by_round == {"v5.1": 536, "v6.0": 102, "v6.1": 125}


@pytest.mark.parametrize(
    ("division", "notes", "says"),
    [
        ("open", "Closed division, 8 GPUs", "the row's division is open, its note says closed"),
        ("open", "closed", "the row's division is open, its note says closed"),
        ("closed", "open_submission", "the row's division is closed, its note says open"),
        ("closed", "Red Hat OpenShift Container Platform 4.14", None),
        ("closed", "closed division", None),
        ("open", "closed loop liquid cooling", None),
        ("open", "", None),
        ("open", "moved from the closed division to the open division", None),
    ],
)
def test_division_note_conflict(division: str, notes: str, says: str | None) -> None:
    row = {**V61, "Division": division, "compliance": division, "notes": notes}
    (claim,) = read(csv_file(row)).claims
    assert [caveat.text for caveat in claim.caveats] == ([says] if says else [])
    assert claim.division == division


@pytest.mark.parametrize(
    ("accelerator", "nodes", "per_node", "total", "count"),
    [
        # v4.1 and v5.1 have no total
        ("NVIDIA H200-SXM-141GB", 1, 8, None, 8),
        ("NVIDIA GB200", 18, 4, None, 72),
        ("AMD Instinct MI300X 192GB HBM3 (x32), AMD Instinct MI325X 256GB HBM3e (x16)", 6, 8, None, 48),
        ("Intel(R) Arc(TM) 140T GPU", 1, None, None, None),
        # v6.0 and v6.1 do
        ("NVIDIA GB300", 18, 4, 72, 72),
        ("NVIDIA GB300", None, None, 72, 72),
        ("AMD Instinct MI300X 192GB HBM3 (x8) and AMD Instinct MI325X 256GB HBM3e (x8)", 2, 8, 16, 16),
        ("AMD Instinct MI300X 192GB HBM3 (x2x8) and AMD Instinct MI355X 288GB HBM3e (x2x8)", 4, 8, 32, 32),
        ("", 1, None, 0, None),
        ("", 1, 0, 0, None),
    ],
)
def test_accelerator_count(
    accelerator: str, nodes: int | None, per_node: int | None, total: int | None, count: int | None
) -> None:
    found = repairs.accelerator_count(accelerator, nodes=nodes, per_node=per_node, total=total)
    assert found == (count, None)


@pytest.mark.parametrize(
    ("accelerator", "nodes", "per_node", "total", "figures"),
    [
        ("AMD Instinct MI355X 288GB HBM3e (x87)", 11, 8, 88, ("total 88", "11 nodes x 8 each 88", "name 87")),
        ("AMD Instinct MI355X 288GB HBM3e (x94)", 12, 8, 96, ("total 96", "12 nodes x 8 each 96", "name 94")),
        ("NVIDIA GB300", 18, 4, 64, ("total 64", "18 nodes x 4 each 72")),
        ("NVIDIA GB300 (x8)", 2, 8, None, ("2 nodes x 8 each 16", "name 8")),
        ("", 1, 8, 8, ("total 8", "accelerators named 0")),
    ],
)
def test_count_conflict(
    accelerator: str, nodes: int, per_node: int, total: int | None, figures: tuple[str, ...]
) -> None:
    count, caveat = repairs.accelerator_count(accelerator, nodes=nodes, per_node=per_node, total=total)
    assert count is None
    assert caveat is not None
    assert caveat.code == CaveatCode.COUNT_CONFLICT
    for figure in figures:
        assert figure in caveat.text


def test_count_conflict_is_on_the_two_known_systems_only() -> None:
    conflicts = bundled_with(CaveatCode.COUNT_CONFLICT)
    assert {claim.platform for claim in conflicts} == {"87xMI355X_22xEPYC_9575F", "94xMI355X_24xEPYC_9575F"}
    assert len(conflicts) == 8
    assert all(claim.accelerator_count is None and claim.per_accelerator is None for claim in conflicts)


def test_server_above_offline_is_on_the_server_result() -> None:
    # v6.1, ASUSTeK, 8 x B300: gpt-oss-120b
    offline = {**V61, "Result": "109368.0"}
    server = {**V61, "Scenario": "Server", "Result": "109949.0"}
    by_scenario = {claim.scenario: claim for claim in read(csv_file(offline, server)).claims}
    assert codes(by_scenario["Offline"]) == []
    assert codes(by_scenario["Server"]) == ["server-above-offline"]
    assert "109949.0 is above Offline 109368.0" in by_scenario["Server"].caveats[0].text


@pytest.mark.parametrize(
    "other",
    [
        {"Result": "109949.0"},
        {"Result": "108000.0", "Platform": "another"},
        {"Result": "108000.0", "Organization": "another"},
        {"Result": "108000.0", "Units": "Samples/s"},
        {"Result": "108000.0", "Division": "open"},
        {"Result": "108000.0", "MlperfModel": "gpt-oss-120b", "Model": "gpt-oss-120b"},
        {"Result": "108000.0", "Model": "deepseek-r1-pruned"},
        {"Result": "108000.0", "Scenario": "Interactive"},
    ],
)
def test_server_is_compared_with_the_same_system_only(other: dict[str, str]) -> None:
    server = {**V61, "Scenario": "Server", "Result": "109949.0"}
    claims = read(csv_file(server, {**V61, **other})).claims
    assert [codes(claim) for claim in claims] == [[], []]


def test_queries_and_samples_are_compared() -> None:
    # v6.1, AMD, 8 x MI350X, dlrm-v3; the Server figure is raised above the published Offline one
    dlrm = {**V61, "MlperfModel": "dlrm-v3", "Model": "dlrm-v3"}
    offline = {**dlrm, "Result": "10891.1", "Units": "Samples/s"}
    server = {**dlrm, "Result": "10892", "Units": "Queries/s", "Scenario": "Server"}
    assert [codes(claim) for claim in read(csv_file(offline, server)).claims] == [
        [],
        ["server-above-offline"],
    ]


def test_an_unknown_accelerator_stays_as_it_is() -> None:
    (claim,) = read(csv_file({**V61, "accelerator_model_name": "NVIDIA GB400"})).claims
    assert claim.accelerator == "NVIDIA GB400"
    assert claim.accelerators == ("NVIDIA GB400",)
    assert codes(claim) == ["unknown-accelerator"]
    mixed = {**V61, "accelerator_model_name": "NVIDIA GB300 and NVIDIA GB400"}
    (claim,) = read(csv_file(mixed)).claims
    assert claim.accelerator == "NVIDIA GB400+nvidia-gb300"
    assert "'NVIDIA GB400'" in claim.caveats[0].text


def test_caveats_come_in_one_order() -> None:
    row = {**V60, "inferred": 1, "Scenario": "server", "Accelerator": "AMD Instinct MI999 (x87)"}
    (claim,) = read(json_list(row)).claims
    assert codes(claim) == ["inferred", "count-conflict", "scenario-spelling", "unknown-accelerator"]


def test_a_v41_system_has_no_caveat() -> None:
    (claim,) = read(json_list(V41)).claims
    assert claim.caveats == ()
    assert claim.accelerator_count == 1
    assert claim.value == Decimal("3062.72")
