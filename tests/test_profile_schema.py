"""The JSON Schema: it describes a profile as people write it, and docs/profile.schema.json is it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from profiles import EXAMPLES, SMALL, read
from rackrecord.cli import main
from rackrecord.profile.models import Profile
from rackrecord.profile.schema import profile_schema, schema_text
from rackrecord.profile.shape import model_in

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema.Draft202012Validator.check_schema(profile_schema())
    return jsonschema.Draft202012Validator(
        profile_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def as_editors_read(text: str) -> Any:
    """The data of YAML 1.2: a date is text, and so is the field `on`."""
    resolvers = {
        first: [
            (tag, pattern) for tag, pattern in known if tag.rpartition(":")[2] not in ("timestamp", "bool")
        ]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    loader = type("Loader", (yaml.SafeLoader,), {"yaml_implicit_resolvers": resolvers})
    loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), list("tf"))
    return yaml.load(text, Loader=loader)


def test_the_file_in_docs_is_current() -> None:
    assert (DOCS / "profile.schema.json").read_text(encoding="utf-8") == schema_text()


def test_the_command_prints_it() -> None:
    result = CliRunner().invoke(main, ["schema"])
    assert (result.exit_code, result.stdout) == (0, schema_text())


def test_its_dialect() -> None:
    assert json.loads(schema_text())["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_valid(path: Path, validator: Any) -> None:
    assert list(validator.iter_errors(as_editors_read(path.read_text(encoding="utf-8")))) == []


RENT = "    price:\n      rent:\n        per_accelerator_hour: 3.30\n"


@pytest.mark.parametrize(
    "price",
    [
        "3",
        "3.30",
        "3.30 USD",
        "{value: 3.30, low: 3, high: 3.50, source: a quote}",
        "{value: 3.30 USD, low: 3 USD}",
    ],
)
def test_ways_to_write_an_amount(price: str, validator: Any) -> None:
    text = SMALL.replace("3.30", price)
    read(text)
    assert list(validator.iter_errors(as_editors_read(text))) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3.30", "-3.30"),
        ("3.30", "3.30 euro"),
        ("3.30", "'3.30'"),
        ("3.30", "{low: 3}"),
        ("3.30", "{value: 3.30, middle: 3}"),
        (": 72", ": 0"),
        (": 72", ": 7.2"),
        ("Server", "server"),
        ("title: Reasoning service", "title: 2027"),
        ("title: Reasoning service", "titel: Reasoning service"),
        ("currency: USD", "currency: dollar"),
        ("5000000", "0"),
        ("5000000", "5000000\n  requests_per_second: 5"),
        ("id: gb300", "id: GB300"),
        ("workload:", "workloads:"),
        (RENT, RENT + "      purchase: {per_rack: 5}\n"),
        (RENT, RENT + "    delivery: 2027-02-30\n"),
        (RENT, RENT + "    power: {kw: 5001, basis: quote}\n"),
        (RENT, RENT + "    use: {realized_fraction: 80}\n"),
    ],
)
def test_an_editor_marks_what_check_refuses(old: str, new: str, validator: Any) -> None:
    assert SMALL.count(old) == 1
    data = as_editors_read(SMALL.replace(old, new))
    assert list(validator.iter_errors(data)) != []


def objects() -> list[tuple[str, dict[str, Any]]]:
    schema = profile_schema()
    return [("Profile", schema), *schema["$defs"].items()]


def test_every_field_has_a_description() -> None:
    found = objects()
    assert len(found) > 20
    for name, definition in found:
        assert definition["description"], name
        for field, schema in definition["properties"].items():
            assert schema.get("description"), f"{name}.{field}"


def test_every_model_and_field_is_there() -> None:
    by_name = dict(objects())

    def walk(model: Any) -> None:
        assert set(by_name[model.__name__]["properties"]) == set(model.model_fields)
        for field in model.model_fields.values():
            inner = model_in(field.annotation)
            if inner is not None and not inner.__name__.startswith("Ranged"):
                walk(inner)

    walk(Profile)


def test_names_on_record_are_examples() -> None:
    definitions = profile_schema()["$defs"]
    assert "gpt-oss-120b" in definitions["Workload"]["properties"]["benchmark"]["examples"]
    assert "NVIDIA GB300" in definitions["Option"]["properties"]["accelerator"]["examples"]
    assert definitions["Fleet"]["properties"]["software_round"]["examples"] == [
        "v4.1",
        "v5.0",
        "v5.1",
        "v6.0",
        "v6.1",
    ]


def test_units_are_in_the_descriptions_and_defaults_are_numbers() -> None:
    definitions = profile_schema()["$defs"]
    assert definitions["RackPower"]["properties"]["kw"]["description"] == "Power of one rack. Unit: kW."
    assert definitions["Slo"]["properties"]["percentile"]["default"] == 99
    assert definitions["Facility"]["properties"]["pue"]["default"] == 1
    assert '"unit": "kW"' not in schema_text()
    assert "null" not in schema_text()
