"""The command line as a whole: every command is there, `--help` loads none of them."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from rackrecord.cli import COMMANDS, main
from rackrecord.version import __version__


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_explains_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {name}")
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name


def test_help_lists_them_and_loads_none() -> None:
    code = (
        "import sys; from rackrecord.cli import main; main(['--help'], standalone_mode=False);"
        "print([m for m in sys.modules if m.startswith('rackrecord.cli.')])"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    for name, (_, line) in COMMANDS.items():
        assert f"  {name} " in output
        assert line.split(".")[0][:40] in " ".join(output.split())
    assert output.splitlines()[-1] == "[]"


def test_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"rackrecord, version {__version__}\n"


def test_an_unknown_command_is_wrong_input() -> None:
    result = CliRunner().invoke(main, ["recrod"])
    assert result.exit_code == 2
    assert "recrod" in result.output
