"""Rules over several fields of one model, written once: for the whole model, and for a profile in the making.

Pydantic only gets to such a rule where every field is right, so that one mistake would hide another. The
profile is therefore also checked against the rules as it was written, whatever else is wrong with it.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from rackrecord.model import StrictModel

Finding = tuple[str | None, str]
"""The field that is to blame, None for the model as a whole, and what was found and is expected."""


def failure(message: str) -> PydanticCustomError:
    """An error whose text is `message`: what is expected, or with `found …; expected …` all of it."""
    return PydanticCustomError("rackrecord", "{text}", {"text": message})


class RuledModel(StrictModel):
    """A model with rules over several of its fields."""

    forms: ClassVar[tuple[str, ...]] = ()
    """Fields of which exactly one is given: the forms that the model comes in."""

    @classmethod
    def contradictions(cls, values: Mapping[str, Any]) -> list[Finding]:
        """What is wrong between the fields; `values` are those given, as written or as validated."""
        return one_of(values, *cls.forms) if cls.forms else []

    @model_validator(mode="after")
    def _without_contradictions(self) -> Self:
        given = {
            name: value for name in type(self).model_fields if (value := getattr(self, name)) is not None
        }
        for _, message in self.contradictions(given):
            raise failure(message)
        return self


def one_of(values: Mapping[str, Any], *names: str) -> list[Finding]:
    """Exactly one of the fields is given; the first one given is taken to be the right one."""
    given = [name for name in values if name in names]
    if not given:
        return [(None, f"found none of {_either(names, 'and')}; expected one of them")]
    text = f"found beside {given[0]}; expected {_either(names, 'or')}, only one"
    return [(name, text) for name in given[1:]]


def needs(values: Mapping[str, Any], name: str, other: str) -> list[Finding]:
    """A field that means nothing without another one."""
    return [(name, f"found without {other}; expected both")] if name in values and other not in values else []


def _either(names: tuple[str, ...], word: str) -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
