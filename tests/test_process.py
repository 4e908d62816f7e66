"""The program as a process: how it ends, and what it keeps out."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ENDING = """
import atexit, sys, threading, time
from rackrecord.cli.ending import end_process
atexit.register(print, "at exit")
print("output", end=" ")
{before}
end_process({code})
print("the interpreter's own way", flush=True)
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("code", "status"), [("0", 0), ("None", 0), ("1", 1), ("2", 2)])
def test_it_ends_at_once_with_all_output_and_what_was_registered(code: str, status: int) -> None:
    ended = run(ENDING.format(before="", code=code))
    assert (ended.returncode, ended.stdout, ended.stderr) == (status, "output at exit\n", "")


def test_a_message_is_left_to_the_interpreter() -> None:
    assert "own way" in run(ENDING.format(before="", code="'a message'")).stdout


def test_a_thread_that_runs_is_waited_for() -> None:
    before = "threading.Thread(target=lambda: (time.sleep(0.2), print('thread done'))).start()"
    ended = run(ENDING.format(before=before, code="0"))
    assert ended.returncode == 0
    assert "own way" in ended.stdout
    assert "thread done" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["--version"], 0), (["--help"], 0), (["no-such-command"], 2), (["check", "no-such-file.yaml"], 2)],
)
def test_exit_codes_of_the_program(arguments: list[str], status: int) -> None:
    ended = subprocess.run([sys.executable, "-m", "rackrecord", *arguments], capture_output=True, check=False)
    assert ended.returncode == status
    assert ended.stdout or ended.stderr


def test_a_reader_that_has_gone_is_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        ended = subprocess.run(
            [sys.executable, "-m", "rackrecord", "schema"], stdout=nobody, stderr=subprocess.PIPE, check=False
        )
    assert b"Traceback" not in ended.stderr


def test_plugins_of_pydantic_are_kept_out_and_not_looked_for() -> None:
    ended = run(
        "import sys\nfrom rackrecord.cli.plugins import without_plugins\nwithout_plugins()\n"
        "from rackrecord.profile.models import Term\n"
        "Term.model_validate({})\n"
        "print('importlib.metadata' in sys.modules)"
    )
    assert (ended.stdout, ended.stderr) == ("False\n", "")


def test_the_stand_in_makes_way_for_the_module_when_asked_for_more() -> None:
    ended = run(
        "from rackrecord.cli.plugins import without_plugins\nwithout_plugins()\n"
        "from pydantic.plugin._loader import PYDANTIC_ENTRY_POINT_GROUP, get_plugins\n"
        "print(PYDANTIC_ENTRY_POINT_GROUP, list(get_plugins()))"
    )
    assert (ended.stdout, ended.stderr) == ("pydantic []\n", "")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["schema"], ["claims", "rounds"], ["check", "no-such-file.yaml"]]
)
def test_output_on_a_full_disk_is_a_message(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "rackrecord", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("stream", ["1", "2"])
@pytest.mark.parametrize(
    ("arguments", "status"), [("--help", 0), ("schema", 0), ("check no-such-file.yaml", 2)]
)
def test_closed_or_full_streams_change_no_exit_code(arguments: str, status: int, stream: str) -> None:
    program = f'"{sys.executable}" -m rackrecord {arguments}'
    closed = subprocess.run(
        ["sh", "-c", f"{program} {stream}>&-"], capture_output=True, text=True, check=False
    )
    assert (closed.returncode, "Traceback" in closed.stdout + closed.stderr) == (status, False)


def test_errors_that_cannot_be_written_keep_their_exit_code() -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "rackrecord", "check", "no-such-file.yaml"], stderr=full, check=False
        )
    assert ended.returncode == 2
