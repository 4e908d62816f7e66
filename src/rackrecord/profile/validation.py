"""Pydantic's findings as Problems: where in the file, what was found, what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rackrecord.errors import Problem
from rackrecord.suggest import did_you_mean
from rackrecord.yaml_file import BLANK, Document, FieldPath

Model = TypeVar("Model", bound=BaseModel)


def validate(document: Document, model: type[Model]) -> tuple[Model | None, tuple[Problem, ...]]:
    """The document as `model`, or None with every problem in it; problems of the parser come first."""
    problems = list(document.problems)
    problems += _blanks(document)
    try:
        result = model.model_validate(document.data)
    except ValidationError as error:
        known = {problem.path for problem in problems}
        for details in error.errors(include_url=False, include_context=True):
            problem = _problem(document, details, model)
            if not any(_covers(path, problem.path) for path in known):
                problems.append(problem)
        return None, tuple(problems)
    return result, tuple(problems)


def _covers(known: str, path: str) -> bool:
    """Whether a problem at `known` already explains one at `path`."""
    return bool(known) and known == path


def _blanks(document: Document) -> list[Problem]:
    found: list[Problem] = []

    def walk(value: Any, path: FieldPath) -> None:
        if value == BLANK:
            found.append(document.problem(path, "still to fill in"))
        elif isinstance(value, Mapping):
            for key, item in value.items():
                walk(item, (*path, key))
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                walk(item, (*path, index))

    walk(document.data, ())
    return found


def _place(data: Any, location: Sequence[str | int]) -> FieldPath:
    """The part of pydantic's location that stands in the file; validators add parts that do not."""
    path: FieldPath = ()
    node = data
    for part in location:
        if isinstance(node, Mapping) and part in node:
            node = node[part]
        elif isinstance(node, tuple) and isinstance(part, int) and part < len(node):
            node = node[part]
        else:
            continue
        path = (*path, part)
    return path


def _problem(document: Document, details: ErrorDetails, model: type[BaseModel]) -> Problem:
    path = _place(document.data, details["loc"])
    kind = details["type"]
    if kind == "missing":
        name = str(details["loc"][-1])
        return document.problem((*path, name), "is missing")
    if kind == "extra_forbidden":
        name = str(details["loc"][-1])
        known = _known_keys(model, details["loc"][:-1])
        expected = did_you_mean(name, known) or (f"; expected one of {', '.join(known)}" if known else "")
        return document.problem(path, f"unknown field{expected}", at_key=True)
    found = _found(details["input"])
    return document.problem(path, f"found {found}; {_expectation(details)}")


def _expectation(details: ErrorDetails) -> str:
    kind, context = details["type"], details.get("ctx") or {}
    if "text" in context:
        text = str(context["text"])
        return text.split("; ", 1)[-1] if text.startswith("found ") else text
    if kind == "literal_error":
        names = str(context["expected"])
        nearest = did_you_mean(str(details["input"]), _quoted(names))
        return f"expected {names}{nearest}"
    if kind in ("model_type", "dict_type", "model_attributes_type"):
        return "expected fields, each with its name"
    if kind in ("tuple_type", "list_type"):
        return "expected a list"
    if kind in ("too_short", "tuple_too_short"):
        return f"expected at least {context.get('min_length', 1)} of them"
    return f"expected otherwise: {details['msg']}"


def _quoted(names: str) -> list[str]:
    return names.split("'")[1::2]


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, Decimal)):
        return str(value)
    if isinstance(value, str):
        text = value if len(value) <= 60 else value[:57] + "…"
        return repr(text)
    if isinstance(value, Mapping):
        return f"fields {', '.join(map(str, value))}" if value else "no fields"
    if isinstance(value, tuple):
        return f"a list of {len(value)}"
    return type(value).__name__


def _known_keys(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The field names of the model that pydantic's location leads to."""
    current: type[BaseModel] | None = model
    for part in location:
        if current is None or not isinstance(part, str) or part not in current.model_fields:
            continue
        current = _model_in(current.model_fields[part].annotation)
    return list(current.model_fields) if current is not None else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        if (found := _model_in(argument)) is not None:
            return found
    return None


