"""Whatever a file holds, reading it gives measurements with finite figures or a UserError, nothing else."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rackrecord.errors import UserError
from rackrecord.measurements.measurement import Measurement
from rackrecord.measurements.reading import format_names, read_measurements

FIXTURES = Path(__file__).parent / "fixtures" / "measurements"
FILES = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir()) if path.name != "README.md"}
QUIET = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

NAMES = sorted(
    {
        "output_throughput",
        "total_token_throughput",
        "duration",
        "request_rate",
        "total_output_tokens_retokenized",
        "server_info",
        "tp_size",
        "benchmarks",
        "metrics",
        "successful",
        "mean",
        "output_tokens_per_second",
        "output_token_throughput",
        "unit",
        "avg",
        "records",
        "input_config",
        "n_samples_issued",
        "tps",
        "duration_ns",
        "successes",
        "throughput",
        "output_tokens_per_sec",
        "tput_per_gpu",
        "output_tput_per_gpu",
        "tp",
        "is_multinode",
        "results_mean_output_throughput_token_per_s",
        "p99_ttft_ms",
        "percentiles",
    }
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.floats(0, 1e18),
    st.text(max_size=8),
    st.sampled_from(["inf", "ms", "tokens/sec", "true", ""]),
)
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=20,
)


def outcome(data: bytes, **options: Any) -> tuple[tuple[Measurement, ...], UserError | None]:
    try:
        return read_measurements(data, "file", **options), None
    except UserError as error:
        return (), error


def check(data: bytes, **options: Any) -> None:
    found, error = outcome(data, **options)
    if error is not None:
        assert error.problems
        assert all(str(problem).isprintable() for problem in error.problems)
        return
    assert found
    for measurement in found:
        assert isinstance(measurement, Measurement)
        for value in measurement.model_dump().values():
            assert not isinstance(value, float) or (math.isfinite(value) and value >= 0)
        assert Measurement.model_validate_json(measurement.model_dump_json()) == measurement


@QUIET
@given(st.binary(max_size=300))
def test_arbitrary_bytes(data: bytes) -> None:
    check(data)


@QUIET
@given(VALUES, st.sampled_from([None, *format_names()]))
def test_arbitrary_json(value: Any, format_name: str | None) -> None:
    check(json.dumps(value).encode(), format=format_name)


@QUIET
@given(st.lists(VALUES, max_size=4), st.sampled_from([None, *format_names()]))
def test_arbitrary_json_lines(values: list[Any], format_name: str | None) -> None:
    check("\n".join(json.dumps(value) for value in values).encode(), format=format_name)


@QUIET
@given(st.sampled_from(sorted(FILES)), st.sampled_from(format_names()))
def test_any_fixture_as_any_format(name: str, format_name: str) -> None:
    check(FILES[name], format=format_name)


@QUIET
@given(st.sampled_from(sorted(FILES)), st.data())
def test_fixtures_with_bytes_changed(name: str, data: st.DataObject) -> None:
    changed = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(changed)))
        end = data.draw(st.integers(start, min(len(changed), start + 20)))
        changed[start:end] = data.draw(
            st.binary(max_size=12) | st.sampled_from([b"9" * 60, b"-", b"e999", b"NaN"])
        )
    check(bytes(changed))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a JSON value."""
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    found = [path] if path else []
    for key, child in children:
        found += places(child, (*path, key))
    return found


JSON_FILES = sorted(name for name in FILES if name.endswith(".json"))
PLACES = {name: places(json.loads(FILES[name])) for name in JSON_FILES}


@QUIET
@given(st.sampled_from(JSON_FILES), st.data())
def test_fixtures_with_values_changed(name: str, data: st.DataObject) -> None:
    value = copy.deepcopy(json.loads(FILES[name]))
    *parents, last = data.draw(st.sampled_from(PLACES[name]))
    target = value
    for key in parents:
        target = target[key]
    if data.draw(st.booleans()):
        target[last] = data.draw(VALUES)
    else:
        del target[last]
    check(json.dumps(value).encode(), accelerators=data.draw(st.sampled_from([None, 1, 8])))


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_fixture_round_trips(name: str) -> None:
    check(FILES[name])
