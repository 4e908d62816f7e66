"""Pydantic's findings as Problems: where in the file, what was found, what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rackrecord.errors import Problem
from rackrecord.profile.fields import shown
from rackrecord.profile.rules import RuledModel
from rackrecord.profile.shape import Model, field_at, homes, meaning, model_at, nodes, unit_at
from rackrecord.suggest import did_you_mean, nearest
from rackrecord.yaml_file import BLANK, Document, FieldPath, quoted

AnyModel = TypeVar("AnyModel", bound=BaseModel)

_MOST_ERRORS = 1000
"""Enough for any profile; a file of nothing but mistakes must not take minutes to be told so."""

_ALIKE = 0.75
"""From this likeness on, an unknown field is a misspelled one rather than one in the wrong place."""


def given(value: Any) -> Any:
    """The data without fields that are left blank: `price:` with nothing behind it is no price."""
    if isinstance(value, Mapping):
        return {key: given(item) for key, item in value.items() if item is not None}
    if isinstance(value, tuple):
        return tuple(given(item) for item in value)
    return value


def validate(document: Document, model: type[AnyModel]) -> tuple[AnyModel | None, tuple[Problem, ...]]:
    """The document as `model`, or None with every problem in it; problems of the parser come first."""
    data = given(document.data)
    problems = [*document.problems, *_blanks(document, data, model)]
    result: AnyModel | None = None
    try:
        result = model.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=True)[:_MOST_ERRORS]
        problems += _Findings(document, data, model).problems(found)
    problems += _contradictions(document, data, model)
    if result is None and not problems:
        problems.append(document.problem((), "found a profile that contradicts itself; expected none"))
    return result, tuple(problems)


def _blanks(document: Document, data: Any, model: Model) -> Iterator[Problem]:
    """The values that a starter profile leaves to be filled in."""

    def walk(value: Any, path: FieldPath) -> Iterator[Problem]:
        if isinstance(value, str) and BLANK in value:
            field = field_at(model, path)
            expected = f"; expected: {meaning(field)}" if field is not None else ""
            yield document.problem(path, f"still to fill in{expected}")
        elif isinstance(value, Mapping):
            for key, item in value.items():
                yield from walk(item, (*path, key))
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                yield from walk(item, (*path, index))

    return walk(data, ())


def _contradictions(document: Document, data: Any, model: Model) -> Iterator[Problem]:
    """What the models' own rules say of the data as written."""
    misplaced: set[str] | None = None
    for path, current, values in nodes(data, model):
        if not issubclass(current, RuledModel):
            continue
        for name, message in current.contradictions(values):
            if name is None:
                misplaced = _misplaced(data, model) if misplaced is None else misplaced
                if misplaced.intersection(current.model_fields):
                    continue  # what is lacking here was written elsewhere, which is a problem of its own
            place = path if name is None else (*path, name)
            at_key = name is None or isinstance(values[name], (Mapping, tuple))
            yield document.problem(place, message, at_key=at_key)


def _misplaced(data: Any, model: Model) -> set[str]:
    """Names of fields that stand in a section where they are unknown, and are known elsewhere."""
    known = homes(model)
    return {
        name
        for _, current, values in nodes(data, model)
        for name in values
        if name not in current.model_fields and name in known
    }


class _Findings:
    """Turns pydantic's errors about one document into problems."""

    def __init__(self, document: Document, data: Any, model: Model) -> None:
        self.document = document
        self.data = data
        self.model = model
        self.misplaced = _misplaced(data, model)
        self.misspelled: set[FieldPath] = set()

    def problems(self, errors: Sequence[ErrorDetails]) -> list[Problem]:
        unknown = [self._unknown(error) for error in errors if error["type"] == "extra_forbidden"]
        missing = [self._missing(error) for error in errors if error["type"] == "missing"]
        others = [
            self._other(error)
            for error in errors
            if error["type"] not in ("extra_forbidden", "missing") and not self._is_told_elsewhere(error)
        ]
        return [problem for problem in (*unknown, *missing, *others) if problem is not None]

    def _is_told_elsewhere(self, error: ErrorDetails) -> bool:
        """Whether a rule over several fields raised it, or a list only lacks its entries with mistakes."""
        if error["type"] == "too_short":
            return len(error["input"]) >= int((error.get("ctx") or {})["min_length"])
        place = model_at(self.model, self._place(error["loc"]))
        fields = isinstance(error["input"], (Mapping, BaseModel))
        return error["type"] == "rackrecord" and place is not None and fields

    def _place(self, location: Sequence[str | int]) -> FieldPath:
        """The part of pydantic's location that stands in the file; validators add parts that do not."""
        path: FieldPath = ()
        node = self.data
        for part in location:
            inside = isinstance(node, Mapping) and part in node
            if inside or (isinstance(node, tuple) and isinstance(part, int) and part < len(node)):
                node = node[part]
                path = (*path, part)
        return path

    def _unknown(self, error: ErrorDetails) -> Problem:
        """A field that is not known here: misspelled, or in the wrong place, or neither."""
        path = self._place(error["loc"])
        name, section = str(path[-1]), path[:-1]
        current = model_at(self.model, section)
        known = list(current.model_fields) if current is not None else []
        places = homes(self.model).get(name, ())
        alike = nearest(name, known, cutoff=0.6 if not places else _ALIKE)
        if alike is not None:
            self.misspelled.add((*section, alike))
            text = f"unknown field (did you mean {alike}?)"
        elif 0 < len(places) <= 2:
            text = f"unknown field here; expected {' or '.join(_section(place) for place in places)}"
        else:
            text = f"unknown field; expected one of {', '.join(known)}"
        return self.document.problem(path, text, at_key=True)

    def _missing(self, error: ErrorDetails) -> Problem | None:
        name = str(error["loc"][-1])
        path = (*self._place(error["loc"][:-1]), name)
        if path in self.misspelled or name in self.misplaced:
            return None
        field = field_at(self.model, path)
        expected = f"; expected: {meaning(field)}" if field is not None else ""
        left_blank = path in self.document.positions
        return self.document.problem(path, f"{'found nothing' if left_blank else 'is missing'}{expected}")

    def _other(self, error: ErrorDetails) -> Problem:
        path = self._place(error["loc"])
        found, expected = shown(error["input"]), self._expectation(error, path)
        join = "; " if expected.startswith("expected") else ", "
        return self.document.problem(path, f"found {found}{join}{expected}")

    def _expectation(self, error: ErrorDetails, path: FieldPath) -> str:
        kind, context = error["type"], error.get("ctx") or {}
        if kind == "rackrecord":
            return self._with_unit(str(context["text"]), path)
        if kind == "literal_error":
            names = str(context["expected"])
            return f"expected {names}{did_you_mean(str(error['input']), names.split(chr(39))[1::2])}"
        if kind in ("model_type", "dict_type", "model_attributes_type"):
            current = model_at(self.model, path)
            names = ", ".join(list(current.model_fields)[:4]) if current is not None else ""
            return f"expected fields such as {names}" if names else "expected fields"
        if kind in ("tuple_type", "list_type"):
            return "expected a list, each entry after a hyphen"
        if kind == "too_short":
            return f"expected {context.get('min_length', 1)} or more"
        return f"expected otherwise ({quoted(str(error['msg']))})"

    def _with_unit(self, text: str, path: FieldPath) -> str:
        """The expectation of a number or an amount with its unit: people write `132 kW`."""
        unit = unit_at(self.model, path)
        needs_unit = text.startswith(("expected a number", "expected 0 or a number", "expected an amount"))
        return f"{text} ({unit})" if needs_unit and unit not in (None, "money", "ratio") else text


def _section(place: str) -> str:
    return f"it in {place}" if place else "it at the top level"
