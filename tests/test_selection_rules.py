"""Every reason for exclusion, with real results that it lets pass and real results that it excludes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from rackrecord.catalog.benchmarks import Benchmark, benchmarks
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import bundled_catalog
from rackrecord.profile.models import Slo, Workload
from rackrecord.selection.reasons import Reason
from rackrecord.selection.rules import (
    RULES,
    Accepted,
    Candidate,
    Situation,
    reasons,
    unanswered_objectives,
)

GB300_72 = "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server"
GB300_72_OLD = "v6.0/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server"
GB300_72_INTERACTIVE_OLD = (
    "v6.0/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Interactive"
)
GB300_72_INTERACTIVE = "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Interactive"
GB300_8 = "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x8_TRT/gpt-oss-120b/Server"
MIXED = "v6.1/closed/Dell_MangoBoost/2x8xMI355X_2x8xMI300X/gpt-oss-120b/Server"
UNCLEAR_94 = "v6.0/closed/AMD/94xMI355X_24xEPYC_9575F/gpt-oss-120b/Server"
UNCLEAR_87 = "v6.0/closed/AMD/87xMI355X_22xEPYC_9575F/llama2-70b-99.9/Server"
CRUSOE_512 = "v6.1/closed/Crusoe/512xMI355X_Crusoe_GPT/gpt-oss-120b/Server"
OPEN_H200 = "v6.1/open/Krai/h200/qwen3-vl-235b-a22b/Offline"
RUBIN = "v6.1/closed/NVIDIA/VR-NVL72_VR-288GB_aarch64x72_TRT/qwen3-vl-235b-a22b/Interactive"
QWEN_GB300 = "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/qwen3-vl-235b-a22b/Interactive"
RESEARCH = "v6.1/closed/Naeem Khoshnevis/H200/llama3.1-8b/Server"
EDGE = "v4.1/closed/ConnectTechInc/Orin_TRT/gptj-99/Offline"
LLAMA70_99 = "v6.0/closed/AMD/8xMI355X_2xEPYC_9575F/llama2-70b-99/Server"
LLAMA70_999 = "v6.0/closed/AMD/8xMI355X_2xEPYC_9575F/llama2-70b-99.9/Server"
WHISPER = "v6.1/closed/Cisco/C880A_M8_B300_270GBx8_TRT/whisper/Offline"
VIDEO_LATENCY = "v6.1/closed/Cisco/C880A_M8_B300_270GBx8_TRT/wan-2.2-t2v-a14b/SingleStream"


@cache
def claim(claim_id: str) -> Claim:
    found = bundled_catalog().find(claim_id)
    assert found is not None, claim_id
    return found


def result(claim_id: str, **changes: Any) -> Candidate:
    """A published result as a candidate; `changes` are for what no published result has."""
    return replace(Candidate.of_claim(claim(claim_id)), **changes)


def statement(**stated: Any) -> Candidate:
    """A vendor's statement, of which only what it says is known."""
    return Candidate(id="statement", verified=False, **stated)


@dataclass(frozen=True)
class Case:
    """A candidate in a situation: the workload, the options, the rounds and sizes in use."""

    candidate: Candidate
    benchmark: str = "gpt-oss-120b"
    scenario: Any = "Server"
    workload: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ("nvidia-gb300",)
    precisions: frozenset[str] | None = None
    compatible: tuple[str, ...] = ("v6.0", "v6.1")
    sizes: Mapping[str, Mapping[int, str | None]] = field(default_factory=dict)

    def applies(self, reason: Reason) -> bool:
        return RULES[reason](self.candidate, self.situation())

    def situation(self) -> Situation:
        return Situation(
            workload=Workload.model_validate(
                {"benchmark": self.benchmark, "scenario": self.scenario, **self.workload}
            ),
            benchmark=benchmarks().get(self.benchmark) or Benchmark(id=self.benchmark),
            candidates=frozenset(self.options),
            precisions=self.precisions,
            compatible=frozenset(self.compatible),
            accepted={accelerator: Accepted(rounds) for accelerator, rounds in self.sizes.items()},
        )


def slo(**limits: int) -> dict[str, Any]:
    return {"slo": {name: Decimal(value) for name, value in limits.items()}}


GB300_IN_USE = {"nvidia-gb300": {72: "v6.1"}}

PASS: dict[Reason, list[Case]] = {
    Reason.NOT_VERIFIED: [Case(result(GB300_72)), Case(result(RUBIN))],
    Reason.NO_WORKLOAD: [Case(result(GB300_72)), Case(statement(unit="Tokens/s"))],
    Reason.OPEN_DIVISION: [
        Case(result(GB300_72)),
        Case(result(GB300_72, division="network")),
        Case(statement()),
    ],
    Reason.PREVIEW: [Case(result(GB300_72)), Case(result(RESEARCH)), Case(statement())],
    Reason.RESEARCH_SYSTEM: [Case(result(GB300_72)), Case(result(RUBIN)), Case(statement())],
    Reason.OTHER_SUITE: [
        Case(result(GB300_72)),
        Case(result(EDGE), workload={"suite": "edge"}),
        Case(result(GB300_72, suites=("datacenter", "edge")), workload={"suite": "edge"}),
        Case(statement()),
    ],
    Reason.OTHER_SCENARIO: [
        Case(result(GB300_72)),
        Case(result(GB300_72_INTERACTIVE), scenario="Interactive"),
        Case(statement()),
    ],
    Reason.LOWER_ACCURACY: [
        Case(result(LLAMA70_999), "llama2-70b", workload={"accuracy": Decimal("99.9")}),
        Case(result(LLAMA70_999), "llama2-70b", workload={"accuracy": Decimal(99)}),
        Case(result(LLAMA70_99), "llama2-70b", workload={"accuracy": Decimal(99)}),
        Case(result(LLAMA70_99), "llama2-70b"),
        Case(result(GB300_72), workload={"accuracy": Decimal("99.9")}),  # one target only
    ],
    Reason.INCOMPATIBLE_ROUND: [
        Case(result(GB300_72_OLD)),
        Case(result(GB300_72_INTERACTIVE), scenario="Interactive", compatible=("v6.1",)),
        Case(result(GB300_72_INTERACTIVE_OLD), scenario="Interactive", compatible=()),  # not known yet
        Case(statement()),
    ],
    Reason.SUPERSEDED_ROUND: [
        Case(result(GB300_72), sizes=GB300_IN_USE),
        Case(result(GB300_72_OLD), sizes={"nvidia-gb300": {72: "v6.0"}}),
        Case(result(GB300_72_OLD), sizes={"nvidia-gb300": {72: None}}),
        Case(result(GB300_72_OLD), sizes={"amd-mi355x": {8: "v6.1"}}),  # another accelerator's newer round
        Case(result(MIXED, round="v6.0"), sizes={"amd-mi355x": {32: "v6.1"}}),
        # outside the compatible rounds another reason speaks
        Case(result(GB300_72_OLD), compatible=("v6.1",), sizes=GB300_IN_USE),
    ],
    Reason.LOOSER_LATENCY: [
        Case(result(GB300_72)),  # no objective
        # the benchmark's limits in Server: 3,000 ms to the first token, 80 ms per output token
        Case(result(GB300_72), workload=slo(ttft_ms=3000, tpot_ms=80)),
        Case(result(GB300_72), workload=slo(ttft_ms=5000)),
        Case(result(GB300_72), workload=slo(tpot_ms=80, percentile=90)),
        Case(result(QWEN_GB300), "qwen3-vl-235b-a22b", "Interactive", workload=slo(e2e_ms=1500)),
        Case(statement(scenario="Offline"), workload=slo(ttft_ms=1)),
    ],
    Reason.NOT_TOKENS: [
        Case(result(GB300_72)),
        Case(result(QWEN_GB300), "qwen3-vl-235b-a22b", "Interactive"),  # 43 output tokens are on record
        Case(result(OPEN_H200), "qwen3-vl-235b-a22b", "Offline"),
        Case(statement()),
    ],
    Reason.MIXED_ACCELERATORS: [Case(result(GB300_72)), Case(statement(accelerators=("nvidia-gb300",)))],
    Reason.ACCELERATOR_COUNT_UNCLEAR: [Case(result(GB300_72)), Case(statement())],
    Reason.NOT_A_CANDIDATE: [
        Case(result(GB300_72)),
        Case(result(MIXED), options=("amd-mi355x",)),
        Case(statement()),
    ],
    Reason.PRECISION: [
        Case(result(GB300_72)),
        Case(result(GB300_72), precisions=frozenset({"fp4", "fp8"})),
        Case(statement(), precisions=frozenset({"fp4"})),
    ],
    Reason.OTHER_SCALE: [
        Case(result(GB300_72), sizes=GB300_IN_USE),
        Case(result(GB300_8), sizes={"nvidia-gb300": {8: "v6.1", 72: "v6.1"}}),
        Case(result(CRUSOE_512), sizes=GB300_IN_USE),  # another accelerator's size
        Case(result(MIXED), sizes={"amd-mi355x": {8: "v6.1"}}),
        Case(statement(accelerators=("nvidia-gb300",)), sizes=GB300_IN_USE),
    ],
    Reason.INVALID: [Case(result(GB300_72)), Case(statement())],
}

FAIL: dict[Reason, list[Case]] = {
    Reason.NOT_VERIFIED: [Case(statement())],
    Reason.NO_WORKLOAD: [Case(statement(names_benchmark=False))],
    Reason.OPEN_DIVISION: [Case(result(OPEN_H200), "qwen3-vl-235b-a22b", "Offline")],
    Reason.PREVIEW: [
        Case(result(RUBIN), "qwen3-vl-235b-a22b", "Interactive"),
        Case(statement(availability="preview")),
    ],
    Reason.RESEARCH_SYSTEM: [Case(result(RESEARCH), "llama3.1-8b")],
    Reason.OTHER_SUITE: [
        Case(result(EDGE), "gptj", "Offline"),
        Case(result(GB300_72), workload={"suite": "edge"}),
    ],
    Reason.OTHER_SCENARIO: [
        Case(result(GB300_72_INTERACTIVE)),
        Case(result(GB300_72), scenario="Offline"),
        Case(statement(scenario="Offline")),
    ],
    Reason.LOWER_ACCURACY: [Case(result(LLAMA70_99), "llama2-70b", workload={"accuracy": Decimal("99.9")})],
    Reason.INCOMPATIBLE_ROUND: [
        Case(result(GB300_72_INTERACTIVE_OLD), scenario="Interactive", compatible=("v6.1",)),
        Case(statement(round="v5.1")),
    ],
    Reason.SUPERSEDED_ROUND: [
        Case(result(GB300_72_OLD), sizes=GB300_IN_USE),
        # a size that is not in use is older than the newest in use at all
        Case(result(GB300_72_OLD), sizes={"nvidia-gb300": {8: "v6.1", 72: None}}),
    ],
    Reason.LOOSER_LATENCY: [
        Case(result(GB300_72), workload=slo(ttft_ms=2999)),
        Case(result(GB300_72), workload=slo(ttft_ms=3000, tpot_ms=79)),
        Case(result(GB300_72), workload=slo(e2e_ms=60_000)),  # no limit on the whole request
        Case(result(GB300_72), workload={"slo": {"tpot_ms": Decimal(80), "percentile": Decimal("99.9")}}),
        Case(result(QWEN_GB300), "qwen3-vl-235b-a22b", "Interactive", workload=slo(ttft_ms=9000)),
        Case(result(EDGE), "gptj", "Offline", workload=slo(ttft_ms=9000)),  # no facts on record
    ],
    Reason.NOT_TOKENS: [
        Case(result(WHISPER), "whisper", "Offline"),  # samples/s, and no mean output tokens on record
        Case(result(VIDEO_LATENCY), "wan-2.2-t2v-a14b", "SingleStream"),
        Case(result(QWEN_GB300, unit="Tasks/s"), "qwen3-vl-235b-a22b", "Interactive"),
    ],
    Reason.MIXED_ACCELERATORS: [Case(result(MIXED))],
    Reason.ACCELERATOR_COUNT_UNCLEAR: [Case(result(UNCLEAR_94)), Case(result(UNCLEAR_87), "llama2-70b")],
    Reason.NOT_A_CANDIDATE: [Case(result(CRUSOE_512)), Case(result(MIXED))],
    Reason.PRECISION: [
        Case(result(GB300_72), precisions=frozenset({"fp8"})),
        Case(result(GB300_72, precision=()), precisions=frozenset({"fp4"})),  # not stated
        Case(result(GB300_72, precision=("fp4", "fp8")), precisions=frozenset({"fp4"})),
    ],
    Reason.OTHER_SCALE: [
        Case(result(CRUSOE_512), options=("amd-mi355x",), sizes={"amd-mi355x": {8: "v6.1"}}),
        Case(result(GB300_8), sizes=GB300_IN_USE),
        Case(result(GB300_8), sizes={"nvidia-gb300": {}}),
    ],
    Reason.INVALID: [Case(result(GB300_72, valid=False))],
}


def rows(cases: Mapping[Reason, list[Case]]) -> list[Any]:
    return [
        pytest.param(reason, case, id=f"{reason.value}-{number}")
        for reason, found in cases.items()
        for number, case in enumerate(found)
    ]


@pytest.mark.parametrize(("reason", "case"), rows(PASS))
def test_a_candidate_that_passes(reason: Reason, case: Case) -> None:
    assert not case.applies(reason)
    assert reason not in reasons(case.candidate, case.situation())


@pytest.mark.parametrize(("reason", "case"), rows(FAIL))
def test_a_candidate_that_fails(reason: Reason, case: Case) -> None:
    assert case.applies(reason)
    assert reason in reasons(case.candidate, case.situation())


def test_no_reason_lacks_a_rule_or_rows_that_pass_and_fail() -> None:
    assert len(Reason) == 18
    for table in (RULES, PASS, FAIL):
        assert list(table) == list(Reason)
    assert all(PASS[reason] and FAIL[reason] for reason in Reason)
    assert len(set(RULES.values())) == len(Reason)


def test_every_published_result_meets_some_rule_rows() -> None:
    """Rows stand on published results wherever there is one: these reasons have none in the catalog."""
    without = {
        reason
        for reason, cases in FAIL.items()
        if not any(case.candidate.verified and case.candidate == result(case.candidate.id) for case in cases)
    }
    assert without == {Reason.NOT_VERIFIED, Reason.NO_WORKLOAD, Reason.INVALID}
    assert all(one.valid for one in bundled_catalog().all_claims())


def test_all_reasons_that_apply_are_given_in_their_order() -> None:
    case = Case(result(UNCLEAR_94), scenario="Offline", compatible=("v6.1",), workload=slo(ttft_ms=1))
    assert reasons(case.candidate, case.situation()) == (
        Reason.OTHER_SCENARIO,
        Reason.INCOMPATIBLE_ROUND,
        Reason.LOOSER_LATENCY,
        Reason.ACCELERATOR_COUNT_UNCLEAR,
        Reason.NOT_A_CANDIDATE,
    )


def test_codes_are_the_released_ones() -> None:
    assert [reason.value for reason in Reason] == [
        "not-verified",
        "no-workload",
        "open-division",
        "preview",
        "research-system",
        "other-suite",
        "other-scenario",
        "lower-accuracy",
        "incompatible-round",
        "superseded-round",
        "looser-latency",
        "not-tokens",
        "mixed-accelerators",
        "accelerator-count-unclear",
        "not-a-candidate",
        "precision",
        "other-scale",
        "invalid",
    ]
    assert all(reason.sentence and not reason.sentence.endswith(".") for reason in Reason)


@pytest.mark.parametrize("reason", list(Reason))
def test_a_rule_opens_with_its_code(reason: Reason) -> None:
    assert (RULES[reason].__doc__ or "").startswith(f"{reason.value}: ")
    assert RULES[reason].__name__ == reason.value.replace("-", "_")


def test_the_objectives_that_a_benchmark_leaves_unanswered_are_named() -> None:
    facts = benchmarks()["gpt-oss-120b"].scenario("Server")
    asked = Slo(ttft_ms=Decimal(1000), tpot_ms=Decimal(80), e2e_ms=Decimal(60_000))
    assert unanswered_objectives(asked, facts) == ("ttft_ms", "e2e_ms")
    assert unanswered_objectives(asked, None) == ("ttft_ms", "tpot_ms", "e2e_ms")
