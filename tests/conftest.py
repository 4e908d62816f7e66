"""What every test gets: no network, golden files that update on request, tools that are asked for by name."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

REQUIRE_TOOLS = "RACKRECORD_REQUIRE_TOOLS"
"""Set to 1 where every tool is installed: there a skipped test is a failed one."""


class NetworkError(RuntimeError):
    """A test tried to reach beyond this process."""


_NETWORK_EVENTS = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _NETWORK_EVENTS:
        raise NetworkError(f"the project never opens a connection: {event} {arguments[-1]!r}")


def pytest_configure(config: pytest.Config) -> None:
    # As the program does it: looking for garbage every 700 objects takes a third of the time.
    gc.set_threshold(200_000, 50, 50)
    # An audit hook sees every connection of the interpreter, whichever library asks, and cannot be undone.
    sys.addaudithook(_refuse_network)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what came out into the golden files")


@pytest.fixture(scope="session", autouse=True)
def _no_data_of_this_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Results that whoever runs the tests has imported are not seen by them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """`golden(path, actual)`: the text equals the file's, or becomes it under --update-golden."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8", newline="\n")
        assert path.is_file(), f"{path} is missing; pytest --update-golden writes it, then read it"
        assert actual == path.read_bytes().decode("utf-8")

    return check


@pytest.fixture
def tool() -> Callable[[str], str]:
    """`tool("chromium")`: the path of a program that is no Python package; without it the test is skipped."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"needs the tool {name}")
        return path

    return find


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if os.environ.get(REQUIRE_TOOLS) == "1" and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(call.excinfo.value) if call.excinfo else ""
        # The folder of original data files is no part of the project, and no package gives the right to
        # mount; any other lack is the machine's.
        if not any(word in reason.lower() for word in ("shared", "right to mount")):
            report.outcome = "failed"
            report.longrepr = f"{REQUIRE_TOOLS}=1, yet skipped: {reason}"
    return report
