"""The YAML reader: what it accepts, where it says that things are, what it refuses before it takes long."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from rackrecord.errors import UserError
from rackrecord.yaml_file import (
    MAX_DEPTH,
    MAX_NODES,
    Document,
    Position,
    decode,
    parse,
    path_text,
    quoted,
    read_text_file,
)


def refusal(text: str) -> str:
    with pytest.raises(UserError) as caught:
        parse(text, "f")
    return str(caught.value)


def test_plain_values() -> None:
    text = "a: 1\nb: -2.50\nc: true\nd: False\ne: null\nf:\ng: ~\nh: some text\ni: '5'\nj: [x, 2]\n"
    text += "k: 2026-12-31\n"
    assert parse(text, "f").data == {
        "a": 1,
        "b": Decimal("-2.50"),
        "c": True,
        "d": False,
        "e": None,
        "f": None,
        "g": None,
        "h": "some text",
        "i": "5",
        "j": ("x", 2),
        "k": "2026-12-31",
    }


def test_decimals_keep_their_digits() -> None:
    assert str(parse("a: 3.300\n", "f").data["a"]) == "3.300"


def test_block_text() -> None:
    assert parse("a: |\n  one\n  two\nb: >-\n  one\n  two\n", "f").data == {"a": "one\ntwo\n", "b": "one two"}


@pytest.mark.parametrize(
    "text",
    [
        "# c\n---\na: 1\n...\n",
        "\ufeffa: 1\n",
        "a: 1\r\n",
        "a: 1",
        "{a: 1}",
        '{"a": 1}',
        "%YAML 1.1\n---\na: 1\n",
    ],
    ids=["markers", "byte order mark", "CRLF", "no line end", "braces", "JSON", "directive"],
)
def test_ways_to_write_one_thing(text: str) -> None:
    document = parse(decode(text.encode(), "f"), "f")
    assert (document.data, document.problems) == ({"a": 1}, ())


@pytest.fixture
def document() -> Document:
    return parse("a: 1\nb:\n  - c: x\n    d: [1, 2]\n  - {e: 5}\n", "f")


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ((), 1, 1),
        (("a",), 1, 4),
        (("b",), 3, 3),
        (("b", 0), 3, 5),
        (("b", 0, "c"), 3, 8),
        (("b", 0, "d"), 4, 8),
        (("b", 0, "d", 1), 4, 12),
        (("b", 1, "e"), 5, 9),
    ],
)
def test_places_of_values(document: Document, path: tuple[str | int, ...], line: int, column: int) -> None:
    assert document.positions[path] == Position(line, column)


def test_places_of_keys(document: Document) -> None:
    assert document.keys["b",] == Position(2, 1)
    assert document.keys["b", 1, "e"] == Position(5, 6)


def test_a_column_counts_characters_not_bytes() -> None:
    assert parse("{größe: 1, a: 2}", "f").positions["a",] == Position(1, 15)


def test_a_problem_of_a_missing_field_stands_at_its_section(document: Document) -> None:
    problem = document.problem(("b", 1, "f"), "is missing")
    assert str(problem) == "f:5:5: b[2].f: is missing"


def test_an_alias_is_its_anchors_value() -> None:
    assert parse("a: &x {b: 1}\nc: *x\nd: &x 5\ne: *x\n", "f").data == {
        "a": {"b": 1},
        "c": {"b": 1},
        "d": 5,
        "e": 5,
    }


def test_merged_fields_are_there_so_that_they_are_not_missed_too() -> None:
    document = parse("a: &x {b: 1, c: 2}\nd:\n  <<: [*x]\n  c: 3\n", "f")
    assert document.data["d"] == {"b": 1, "c": 2}
    assert [problem.message.split(";")[0] for problem in document.problems] == [
        "found a merge key",
        "found again",
    ]


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1])
def test_depth(depth: int) -> None:
    text = "[" * depth + "]" * depth
    if depth <= MAX_DEPTH:
        assert parse(text, "f").problems == ()
    else:
        assert refusal(text) == f"f:1:{depth}: found more than 40 levels; expected a few"


def test_a_very_deep_file_is_refused_at_once() -> None:
    assert "levels" in refusal("[" * 900_000)
    assert "levels" in refusal("".join(f"{' ' * n}a:\n" for n in range(1300)))


def test_aliases_do_not_get_around_the_depth() -> None:
    nested = "".join(f"a{n}: &a{n} " + "[" * 30 + f"*a{n - 1}" + "]" * 30 + "\n" for n in range(1, 60))
    assert "levels" in refusal(f"a0: &a0 1\n{nested}")


def test_an_alias_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert "aliases expanded" in refusal("\n".join(lines))


def test_too_many_values_are_refused() -> None:
    assert parse("[" + "1," * (MAX_NODES - 1) + "]", "f").problems == ()
    assert "more than 20,000 values" in refusal("[" + "1," * MAX_NODES + "]")


def test_what_was_found_before_giving_up_is_told() -> None:
    bomb = "b: &b [" + "1," * 15_000 + "]\nc: *b\n"
    first, second = refusal(f"a: !!str 2\n{bomb}").splitlines()
    assert first == "f:1:4: a: found the tag '!!str'; expected a value without tag"
    assert "aliases expanded" in second


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("options", 1, "price"), "options[2].price"),
        (("a b",), "'a b'"),
        (("a", "\x1b[2J"), "a.'\\x1b[2J'"),
        (("a\nb",), "'a\\nb'"),
        (("",), "''"),
        ((), ""),
    ],
)
def test_path_text(path: tuple[str | int, ...], text: str) -> None:
    assert path_text(path) == text


def test_quoted_text_is_short_and_shows_what_is_unseen() -> None:
    assert quoted("a\u202eb\x07") == "'a\\u202eb\\x07'"
    assert len(quoted("x" * 10_000)) == 62


@pytest.mark.parametrize("size", [1_000_000, 1_000_001])
def test_the_largest_file(tmp_path: Path, size: int) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(b"#" * size)
    if size <= 1_000_000:
        assert len(read_text_file(path)) == size
    else:
        with pytest.raises(UserError, match="found more than 1 MB; expected a few pages"):
            read_text_file(path)


def test_a_file_of_100_mb_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    with path.open("wb") as stream:
        stream.truncate(100_000_000)  # a hole: it takes no space
    with pytest.raises(UserError, match="more than 1 MB"):
        read_text_file(path)


def test_an_endless_file() -> None:
    with pytest.raises(UserError, match="more than 1 MB"):
        read_text_file(Path("/dev/zero"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "none.yaml", "No such file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "a\0b", "null"),
        (tmp_path / ("x" * 300), "too long"),
    ):
        with pytest.raises(UserError, match=f"cannot be read: .*{reason}"):
            read_text_file(path)


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UserError, match="cannot be read: Permission denied; expected a file"):
        read_text_file(Path("p.yaml"))


def test_text_from_the_library_may_hold_anything() -> None:
    assert refusal("a: \ud800") == "f:1:4: found the control character U+D800; expected text"
