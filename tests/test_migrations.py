"""Records of earlier schemas: the samples are read, verified and re-checked; each step is a pure function."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import pytest

from rackrecord import migrations
from rackrecord.errors import UserError
from rackrecord.migrations import SCHEMA, STEPS, migrated
from rackrecord.record import read_record
from rackrecord.register.entries import read_entry
from registers import content_of, done, run, seal, tree

SAMPLES = Path(__file__).parent / "fixtures" / "records"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


@pytest.fixture
def records(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A register with one stored record."""
    records = tmp_path / "records"
    shutil.copytree(SAMPLES / request.param, records / "0001-stored")
    return records


def test_there_is_a_sample_of_every_schema() -> None:
    assert [f"schema-{version}" for version in range(SCHEMA + 1)] == NAMES
    assert sorted(STEPS) == list(range(SCHEMA))
    for name in NAMES:
        content = json.loads((SAMPLES / name / "record.json").read_bytes())
        assert f"schema-{content['schema_version']}" == name
        assert seal(content) == (SAMPLES / name / "record.json").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_read(name: str) -> None:
    record = read_record((SAMPLES / name / "record.json").read_bytes(), name)
    assert (record.schema_version, record.history, record.supersedes) == (SCHEMA, (), None)
    assert record.title == "Reasoning on DeepSeek-R1"
    # 400,437 and 575,580 tokens/s on 72: the median per accelerator, of the sample as of the present.
    planning = record.evidence[0].options[0].planning
    assert planning is not None
    assert f"{planning:.2f}" == "6777.90"


@pytest.mark.parametrize("records", NAMES, indirect=True)
def test_verified(records: Path) -> None:
    result = run("verify", "1", "--records", records, "--format", "json")
    (verification,) = json.loads(result.stdout)
    states = {check["name"]: check["state"] for check in verification["checks"]}
    assert states["files"] == states["digest"] == states["figures"] == states["profile.yaml"] == "ok"
    assert verification["passed"]
    content = content_of(records / "0001-stored")
    content["options"][0]["racks"] += 1
    (records / "0001-stored" / "record.json").write_bytes(seal(content))
    assert run("verify", "1", "--records", records).exit_code == 1


@pytest.mark.parametrize("records", NAMES, indirect=True)
def test_rechecked_reviewed_and_registered(records: Path) -> None:
    before = tree(records)
    said = done("recheck", "1", "--records", records, "--as-of", "2026-11-30")
    assert "6,777.90 Tokens/s per accelerator" in said
    assert "8,238.44 Tokens/s per accelerator" in said
    assert run("review", "--records", records, "--as-of", "2027-09-01").exit_code == 1
    done("register", "--records", records)
    assert "1 proposed" in (records / "README.md").read_text()
    after = tree(records)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("records", ["schema-0"], indirect=True)
def test_approved_in_the_present_schema(records: Path) -> None:
    done("approve", "1", "--records", records, "--by", "Ada", "--on", "2026-06-10")
    assert content_of(records / "0001-stored")["schema_version"] == SCHEMA
    assert run("verify", "1", "--records", records).exit_code == 0


@pytest.mark.parametrize("records", ["schema-0"], indirect=True)
def test_quick_reading_goes_the_same_way(records: Path) -> None:
    facts = read_entry(records / "0001-stored", 1).facts
    assert (facts.schema_version, facts.history, facts.supersedes) == (SCHEMA, (), None)


def test_steps_are_pure() -> None:
    content = json.loads((SAMPLES / "schema-0" / "record.json").read_bytes())
    before = copy.deepcopy(content)
    assert migrated(content) == migrated(content)
    assert content == before


def test_present_schema_is_left_as_it_is() -> None:
    content = {"schema_version": SCHEMA}
    assert migrated(content) is content


@pytest.mark.parametrize("version", [SCHEMA + 1, 99, -1, None, "1", 0.5, True, [1]])
def test_unknown_schemas(version: object) -> None:
    assert migrated({"schema_version": version}) is None
    data = json.dumps({"capacity_decision_record": {}, "schema_version": version}).encode()
    with pytest.raises(UserError, match=f"this version reads schemas up to {SCHEMA}, a newer rackrecord may"):
        read_record(data, "record.json")


def test_several_steps_are_taken_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {
        1: lambda content: {**content, "path": [*content["path"], "1 to 2"]},
        2: lambda content: {**content, "path": [*content["path"], "2 to 3"]},
    }
    monkeypatch.setattr(migrations, "STEPS", steps)
    monkeypatch.setattr(migrations, "SCHEMA", 3)
    assert migrated({"schema_version": 1, "path": []}) == {"schema_version": 3, "path": ["1 to 2", "2 to 3"]}
