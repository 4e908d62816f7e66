"""The worked example of docs/economics.md: its arithmetic done again, and the product's figures beside it."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from economics_cases import numbers
from rackrecord.catalog.store import bundled_catalog
from rackrecord.economics.cost import CostLine
from rackrecord.economics.options import Economics, rank_options
from rackrecord.economics.strength import Strength
from rackrecord.profile.models import Profile
from rackrecord.quantities import MINUS
from rackrecord.selection.select import select

PAGE = (Path(__file__).parent.parent / "docs" / "economics.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| (?P<name>[^|`]+) \| `(?P<symbol>\w+)` \| (?P<sum>[^|]+) \| (?P<result>[^|]+) \|", re.MULTILINE
)
LINES = {match["symbol"]: match for match in ROW.finditer(PAGE)}


def stated(symbol: str) -> tuple[float, int]:
    """The printed result and its number of decimals."""
    text = LINES[symbol]["result"].strip().replace(",", "").replace(MINUS, "-")
    return float(text), len(text.partition(".")[2])


def arithmetic() -> dict[str, float]:
    """Every line worked out from its own arithmetic, in floating point and with nothing of the product."""
    found: dict[str, float] = {}
    for symbol, line in LINES.items():
        text = line["sum"]
        for sign, operator in (
            ("·", "*"), ("÷", "/"), ("^", "**"), (MINUS, "-"), ("⌈", "ceil("), ("⌉", ")")
        ):  # fmt: skip
            text = text.replace(sign, operator)
        known: dict[str, Any] = {"__builtins__": {}, "ceil": math.ceil, "ln": math.log}
        found[symbol] = eval(text, known, dict(found))
    return found


@pytest.fixture(scope="module")
def economics() -> Economics:
    block = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    # Read as text, so that 0.085 is the decimal that was written.
    tree = numbers(yaml.load(block[1], Loader=yaml.BaseLoader))
    for option in tree["options"]:
        option["accelerators_per_system"] = int(option["accelerators_per_system"])
    tree["demand"]["spares"], tree["term"]["years"] = (
        int(tree["demand"]["spares"]),
        int(tree["term"]["years"]),
    )
    profile = Profile.model_validate(tree)
    return rank_options(profile, [select(profile, profile.parts[0], bundled_catalog())])


def figures_of(found: Economics) -> dict[str, Decimal | int | None]:
    """What the product has for each line."""
    bought, rented = found.figures
    purchase, comparison = bought.inputs.purchase, found.comparison
    assert purchase is not None
    costs = {item.line: item.per_hour for item in bought.costs}
    (level,) = comparison.break_even
    years = {f"n{year.year}": year.racks for year in bought.years}
    return years | {
        "M": bought.rate_per_accelerator * 72,
        "r": bought.rate_per_accelerator,
        "T": bought.tokens_per_second,
        "CRF": purchase.capital_recovery_factor,
        "SFF": purchase.sinking_fund_factor,
        "K": costs[CostLine.CAPITAL],
        "V": costs[CostLine.RESIDUAL],
        "B": costs[CostLine.SUPPORT],
        "E": costs[CostLine.ELECTRICITY],
        "C": bought.cost_per_hour,
        "R": rented.cost_per_hour,
        "TC": bought.tokens_per_second_per_money_hour,
        "TM": bought.tokens_per_money,
        "c": bought.cost_per_million_tokens,
        "q": rented.cost_per_million_tokens,
        "hi": bought.cost_high,
        "lo": bought.cost_low,
        "J": bought.tokens_per_joule,
        "t": bought.next_rack_in_years,
        "Z": bought.purchase,
        "Y": bought.yearly_cost,
        "W": bought.term_cost,
        "kW": bought.power_kw,
        "kWh": bought.energy_kwh_per_year,
        "U": bought.attainable_utilization,
        "m": comparison.margin,
        "x": level.price_change,
        "y": level.throughput_change,
        "uu": level.utilization,
        "e": level.electricity_price,
        "f": comparison.fraction_floor,
    }


@pytest.mark.parametrize("symbol", list(LINES))
def test_each_line_is_what_its_arithmetic_gives(symbol: str) -> None:
    printed, decimals = stated(symbol)
    assert round(arithmetic()[symbol], decimals) == printed


@pytest.mark.parametrize("symbol", list(LINES))
def test_each_line_is_what_the_product_gives(symbol: str, economics: Economics) -> None:
    value = figures_of(economics)[symbol]
    assert value is not None
    assert float(value) == pytest.approx(arithmetic()[symbol], rel=1e-12)


def test_no_line_is_left_out(economics: Economics) -> None:
    assert len(LINES) == 35
    assert set(LINES) == set(figures_of(economics))


def test_the_verdict_of_the_example(economics: Economics) -> None:
    comparison = economics.comparison
    assert (comparison.best, comparison.strength) == ("bought", Strength.ROBUST)
    # Both stand on the same results, whose spread, 1,160,490 / 1,092,610 − 1 = 6.2 %, is not between them.
    assert (comparison.materiality, comparison.materiality_basis) == (Decimal("0.05"), "default")
    assert round(float(economics.figures[1].cost_low), 4) == 0.1354
    assert round(float(economics.figures[1].cost_high), 4) == 0.1438


def test_the_results_of_the_example_are_the_published_ones() -> None:
    values = sorted(
        claim.value
        for claim in bundled_catalog().claims("gpt-oss-120b")
        if (claim.round, claim.scenario, claim.division) == ("v6.1", "Server", "closed")
        and (claim.accelerator, claim.accelerator_count) == ("nvidia-gb300", 72)
        and claim.availability == "available"
    )
    assert values == [1_092_610, 1_120_710, 1_122_490, 1_160_490]
    assert all(f"{value:,.0f}" in PAGE for value in values)
