"""Claims to CSV and back, for every claim that can be."""

from __future__ import annotations

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackrecord.catalog.claim import Caveat, CaveatCode, Claim
from rackrecord.catalog.store import bundled_catalog
from rackrecord.catalog.table import COLUMNS, from_csv, ids_of, join, split, to_csv

FACTS = {
    "round": "v6.1",
    "benchmark": "gpt-oss-120b",
    "published": date(2026, 9, 16),
    "source": "a source",
    "retrieved": date(2026, 11, 30),
}

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
names = words.filter(bool)
numbers = st.decimals(min_value=0, max_value=10**9, allow_nan=False, allow_infinity=False)
counts = st.none() | st.integers(1, 10**6)
claims = st.builds(
    Claim,
    id=names,
    round=st.just("v6.1"),
    published=st.just(FACTS["published"]),
    division=words,
    availability=words,
    suites=st.lists(names, max_size=2).map(tuple),
    submitter=words,
    system=words,
    platform=words,
    benchmark=st.just("gpt-oss-120b"),
    accuracy_target=st.none() | names,
    benchmark_as_submitted=words,
    model_as_submitted=words,
    scenario=words,
    value=numbers,
    unit=words,
    accelerator=words,
    accelerator_as_submitted=words,
    accelerator_count=counts,
    nodes=counts,
    accelerators_per_node=counts,
    precision=st.lists(names, max_size=3).map(tuple),
    precision_as_submitted=words,
    software=words,
    inferred=st.booleans(),
    valid=st.booleans(),
    mean_output_tokens=st.none() | numbers,
    power=st.none() | numbers,
    power_unit=st.none() | names,
    result_id=st.none() | names,
    location=words,
    source=st.just("a source"),
    retrieved=st.just(FACTS["retrieved"]),
    caveats=st.lists(st.builds(Caveat, code=st.sampled_from(CaveatCode), text=words), max_size=3).map(tuple),
)


@given(st.lists(claims, max_size=4, unique_by=lambda claim: claim.id))
def test_a_claim_survives_csv(before: list[Claim]) -> None:
    data = to_csv(before)
    after = from_csv(data, FACTS)
    assert after == tuple(sorted(before, key=lambda claim: claim.id))
    assert ids_of(data) == tuple(claim.id for claim in after)
    assert to_csv(reversed(after)) == data


@given(st.lists(names, max_size=4))
def test_several_values_survive_a_cell(values: list[str]) -> None:
    assert split(join(values)) == tuple(values)


def test_what_a_cell_of_several_values_looks_like() -> None:
    assert join(("fp4", "fp8")) == "fp4|fp8"
    assert join(("a|b", "c\\")) == "a\\|b|c\\\\"


def test_reading_gives_what_validation_gives() -> None:
    # claims are built without validating them again: they must be what validation makes of the same values
    for claim in bundled_catalog().all_claims():
        values = {field: getattr(claim, field) for field in Claim.__struct_fields__}
        validated = Claim.model_validate(values)
        assert claim == validated
        assert hash(claim) == hash(validated)
        assert claim.model_dump_json() == validated.model_dump_json()
        for field, value in values.items():
            assert type(value) is type(getattr(validated, field))


def test_a_claim_that_was_read_is_frozen_and_can_be_copied() -> None:
    claim = bundled_catalog().claims("rgat")[0]
    with pytest.raises(AttributeError, match="immutable"):
        claim.unit = "furlongs"
    copy = claim.model_copy(update={"unit": "Tokens/s"})
    assert (copy.unit, claim.unit) == ("Tokens/s", "Samples/s")


def test_the_file_is_plain_csv() -> None:
    data = to_csv(bundled_catalog().claims("e2e-rag"))
    header, *rows = csv.reader(io.StringIO(data.decode()))
    assert header == list(COLUMNS)
    assert len(rows) == 2
    assert {len(row) for row in rows} == {len(header)}
    assert b"\r" not in data


def test_every_field_is_in_the_table_or_the_manifest() -> None:
    assert set(COLUMNS) | set(FACTS) == set(Claim.__struct_fields__)
    assert not set(COLUMNS) & set(FACTS)


GOOD = to_csv(bundled_catalog().claims("pointpainting"))


def replaced(column: str, cell: str) -> bytes:
    rows = list(csv.reader(io.StringIO(GOOD.decode())))
    rows[1][list(COLUMNS).index(column)] = cell
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("value", ""),
        ("value", "NaN"),
        ("value", "Infinity"),
        ("value", "many"),
        ("nodes", "1.5"),
        ("inferred", "yes"),
        ("valid", ""),
        ("power", "NaN"),
        ("caveats", "no-such-code: text"),
    ],
)
def test_a_cell_of_the_wrong_type(column: str, cell: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        from_csv(replaced(column, cell), FACTS)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"id,value\n",
        GOOD[: len(GOOD) // 2],
        GOOD + b"one,more\n",
        GOOD.replace(b"submitter", b"vendor", 1),
    ],
)
def test_another_table(data: bytes) -> None:
    with pytest.raises((ValueError, csv.Error)):
        from_csv(data, FACTS)


def test_figures_keep_their_digits() -> None:
    claim = bundled_catalog().claims("rgat")[0].model_copy(update={"value": Decimal("5.00")})
    facts = {**FACTS, "round": claim.round, "benchmark": "rgat"}
    (after,) = from_csv(to_csv([claim]), facts)
    assert str(after.value) == "5.00"
