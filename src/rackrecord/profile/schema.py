"""The JSON Schema of a profile as people write it, for completion and checks in an editor."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from rackrecord.catalog.accelerators import accelerators
from rackrecord.catalog.benchmarks import benchmarks, rounds
from rackrecord.profile.models import Profile
from rackrecord.profile.rules import RuledModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Generator(GenerateJsonSchema):
    """Pydantic's schema without what a person writing YAML has no use for: field titles and null."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No titles: a field's name says as much."""
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """An optional field is left out, not set to null."""
        return self.generate_inner(schema["schema"])

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model that comes in several forms has exactly one of their fields."""
        json_schema = super().model_schema(schema)
        json_schema.pop("title", None)
        model = schema["cls"]
        if issubclass(model, RuledModel) and model.forms:
            json_schema["oneOf"] = [{"required": [name]} for name in model.forms]
        return json_schema

    def encode_default(self, dft: Any) -> Any:
        """Decimals are written as numbers."""
        if isinstance(dft, Decimal):
            return int(dft) if dft == int(dft) else float(dft)
        return super().encode_default(dft)


def profile_schema() -> dict[str, Any]:
    """The schema, with the benchmarks, accelerators and rounds on record as examples."""
    schema = Profile.model_json_schema(schema_generator=_Generator)
    definitions = schema.pop("$defs")
    for definition in (schema, *definitions.values()):
        for field in definition["properties"].values():
            _tidy(field)
    for section, field, names in _known_names():
        definitions[section]["properties"][field]["examples"] = names
    return {"$schema": DIALECT, "title": "rackrecord profile", **schema, "$defs": definitions}


def schema_text() -> str:
    """The schema as a file has it."""
    return json.dumps(profile_schema(), indent=2, ensure_ascii=False) + "\n"


def _tidy(field: dict[str, Any]) -> None:
    """The unit goes into the description, which editors show; a default that says nothing goes."""
    unit = field.pop("unit", None)
    if unit is not None:
        field["description"] = f"{field['description']} Unit: {unit}."
    if "default" in field and field["default"] in (None, []):
        del field["default"]


def _known_names() -> list[tuple[str, str, list[str]]]:
    """Where names that are on record are expected: the model, its field, the names."""
    benchmark_names = sorted(benchmarks())
    published = [name for name, facts in rounds().items() if facts.published is not None]
    accelerator_names = sorted(accelerator.name for accelerator in accelerators().values())
    return [
        ("Workload", "benchmark", benchmark_names),
        ("VendorClaim", "benchmark", benchmark_names),
        ("VendorClaim", "round", published),
        ("VendorClaim", "baseline_round", published),
        ("Fleet", "software_round", published),
        ("Fleet", "accelerator", accelerator_names),
        ("Option", "accelerator", accelerator_names),
    ]
