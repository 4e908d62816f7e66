"""`record.xlsx`: its stored values are the record's, and a spreadsheet program comes to the same ones."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import openpyxl
import pytest

from deciding import AS_OF, NAMES, example_record, profile_of
from many_options import many_options
from rackrecord.catalog.store import bundled_catalog
from rackrecord.economics.figures import OptionFigures
from rackrecord.measurements.reading import read_measurements
from rackrecord.pipeline import decide
from rackrecord.record import DecisionRecord
from rackrecord.render.spreadsheet import render_spreadsheet
from spreadsheets import Workbook, recalculated, with_inputs

MEASUREMENTS = Path(__file__).parent / "fixtures" / "measurements"
PRECISE = 1e-9

BOUGHT = """
title: Bought in a foreign currency, rented by the month, unpriced, without power
owner: Somebody
currency: USD
exchange_rates:
  - {currency: EUR, rate: 1.09, date: 2026-11-01, source: central bank}
  - {currency: JPY, rate: 0.0066, date: 2026-11-02}
workload: {benchmark: deepseek-r1, scenario: Server, output_tokens_per_request: 3000}
demand: {requests_per_second: 900, headroom: 0.2, spares: 1, yearly_growth: 0.1}
use: {realized_fraction: {value: 0.7, low: 0.6, high: 0.8}, utilization: 0.6}
term: {years: 6, rate: 0.07}
facility:
  electricity_per_kwh: {value: 0.10 EUR, low: 0.08 EUR, high: 0.15 EUR}
  pue: 1.3
  colocation_per_kw_month: 90
limits:
  {power_kw: 3000, rack_power_kw: 140, purchase_budget: 90000000 EUR, yearly_budget: 60000000,
   term_budget: 200000000, deliver_by: 2027-06-30, racks: 40}
options:
  - id: in-euro
    name: in euro
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    power: {kw: {value: 132, low: 120, high: 140}, basis: nameplate}
    delivery: 2027-03-01
    price:
      purchase:
        {per_rack: 3400000 EUR, discount: 0.05, installation_per_rack: 60000, residual: 0.1,
         support_rate: 0.04, support_per_year: 1500000 JPY, other_per_year: 20000 EUR, rate: 0, years: 4}
  - id: straight
    name: the term's rate and years
    accelerator: NVIDIA B300
    accelerators_per_system: 8
    systems_per_rack: 8
    power: {kw: 118, basis: quote}
    delivery: 2027-07-01
    price: {purchase: {per_rack: 3300000}}
  - id: monthly
    name: rented by the month, power apart
    accelerator: NVIDIA GB200
    accelerators_per_system: 72
    power: {kw: 120, basis: nameplate}
    price: {rent: {per_rack_month: 150000 EUR, discount: 0.1, power_included: false, commitment: three-years}}
    use: {utilization: 0.5}
  - id: covered
    name: rented with power, which is not stated
    accelerator: NVIDIA GB200
    accelerators_per_system: 72
    delivery: 2027-01-15
    price: {rent: {per_rack_hour: 260}}
  - id: unpriced
    name: unpriced
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    power: {kw: 132, basis: nameplate}
  - id: powerless
    name: bought, its power not stated
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    price: {purchase: {per_rack: 3900000, residual: 0.2}}
  - id: unmeasured
    name: without evidence
    accelerator: NVIDIA H200 SXM
    accelerators_per_system: 8
    price: {rent: {per_rack_hour: 100}}
"""

MIX = """
title: Two benchmarks, one of which counts requests
owner: Somebody
currency: EUR
workloads:
  - {benchmark: gpt-oss-120b, scenario: Server, output_tokens_per_request: 1200, share: 0.7}
  - {benchmark: qwen3-vl-235b-a22b, scenario: Server, output_tokens_per_request: 60, share: 0.3}
demand: {requests_per_second: 4000, headroom: 0.1, spares: 2, yearly_growth: 0.5}
term: {years: 15, rate: 0.04}
policy: {statistic: lower-quartile, objective: whole-term-cost, scale: any}
facility: {electricity_per_kwh: 0.2}
options:
  - id: bought
    name: bought
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    power: {kw: 132, basis: nameplate}
    price: {purchase: {per_rack: 3500000, residual: 1}}
  - id: rented
    name: rented
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    price: {rent: {per_accelerator_hour: 3.2}}
"""

FALLING = """
title: A falling peak, tokens per joule, users, no growth of racks
owner: Somebody
currency: EUR
workload: {benchmark: gpt-oss-120b, scenario: Server}
demand: {users: {concurrent: 120000, tokens_per_second_each: 40}, headroom: 0, yearly_growth: -0.3}
term: {years: 3}
policy: {statistic: minimum, objective: tokens-per-joule}
options:
  - id: gb300
    name: gb300
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    power: {kw: 132, basis: nameplate}
    price: {rent: {per_accelerator_hour: 3.2}}
  - id: same
    name: the same again
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    power: {kw: 132, basis: nameplate}
    price: {rent: {per_accelerator_hour: 3.2}}
  - id: powerless
    name: power not stated
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    price: {rent: {per_accelerator_hour: 3.0}}
"""

MEASURED = """
title: Own load tests
owner: Somebody
currency: EUR
workload: {benchmark: deepseek-r1, scenario: Server, output_tokens_per_request: 3000}
demand: {output_tokens_per_second: 100000}
POLICY
options:
  - id: one
    name: one
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    use: {utilization: 0.5}
    price: {rent: {per_rack_hour: 250}}
"""


def measured_record(policy: str) -> DecisionRecord:
    data = (MEASUREMENTS / "vllm_append.jsonl").read_bytes()
    points = read_measurements(data, "vllm_append.jsonl", accelerators=8)
    profile = profile_of(MEASURED.replace("POLICY", policy))
    return decide(profile, bundled_catalog(), AS_OF, measurements={"one": points})


@cache
def records() -> dict[str, DecisionRecord]:
    made = {name: example_record(name) for name in NAMES}
    for name, text in {"bought": BOUGHT, "mix": MIX, "falling": FALLING}.items():
        made[name] = decide(profile_of(text), bundled_catalog(), AS_OF)
    made["fraction-measured"] = measured_record("")
    made["rate-measured"] = measured_record("policy: {basis: measured}")
    made["many"] = many_options(14)
    return made


@cache
def stored(name: str) -> Workbook:
    return Workbook(render_spreadsheet(records()[name]))


@pytest.fixture
def recalculate(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Workbook]:
    """Every record's workbook as LibreOffice works it out; it is started once."""
    soffice = tool("soffice")
    if not _RECALCULATED:
        files = {name: render_spreadsheet(record) for name, record in records().items()}
        _RECALCULATED.update(recalculated(soffice, tmp_path_factory.mktemp("recalculated"), files))
    return _RECALCULATED


_RECALCULATED: dict[str, Workbook] = {}
CASES = (*NAMES, "bought", "mix", "falling", "fraction-measured", "rate-measured", "many")


def same(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= PRECISE * max(abs(one), abs(other), 1e-300)
    return (one if one is not None else "") == (other if other is not None else "")


def test_the_cases_are_what_they_say() -> None:
    bought, mix, falling = (records()[name] for name in ("bought", "mix", "falling"))
    assert {item.option for item in bought.comparison.not_ranked} == {"unpriced", "powerless", "unmeasured"}
    assert set(bought.comparison.infeasible) == {"straight", "monthly"}, "late, and delivery not stated"
    assert mix.comparison.ranking
    assert mix.options[0].parts[1].demand_unit == "requests/s"
    assert falling.comparison.ranking == ("gb300", "same")
    assert records()["fraction-measured"].options[0].inputs.realized_fraction_basis == "own measurements"
    assert records()["rate-measured"].options[0].basis == "measured"


@pytest.mark.parametrize("name", CASES)
def test_a_spreadsheet_program_comes_to_every_stored_value(
    name: str, recalculate: dict[str, Workbook]
) -> None:
    expected = list(stored(name).formulas())
    assert len(expected) > 100
    found = {(item.sheet, item.cell): item.value for item in recalculate[name].formulas()}
    wrong = [
        (item.sheet, item.cell, item.label, item.value, found[item.sheet, item.cell])
        for item in expected
        if not same(item.value, found[item.sheet, item.cell])
    ]
    assert wrong == []


FIGURES: dict[str, Callable[[OptionFigures], Any]] = {
    "r, planning figure": lambda o: o.rate_per_accelerator,
    "r, lowest evidence": lambda o: o.rate_low,
    "r, highest evidence": lambda o: o.rate_high,
    "A, accelerators": lambda o: o.accelerators,
    "d, realized fraction": lambda o: o.realized_fraction,
    "u, utilization": lambda o: o.utilization,
    "T = r·A·d": lambda o: o.tokens_per_second,
    "C, all in": lambda o: o.cost_per_hour,
    "cost, planned": lambda o: o.cost_per_million_tokens,
    "cost, evidence at its highest": lambda o: o.cost_low,
    "cost, evidence at its lowest": lambda o: o.cost_high,
    "T/C": lambda o: o.tokens_per_second_per_money_hour,
    "tokens per money": lambda o: o.tokens_per_money,
    "racks, first year, with spares": lambda o: o.racks,
    "utilization if demand stood at its peak": lambda o: o.attainable_utilization,
    "all-in cost, first year": lambda o: o.yearly_cost,
    "whole term, present value": lambda o: o.term_cost,
    "whole term, evidence at its highest": lambda o: o.term_cost_low,
    "whole term, evidence at its lowest": lambda o: o.term_cost_high,
    "price and installation": lambda o: o.rack_price,
    "purchase, first year": lambda o: o.purchase,
    "purchases of the term": lambda o: o.purchase_term,
}
OR_NOT_AVAILABLE: dict[str, Callable[[OptionFigures], Any]] = {
    "tokens per joule, provisioned": lambda o: o.tokens_per_joule,
    "growth fills the serving racks after": lambda o: o.next_rack_in_years,
    "power of all racks, first year": lambda o: o.power_kw,
    "energy of all racks, first year": lambda o: o.energy_kwh_per_year,
}


@pytest.mark.parametrize("name", CASES)
def test_recalculated_figures_are_the_records(name: str, recalculate: dict[str, Workbook]) -> None:
    record, found = records()[name], recalculate[name].options()
    assert record.options
    for figures in record.options:
        option = record.profile.option(figures.option)
        column = found[option.name]
        for label, read in {**FIGURES, **OR_NOT_AVAILABLE}.items():
            value = read(figures)
            expected = "#N/A" if value is None and label in OR_NOT_AVAILABLE else value
            expected = float(expected) if isinstance(expected, Decimal) else expected
            assert same(column[label], expected), (option.name, label, column[label], expected)
        lines = {item.line.value: float(item.per_hour) for item in figures.costs}
        for line, amount in lines.items():
            assert same(column[line], amount), (option.name, line)
        for check in figures.limits:
            assert column[f"{check.limit}: within the limit"] == ("pass" if check.passed else "FAIL")


@pytest.mark.parametrize("name", CASES)
def test_recalculated_ranks_are_the_records(name: str, recalculate: dict[str, Workbook]) -> None:
    record = records()[name]
    names = [record.profile.option(option).name for option in record.comparison.ranking]
    assert recalculate[name].ranking() == names
    ranks = {option: column["rank"] for option, column in recalculate[name].options().items()}
    assert {option for option, rank in ranks.items() if rank} == set(names)


def test_another_price_gives_the_record_of_the_changed_profile(
    tool: Callable[[str], str], tmp_path: Path
) -> None:
    """The leader's price, 3,400,000 EUR a rack, becomes 6,900,000 in its cell, and the rank moves."""
    record = records()["bought"]
    assert BOUGHT.count("per_rack: 3400000 EUR") == 1
    text = BOUGHT.replace("per_rack: 3400000 EUR", "per_rack: 6900000 EUR")
    dearer = decide(profile_of(text), bundled_catalog(), AS_OF)
    assert record.comparison.ranking == ("in-euro", "covered")
    assert dearer.comparison.ranking == ("covered",), "too dear for the purchase budget as well"
    changed = with_inputs(render_spreadsheet(record), {"price_in_euro": 6_900_000})
    book = recalculated(tool("soffice"), tmp_path, {"dearer": changed})["dearer"]
    assert book.ranking() == ["rented with power, which is not stated"]
    assert book.options()["in euro"]["purchase budget: within the limit"] == "FAIL"
    for figures in dearer.options:
        column = book.options()[dearer.profile.option(figures.option).name]
        for label, read in FIGURES.items():
            value = read(figures)
            assert same(column[label], float(value) if isinstance(value, Decimal) else value), label


def test_an_emptied_price_is_no_price_and_a_given_one_ranks(
    tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Nothing is silently free: without its price the leader has no rank, with one the unpriced one has."""
    content = render_spreadsheet(records()["bought"])
    before = stored("bought").options()
    assert before["in euro"]["rank"] == 1
    assert before["unpriced"]["cost, planned"] == "#N/A"
    files = {
        "emptied": with_inputs(content, {"price_in_euro": None}),
        "given": with_inputs(content, {"price_unpriced": 100, "delivery_unpriced": AS_OF}),
        "no-power": with_inputs(content, {"electricity_per_kwh": None, "colocation_per_kw_month": None}),
    }
    books = recalculated(tool("soffice"), tmp_path, files)
    emptied = books["emptied"].options()["in euro"]
    assert not emptied["rank"]
    assert emptied["cost, planned"] == emptied["C, all in"] == "#N/A"
    given = books["given"].options()["unpriced"]
    assert given["rank"] == 1
    assert given["C, all in"] == 100
    rest = books["no-power"].options()
    assert rest["in euro"]["C, all in"] == "#N/A", "what power costs is not known"
    assert rest["rented with power, which is not stated"]["C, all in"] == 260


def test_other_inputs_move_what_depends_on_them(tool: Callable[[str], str], tmp_path: Path) -> None:
    """Rates, years, demand, objective, statistic and a limit, against the record of a profile with them."""
    by_throughput = "tokens-per-second-per-rack"
    changes: dict[str, tuple[dict[str, Any], str, str]] = {
        "exchange": ({"fx_eur": 1.2}, "rate: 1.09", "rate: 1.2"),
        "term": ({"term_years": 3, "term_rate": 0.12}, "years: 6, rate: 0.07", "years: 3, rate: 0.12"),
        "demand": ({"demand_requests_per_second": 1100}, "per_second: 900", "per_second: 1100"),
        "objective": (
            {"objective": by_throughput},
            "limits:",
            f"policy: {{objective: {by_throughput}}}\nlimits:",
        ),
        "statistic": ({"statistic": "maximum"}, "limits:", "policy: {statistic: maximum}\nlimits:"),
        "limit": ({"limit_racks": 16}, "racks: 40", "racks: 16"),
    }
    content = render_spreadsheet(records()["bought"])
    files = {name: with_inputs(content, cells) for name, (cells, _, _) in changes.items()}
    books = recalculated(tool("soffice"), tmp_path, files)
    for name, (_, old, new) in changes.items():
        assert BOUGHT.count(old) == 1, old
        record = decide(profile_of(BOUGHT.replace(old, new)), bundled_catalog(), AS_OF)
        assert books[name].ranking() == [
            record.profile.option(option).name for option in record.comparison.ranking
        ], name
        for figures in record.options:
            column = books[name].options()[record.profile.option(figures.option).name]
            for label, read in FIGURES.items():
                value = read(figures)
                expected = float(value) if isinstance(value, Decimal) else value
                assert same(column[label], expected), (name, figures.option, label)


def test_a_result_that_is_not_counted_moves_the_planning_figure(
    tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Without the best of its results, an option's figure is the median of the rest."""
    record = records()["bought"]
    claims = {claim.id: claim for claim in record.evidence[0].used}
    used = record.evidence[0].evidence("in-euro").used
    figures = {claim: claims[claim].value / Decimal(72) for claim in used}
    best = max(figures, key=lambda claim: figures[claim])
    rows = stored("bought").rows("Evidence")
    row = next(index for index, row in enumerate(rows, start=1) if row[1] == "in euro" and row[2] == best)
    changed = with_inputs(render_spreadsheet(record), {f"Evidence!M{row}": "no"})
    book = recalculated(tool("soffice"), tmp_path, {"counted": changed})["counted"]
    expected = median(figure for claim, figure in figures.items() if claim != best)
    assert len(figures) > 2
    assert book.options()["in euro"]["r, planning figure"] == pytest.approx(float(expected), rel=PRECISE)


@pytest.mark.parametrize("name", CASES)
def test_stored_values_are_the_records_without_a_spreadsheet_program(name: str) -> None:
    record, found = records()[name], stored(name).options()
    for figures in record.options:
        column = found[record.profile.option(figures.option).name]
        for label, read in FIGURES.items():
            value = read(figures)
            assert same(column[label], float(value) if isinstance(value, Decimal) else value), label
    names = [record.profile.option(option).name for option in record.comparison.ranking]
    assert stored(name).ranking() == names


def test_every_number_of_the_profile_is_a_named_input() -> None:
    names = stored("bought").names
    expected = {
        "term_years": 6,
        "term_rate": 0.07,
        "demand_requests_per_second": 900,
        "request_tokens_1": 3000,
        "headroom": 0.2,
        "spares": 1,
        "yearly_growth": 0.1,
        "realized_fraction": 0.7,
        "utilization": 0.6,
        "electricity_per_kwh": 0.1,
        "pue": 1.3,
        "colocation_per_kw_month": 90,
        "fx_eur": 1.09,
        "fx_jpy": 0.0066,
        "limit_power_kw": 3000,
        "limit_rack_power_kw": 140,
        "limit_purchase_budget": 90_000_000,
        "limit_yearly_budget": 60_000_000,
        "limit_term_budget": 200_000_000,
        "limit_racks": 40,
        "price_in_euro": 3_400_000,
        "discount_in_euro": 0.05,
        "installation_in_euro": 60_000,
        "residual_in_euro": 0.1,
        "support_rate_in_euro": 0.04,
        "support_per_year_in_euro": 1_500_000,
        "other_per_year_in_euro": 20_000,
        "rate_in_euro": 0,
        "years_in_euro": 4,
        "rack_kw_in_euro": 132,
        "accelerators_per_system_in_euro": 72,
        "systems_per_rack_straight": 8,
        "rate_straight": 0.07,
        "price_monthly": 150_000,
        "utilization_monthly": 0.5,
        "price_unpriced": None,
        "rack_kw_covered": None,
    }
    assert {name: names[name] for name in expected} == expected
    assert names["limit_deliver_by"].date().isoformat() == "2027-06-30"
    rows = {row[7]: row for row in stored("bought").rows("Inputs") if row[7] in names}
    assert rows["price_in_euro"][3] == "EUR per rack"
    assert rows["fx_eur"][6] == "2026-11-01, central bank"
    assert (rows["realized_fraction"][4], rows["realized_fraction"][5]) == (0.6, 0.8)


def test_evidence_has_every_used_result_once_for_each_option() -> None:
    record = records()["gpt-oss-server"]
    rows = stored("gpt-oss-server").rows("Evidence")
    titles = next(index for index, row in enumerate(rows) if row[2] == "Claim")
    listed = [(row[1], row[2]) for row in rows[titles + 1 :] if row[2]]
    selection = record.evidence[0]
    expected = [
        (record.profile.option(option.option).name, claim)
        for option in selection.options
        for claim in option.used
    ]
    assert listed == expected
    counted = [row[1] for row in rows[titles + 1 :] if row[12] == "yes"]
    for option in selection.options:
        assert counted.count(record.profile.option(option.option).name) == option.runs


@pytest.mark.parametrize("name", CASES)
def test_excluded_claims_add_up_to_the_catalog(name: str) -> None:
    rows = stored(name).rows("Excluded")
    for place, selection in enumerate(records()[name].evidence):
        counts = rows[4 + place]
        assert counts[4] == counts[5] == selection.claims_considered
        reasons = {row[2]: row[3] for row in rows if row[2]}
        for excluded in selection.excluded:
            assert reasons[excluded.claim.id] == ", ".join(reason.value for reason in excluded.reasons)


def test_sensitivity_is_the_records() -> None:
    comparison = records()["gpt-oss-server"].comparison
    rows = stored("gpt-oss-server").rows("Sensitivity")
    swings = rows[4 : 4 + len(comparison.tornado)]
    assert len(swings) == 5
    for row, swing in zip(swings, comparison.tornado, strict=True):
        assert row[0] == swing.input
        expected = (swing.value, swing.low, swing.high, swing.cost_at_low, swing.cost_at_high)
        assert row[2:] == pytest.approx([float(value) for value in expected])
    titles = next(index for index, row in enumerate(rows) if row[2] == "Price changed by")
    for row, item in zip(rows[titles + 1 :], comparison.break_even, strict=False):
        assert row[2] == pytest.approx(float(item.price_change or 0))
        assert row[6] in (None, "")


HOSTILE = (
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "{=1}",
    "http://example.invalid/",
    "_x0041_ \x07 \u202eevil",
    "<b>&amp;</b>",
    "'quoted",
    "x" * 5000,
)


def test_foreign_text_stays_text() -> None:
    head, option = FALLING.split("  - id: gb300\n")
    option = option.split("  - id: same")[0]
    many = "".join(f"  - id: option-{number}\n{option}" for number in range(len(HOSTILE)))
    record = decide(profile_of(head + many), bundled_catalog(), AS_OF)
    options = tuple(
        item.model_copy(update={"name": text})
        for item, text in zip(record.profile.options, HOSTILE, strict=True)
    )
    profile = record.profile.model_copy(update={"options": options, "title": HOSTILE[0]})
    content = render_spreadsheet(record.model_copy(update={"profile": profile, "title": HOSTILE[0]}))
    book = openpyxl.load_workbook(io.BytesIO(content))
    cells = next(list(row)[2:] for row in book["Options"].iter_rows() if row[0].value == "Figure")
    expected = [
        "_x0041_ \u27e8U+0007\u27e9 \u27e8U+202E\u27e9evil" if text.startswith("_x") else text
        for text in HOSTILE
    ]
    assert [cell.value for cell in cells] == expected
    assert {cell.data_type for cell in cells} == {"s"}
    assert {cell.number_format for cell in cells} == {"@"}, "editing a cell does not make it a formula either"
    assert not [cell for cell in cells if cell.hyperlink is not None]
    read = Workbook(content)
    # In a formula's stored text an underscore is escaped where else a character's number would be read.
    ranking = [name.replace("_x005F_", "_") for name in read.ranking()]
    assert ranking == expected, "equal options in the profile's order"
    formulas = {item.formula for item in read.formulas()}
    assert not [formula for formula in formulas for text in HOSTILE if text in formula]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert not [
            name for name in archive.namelist() if "external" in name.lower() or "vba" in name.lower()
        ]


def test_names_that_would_meet_are_kept_apart() -> None:
    text = FALLING.replace("id: gb300", "id: a-b").replace("id: same", "id: a.b")
    record = decide(profile_of(text), bundled_catalog(), AS_OF)
    names = Workbook(render_spreadsheet(record)).names
    assert names["price_a_b"] == names["price_a_b_2"] == 3.2


def test_a_record_without_evidence_has_its_inputs_and_reasons() -> None:
    text = FALLING.replace("NVIDIA GB300", "AMD Instinct MI300X")
    record = decide(profile_of(text), bundled_catalog(), AS_OF)
    assert record.options == ()
    book = Workbook(render_spreadsheet(record))
    assert book.ranking() == []
    assert [row[1] for row in book.rows("Ranking") if row[2] and "No " in str(row[2])]
    assert book.names["price_gb300"] == 3.2


WRITE = """
import sys
from pathlib import Path
from rackrecord.record import read_record
from rackrecord.render.spreadsheet import render_spreadsheet
record = read_record(Path(sys.argv[1]).read_bytes(), "record")
sys.stdout.buffer.write(render_spreadsheet(record))
"""


def test_the_same_bytes_elsewhere(tmp_path: Path) -> None:
    record = records()["bought"]
    here = render_spreadsheet(record)
    saved = tmp_path / "record.json"
    saved.write_bytes(record.to_json())
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "11",
        "TZ": "Asia/Tokyo",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-W", "error", "-c", WRITE, str(saved)]
    there = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, env=environment)
    assert there.stdout == here
    with zipfile.ZipFile(io.BytesIO(here)) as archive:
        assert {item.date_time for item in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert "2026-11-30T00:00:00Z" in archive.read("docProps/core.xml").decode()
