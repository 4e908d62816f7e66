"""What `check` warns of: a profile that says it, and the same without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from profiles import EXAMPLES, SMALL, edited, read

PART = "  scenario: Server\n"
OPTION = "    accelerator: NVIDIA GB300\n"
PRICE = "    price:\n      rent:\n        per_accelerator_hour: 3.30\n"
CLAIM = """\
vendor_claims:
  - id: c
    who: A vendor
    where: press release
    date: 2026-09-16
    statement: fast
    stage: published
    subject: NVIDIA GB300
    value: 1000
    unit: Tokens/s
"""


def told(text: str) -> list[str]:
    return [str(problem) for problem in read(text).cautions]


def with_slo(slo: str, scenario: str = "Server") -> str:
    return edited(PART, f"  scenario: {scenario}\n  slo: {slo}\n")


def with_part(line: str) -> str:
    return edited(PART, f"{PART}  {line}\n")


TWIN = (
    SMALL.partition("options:\n")[2].replace("id: gb300", "id: other").replace("name: GB300", "name: Other")
)

CASES = {
    "a metric that the benchmark does not limit": (
        with_slo("{e2e_ms: 12000}"),
        "7:17: workload.slo.e2e_ms: gpt-oss-120b Server sets no limit on the whole request: "
        "every result is left out as looser-latency",
        with_slo("{ttft_ms: 3000}"),
    ),
    "a limit stricter than the benchmark's": (
        with_slo("{tpot_ms: 79}"),
        "7:18: workload.slo.tpot_ms: gpt-oss-120b Server limits the time per output token to 80 ms only: "
        "every result is left out as looser-latency",
        with_slo("{tpot_ms: 80}"),
    ),
    "latency of Offline results": (
        with_slo("{ttft_ms: 3000}", "Offline"),
        "7:18: workload.slo.ttft_ms: gpt-oss-120b Offline sets no limit on the time to first token: "
        "every result is left out as looser-latency",
        edited("Server", "Offline"),
    ),
    "a percentile above 99": (
        with_slo("{ttft_ms: 3000, percentile: 99.9}"),
        "7:36: workload.slo.percentile: gpt-oss-120b Server holds its limits at the 99th percentile: "
        "every result is left out as looser-latency",
        with_slo("{ttft_ms: 3000, percentile: 99}"),
    ),
    "requests much longer than the benchmark's": (
        with_part("output_tokens_per_request: 7481").replace("gpt-oss-120b", "deepseek-r1"),
        "7:30: workload.output_tokens_per_request: deepseek-r1 has 3740 output tokens a request, far from "
        "7481: the verdict is at best likely",
        with_part("output_tokens_per_request: 7480").replace("gpt-oss-120b", "deepseek-r1"),
    ),
    "requests much shorter than the benchmark's": (
        with_part("output_tokens_per_request: 1869").replace("gpt-oss-120b", "deepseek-r1"),
        "7:30: workload.output_tokens_per_request: deepseek-r1 has 3740 output tokens a request, far from "
        "1869: the verdict is at best likely",
        with_part("output_tokens_per_request: 1870").replace("gpt-oss-120b", "deepseek-r1"),
    ),
    "tokens per joule without power": (
        SMALL + "policy: {objective: tokens-per-joule}\n",
        "17:21: policy.objective: 1 option states no power and cannot be ranked by tokens per joule",
        edited(OPTION, OPTION + "    power: {kw: 132, basis: quote}\n")
        + "policy: {objective: tokens-per-joule}\n",
    ),
    "a limit on power without power": (
        SMALL + TWIN.replace("3.30", "3.31") + "limits: {rack_power_kw: 140}\n",
        "24:25: limits.rack_power_kw: 2 options state no power, so that this limit cannot be judged",
        edited(OPTION, OPTION + "    power: {kw: 132, basis: quote}\n") + "limits: {rack_power_kw: 140}\n",
    ),
    "a limit on delivery without delivery": (
        SMALL + "limits: {deliver_by: 2027-03-31}\n",
        "17:22: limits.deliver_by: 1 option states no delivery, so that this limit cannot be judged",
        edited(OPTION, OPTION + "    delivery: 2027-02-26\n") + "limits: {deliver_by: 2027-03-31}\n",
    ),
    "a measured basis without measurements": (
        SMALL + "policy: {basis: measured}\n",
        "17:17: policy.basis: 1 option has no measurements: the ranking falls back to verified results",
        edited(OPTION, OPTION + "    measurements: {files: [a.json]}\n") + "policy: {basis: measured}\n",
    ),
    "a quote for nothing": (
        edited(PRICE, "    quote: {vendor: A vendor, quoted_on: 2026-11-16}\n"),
        "14:12: options[1].quote: a quote without a price: the option is not ranked",
        edited(PRICE, PRICE + "    quote: {vendor: A vendor, quoted_on: 2026-11-16}\n"),
    ),
    "one option under two names": (
        SMALL + TWIN,
        "17:5: options[2]: the same as option 1 apart from its name",
        SMALL + TWIN.replace("3.30", "3.31"),
    ),
    "a file listed twice": (
        edited(OPTION, OPTION + "    measurements: {files: [a.json, b.json, a.json]}\n"),
        "13:44: options[1].measurements.files[3]: 'a.json' is listed twice",
        edited(OPTION, OPTION + "    measurements: {files: [a.json, b.json]}\n"),
    ),
    "a rate for nothing": (
        SMALL + "exchange_rates:\n  - {currency: EUR, rate: 1.08, date: 2026-11-30}\n",
        "18:5: exchange_rates[1]: no amount is in EUR: the rate is not used",
        edited("3.30", "3.30 EUR") + "exchange_rates:\n  - {currency: EUR, rate: 1.08, date: 2026-11-30}\n",
    ),
    "a statement on an unknown benchmark": (
        SMALL + CLAIM + "    benchmark: gpt-os-120b\n",
        "27:16: vendor_claims[1].benchmark: no known benchmark (did you mean gpt-oss-120b?): "
        "the statement cannot be checked",
        SMALL + CLAIM + "    benchmark: gpt-oss-120b\n",
    ),
    "a statement on a scenario that is not measured": (
        SMALL + CLAIM + "    benchmark: mixtral-8x7b\n    scenario: Interactive\n",
        "28:15: vendor_claims[1].scenario: mixtral-8x7b is measured in Offline, Server: "
        "the statement cannot be checked",
        SMALL + CLAIM + "    benchmark: mixtral-8x7b\n    scenario: Server\n",
    ),
    "a statement in another unit": (
        SMALL + CLAIM + "    benchmark: qwen3-vl-235b-a22b\n    scenario: Server\n",
        "26:11: vendor_claims[1].unit: qwen3-vl-235b-a22b Server is published in Queries/s: "
        "the figures cannot be compared",
        SMALL + CLAIM.replace("Tokens/s", "Queries/s") + "    benchmark: VLM\n    scenario: Server\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_caution(case: str) -> None:
    wrong, message, right = CASES[case]
    assert told(wrong) == [f"profile.yaml:{message}"]
    assert told(right) == []


def test_a_request_with_less_time_than_its_first_token() -> None:
    text = with_slo("{ttft_ms: 3000, e2e_ms: 2999}")
    assert any(line.endswith("the whole request has less time than its first token") for line in told(text))
    text = with_slo("{ttft_ms: 3000, e2e_ms: 3000}")
    assert not any("first token" in line.rpartition(": ")[2] for line in told(text))


def test_a_measured_basis_with_several_workloads() -> None:
    part = "  - {benchmark: gpt-oss-120b, scenario: %s, share: 0.5}\n"
    text = edited(OPTION, OPTION + "    measurements: {files: [a.json]}\n") + "policy: {basis: measured}\n"
    several = "workloads:\n" + part % "Server" + part % "Offline"
    text = edited("workload:\n  benchmark: gpt-oss-120b\n  scenario: Server\n", several, text=text)
    assert [line.rpartition(": ")[0].rpartition(": ")[2] for line in told(text)] == [
        "a measurement speaks for one part of the workload"
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_have_none(path: Path) -> None:
    assert told(path.read_text(encoding="utf-8")) == []
