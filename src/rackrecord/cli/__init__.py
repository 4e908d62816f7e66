"""The command line: the only place that reads the clock, writes files, prints and exits."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click

from rackrecord.errors import UserError
from rackrecord.version import __version__

WRONG_INPUT = 2

# Command name: the module of rackrecord.cli that has it, and what it does, in a line. The module is loaded
# when the command is run; `--help` needs none.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("init", "Write a starter profile."),
    "check": ("check", "List every mistake of a profile, or say how it reads."),
    "record": ("record", "Make the decision record of a profile."),
    "register": ("register", "Write the index of the records."),
    "review": ("review", "Say which records are due to be looked at again."),
    "recheck": ("recheck", "Decide records again on today's catalog: do they hold?"),
    "verify": ("verify", "Check that records are what they were."),
    "extract": ("extract", "Take the data out of a record's PDF."),
    "propose": ("lifecycle", "Put a draft up for a decision."),
    "approve": ("lifecycle", "Approve a proposed record."),
    "reject": ("lifecycle", "Reject a proposed record."),
    "supersede": ("lifecycle", "Let another record take a decided one's place."),
    "expire": ("lifecycle", "Let a decided record end without a successor."),
    "claims": ("claims", "Look at published results, import more, check a vendor's claim."),
    "measure": ("measure", "Read the result files of one's own load tests."),
    "compare": ("compare", "Put records side by side."),
    "schema": ("schema", "Print the JSON Schema of a profile, for editors."),
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
        module = importlib.import_module(f"rackrecord.cli.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their lines, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

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
