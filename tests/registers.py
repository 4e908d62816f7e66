"""Registers of records for tests: made by the command, on the bundled catalog or with a made-up round."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import rfc8785
from click.testing import CliRunner, Result

from rackrecord.cli import main

AS_OF = "2026-06-01"
BEFORE_V61 = ("--rounds", "v5.1,v6.0", "--as-of", AS_OF)

OPTION = """
  - id: {id}
    name: {name}
    accelerator: {accelerator}
    accelerators_per_system: 72
    power: {{kw: 132, basis: nameplate}}
    price: {{rent: {{per_accelerator_hour: {price}, commitment: one-year}}}}
    quote: {{vendor: a cloud, quoted_on: 2026-05-01, valid_until: 2026-08-31}}
"""
GB300 = {"id": "gb300", "name": "GB300 NVL72 rack", "accelerator": "NVIDIA GB300", "price": "3.30"}
GB200 = {"id": "gb200", "name": "GB200 NVL72 rack", "accelerator": "NVIDIA GB200", "price": "2.70"}
RUBIN = {"id": "rubin", "name": "Vera Rubin rack", "accelerator": "NVIDIA Vera Rubin", "price": "5.10"}

PROFILE = """\
title: {title}
owner: Inference platform team
approver: Purchasing board
status: {status}
currency: USD
workload:
  benchmark: {benchmark}
  scenario: {scenario}
demand: {{output_tokens_per_second: 3000000, headroom: 0.2, spares: 1}}
use:
  realized_fraction: {{value: 0.7, source: own replay}}
  utilization: {{value: 0.6, source: plan}}
review: {{next_round: true, date: 2026-12-15}}
options:{options}"""


def profile_text(*options: dict[str, str], **fields: str) -> str:
    """A profile on deepseek-r1 Server, with GB300 alone unless options are given."""
    values = {
        "title": "Reasoning on DeepSeek-R1",
        "status": "proposed",
        "benchmark": "deepseek-r1",
        "scenario": "Server",
        **fields,
    }
    return PROFILE.format(
        options="".join(OPTION.format(**option) for option in options or (GB300,)), **values
    )


def run(*arguments: object) -> Result:
    """A command as a user runs it; a traceback is a failed test."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def done(*arguments: object) -> str:
    """The output of a command that has nothing to find."""
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def make(records: Path, text: str | None = None, *options: object, formats: str = "md") -> Path:
    """The folder of a new record."""
    profile = records.parent / "profile.yaml"
    profile.write_text(text if text is not None else profile_text(), encoding="utf-8")
    before = folders(records)
    done("record", profile, "--records", records, "--formats", formats, *(options or BEFORE_V61))
    (new,) = set(folders(records)) - set(before)
    return new


def folders(records: Path) -> list[Path]:
    """The records' folders, by number."""
    return sorted(records.glob("[0-9][0-9][0-9][0-9]-*"))


def content_of(folder: Path) -> dict[str, Any]:
    """A record's JSON."""
    data: dict[str, Any] = json.loads((folder / "record.json").read_bytes())
    return data


def seal(content: dict[str, Any]) -> bytes:
    """A record's JSON with the digest that its content asks for, worked out here."""
    rest = {key: value for key, value in content.items() if key != "sha256"}
    digest = hashlib.sha256(rfc8785.dumps(rest)).hexdigest()
    return rfc8785.dumps({**rest, "sha256": digest})


def sums(folder: Path) -> None:
    """Write the checksums of a record's files anew, as somebody would who covers a change up."""
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith(("record.", "profile.")))
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


def tree(folder: Path) -> dict[str, bytes]:
    """Every file under a folder, the lock apart."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
