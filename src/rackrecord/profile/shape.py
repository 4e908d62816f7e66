"""The models as a tree: which model and which field stand at a place of the profile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rackrecord.profile.fields import Money, Ranged
from rackrecord.yaml_file import FieldPath, path_text

Model = type[BaseModel]


def model_in(annotation: Any) -> Model | None:
    """The model in a field's type, itself, as an alternative or as a list's entry; None where it is plain."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return None if annotation is Money else annotation  # an amount is written as one value
    for argument in get_args(annotation):
        if (found := model_in(argument)) is not None:
            return found
    return None


def nodes(
    value: Any, model: Model, path: FieldPath = ()
) -> Iterator[tuple[FieldPath, Model, Mapping[str, Any]]]:
    """Every mapping in `value` that stands where a model is expected, with its path and that model."""
    if not isinstance(value, Mapping):
        return
    yield path, model, value
    for name, field in model.model_fields.items():
        below = value.get(name)
        inner = model_in(field.annotation) if isinstance(below, (Mapping, tuple)) else None
        if inner is None:
            continue
        if not is_list(field):
            yield from nodes(below, inner, (*path, name))
        elif isinstance(below, tuple):
            for index, item in enumerate(below):
                yield from nodes(item, inner, (*path, name, index))


def is_list(field: FieldInfo) -> bool:
    """Whether a field holds several entries."""
    kinds = (field.annotation, *get_args(field.annotation))
    return any(get_origin(kind) is tuple for kind in kinds)


def field_at(model: Model, path: FieldPath) -> FieldInfo | None:
    """The field at a path, None where there is none."""
    field: FieldInfo | None = None
    current: Model | None = model
    for part in path:
        if isinstance(part, int):
            continue
        if current is None or part not in current.model_fields:
            return None
        field = current.model_fields[part]
        current = model_in(field.annotation)
    return field


def model_at(model: Model, path: FieldPath) -> Model | None:
    """The model at a path, None where a plain value stands there."""
    if not path:
        return model
    field = field_at(model, path)
    return model_in(field.annotation) if field is not None else None


def unit_at(model: Model, path: FieldPath) -> str | None:
    """The unit of the value at a path: its field's, or in a range that of the whole; None without one."""
    for place in (path, path[:-1]):
        field = field_at(model, place)
        extra = field.json_schema_extra if field is not None else None
        if isinstance(extra, dict):
            return str(extra["unit"])
    return None


def meaning(field: FieldInfo) -> str:
    """The first part of a field's description."""
    return re.split(r"[.;:](?: |$)", field.description or "", maxsplit=1)[0]


@cache
def homes(model: Model) -> Mapping[str, tuple[str, ...]]:
    """For each field's name the sections it belongs in, in the order of the models; "" is the top level."""
    found: dict[str, list[str]] = {}

    def walk(current: Model, path: FieldPath) -> None:
        for name, field in current.model_fields.items():
            found.setdefault(name, []).append(path_text(path))
            if (inner := model_in(field.annotation)) is not None and not issubclass(inner, Ranged):
                walk(inner, (*path, name))

    walk(model, ())
    return {name: tuple(dict.fromkeys(places)) for name, places in found.items()}
