"""docs/profile.md, the reference of all fields: `python -m rackrecord.profile.reference` prints it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from pydantic.fields import FieldInfo

from rackrecord.profile.fields import Ranged
from rackrecord.profile.models import Profile
from rackrecord.profile.rules import RuledModel
from rackrecord.profile.schema import profile_schema
from rackrecord.profile.shape import Model, is_list, model_in

_OPENING = """\
# The profile

<!-- Generated from the models: python -m rackrecord.profile.reference > docs/profile.md -->

One YAML file with the facts of one decision. `rackrecord init` writes a starter in which every field is
explained, `rackrecord check` names every mistake and every blank still to fill, and `rackrecord schema` gives
the JSON Schema that lets an editor complete and explain the fields while you type. The files in `examples/`
run as they stand.

## How values are written

- **Number**: `0.085`, `5000000`. A point before decimals, no separators, no exponent, at most 15
  significant digits.
- **Fraction**: `0.25` for 25 %. A percentage is never written as such.
- **Amount**: `3.30` is in the profile's currency; `3.30 EUR` names another one, which needs a dated rate
  in `exchange_rates`.
- **Range**: a field marked *or range* takes its value alone, `0.7`, or the value with the range it may move
  in and its source: `{value: 0.7, low: 0.6, high: 0.8, source: replay of October}`.
- **Date**: `2026-12-31`.
- **Text**: one line of at most 200 characters where it says *line*, else up to 5,000 characters. Quotes are
  needed around text that looks like something else (`"no"`, `"1:30"`, `"2027"`) or holds a colon followed
  by a blank.
- **Blank**: an optional field with nothing behind it counts as absent. `FILL_IN` marks what is still to fill.

The file is UTF-8 and at most 1 MB. Of YAML, only that part is read on which its versions agree: no `yes` and
`no` for truth values, no tags, no merge keys, no field twice, no second document. A field that is not listed
here is a mistake.
"""


def reference() -> str:
    """The whole document, in Markdown."""
    schema = profile_schema()
    parts = [_OPENING]
    for path, model in _sections():
        definition = schema if model is Profile else schema["$defs"][model.__name__]
        parts.append(_section(path, model, definition))
    return "\n".join(parts)


def _sections() -> Iterator[tuple[str, Model]]:
    """Every section of a profile with its place, each model once, in the order in which one reads them."""
    seen: set[Model] = set()

    def walk(path: str, model: Model) -> Iterator[tuple[str, Model]]:
        if model in seen or issubclass(model, Ranged):
            return
        seen.add(model)
        yield path, model
        for name, field in model.model_fields.items():
            if (inner := model_in(field.annotation)) is not None:
                yield from walk(f"{path}.{name}".lstrip(".") + ("[]" if is_list(field) else ""), inner)

    return walk("", Profile)


def _section(path: str, model: Model, definition: dict[str, Any]) -> str:
    heading = f"## `{path}`" if path else "## Top level"
    lines = [heading, "", " ".join((model.__doc__ or "").split())]
    if issubclass(model, RuledModel) and model.forms:
        lines += ["", f"Exactly one of {', '.join(f'`{name}`' for name in model.forms)} is given."]
    lines += ["", "| field | value | unit | default | meaning |", "|---|---|---|---|---|"]
    for name, field in model.model_fields.items():
        lines.append(
            _row(name, field, definition["properties"][name], name in definition.get("required", []))
        )
    return "\n".join(lines) + "\n"


def _row(name: str, field: FieldInfo, schema: dict[str, Any], required: bool) -> str:
    extra = field.json_schema_extra
    unit = str(extra["unit"]) if isinstance(extra, dict) else ""
    default = f"`{json.dumps(schema['default'])}`".replace('"', "") if "default" in schema else ""
    kind = _kind(schema, is_list(field))
    cells = [f"`{name}`", kind, unit, "**required**" if required else default, field.description]
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _kind(schema: dict[str, Any], several: bool) -> str:
    """What a field takes, in a few words, from its JSON Schema."""
    if several:
        items = schema["items"]
        return "list of sections" if "$ref" in items else f"list of {_kind(items, False)}s"
    if "$ref" in schema:
        return "section"
    if "enum" in schema:
        return ", ".join(f"`{name}`" for name in schema["enum"])
    if "anyOf" in schema:
        alternatives = schema["anyOf"]
        kind = (
            "amount"
            if any(part["type"] == "string" for part in alternatives)
            else _kind(alternatives[0], False)
        )
        return f"{kind}, or range" if alternatives[-1]["type"] == "object" else kind
    if schema["type"] == "string":
        return "date" if "format" in schema else "line" if schema.get("maxLength", 200) <= 200 else "text"
    if schema["type"] == "boolean":
        return "`true` or `false`"
    return _number(schema)


def _number(schema: dict[str, Any]) -> str:
    kind = "whole number" if schema["type"] == "integer" else "number"
    if "maximum" not in schema:
        return f"{kind} above 0" if "exclusiveMinimum" in schema else f"{kind}, 0 or above"
    if "exclusiveMinimum" in schema:
        return f"{kind} above 0, at most {schema['maximum']:,}"
    return f"{kind}, {schema['minimum']:,} to {schema['maximum']:,}"


if __name__ == "__main__":
    sys.stdout.write(reference())
