"""The program as a process, started by `rackrecord` or `python -m rackrecord`."""

from __future__ import annotations

import gc
import os
from contextlib import suppress

WRONG_INPUT = 2


def run() -> None:
    """Run the command line and end the process."""
    # A command is short: looking for garbage every 700 objects costs it more than the garbage would.
    gc.set_threshold(200_000, 50, 50)
    from rackrecord.cli.plugins import without_plugins

    without_plugins()
    from rackrecord.cli import main

    try:
        main()
    except SystemExit as exit:
        from rackrecord.cli.ending import end_process

        end_process(exit.code)
        raise
    except OSError as error:  # of the output itself: a full disk behind `>`, say
        import click

        with suppress(OSError):
            click.echo(f"{error.filename or 'the output'}: {error.strerror}", err=True)
        os._exit(WRONG_INPUT)  # what is left in the buffer would fail once more


if __name__ == "__main__":
    run()
