"""The record as data: canonical JSON, digest, round trip, the seven fields."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from deciding import NAMES, example_record, record_of
from rackrecord.errors import UserError
from rackrecord.record import digest, read_record


@pytest.mark.parametrize("name", NAMES)
def test_json_is_canonical_and_reads_back(name: str) -> None:
    record = example_record(name)
    data = record.to_json()
    # canonical by the standard's own library, from parsed JSON rather than from the record
    assert rfc8785.dumps(json.loads(data)) == data
    assert read_record(data, "record.json") == record
    assert read_record(data, "record.json").to_json() == data


@pytest.mark.parametrize("name", NAMES)
def test_digest_is_of_everything_else(name: str) -> None:
    content = json.loads(example_record(name).to_json())
    stated = content.pop("sha256")
    # json.dumps sorts keys by code point as RFC 8785 does for the ASCII names used here; numbers are Python's
    assert stated == hashlib.sha256(rfc8785.dumps(content)).hexdigest()


def test_the_seven_fields_and_the_versions() -> None:
    content = json.loads(example_record("gpt-oss-server").to_json())
    assert list(content["capacity_decision_record"]) == [
        "claims_excluded",
        "decision",
        "measured_by",
        "metric",
        "review_due",
        "vendor_claims_used",
        "workload",
    ]
    assert content["schema_version"] == 1
    assert content["tool"].startswith("rackrecord ")
    assert len(content["capacity_decision_record"]["vendor_claims_used"]) == 26
    # 149 results and one statement
    assert len(content["capacity_decision_record"]["claims_excluded"]) == 150


def test_published_figures_are_quoted_as_published() -> None:
    content = json.loads(example_record("gpt-oss-server").to_json())
    used = {claim["id"]: claim for claim in content["evidence"][0]["used"]}
    claim = used["v6.1/closed/CoreWeave/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server"]
    assert (claim["value"], claim["unit"], claim["accelerator_count"]) == (1160490, "Tokens/s", 72)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not the JSON"),
        (b"[]", "is not a capacity decision record"),
        (b"{", "is not the JSON"),
        (b"\xff\xfe", "is not the JSON"),
        (b'{"capacity_decision_record": 1, "schema_version": 99}', "schema 99"),
        (b'{"capacity_decision_record": 1, "schema_version": 1}', "is not a whole record"),
        (b"[" * 100_000, "is not the JSON"),
    ],
)
def test_what_is_no_record_is_wrong_input(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_record(data, "record.json")


@given(st.decimals(min_value=-(10**17), max_value=10**17, places=6))
def test_any_decimal_survives_json(value: Decimal) -> None:
    """A figure as the record stores it, a double, prints and reads back as the same figure."""
    stored = Decimal(repr(float(value)))
    assert Decimal(repr(json.loads(rfc8785.dumps(float(stored))) * 1.0)) == stored


def test_a_demand_beyond_all_racks_is_a_record_without_a_ranking() -> None:
    huge = "output_tokens_per_second: 999999999999999000"
    record = record_of("gpt-oss-server", lambda text: text.replace("output_tokens_per_second: 5000000", huge))
    assert [item.reason for item in record.comparison.not_ranked] == [
        "not ranked: the demand would take more than 1,000,000 racks"
    ] * 3
    assert record.options == ()
    assert read_record(record.to_json(), "record.json") == record


@given(
    st.dictionaries(
        st.text(max_size=4),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
            ),
            max_leaves=8,
        ),
        max_size=5,
    )
)
def test_the_digest_is_of_the_canonical_form(content: dict[str, object]) -> None:
    """As the standard's own library makes it."""
    rest = {key: value for key, value in content.items() if key != "sha256"}
    assert digest(content) == hashlib.sha256(rfc8785.dumps(rest)).hexdigest()  # type: ignore[arg-type]


def test_a_changed_copy_is_written_anew() -> None:
    record = example_record("gpt-oss-server").sealed()
    copy = record.model_copy(update={"title": "Another"})
    assert json.loads(copy.to_json())["title"] == "Another"
    assert json.loads(record.to_json())["title"] == record.title
