"""The command line: the only place that reads the clock, writes files, prints and exits."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Mapping

import click

from rackrecord.errors import UserError
from rackrecord.version import __version__

WRONG_INPUT = 2

# A command is a short process: looking for garbage every 700 objects costs it more than the garbage would.
gc.set_threshold(200_000, 50, 50)
# Plug-ins of pydantic in the user's environment are not the tool's business, and take time to look for.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

# Command name: module and attribute. A command's module is loaded when the command is run, and for `--help`.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("rackrecord.cli.init", "init"),
    "check": ("rackrecord.cli.check", "check"),
    "record": ("rackrecord.cli.record", "record"),
    "register": ("rackrecord.cli.register", "register"),
    "review": ("rackrecord.cli.review", "review"),
    "recheck": ("rackrecord.cli.recheck", "recheck"),
    "verify": ("rackrecord.cli.verify", "verify"),
    "extract": ("rackrecord.cli.extract", "extract"),
    "propose": ("rackrecord.cli.lifecycle", "propose"),
    "approve": ("rackrecord.cli.lifecycle", "approve"),
    "reject": ("rackrecord.cli.lifecycle", "reject"),
    "supersede": ("rackrecord.cli.lifecycle", "supersede"),
    "expire": ("rackrecord.cli.lifecycle", "expire"),
    "claims": ("rackrecord.cli.claims", "claims"),
    "measure": ("rackrecord.cli.measure", "measure"),
    "compare": ("rackrecord.cli.compare", "compare"),
    "schema": ("rackrecord.cli.schema", "schema"),
}


class _Commands(click.Group):
    """A group that loads a command's module only when it is needed, and reports wrong input in one place."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; wrong input is printed, one line a problem, and exits with 2."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            from rackrecord.cli.text import printable

            for problem in error.problems:
                click.echo(printable(str(problem)), err=True)
            ctx.exit(WRONG_INPUT)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rackrecord")
def main() -> None:
    """Capacity decision records for AI inference racks, on verified benchmark results.

    Start with `rackrecord init`, fill in the profile, then `rackrecord record profile.yaml`.
    """


if __name__ == "__main__":
    sys.exit(main())
