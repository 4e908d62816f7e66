"""Any input gives a profile or a user's error with places: never a traceback, and in bounded time."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.oracle import profile_or_error
from profiles import EXAMPLES, SMALL
from rackrecord.errors import UserError
from rackrecord.profile import Examined
from rackrecord.profile.models import Profile

quick = settings(max_examples=150, deadline=20_000, suppress_health_check=list(HealthCheck))

FIELDS = sorted(
    {name for model in [Profile] for name in model.model_fields}
    | {
        "benchmark",
        "scenario",
        "slo",
        "rent",
        "purchase",
        "per_rack",
        "value",
        "low",
        "high",
        "kw",
        "id",
        "files",
    }
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=30),
    st.dates(),
    st.sampled_from(
        [
            "",
            " ",
            "FILL_IN",
            "no",
            "1:30",
            "1e3",
            "010",
            "1_000",
            "3.30 EUR",
            "3.30 EURO",
            "-1 USD",
            "2026-02-30",
            "v6.1",
            "NVIDIA GB300",
            "gpt-oss-120b",
            "Server",
            "80 %",
            "\x1b[31m",
            "\u202e",
            "=1+1",
            "{{ x }}",
            "<script>",
            "*a",
            10**40,
            -(10**40),
            10**4000,
            1e-300,
            float("nan"),
            float("inf"),
            [],
            {},
            [[]],
            [None],
            {"value": None},
        ]
    ),
)
TREES = st.recursive(
    ODD,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def dumped(data: object, **style: Any) -> bytes:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, **style).encode("utf-8", "surrogatepass")


@given(st.binary(max_size=400))
@quick
def test_any_bytes(data: bytes) -> None:
    profile_or_error(data)


TOKENS = st.sampled_from(
    [
        *FIELDS,
        ": ",
        ":",
        "- ",
        "-",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "\n",
        "\n  ",
        "\n    ",
        "\t",
        "&a ",
        "*a ",
        "<<: *a",
        "? ",
        "!!str ",
        "!<x> ",
        "'",
        '"',
        "|\n",
        ">-\n",
        "# ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "\\",
        "\\u0000",
        "~",
        "null",
        "0",
        "1",
        "-1",
        "5.0",
        "1e9",
        ".nan",
        "\u2028",
        "\x85",
        "\ufeff",
        "\r",
        "ä",
        "FILL_IN",
        "@",
        "`",
        "%",
    ]
)


@given(st.lists(TOKENS, max_size=60).map("".join))
@quick
def test_any_text_of_yaml_tokens(text: str) -> None:
    profile_or_error(text.encode())


@given(st.lists(TOKENS, max_size=12).map("".join), st.integers(0, len(SMALL)))
@quick
def test_anything_in_the_middle_of_a_profile(text: str, place: int) -> None:
    profile_or_error((SMALL[:place] + text + SMALL[place:]).encode())


@given(TREES, st.booleans())
@quick
def test_any_tree(tree: object, flow: bool) -> None:
    profile_or_error(dumped(tree, default_flow_style=flow))


def nodes(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        found += nodes(item, (*path, key))
    return found


DATA = [yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader) for path in EXAMPLES]
PLACES = [(index, path) for index, data in enumerate(DATA) for path in nodes(data) if path]


@given(st.sampled_from(PLACES), st.sampled_from(["drop", "replace", "double", "nest", "rename"]), TREES)
@settings(quick, max_examples=400)
def test_examples_with_one_node_changed(place: tuple[int, tuple[Any, ...]], how: str, tree: object) -> None:
    index, path = place
    data = copy.deepcopy(typed(DATA[index]))
    parent = data
    for part in path[:-1]:
        parent = parent[part]
    last = path[-1]
    if how == "drop":
        del parent[last]
    elif how == "double" and isinstance(parent, list):
        parent.append(parent[last])
    elif how == "rename" and isinstance(parent, dict):
        parent[f"{last}s"] = parent.pop(last)
    elif how == "nest":
        parent[last] = [parent[last]]
    else:
        parent[last] = tree
    profile_or_error(dumped(data))


def typed(data: Any) -> Any:
    """Scalars as their plain text reads: numbers as numbers."""
    if isinstance(data, dict):
        return {key: typed(item) for key, item in data.items()}
    if isinstance(data, list):
        return [typed(item) for item in data]
    try:
        return int(data) if "." not in data else float(data)
    except ValueError:
        return {"true": True, "false": False}.get(data, data)


@given(st.sampled_from(EXAMPLES), st.data())
@quick
def test_examples_with_lines_dropped_and_doubled(path: Path, data: st.DataObject) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    for number in data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=1, max_size=3, unique=True)):
        line = lines[number]
        lines[number] = data.draw(st.sampled_from([b"", line * 2, b" " + line, line[1:], b"#" + line]))
    profile_or_error(b"".join(lines))


@given(st.sampled_from(EXAMPLES), st.data())
@quick
def test_examples_with_bytes_changed(path: Path, data: st.DataObject) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(9, 126))
    profile_or_error(bytes(content))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_not_changed_is_a_profile(path: Path) -> None:
    """The mutations start from something right, and one that is wrong is told."""
    assert isinstance(profile_or_error(path.read_bytes()), Examined)
    assert isinstance(profile_or_error(path.read_bytes() + b"x: 1\n"), UserError)
