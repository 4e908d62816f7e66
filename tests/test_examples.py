"""The records of the examples against figures worked out by hand from the published files.

Planning figures: value / accelerators of the closed, available, datacenter rows, sorted, the middle taken.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from deciding import NAMES, example_record, record_of
from rackrecord.economics.strength import Strength
from rackrecord.quantities import fixed
from rackrecord.record import DecisionRecord
from rackrecord.render.view import build_view
from rackrecord.selection.reasons import Reason


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_is_accounted_for(name: str) -> None:
    record = example_record(name)
    for selection in record.evidence:
        elsewhere = sum(item.claims for item in selection.out_of_scope)
        excluded = len(selection.excluded) + len(selection.excluded_statements)
        counted = len(selection.used) + excluded + elsewhere
        # 937 + 1,448 + 520 + 492 published results, and the profile's own statements
        assert counted == 3397 + len(record.profile.vendor_claims) == selection.claims_considered


@pytest.mark.parametrize(
    ("name", "option", "planning", "lowest", "highest", "results", "submitters", "round"),
    [
        ("gpt-oss-server", "gb300-nvl72", "15,577.78", "15,175.14", "16,117.92", 4, 4, "v6.1"),
        ("gpt-oss-server", "hgx-b300", "13,405.81", "12,522.88", "14,210.62", 14, 11, "v6.1"),
        ("gpt-oss-server", "mi355x-rented", "13,641.69", "13,604.50", "14,155.12", 8, 7, "v6.1"),
        ("deepseek-interactive", "gb300-nvl72", "3,520.92", "3,275.10", "3,612.47", 3, 3, "v6.1"),
        ("deepseek-interactive", "gb200-nvl72", "3,280.79", "3,224.44", "3,337.14", 2, 2, "v6.1"),
        ("deepseek-interactive", "hgx-b300", "616.83", "616.83", "616.83", 1, 1, "v6.0"),
        ("qwen3-vl-agent", "gb300-nvl72", "4.85", "4.85", "4.85", 1, 1, "v6.1"),
    ],
)
def test_planning_figures(
    name: str,
    option: str,
    planning: str,
    lowest: str,
    highest: str,
    results: int,
    submitters: int,
    round: str,
) -> None:
    evidence = example_record(name).evidence[0].evidence(option)
    assert evidence.planning is not None
    assert evidence.minimum is not None
    assert evidence.maximum is not None
    shown = [fixed(value) for value in (evidence.planning, evidence.minimum, evidence.maximum)]
    assert shown == [planning, lowest, highest]
    assert (evidence.runs, len(evidence.submitters), evidence.round) == (results, submitters, round)


def test_b300_in_its_second_spelling_is_evidence() -> None:
    used = example_record("gpt-oss-server").evidence[0].used
    assert {c.accelerator_as_submitted for c in used if c.accelerator == "nvidia-b300"} == {
        "NVIDIA B300-SXM-270GB",
        "Nvidia B300-SXM-270GB",
    }


def _close(value: Decimal | None, expected: str) -> bool:
    return value is not None and abs(value / Decimal(expected) - 1) < Decimal("1e-5")


def test_gpt_oss_costs() -> None:
    """785,120 = 15,577.777… · 72 · 0.7; 160.8220 as in docs/economics.md; 1e6 · C / (3600 · T · 0.6)."""
    figures = example_record("gpt-oss-server").figures("gb300-nvl72")
    assert figures is not None
    assert _close(figures.tokens_per_second, "785120")
    assert _close(figures.cost_per_hour, "160.8220")
    assert _close(figures.cost_per_million_tokens, "0.0948322")
    # 5,000,000 · 1.25 / 785,120 = 7.96, so 8 racks and one spare; 9 · 160.8220 · 8760 a year
    assert figures.racks == 9
    assert _close(figures.yearly_cost, "12679206")


def test_gpt_oss_verdict() -> None:
    record = example_record("gpt-oss-server")
    assert record.comparison.ranking == ("gb300-nvl72", "hgx-b300", "mi355x-rented")
    # GB300 at its worst 0.09735, B300 at its best 0.1036, MI355X at its best 0.1098
    assert record.comparison.strength is Strength.ROBUST


def test_deepseek_names_the_older_round_and_the_missing_evidence() -> None:
    record = example_record("deepseek-interactive")
    texts = [caveat.text for caveat in record.caveats if caveat.code == "older-round"]
    assert len(texts) == 1
    assert "v6.0" in texts[0]
    assert "v6.1" in texts[0]
    assert [item.option for item in record.comparison.not_ranked] == ["mi355x"]
    assert "No verified, comparable result" in record.comparison.not_ranked[0].reason


def test_vera_rubin_is_watched_and_never_ranked() -> None:
    record = example_record("qwen3-vl-agent")
    interactive = [
        item
        for item in record.evidence[0].excluded
        if item.claim.accelerator == "nvidia-vera-rubin" and item.claim.scenario == "Interactive"
    ]
    assert [item.reasons for item in interactive] == [(Reason.PREVIEW,)]
    assert fixed(interactive[0].claim.per_accelerator or 0, 4) == "18.1473"
    assert "vera-rubin-nvl72" not in record.comparison.ranking
    assert record.figures("vera-rubin-nvl72") is None
    assert [item.accelerator for item in record.watch_list] == ["nvidia-vera-rubin"]


def test_what_vendors_say_beside_what_was_published() -> None:
    verdicts = {check.id: check.sentence for check in example_record("qwen3-vl-agent").vendor_claims}
    assert verdicts["vr-3.7x"].startswith("Supported in Interactive (3.74x); Offline 1.83x and Server 1.92x")
    assert verdicts["software-1.6x"].startswith("Not supported")
    assert verdicts["after-deadline"].startswith("Cannot be checked")


def _decided(record: DecisionRecord) -> tuple[str | None, bool | None]:
    decision = record.capacity_decision_record.decision
    return decision.decided, decision.follows


def test_what_people_decided_stands_beside_the_recommendation() -> None:
    decided, follows = _decided(example_record("qwen3-vl-agent"))
    assert decided is not None
    assert "Keep the fleet for two quarters" in decided
    assert follows is False
    assert _decided(example_record("gpt-oss-server")) == (None, None)


def test_an_older_round_is_named_wherever_the_figures_stand() -> None:
    tables = build_view(example_record("deepseek-interactive"))
    (row,) = [row for row in tables.glance.rows if row[0].startswith("HGX B300")]
    assert row[0] == "HGX B300 rack of 8 servers, rented for a year (evidence of v6.0)"
    assert any(column.title == row[0] for table in tables.figures for column in table.columns)
    others = [cells[0] for cells in tables.glance.rows if cells is not row]
    assert not [name for name in others if "evidence of" in name]


def changed(old: str, new: str) -> DecisionRecord:
    """The record of the first example with one text for another."""
    return record_of("gpt-oss-server", lambda text: text.replace(old, new))


def test_where_every_option_fails_a_limit_what_the_limit_would_have_to_be() -> None:
    # Year 4 asks for 5,000,000 · 1.2³ · 1.25 = 10,800,000 tokens/s: ⌈10.8 M / 785,120⌉ + 1 = 15 racks of
    # 132 kW, ⌈10.8 M / 600,580⌉ + 1 = 19 of 118 kW, ⌈10.8 M / 611,147⌉ + 1 = 19 of 110 kW.
    record = changed("  power_kw: 2500\n", "  power_kw: 1000\n")
    assert record.comparison.strength is Strength.INFEASIBLE
    assert record.would_change == (
        "GB300 NVL72 rack, bought if total power may be 1,980 kW, not 1,000",
        "HGX B300 rack of 8 servers, bought if total power may be 2,242 kW, not 1,000",
        "MI355X rack of 8 servers, rented if total power may be 2,090 kW, not 1,000",
    )


@pytest.mark.parametrize(
    ("old", "new", "needed"),
    [
        ("rack_power_kw: 140", "rack_power_kw: 120", "power per rack may be 132 kW, not 120"),
        ("delivery: 2027-02-26", "delivery: 2027-04-30", "delivery may be on 2027-04-30, not 2027-03-31"),
        ("    delivery: 2027-02-26\n", "", "its delivery is stated and within the limit"),
    ],
)
def test_what_only_a_limit_keeps_back_comes_first(old: str, new: str, needed: str) -> None:
    record = changed(old, new)
    assert record.comparison.best == "hgx-b300"
    assert record.would_change[0] == f"GB300 NVL72 rack, bought if {needed}"
