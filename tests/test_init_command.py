"""The starter profile: every field is in it, the blanks are named, filled in it is a profile."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from profiles import mistakes, read
from rackrecord.cli import main
from rackrecord.cli.init import write_new
from rackrecord.errors import UserError
from rackrecord.profile.fields import Ranged
from rackrecord.profile.models import Profile
from rackrecord.profile.shape import model_in
from rackrecord.profile.starter import starter_text
from rackrecord.yaml_file import parse

# Each blank with a sensible value, in the order of the file.
FILLED = {
    "title": "Reasoning service",
    "owner": "Inference platform team",
    "currency": "USD",
    "workload.benchmark": "gpt-oss-120b",
    "workload.scenario": "Server",
    "demand.output_tokens_per_second": "5000000",
    "options[1].name": "GB300 NVL72 rack",
    "options[1].accelerator": "NVIDIA GB300",
    "options[1].accelerators_per_system": "72",
    "options[1].power.kw": "132",
    "options[1].price.rent.per_accelerator_hour": "3.30",
    "options[1].quote.vendor": "A vendor",
    "options[1].quote.quoted_on": "2026-11-16",
}


def filled(text: str) -> str:
    for value in FILLED.values():
        text = text.replace(": FILL_IN\n", f": {value}\n", 1)
    return text


def uncommented(text: str) -> str:
    """The starter with every optional field in use: a # right before a field or an indented line goes."""
    line = re.compile(r"^( *)#(?=[a-z]+[a-z0-9_]*:|  )", re.MULTILINE)
    while line.search(text):
        text = line.sub(r"\1", text)
    return text


def init(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments], catch_exceptions=False)


def test_the_blanks_are_named_and_nothing_else() -> None:
    lines = mistakes(starter_text())
    form = re.compile(r"profile\.yaml:\d+:\d+: \S+: still to fill in; expected: .+")
    assert all(form.fullmatch(line) for line in lines)
    assert [line.split(": ")[1] for line in lines] == list(FILLED)
    assert starter_text().count(": FILL_IN\n") == len(FILLED)


def test_filled_in_it_is_a_profile_without_cautions() -> None:
    examined = read(filled(starter_text()))
    assert examined.profile.status == "draft"
    assert examined.profile.options[0].id == "option-1"
    assert examined.cautions == ()


def fields(model: Any) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        yield model.__name__, name
        inner = model_in(field.annotation)
        if inner is not None and not issubclass(inner, Ranged):
            yield from fields(inner)


def paths(value: Any, model: Any) -> Iterator[tuple[str, str]]:
    """Every field of the models that some data gives a value to."""
    if isinstance(value, tuple):
        for item in value:
            yield from paths(item, model)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield model.__name__, name
            inner = model_in(model.model_fields[name].annotation)
            if inner is not None and not issubclass(inner, Ranged):
                yield from paths(item, inner)


def test_every_field_of_every_model_is_in_it() -> None:
    document = parse(uncommented(filled(starter_text())), "starter")
    assert document.problems == ()
    assert len(set(fields(Profile))) > 120
    assert set(paths(document.data, Profile)) == set(fields(Profile))


def test_with_every_optional_field_only_the_alternatives_are_too_many() -> None:
    """The values in the comments are right, too."""
    lines = mistakes(uncommented(filled(starter_text())))
    assert {line.split(": ", 1)[1].split(";")[0] for line in lines} == {
        "workloads: found beside workload",
        "demand.requests_per_second: found beside output_tokens_per_second",
        "demand.users: found beside output_tokens_per_second",
        "options[1].price.rent.per_rack_hour: found beside per_accelerator_hour",
        "options[1].price.rent.per_rack_month: found beside per_accelerator_hour",
        "options[1].price.purchase: found beside rent",
        "vendor_claims[1].value: found beside multiplier",
        "vendor_claims[1].scaling_efficiency: found beside multiplier",
        "workload.accuracy: found 99",  # gpt-oss-120b has one target
        "workloads[1].output_tokens_per_request: is missing",  # demand is in requests, too
        "workloads[2].output_tokens_per_request: is missing",
    }


def test_lines_fit_a_screen() -> None:
    assert max(map(len, starter_text().splitlines())) <= 110


def test_init_writes_profile_yaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = init()
    assert result.exit_code == 0
    assert (
        result.stdout
        == "profile.yaml written; fill in what says FILL_IN, then: rackrecord check profile.yaml\n"
    )
    assert (tmp_path / "profile.yaml").read_text(encoding="utf-8") == starter_text()
    assert [path.name for path in tmp_path.iterdir()] == ["profile.yaml"]


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("mine")
    result = init(str(path))
    assert result.exit_code == 2
    assert result.stderr == f"{path}: found a file of that name; expected a new one\n"
    assert path.read_text() == "mine"
    assert init(str(tmp_path)).stderr == f"{tmp_path}: found a folder of that name; expected a new one\n"


def test_init_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "link.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert init(str(tmp_path / "link.yaml")).exit_code == 2
    assert not (tmp_path / "elsewhere.yaml").exists()


def test_init_where_it_cannot_write(tmp_path: Path) -> None:
    result = init(str(tmp_path / "none" / "p.yaml"))
    assert (result.exit_code, result.stderr.partition(": ")[2]) == (
        2,
        "cannot be written: No such file or directory\n",
    )


def test_a_full_disk_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.yaml"
    real = Path.open

    class Full:
        def __init__(self) -> None:
            real(path, "xb").close()

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def write(self, _: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda *_, **__: Full())
    with pytest.raises(UserError, match="cannot be written: No space left on device"):
        write_new(path, b"content")
    assert not path.exists()
