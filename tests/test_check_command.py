"""`rackrecord check` on profiles without mistakes: how they are understood, in full, by golden files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from profiles import EXAMPLES, SMALL, edited
from rackrecord.cli import main

GOLDEN = Path(__file__).parent / "golden" / "check"

FULL = """\
title: Two services, one decision
purpose: >-
  Serve both from one kind of rack.
owner: Inference platform team
status: draft
currency: EUR
exchange_rates:
  - {currency: USD, rate: 0.92, date: 2026-11-30, source: central bank}
workloads:
  - benchmark: gpt-oss-120b
    scenario: Server
    share: 0.625
    slo: {ttft_ms: 3000, percentile: 95}
    input_tokens_per_request: 900
    output_tokens_per_request: 1250.5
  - benchmark: llama2-70b
    scenario: Interactive
    accuracy: 99.9
    share: 0.375
    output_tokens_per_request: 300
demand:
  requests_per_second: {value: 1234.5, high: 2000}
  spares: 2
term: {years: 1}
facility: {electricity_per_kwh: 0.19, pue: 1.3}
limits:
  {power_kw: 2500, racks: 12, purchase_budget: 40000000 USD, term_budget: 9000000, deliver_by: 2027-03-31}
options:
  - id: monthly
    name: HGX B300, by the month
    accelerator: b300
    accelerators_per_system: 8
    systems_per_rack: 4
    price:
      rent: {per_rack_month: "173000 USD", discount: 0.125, power_included: false}
    quote: {vendor: A vendor, quoted_on: 2026-11-20}
  - id: hourly
    name: GB300, by the hour
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    power: {kw: {value: 132, low: 120}, basis: own-metering}
    price:
      rent: {per_rack_hour: 237.60, commitment: one-year}
    use: {realized_fraction: 0.7, utilization: 0.6}
  - id: no-offer-yet
    name: MI355X
    accelerator: AMD Instinct MI355X
    accelerators_per_system: 8
fleet:
  {accelerator: NVIDIA H200 SXM, accelerators_per_system: 8, racks: 1, software_round: v5.1}
vendor_claims:
  - id: scaling
    who: A vendor
    where: press release
    date: 2026-09-16
    statement: 99 % scaling on 512
    stage: marketing
    subject: NVIDIA B300
    accelerators: 512
    scaling_efficiency: 0.99
policy:
  {scale: exact, statistic: lower-quartile, materiality: 0.025, precisions: [fp8],
   objective: tokens-per-joule, basis: measured}
decision:
  statement: |
    Wait
    for the quote.
review: {next_round: false, date: 2027-05-31}
"""
"""Every kind of line that the reading has, apart from those of the examples."""


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Result]:
    """The result of `rackrecord check profile.yaml`, nothing imported."""

    def run(text: str) -> Result:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "imported").mkdir()
        (tmp_path / "profile.yaml").write_bytes(text.encode("utf-8"))
        return CliRunner().invoke(
            main, ["check", "profile.yaml", "--catalog", "imported"], catch_exceptions=False
        )

    return run


PROFILES = {path.stem: path.read_text(encoding="utf-8") for path in EXAMPLES} | {"small": SMALL, "full": FULL}


@pytest.mark.parametrize("name", PROFILES)
def test_reading(name: str, check: Callable[[str], Result], golden: Callable[[Path, str], None]) -> None:
    result = check(PROFILES[name])
    assert (result.exit_code, result.stderr) == (0, "")
    golden(GOLDEN / f"{name}.txt", result.stdout)


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_other_line_ends_are_accepted(
    mark: str, end: str, check: Callable[[str], Result]
) -> None:
    result = check(mark + SMALL.replace("\n", end))
    assert result.exit_code == 0
    assert result.stdout == (GOLDEN / "small.txt").read_text(encoding="utf-8")


def test_gaps_that_keep_an_option_out_of_the_ranking(check: Callable[[str], Result]) -> None:
    rent = "      rent:\n        per_accelerator_hour: 3.30\n"
    text = edited(rent, "      purchase: {per_rack: 3900000}\n    power: {kw: 132, basis: quote}\n")
    lines = check(text).stdout.splitlines()
    assert "              gb300: facility.electricity_per_kwh: not ranked: no electricity cost" in lines


def test_measurement_files_are_read_too(check: Callable[[str], Result], tmp_path: Path) -> None:
    (tmp_path / "replay.json").write_text("{}")
    result = check(SMALL + "    measurements: {files: [replay.json]}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("replay.json")


def test_a_missing_catalog_folder_or_profile_argument_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["check"]).exit_code == 2
    assert CliRunner().invoke(main, ["check", "x", "--catalog", "/no/such"]).exit_code == 2


def test_what_check_loads() -> None:
    """Nothing that only rendering or deciding needs."""
    code = (
        "import sys\nfrom rackrecord.cli import main\n"
        f"main(['check', {str(EXAMPLES[0])!r}], standalone_mode=False)\n"
        "heavy = {'weasyprint', 'jinja2', 'fontTools', 'matplotlib', 'openpyxl', 'rackrecord.record',\n"
        "         'rackrecord.pipeline', 'rackrecord.selection.select', 'rackrecord.economics.options',\n"
        "         'rackrecord.measurements.reading', 'rackrecord.profile.schema', 'difflib'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
