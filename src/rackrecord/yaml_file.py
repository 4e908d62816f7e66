"""Strict YAML with positions: plain data, the line and column of every field, and all mistakes at once.

The accepted language is the part of YAML on which versions 1.1 and 1.2 agree. A plain scalar that the two read
differently (`no`, `1:30`, `1e3`, `010`) is a mistake, as are duplicate keys, tags and merge keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from rackrecord.errors import Problem, UserError

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_NODES = 50_000
BLANK = "FILL_IN"

FieldPath = tuple[str | int, ...]

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+\Z")
_SURPRISES = (
    (re.compile(r"(y|n|yes|no|on|off)\Z", re.IGNORECASE), "write true or false, or quote it if it is text"),
    (re.compile(r"[-+]?[0-9]+(:[0-9]{1,2})+(\.[0-9]*)?\Z"), "quote it if it is text; some readers take it for base 60"),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.?[0-9]*)[eE][-+]?[0-9]+\Z"), "write the number out in full"),
    (re.compile(r"[-+]?0[0-9_]+\Z"), "drop the leading zero; some readers take it for octal"),
    (re.compile(r"[-+]?0[xob][0-9a-fA-F_]+\Z"), "write a decimal number"),
    (re.compile(r"[-+]?[0-9][0-9,_]*[,_][0-9_,]*(\.[0-9_]*)?\Z"), "write the number without separators"),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.)\Z"), "write digits on both sides of the point"),
    (re.compile(r"[-+]?\.(inf|nan)\Z", re.IGNORECASE), "a finite number is expected"),
)
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file; both numbers count from 1."""

    line: int
    column: int


@dataclass(slots=True)
class _Node:
    kind: str
    position: Position
    scalar: str = ""
    plain: bool = False
    items: list[_Node] = field(default_factory=list)
    open: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file: `data` is built of dict, tuple, str, int, Decimal, bool and None.

    `positions` has the place of each value, `keys` of each mapping key, both by field path. `problems` are the
    mistakes found so far; a document with some is still complete enough to look for more.
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
    """A field path as people write it: `options[2].price`."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text


def read_text_file(path: Path, *, limit: int = MAX_BYTES) -> str:
    """The text of a UTF-8 file; UserError if it is missing, too large or not such text."""
    name = str(path)
    try:
        with path.open("rb") as handle:
            raw = handle.read(limit + 1)
    except OSError as error:
        raise UserError.of(f"cannot be read: {error.strerror or error}", file=name) from error
    if len(raw) > limit:
        raise UserError.of(f"is larger than {limit // 1_000_000} MB; a profile is a few pages", file=name)
    return decode(raw, name)


def decode(raw: bytes, file: str) -> str:
    """UTF-8 text of `raw`; UserError with the line and column of the first byte or character that is not text."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError.of("is UTF-16; save it as UTF-8", file=file, line=1, column=1)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8", errors="replace")
        line, column = _line_column(before, len(before))
        found = f"byte 0x{raw[error.start]:02x}"
        raise UserError.of(f"{found} is not UTF-8 text", file=file, line=line, column=column) from error
    if bad := _FORBIDDEN.search(text):
        line, column = _line_column(text, bad.start())
        found = f"control character U+{ord(bad.group()):04X}"
        raise UserError.of(f"found {found}; expected text", file=file, line=line, column=column)
    return text


def parse(text: str, file: str) -> Document:
    """Parse one YAML document; UserError where the text is not YAML at all."""
    builder = _Builder(file)
    try:
        root = builder.tree(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise UserError.of(_syntax_message(error), file=file, line=line, column=column) from error
    except yaml.YAMLError as error:
        raise UserError.of(f"is not YAML: {error}", file=file, line=1, column=1) from error
    if root is None:
        raise UserError.of("is empty; `rackrecord init` writes a starter profile", file=file, line=1, column=1)
    data = builder.value(root, ())
    return Document(file, data, builder.positions, builder.keys, tuple(builder.problems))


def _line_column(text: str, offset: int) -> tuple[int, int]:
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_start + 1


def _syntax_message(error: yaml.MarkedYAMLError) -> str:
    problem = (error.problem or "unreadable").strip()
    if "'\\t'" in problem or "tab" in problem:
        return "found a tab; indent with spaces"
    context = f" {error.context}" if error.context else ""
    return f"is not YAML: {problem}{context}"


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

    def tree(self, text: str) -> _Node | None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        root: _Node | None = None
        stack: list[_Node] = []
        documents = 0
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.report(_position(event), (), "found a second document; a file holds one")
                    break
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                stack.pop().open = False
            elif isinstance(event, yaml.NodeEvent):
                node = self._node(event)
                if stack:
                    stack[-1].items.append(node)
                else:
                    root = node
                if node.kind in ("mapping", "sequence") and not isinstance(event, yaml.AliasEvent):
                    stack.append(node)
                    if len(stack) > MAX_DEPTH:
                        self._refuse(node.position, f"is nested more than {MAX_DEPTH} levels deep")
        return root

    def _node(self, event: Any) -> _Node:
        position = _position(event)
        if isinstance(event, yaml.AliasEvent):
            target = self._anchors.get(event.anchor)
            if target is None or (target.open and target.kind != "scalar"):
                self._refuse(position, f"alias *{event.anchor} names nothing that is complete before it")
            assert target is not None
            return target
        if getattr(event, "tag", None) and not isinstance(event, yaml.ScalarEvent):
            self.report(position, (), f"found the tag {event.tag}; tags are not used here")
        if isinstance(event, yaml.ScalarEvent):
            if event.tag:
                self.report(position, (), f"found the tag {event.tag}; tags are not used here")
            node = _Node("scalar", position, event.value, plain=event.implicit[0] and event.style is None)
            if event.style == "":
                node.plain = True
        else:
            node = _Node("mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence", position)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _refuse(self, position: Position, message: str) -> None:
        raise UserError([Problem(self.file, position.line, position.column, "", message)])

    def value(self, node: _Node, path: FieldPath) -> Any:
        """The plain value of `node`; notes its position under `path`."""
        self._count += 1
        if self._count > MAX_NODES:
            self._refuse(node.position, f"has more than {MAX_NODES} values once its aliases are expanded")
        self.positions[path] = node.position
        if node.kind == "scalar":
            return self._scalar(node, path)
        if node.kind == "sequence":
            return tuple(self.value(item, (*path, index)) for index, item in enumerate(node.items))
        mapping: dict[str, Any] = {}
        for key_node, value_node in _pairs(node):
            key = self._key(key_node, path)
            here = (*path, key)
            if key in mapping:
                first = self.keys[here]
                self.report(key_node.position, here, f"found twice; the first one is on line {first.line}")
                continue
            self.keys[here] = key_node.position
            mapping[key] = self.value(value_node, here)
        return mapping

    def _key(self, node: _Node, path: FieldPath) -> str:
        if node.kind != "scalar":
            self.report(node.position, path, "found a list or mapping as a key; expected a name")
            return "?"
        if node.plain and node.scalar == "<<":
            self.report(node.position, path, "found a merge key; write the fields out")
        return node.scalar

    def _scalar(self, node: _Node, path: FieldPath) -> Any:
        text = node.scalar
        if not node.plain:
            return text
        if text in ("", "~", "null", "Null", "NULL"):
            return None
        if text in ("true", "True", "TRUE"):
            return True
        if text in ("false", "False", "FALSE"):
            return False
        if len(text) <= 40 and _INT.match(text):
            return int(text)
        if len(text) <= 60 and _DECIMAL.match(text):
            return Decimal(text)
        for pattern, advice in _SURPRISES:
            if pattern.match(text):
                self.report(node.position, path, f"found {text}, which YAML readers understand differently; {advice}")
                break
        return text


def _pairs(node: _Node) -> Iterator[tuple[_Node, _Node]]:
    return zip(node.items[::2], node.items[1::2], strict=True)


def _position(event: Any) -> Position:
    return Position(event.start_mark.line + 1, event.start_mark.column + 1)
