"""The readers of the official layouts: one real row of each, and every way in which a file can be wrong."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog_rows import (
    RETRIEVED,
    V41,
    V60,
    V61,
    V61_JSON,
    csv_file,
    json_list,
    json_object,
    read,
)
from rackrecord.catalog.layouts import MAX_CELL
from rackrecord.catalog.mlperf import MAX_PROBLEMS, claim_id
from rackrecord.errors import UserError


def problems(data: bytes, **options: Any) -> list[str]:
    with pytest.raises(UserError) as caught:
        read(data, **options)
    return [str(problem) for problem in caught.value.problems]


def test_a_row_of_v41() -> None:
    imported = read(json_list(V41))
    assert (imported.round, imported.published, imported.rows) == ("v4.1", date(2024, 8, 28), 1)
    assert imported.ignored_columns == ()
    (claim,) = imported.claims
    assert claim.model_dump() == {
        "id": "v4.1/closed/AMD/1xMI300X_2xEPYC-9374F/llama2-70b-99/Offline",
        "round": "v4.1",
        "published": date(2024, 8, 28),
        "division": "closed",
        "availability": "available",
        "suites": ("datacenter",),
        "submitter": "AMD",
        "system": "Supermicro AS-8125GS-TNMR2",
        "platform": "1xMI300X_2xEPYC-9374F",
        "benchmark": "llama2-70b",
        "accuracy_target": "99",
        "benchmark_as_submitted": "llama2-70b-99",
        "model_as_submitted": "llama2-70b-99",
        "scenario": "Offline",
        "value": Decimal("3062.72"),
        "unit": "Tokens/s",
        "accelerator": "amd-mi300x",
        "accelerator_as_submitted": "AMD Instinct MI300X-NPS1-SPX-192GB-750W",
        "accelerator_count": 1,
        "nodes": 1,
        "accelerators_per_node": 1,
        "precision": ("fp8",),
        "precision_as_submitted": "fp8",
        "software": "vLLM 0.4.3+rocm614, PyTorch 2.3.0, ROCm 6.1.2",
        "inferred": False,
        "valid": True,
        "mean_output_tokens": Decimal("293.7"),
        "power": None,
        "power_unit": None,
        "result_id": "v4.1-0001",
        "location": "closed/AMD/results/1xMI300X_2xEPYC-9374F/llama2-70b-99/Offline",
        "source": "a source",
        "retrieved": RETRIEVED,
        "caveats": (),
    }


def test_a_row_of_v51_with_power_and_two_suites() -> None:
    # v5.1, Lenovo, 8 x B200; the second suite is that of thirteen rows of v4.1
    row = {
        **V41,
        "version": "v5.1",
        "a#": 8,
        "Performance_Result": 102909.0,
        "Power_Result": 10400.9988793425,
        "Power_Units": "Watts",
        "Suite": "datacenter,edge",
    }
    (claim,) = read(json_list(row)).claims
    assert (claim.power, claim.power_unit) == (Decimal("10400.9988793425"), "Watts")
    assert claim.suites == ("datacenter", "edge")
    assert claim.per_accelerator == Decimal("102909.0") / 8


def test_a_row_of_v61_is_the_same_in_csv_and_json() -> None:
    from_csv, from_json = read(csv_file(V61)), read(json_object(V61_JSON))
    assert from_csv.claims == from_json.claims
    (claim,) = from_csv.claims
    assert claim.id == "v6.1/closed/Azure/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"
    assert (claim.value, claim.accelerator_count, claim.nodes) == (Decimal("542075.0"), 72, 18)
    assert claim.mean_output_tokens == Decimal("3739.669553327256")
    assert claim.result_id is None
    location = "closed/Azure/results/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline/performance/run_1"
    assert claim.location == location
    assert "1200W" not in claim.model_dump_json()


def test_a_system_without_accelerators() -> None:
    # v4.1 leaves both cells empty, v6.1 writes N/A and 0
    (old,) = read(json_list({**V41, "Accelerator": "", "a#": ""})).claims
    none = {"accelerator_model_name": "N/A", "accelerators_per_node": "0", "total_accelerators": "0"}
    (new,) = read(csv_file({**V61, **none})).claims
    for claim in (old, new):
        assert claim.accelerator == ""
        assert claim.accelerators == ()
        assert claim.accelerator_count is None
        assert claim.accelerators_per_node is None
        assert claim.per_accelerator is None
        assert claim.caveats == ()


def test_figures_are_kept_as_published() -> None:
    data = json_list(V60).replace(b"1042110.0", b"1042110.0000000000000001")
    (claim,) = read(data).claims
    assert str(claim.value) == "1042110.0000000000000001"
    (claim,) = read(csv_file({**V61, "Result": "0.0565013"})).claims
    assert str(claim.value) == "0.0565013"


def test_a_latency_has_no_figure_per_accelerator() -> None:
    (claim,) = read(csv_file({**V61, "Units": "Latency (s)"})).claims
    assert claim.per_accelerator is None


@pytest.mark.parametrize(
    ("cells", "valid"),
    [
        ({}, True),
        ({"compliance": 1, "errors": 0}, True),
        ({"compliance": True}, True),
        ({"compliance": "open"}, True),
        ({"compliance": "network"}, True),
        ({"compliance": 0}, False),
        ({"compliance": "failed"}, False),
        ({"compliance": ""}, False),
        ({"errors": 3}, False),
    ],
)
def test_valid(cells: dict[str, object], valid: bool) -> None:
    (claim,) = read(json_list({**V60, **cells})).claims
    assert claim.valid is valid


@pytest.mark.parametrize(
    ("benchmark", "target", "model", "expected"),
    [
        ("llama2-70b", "99.9", "llama2-70b-99.9", "llama2-70b-99.9/Server"),
        ("gpt-oss-120b", None, "gpt-oss-120b", "gpt-oss-120b/Server"),
        ("llama3.1-8b", None, "llama3_1-8b", "llama3.1-8b/Server"),
        ("qwen3-vl-235b-a22b", None, "qwen3-vl-235b-a22b", "qwen3-vl-235b-a22b/Server"),
        ("wan-2.2-t2v-a14b", None, "wan-2.2-t2v-a14b", "wan-2.2-t2v-a14b/Server"),
        ("resnet", None, "resnet50", "resnet/Server"),
        ("llama2-70b", "99.9", "llama3_1-70b-fp8_dyn", "llama2-70b-99.9/Server+llama3_1-70b-fp8_dyn"),
        ("resnet", None, "mobilenet-v1-precision_uint8-1.0-224", None),
        ("e2e-rag", None, "e2e-rag-db", "e2e-rag/Server+e2e-rag-db"),
        ("new-benchmark", None, "New-Benchmark", "new-benchmark/Server"),
    ],
)
def test_claim_id(benchmark: str, target: str | None, model: str, expected: str | None) -> None:
    found = claim_id("v6.1", "open", "Krai", "xd670", benchmark, target, "Server", model)
    assert found == f"v6.1/open/Krai/xd670/{expected or f'resnet/Server+{model}'}"


def test_a_benchmark_that_is_not_on_record_keeps_its_name() -> None:
    (claim,) = read(csv_file({**V61, "MlperfModel": "Llama9-2T", "Model": "llama9-2t"})).claims
    assert (claim.benchmark, claim.benchmark_as_submitted) == ("llama9-2t", "Llama9-2T")
    assert claim.id.endswith("/llama9-2t/Offline")


def test_a_round_that_is_not_on_record_needs_its_date() -> None:
    data = csv_file({**V61, "version": "v8.1"})
    assert problems(data) == [
        "summary: the publication date of round v8.1 is not on record (--published DATE)"
    ]
    imported = read(data, published=date(2028, 9, 1))
    assert (imported.round, imported.claims[0].published) == ("v8.1", date(2028, 9, 1))


def test_the_round_can_be_given() -> None:
    assert read(csv_file({**V61, "version": ""}), round="v6.1").round == "v6.1"


def test_unknown_columns_are_named_not_refused() -> None:
    assert read(csv_file({**V61, "carbon": "1", "Zeta": ""})).ignored_columns == ("Zeta", "carbon")


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert read(b"\xef\xbb\xbf" + csv_file(V61)).rows == 1
    assert read(b"\xef\xbb\xbf\n " + json_list(V60)).rows == 1


def test_progress_is_told_in_shares() -> None:
    rows = [{**V60, "Platform": f"p{index}"} for index in range(600)]
    for data in (json_list(*rows), csv_file(*({**V61, "Platform": f"p{index}"} for index in range(600)))):
        shares: list[float] = []
        read(data, progress=shares.append)
        assert len(shares) == 2
        assert 0.4 < shares[0] < 0.46
        assert 0.84 < shares[1] < 0.88


# line of the first row: JSON rows of our literals start on line 2, CSV rows on line 2
@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"Result": "fast"}, "row 1, Result: found 'fast', expected a number"),
        ({"Result": ""}, "row 1, Result: found '', expected a number"),
        ({"Result": "NaN"}, "row 1, Result: found 'NaN', expected a finite number"),
        ({"Result": "Infinity"}, "row 1, Result: found 'Infinity', expected a finite number"),
        ({"Result": "-1"}, "row 1, Result: found '-1', expected a number from 0 to 1e15"),
        ({"Result": "1e999999"}, "row 1, Result: found '1e999999', expected a number from 0 to 1e15"),
        ({"Result": "1,5"}, "row 1, Result: found '1,5', expected a number"),
        (
            {"number_of_nodes": "1.5"},
            "row 1, number_of_nodes: found '1.5', expected a whole number up to 10000000",
        ),
        ({"number_of_nodes": "many"}, "row 1, number_of_nodes: found 'many', expected a number"),
        (
            {"total_accelerators": "-8"},
            "row 1, total_accelerators: found '-8', expected a number from 0 to 1e15",
        ),
        ({"inferred": "perhaps"}, "row 1, inferred: found 'perhaps', expected 0, 1, true or false"),
        ({"errors": "none at all"}, "row 1, errors: found 'none at all', expected a number"),
        ({"Organization": " "}, "row 1, Organization: found ' ', expected a value"),
        ({"Platform": ""}, "row 1, Platform: found '', expected a value"),
        ({"Units": ""}, "row 1, Units: found '', expected a value"),
        ({"Division": "shut"}, "row 1, Division: found 'shut', expected one of closed, network, open"),
        (
            {"Availability": "soon"},
            "row 1, Availability: found 'soon', expected one of available, preview, rdi",
        ),
        ({"SystemType": "desk"}, "row 1, SystemType: found 'desk', expected datacenter, edge or both"),
        ({"version": "6.1"}, "row 1, version: found '6.1', expected a round such as v6.1"),
        (
            {"SystemName": "a\x1b[2Jb"},
            "row 1, SystemName: found 'a\\x1b[2Jb', expected text without control characters",
        ),
    ],
)
def test_a_wrong_cell(cells: dict[str, str], expected: str) -> None:
    assert problems(csv_file({**V61, **cells})) == [f"summary:2: {expected}"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"Submitter": 7}, "row 1, Submitter: found '7', expected text"),
        ({"Submitter": ["AMD"]}, "row 1, Submitter: found ['AMD'], expected text"),
        ({"Submitter": None}, "row 1, Submitter: found '', expected a value"),
        ({"Performance_Result": True}, "row 1, Performance_Result: found True, expected a number"),
        ({"Performance_Result": None}, "row 1, Performance_Result: found None, expected a number"),
        ({"Performance_Result": {}}, "row 1, Performance_Result: found {}, expected a number"),
        (
            {"Performance_Result": float("nan")},
            "row 1, Performance_Result: found 'NaN', expected a finite number",
        ),
        (
            {"Performance_Result": float("inf")},
            "row 1, Performance_Result: found 'Infinity', expected a finite number",
        ),
        ({"a#": 7.5}, "row 1, a#: found '7.5', expected a whole number up to 10000000"),
        ({"compliance": None}, "row 1, compliance: found None, expected text, a number or a boolean"),
        ({"System": "\ud800"}, "row 1, System: found '\\ud800', expected text without control characters"),
    ],
)
def test_a_wrong_type_in_json(cells: dict[str, object], expected: str) -> None:
    assert problems(json_list({**V60, **cells})) == [f"summary:2: {expected}"]


def test_all_mistakes_at_once_with_their_lines() -> None:
    rows = [
        {**V61, "Result": "x", "Units": ""},
        V61,
        {**V61, "Organization": "", "Platform": "other"},
    ]
    assert problems(csv_file(*rows)) == [
        "summary:2: row 1, Result: found 'x', expected a number",
        "summary:2: row 1, Units: found '', expected a value",
        "summary:4: row 3, Organization: found '', expected a value",
    ]
    old = [{**V60, "Performance_Result": -5}, {**V60, "Submitter": ""}]
    second = json_list(*old).decode().splitlines().index("  {", 3) + 1
    assert problems(json_list(*old)) == [
        "summary:2: row 1, Performance_Result: found '-5', expected a number from 0 to 1e15",
        f"summary:{second}: row 2, Submitter: found '', expected a value",
    ]


def test_a_multi_line_cell_does_not_shift_the_lines() -> None:
    rows = [{**V61, "notes": "one\ntwo\nthree"}, {**V61, "Platform": "other", "Result": "x"}]
    assert problems(csv_file(*rows)) == ["summary:5: row 2, Result: found 'x', expected a number"]


def test_thousands_of_mistakes_are_not_all_shown() -> None:
    found = problems(csv_file(*({**V61, "Result": "x"} for _ in range(3000))))
    assert len(found) == MAX_PROBLEMS + 1
    assert any(f"only the first {MAX_PROBLEMS} problems are shown" in problem for problem in found)


def test_the_same_result_twice_in_a_file() -> None:
    # the id in v4.1 is the system's, so that two scenarios share it
    assert read(json_list(V41, {**V41, "Scenario": "Server"})).rows == 2
    message = "the same result as on line 2: v6.1/closed/Azure/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline"
    assert problems(csv_file(V61, V61)) == [f"summary:3: row 2: {message}; expected each once"]


def test_two_rounds_in_a_file() -> None:
    (problem,) = problems(csv_file(V61, {**V61, "version": "v6.0"}))
    assert (
        problem
        == "summary: found results of several rounds: v6.1 (line 2), v6.0 (line 3); expected one a file"
    )


def test_missing_columns_are_named() -> None:
    row = {key: value for key, value in V61.items() if key not in ("Result", "Units")}
    assert problems(csv_file(row)) == [
        "summary:2: missing columns Result, Units of the layout summary (v6.1)"
    ]
    old = {key: value for key, value in V60.items() if key != "a#"}
    assert problems(json_list(old)) == [
        "summary:2: missing column a# of the layout summary_results (v4.1 to v6.0)"
    ]


def test_a_column_missing_from_a_later_row() -> None:
    later = {key: value for key, value in V60.items() if key != "Platform"}
    (problem,) = problems(json_list(V60, later))
    assert "row 2, Platform: found 'no such column', expected a value" in problem


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "summary: the file is empty; expected an official summary in JSON or CSV"),
        (b" \n\t ", "summary: the file is empty; expected an official summary in JSON or CSV"),
        (b"[]", "summary:1: no results in the file"),
        (b"{}", "summary:1: no results in the file"),
        (b"a,b\n", "summary:1: no results in the file"),
        (b"[1]", "summary:1:2: row 1: found Decimal, expected an object with one result"),
        (b"[null]", "summary:1:2: row 1: found null, expected an object with one result"),
        (b"[[1]]", "summary:1:2: row 1: found list, expected an object with one result"),
        (b'["a"', "summary:1:2: row 1: found str, expected an object with one result"),
        (
            b"\xff\xfea\x00",
            "summary: not UTF-8 text: byte 0 is 0xff; expected an official summary in JSON or CSV",
        ),
        (b'{"a": 1}', "found the key 'a', expected row numbers"),
        (b"[" * 100_000, "nested too deeply; expected a flat object for each result"),
        (b'[{"a": 1, "a": 2}]', "the key 'a' occurs twice in one object; expected each column once"),
        (b"[{]", "not valid JSON"),
        (b"[{'a': 1}]", "not valid JSON"),
        (b"a,a\n1,2\n", "summary:1: the column 'a' occurs twice; expected each once"),
        (b"a,b\n1\n", "summary:2: row 1: found 1 cells, expected 2 as in the header"),
        (b'a,b\n1,"2\n', "the file ends in the middle of a cell: it is cut off"),
        (
            b"a,b\n1,2\n",
            "found the columns a, b; expected those of summary_results (v4.1 to v6.0) or of summary",
        ),
        (b'[{"a": 1}]', "no official summary layout: found the columns a"),
    ],
)
def test_what_is_no_summary(data: bytes, expected: str) -> None:
    (problem,) = problems(data)
    assert expected in problem


def test_text_after_the_end() -> None:
    (problem,) = problems(json_list(V60) + b"\n]")
    assert "text after the end of the results; expected nothing" in problem


def test_a_file_cut_off_anywhere_is_refused() -> None:
    for whole in (json_list(V60, {**V60, "Scenario": "Server"}), json_object(V61_JSON)):
        for cut in range(1, len(whole.rstrip()), 97):
            found = problems(whole[:cut])
            assert any("cut off" in problem or "expected" in problem for problem in found), whole[:cut][-40:]
    whole = csv_file(V61)
    header = whole.index(b"\n") + 1
    for cut in range(header + 5, len(whole) - 1, 31):
        assert problems(whole[:cut])


def test_mistakes_before_a_break_are_said_too() -> None:
    data = json_list({**V60, "Performance_Result": "x"}, {**V60, "Scenario": "Server"})[:-40]
    found = problems(data)
    assert len(found) == 2
    assert "Performance_Result: found 'x'" in found[0]
    assert "cut off" in found[1]


@pytest.mark.parametrize("size", [MAX_CELL + 1, 10_000_000])
def test_a_huge_cell(size: int) -> None:
    for data in (csv_file({**V61, "SystemName": "x" * size}), json_list({**V60, "System": "x" * size})):
        (problem,) = problems(data)
        assert f"{MAX_CELL} characters" in problem
        assert len(problem) < 300


def test_the_longest_real_cell_fits() -> None:
    assert read(csv_file({**V61, "SystemName": "x" * MAX_CELL})).rows == 1


def read_or_refuse(data: bytes) -> None:
    """Reads a file of one row, or gets a UserError with what is wrong; anything else fails the test."""
    problems: tuple[object, ...] = ()
    rows = 0
    try:
        rows = read(data, published=RETRIEVED).rows
    except UserError as error:
        problems = error.problems
    assert (rows == 1) != bool(problems)


@given(st.sampled_from(sorted(V61)), st.text(max_size=40))
def test_any_text_in_a_cell(column: str, text: str) -> None:
    read_or_refuse(json_object({**V61_JSON, column: text}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(V60)), json_values, max_size=4))
def test_any_json_in_cells(cells: dict[str, object]) -> None:
    read_or_refuse(json_list({**V60, **cells}))


@given(st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
@settings(max_examples=200)
def test_any_bytes(data: bytes) -> None:
    with pytest.raises(UserError):
        read(data)


@given(st.integers(0, 10**6), st.binary(max_size=3))
def test_any_damage(position: int, bytes_in: bytes) -> None:
    for whole in (json_list(V60), csv_file(V61)):
        place = position % len(whole)
        read_or_refuse(whole[:place] + bytes_in + whole[place + 1 :])
