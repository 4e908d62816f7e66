"""Strict YAML with positions: plain data, the line and column of every field, and all mistakes at once.

The accepted language is the part of YAML on which versions 1.1 and 1.2 agree. A plain scalar that the two
read differently (`no`, `1:30`, `1e3`, `010`) is a mistake, as are duplicate keys, tags and merge keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import yaml

from rackrecord.errors import Problem, UserError

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_NODES = 20_000
BLANK = "FILL_IN"

FieldPath = tuple[str | int, ...]

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+\Z")
_LONGEST_NUMBER = 100
_WORDS = (
    (
        r"(?i)(y|n|yes|no|on|off)",
        ", text to some YAML readers and a truth value to others",
        "true or false, or quotes around text",
    ),
    (r"(?i)([-+]?\.(inf|nan)|nan|[-+]?inf(inity)?)", "", "a finite number, or quotes around text"),
)
"""Plain words that are no plain matter: how readers differ over them, and what is expected."""

_NUMBER_OR_TEXT = ", text to some YAML readers and a number to others"
_NUMBERS = (
    (
        r"[-+]?[0-9]+(:[0-9]{1,2})+(\.[0-9]*)?",
        ", text to some YAML readers and base 60 to others",
        "quotes around text",
    ),
    (r"[-+]?(\.[0-9]+|[0-9]+\.?[0-9]*)[eE][-+]?[0-9]+", _NUMBER_OR_TEXT, "the number in full"),
    (
        r"[-+]?0[0-9_]+(\.[0-9_]*)?",
        ", decimal to some YAML readers and octal to others",
        "no leading zero, or quotes around text",
    ),
    (r"[-+]?0[xob][0-9a-fA-F_]+", _NUMBER_OR_TEXT, "a decimal number, or quotes around text"),
    (
        r"[-+]?[0-9][0-9,_]*[,_][0-9_,]*(\.[0-9_]*)?",
        _NUMBER_OR_TEXT,
        "no separators and a point before decimals, or quotes around text",
    ),
    (r"[-+]?(\.[0-9]+|[0-9]+\.)", _NUMBER_OR_TEXT, "digits on both sides of the point"),
)
"""The same for what starts as a number does; the patterns are compiled when a profile has such text."""

_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
_FORBIDDEN_IN_FILE = re.compile(f"[{_CONTROL}\x85\u2028\u2029\ufffe\uffff]|\r(?!\n)")
_FORBIDDEN_IN_TEXT = re.compile(f"[{_CONTROL}\r\x85\u2028\u2029\ufffe\uffff\ud800-\udfff]")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")


class Position(msgspec.Struct, frozen=True):
    """A place in a file; both numbers count from 1."""

    line: int
    column: int


class _Node(msgspec.Struct):
    kind: str
    position: Position
    tag: str | None = None
    scalar: str = ""
    plain: bool = False
    items: list[_Node] = msgspec.field(default_factory=list)
    open: bool = True


class Document(msgspec.Struct, frozen=True):
    """A parsed file: `data` is built of dict, tuple, str, int, Decimal, bool and None.

    `positions` has the place of each value, `keys` of each mapping key, both by field path. `problems` are
    the mistakes found so far; a document with some is still complete enough to look for more.
    """

    file: str
    data: Any
    positions: Mapping[FieldPath, Position]
    keys: Mapping[FieldPath, Position]
    problems: tuple[Problem, ...]

    def problem(self, path: FieldPath, message: str, *, at_key: bool = False) -> Problem:
        """A Problem at `path`, or at the nearest enclosing field that stands in the file."""
        place = path
        while place and place not in self.positions:
            place = place[:-1]
        position = (self.keys.get(place) if at_key else None) or self.positions.get(place) or Position(1, 1)
        return Problem(self.file, position.line, position.column, path_text(path), message)


def path_text(path: FieldPath) -> str:
    """A field path as people write it: `options[2].price`; an odd key is quoted and shortened."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            name = part if _PLAIN_KEY.match(part) else quoted(part)
            text += f".{name}" if text else name
    return text


def quoted(text: str, longest: int = 60) -> str:
    """Foreign text as a message shows it: in quotes, shortened, unseen and control characters as escapes."""
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")


def read_text_file(path: Path, *, limit: int = MAX_BYTES) -> str:
    """The text of a UTF-8 file; UserError if it is missing, too large or not such text."""
    return decode(read_file(path, limit=limit), str(path))


def read_file(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file; UserError if it is missing or too large."""
    name = str(path)
    try:
        with path.open("rb") as handle:
            raw = handle.read(limit + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError.of(f"cannot be read: {reason}; expected a file", file=name) from error
    except ValueError as error:  # a null byte in the name
        raise UserError.of(f"cannot be read: {error}; expected the name of a file", file=name) from error
    if len(raw) > limit:
        message = f"found more than {limit // 1_000_000} MB; expected a few pages of text"
        raise UserError.of(message, file=name)
    return raw


def decode(raw: bytes, file: str) -> str:
    """UTF-8 text of `raw`; UserError with the place of the first byte or character that is not text."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or raw[1:2] == b"\x00" or raw[:1] == b"\x00":
        raise UserError.of("found UTF-16 or UTF-32; expected UTF-8 text", file=file, line=1, column=1)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        line, column = _line_column(before, len(before))
        found = f"byte 0x{error.object[error.start]:02x}"
        raise UserError.of(
            f"found {found}; expected UTF-8 text", file=file, line=line, column=column
        ) from error
    if bad := _FORBIDDEN_IN_FILE.search(text):
        line, column = _line_column(text, bad.start())
        message = f"found {_character(bad.group())}; expected text"
        raise UserError.of(message, file=file, line=line, column=column)
    return text


def parse(text: str, file: str) -> Document:
    """Parse one YAML document; UserError where the text is not YAML at all."""
    builder = _Builder(file)
    try:
        root = builder.tree(text)
    except yaml.MarkedYAMLError as error:
        position, message = _syntax_problem(error, text)
        builder.refuse(position, message)
    except yaml.YAMLError as error:
        builder.refuse(Position(1, 1), f"found text that is no YAML: {error}")
    except UnicodeEncodeError as error:
        position = Position(*_line_column(text, error.start))
        builder.refuse(position, f"found {_character(text[error.start])}; expected text")
    data = builder.value(root, ()) if root is not None else None
    if data is None:
        builder.refuse(
            Position(1, 1), "found nothing; expected a profile (`rackrecord init` writes a starter)"
        )
    return Document(file, data, builder.positions, builder.keys, tuple(builder.problems))


def _line_column(text: str, offset: int) -> tuple[int, int]:
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_start + 1


def _character(character: str) -> str:
    kind = "line break" if character in "\r\x85\u2028\u2029" else "control character"
    return f"the {kind} U+{ord(character):04X}"


# What the parser says, in part, and how a person would say it.
_SYNTAX = (
    ("could not find expected ':'", "found no colon with a blank after it; expected `field: value`"),
    (
        "mapping values are not allowed",
        "found a colon that begins a second field; expected the fields of one level in one column, and "
        "quotes around text with a colon",
    ),
    (
        "did not find expected key",
        "found no field of this level; expected the fields of one level in one column",
    ),
    (
        "did not find expected '-'",
        "found no list entry; expected the hyphens of one list, and the fields of one entry, in one column",
    ),
    ("block sequence entries", "found a list entry; expected a value, or the list on lines of its own"),
    ("end of stream", "found a quote without its other end; expected both"),
    ("unexpected document indicator", "found a quote without its other end; expected both"),
    ("',' or ']'", "found a list that is not closed; expected a comma or ]"),
    ("',' or '}'", "found fields in braces that are not closed; expected a comma or }"),
    ("unknown escape", r"found a backslash with no meaning in double quotes; expected \\ or single quotes"),
    ("escape code", "found an escape that is no character; expected the character itself"),
    ("nesting depth", f"found more than {MAX_DEPTH} levels; expected a few"),
    ("hexdecimal number", "found an escape that is no character; expected the character itself"),
    ("expected <document start>", "found more text after the end of the document; expected one document"),
)
_AT_CONTEXT = ("could not find expected ':'", "end of stream", "unexpected document indicator")


def _syntax_problem(error: yaml.MarkedYAMLError, text: str) -> tuple[Position, str]:
    """Where the parser gave up and why, in plain words."""
    problem = (error.problem or "unreadable").strip()
    mark = error.problem_mark or error.context_mark
    past_the_end = mark is not None and mark.line > text.rstrip("\n").count("\n")
    if error.context_mark is not None and (past_the_end or any(part in problem for part in _AT_CONTEXT)):
        mark = error.context_mark
    position = Position(mark.line + 1, mark.column + 1) if mark is not None else Position(1, 1)
    character = _character_at(text, position)
    if character == "\t" or "tab" in problem.split():
        return position, "found a tab; expected spaces"
    if "cannot start any token" in problem:
        return position, f"found {character!r} at the beginning of a value; expected quotes around it"
    opened = f" (opened on line {error.context_mark.line + 1})" if error.context_mark is not None else ""
    for part, message in _SYNTAX:
        if part in problem:
            return position, message.replace("not closed", f"not closed{opened}")
    context = f" {error.context}" if error.context else ""
    return (
        position,
        f"found text that is no YAML ({problem}{context}); expected quotes around special characters",
    )


def _character_at(text: str, position: Position) -> str:
    lines = text.split("\n", position.line)
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    return line[position.column - 1 : position.column]


class _Builder:
    """Turns a stream of YAML events into a tree, then the tree into values with their positions."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.positions: dict[FieldPath, Position] = {}
        self.keys: dict[FieldPath, Position] = {}
        self._anchors: dict[str, _Node] = {}
        self._count = 0

    def report(self, position: Position, path: FieldPath, message: str) -> None:
        self.problems.append(Problem(self.file, position.line, position.column, path_text(path), message))

    def refuse(self, position: Position, message: str) -> NoReturn:
        """Give up, with what was found so far."""
        self.report(position, (), message)
        raise UserError(self.problems)

    def tree(self, text: str) -> _Node | None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        root: _Node | None = None
        stack: list[_Node] = []
        documents = nodes = 0
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.report(_position(event), (), "found a second document; expected one in a file")
                    break
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                stack.pop().open = False
            elif isinstance(event, yaml.NodeEvent):
                node = self._node(event)
                nodes += 1
                if nodes > MAX_NODES:
                    self.refuse(node.position, f"found more than {MAX_NODES:,} values; expected a few pages")
                if stack:
                    stack[-1].items.append(node)
                else:
                    root = node
                if node.kind != "scalar" and not isinstance(event, yaml.AliasEvent):
                    stack.append(node)
                    self._limit_depth(len(stack), node.position)
        return root

    def _limit_depth(self, depth: int, position: Position) -> None:
        if depth > MAX_DEPTH:
            self.refuse(position, f"found more than {MAX_DEPTH} levels; expected a few")

    def _node(self, event: Any) -> _Node:
        position = _position(event)
        if isinstance(event, yaml.AliasEvent):
            return self._aliased(event.anchor, position)
        if isinstance(event, yaml.ScalarEvent):
            plain = event.style in (None, "")
            node = _Node("scalar", position, event.tag, event.value, plain, open=False)
        else:
            kind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
            node = _Node(kind, position, event.tag)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _aliased(self, anchor: str | None, position: Position) -> _Node:
        target = self._anchors.get(anchor or "")
        if target is None:
            self.refuse(position, f"found *{anchor}; expected &{anchor} somewhere before it")
        if target.open:
            self.refuse(position, f"found *{anchor} within what it stands for; expected it after that")
        return target

    def value(self, node: _Node, path: FieldPath) -> Any:
        """The plain value of `node`; notes its position under `path`."""
        self._count += 1
        if self._count > MAX_NODES:
            message = f"found more than {MAX_NODES:,} values, aliases expanded; expected a few pages"
            self.refuse(node.position, message)
        self._limit_depth(len(path), node.position)
        self.positions[path] = node.position
        if node.tag:
            tag = quoted(node.tag.replace("tag:yaml.org,2002:", "!!"))
            self.report(node.position, path, f"found the tag {tag}; expected a value without tag")
        if node.kind == "scalar":
            return self._scalar(node, path)
        if node.kind == "sequence":
            return tuple(self.value(item, (*path, index)) for index, item in enumerate(node.items))
        mapping: dict[str, Any] = {}
        for key_node, value_node in _pairs(node):
            self._entry(mapping, key_node, value_node, path)
        return mapping

    def _entry(self, mapping: dict[str, Any], key_node: _Node, value_node: _Node, path: FieldPath) -> None:
        if key_node.kind != "scalar":
            self.report(key_node.position, path, "found a list or fields as a name; expected a name")
            return
        key = key_node.scalar
        if key_node.plain and key == "<<":
            self.report(key_node.position, path, "found a merge key; expected the fields written out")
            self._merge(mapping, value_node, path)
            return
        here = (*path, key)
        if key in mapping:
            self.report(
                key_node.position, here, f"found again; expected once (line {self.keys[here].line} has it)"
            )
            return
        self.keys[here] = key_node.position
        mapping[key] = self.value(value_node, here)

    def _merge(self, mapping: dict[str, Any], node: _Node, path: FieldPath) -> None:
        """Take over the merged fields, so that their absence is not reported as a second mistake."""
        for source in node.items if node.kind == "sequence" else [node]:
            for key_node, value_node in _pairs(source) if source.kind == "mapping" else ():
                if key_node.kind == "scalar" and key_node.scalar not in mapping:
                    self._entry(mapping, key_node, value_node, path)

    def _scalar(self, node: _Node, path: FieldPath) -> Any:
        text = node.scalar
        if bad := _FORBIDDEN_IN_TEXT.search(text):
            self.report(node.position, path, f"found {_character(bad.group())}; expected text")
            return text
        return self._plain(node, path) if node.plain else text

    def _plain(self, node: _Node, path: FieldPath) -> Any:
        text = node.scalar
        if text in ("", "~", "null", "Null", "NULL"):
            return None
        if text in ("true", "True", "TRUE"):
            return True
        if text in ("false", "False", "FALSE"):
            return False
        if len(text) <= _LONGEST_NUMBER:
            if _INT.match(text):
                return int(text)
            if _DECIMAL.match(text):
                return Decimal(text)
            if surprise := _surprise(text):
                difference, expected = surprise
                self.report(node.position, path, f"found {text}{difference}; expected {expected}")
        return text


def _surprise(text: str) -> tuple[str, str] | None:
    """How readers differ over a plain scalar, and what is expected in its place; None where they agree."""
    prose, date = " " in text, "-" in text[1:] and "e" not in text.lower()
    like_number = text[0] in "+-.0123456789" and not prose and not date
    for pattern, difference, expected in (*_WORDS, *_NUMBERS) if like_number else _WORDS:
        if re.fullmatch(pattern, text):
            return difference, expected
    return None


def _pairs(node: _Node) -> Iterator[tuple[_Node, _Node]]:
    return zip(node.items[::2], node.items[1::2], strict=True)


def _position(event: Any) -> Position:
    return Position(event.start_mark.line + 1, event.start_mark.column + 1)
