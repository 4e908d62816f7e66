"""A record of many offers and vendor statements: page one stays short, no table outgrows the page."""

from __future__ import annotations

import re

import pytest

from many_options import many_options
from rackrecord.record import DecisionRecord
from rackrecord.render.markdown import render_markdown

OFFERS = 14


@pytest.fixture(scope="module")
def record() -> DecisionRecord:
    return many_options(OFFERS)


@pytest.fixture(scope="module")
def markdown(record: DecisionRecord) -> str:
    return render_markdown(record).decode()


def front(markdown: str) -> str:
    return markdown[: markdown.index("## 1. ")]


def test_page_one_names_the_nearest_five_and_counts_the_others(markdown: str) -> None:
    (line,) = re.findall(r"\*\*Would change it:\*\* (.*)", front(markdown))
    assert re.findall(r"(offer \d+) at −[\d.]+ % in price", line.replace("\\", "")) == [
        f"offer {number}" for number in range(2, 7)
    ]
    assert (
        "; 8 more options, further behind; realized fraction of HGX GB300 rack of 18 trays, bought, offer 1"
        in line
    )


def test_page_one_has_four_statements_the_unsupported_first(markdown: str) -> None:
    lines = re.findall(r"\*\*Vendor claim:\*\* (.*)", front(markdown))
    assert [re.findall(r"“(statement \d)”", line) for line in lines[:-1]] == [
        [f"statement {number}"] for number in (1, 2, 3, 4)
    ]
    assert lines[-1].replace("\\", "") == "5 more in section 5: 4 not supported, 1 supported."


def test_every_option_is_in_the_tables_and_none_is_wider_than_six(markdown: str) -> None:
    costs = markdown[markdown.index("## 3. ") : markdown.index("## 4. ")]
    heads = [line for line in costs.splitlines() if line.startswith("| Figure ")]
    assert [head.count("offer") for head in heads] == [4, 5, 5]
    assert [name for head in heads for name in re.findall(r"offer \d+", head)] == [
        f"offer {number}" for number in range(1, OFFERS + 1)
    ]
    years = [line for line in costs.splitlines() if line.startswith("| Year ")]
    assert [name for head in years for name in re.findall(r"offer \d+(?=: racks)", head)] == [
        f"offer {number}" for number in range(1, OFFERS + 1)
    ]
    assert all(head.count("offer") <= 6 for head in years)


def test_offers_of_the_same_racks_are_not_settled_by_the_price_of_electricity(record: DecisionRecord) -> None:
    # They draw the same power on the same rate, so their difference is the same at any price of electricity.
    assert {item.electricity_price for item in record.comparison.break_even} == {None}
    assert len(record.comparison.break_even) == OFFERS - 1


def test_a_caveat_that_all_offers_share_stands_once() -> None:
    # Of the B300 results used, one is above the Offline result of its own system.
    text = render_markdown(many_options(3, rack=1)).decode()
    (row,) = [line for line in text.splitlines() if line.startswith("| server-above-offline |")]
    assert re.findall(r"offer \d(?=[;:])", row) == ["offer 1", "offer 2", "offer 3"]
    assert row.count("ASUSTeK") == 1
