"""How the program ends: at once, without taking its memory apart object by object first."""

from __future__ import annotations

import atexit
import os
import sys
import threading


def end_process(code: object) -> None:
    """End the process with an exit code as `sys.exit` takes it, a tenth of a short command's time sooner.

    What is registered to be done at the end is done and the output is written. Returns, for the interpreter
    to end in its own way, where that has something to say: a message as the code, output that cannot be
    written, threads that still run.
    """
    if not (code is None or isinstance(code, int)) or threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as it is where the caller closed it
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code or 0)
