from __future__ import annotations

import ast
import re
import socket
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rackrecord.render import fonts, pdf
from rackrecord.render.template_folder import templates_path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.lock", "requirements-dev.lock")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    return next(folder.glob("rackrecord-*.whl"))


def test_wheel_carries_templates_and_catalog_and_nothing_else(wheel: Path) -> None:
    files = set(zipfile.ZipFile(wheel).namelist())
    information = f"rackrecord-{PROJECT['project']['version']}.dist-info/"
    source = ROOT / "src"
    tracked = {
        path.relative_to(source).as_posix()
        for path in (source / "rackrecord").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    templates = {
        "rackrecord/" + path.relative_to(ROOT).as_posix()
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
    }
    assert templates, "no template to carry"
    assert any(file.startswith("rackrecord/catalog/data/") for file in tracked)
    assert {file for file in files if not file.startswith(information)} == tracked | templates
    assert {f"{information}METADATA", f"{information}licenses/LICENSE"} <= files


def test_wheel_names_the_command_and_its_terms(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.rpartition("/")[2]: name for name in archive.namelist() if ".dist-info/" in name}
        metadata = archive.read(names["METADATA"]).decode()
        commands = archive.read(names["entry_points.txt"]).decode()
    assert "rackrecord = rackrecord.__main__:run" in commands
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "\nProvides-Extra: cjk\n" in metadata


def test_templates_are_found_in_the_checkout() -> None:
    assert templates_path() == ROOT / "templates"


def test_font_packages_are_dependencies() -> None:
    required = " ".join(PROJECT["project"]["dependencies"])
    extras = PROJECT["project"]["optional-dependencies"]
    for package in fonts._PACKAGES:
        distribution = package.module.replace("_", "-")
        assert distribution in (required if package.extra is None else " ".join(extras[package.extra]))


def imported_modules(folder: str) -> set[str]:
    """The foreign top-level modules that the code in a folder imports anywhere, in functions too."""
    names: set[str] = set()
    files = list((ROOT / folder).rglob("*.py"))
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    own = {part.removesuffix(".py") for file in files for part in file.relative_to(ROOT / folder).parts}
    return names - own - set(sys.stdlib_module_names) - {"rackrecord"}


def names_of(requirements: list[Any]) -> set[str]:
    return {re.split(r"[<>=\[ ]", text)[0].lower() for text in requirements if isinstance(text, str)}


# The distribution that installs a module, where it is called otherwise.
DISTRIBUTIONS = {
    "yaml": "pyyaml",
    "pydantic_core": "pydantic",
    "fontTools": "fonttools",
    "numpy_financial": "numpy-financial",
    "markdown_it": "markdown-it-py",
}


def test_every_import_is_a_declared_dependency() -> None:
    required = names_of(PROJECT["project"]["dependencies"])
    groups = PROJECT["dependency-groups"]
    for folder, inside, allowed in (
        ("src", "weasyprint", required),
        ("tests", "pytest", required | names_of([*groups["dev"], *groups["fuzz"]])),
    ):
        foreign = imported_modules(folder)
        assert inside in foreign
        assert {DISTRIBUTIONS.get(name, name) for name in foreign} - allowed == set()


def locked(lock: str) -> set[tuple[str, str]]:
    """Name and version of each entry; a package may have one for an older Python and one for a newer."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9.-]+)==([^\s;]+)", text, flags=re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_pins_every_package_by_hash_and_names_no_registry(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(locked(lock)) > 20
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert "index" not in text


def test_locks_agree_and_hold_every_dependency() -> None:
    run, develop = (locked(lock) for lock in LOCKS)
    assert run <= develop
    named = names_of(PROJECT["project"]["dependencies"])
    assert "weasyprint" in named
    assert named <= {name for name, _ in run}


def test_system_packages_are_those_that_the_error_names() -> None:
    script = (ROOT / "scripts" / "system_libraries.py").read_text(encoding="utf-8")
    assert pdf.SYSTEM_PACKAGES
    for package in pdf.SYSTEM_PACKAGES:
        assert f'"{package}"' in script


def send_datagram() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", ("192.0.2.1", 53))


@pytest.mark.parametrize(
    "reach",
    [
        lambda: socket.create_connection(("192.0.2.1", 80), timeout=1),
        lambda: socket.getaddrinfo("example.invalid", 80),
        lambda: urllib.request.urlopen("http://192.0.2.1/", timeout=1),
        send_datagram,
    ],
    ids=["connect", "resolve", "url", "datagram"],
)
def test_no_test_reaches_a_network(reach: Callable[[], object]) -> None:
    # 192.0.2.0/24 is set aside for documentation (RFC 5737): nothing is there, if the guard should fail.
    with pytest.raises(RuntimeError, match="never opens a connection"):
        reach()
