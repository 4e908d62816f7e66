"""The hooks and the pipelines of docs/pipelines.md: what they run is run, with stand-ins for the hosts."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from registers import done, make, profile_text, run

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "pipelines.md").read_text(encoding="utf-8")
BLOCKS = [
    yaml.safe_load(block)
    for block in re.findall(r"^```yaml\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)
]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

# A stand-in that notes its arguments and prints what the file ANSWER has.
STAND_IN = """#!{python}
import json, os, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
answer = os.environ.get("ANSWER", "")
if {when}:
    print(answer)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A repository of records, with a register and the commands that a pipeline finds."""
    make(tmp_path / "records", None, "--as-of", "2026-06-01", "--rounds", "v6.0")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "rackrecord").write_text(f'#!/bin/sh\nexec {sys.executable} -m rackrecord "$@"\n')
    (commands / "pip").write_text("#!/bin/sh\n")
    (commands / "gh").write_text(STAND_IN.format(python=sys.executable, when="'list' in sys.argv"))
    (commands / "curl").write_text(
        STAND_IN.format(python=sys.executable, when="sys.argv[-1].endswith('state=opened')")
    )
    for command in commands.iterdir():
        command.chmod(0o755)
    return tmp_path


def shell(place: Path, script: str, **environment: str) -> tuple[int, list[list[str]]]:
    """Run a step as the hosts do, errors ending it; its exit code and what the stand-ins were called with."""
    calls = place / "calls"
    calls.unlink(missing_ok=True)
    result = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=place,
        env={
            **os.environ,
            # The image that the job names has `python`; a bare Debian has it in the environment only.
            "PATH": f"{place / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "CALLS": str(calls),
            "GITHUB_OUTPUT": str(place / "output"),
            **environment,
        },
        capture_output=True,
        text=True,
    )
    lines = calls.read_text().splitlines() if calls.exists() else []
    return result.returncode, [json.loads(line) for line in lines]


def quiet(place: Path) -> None:
    """Nothing to do: the record is closed."""
    done("reject", "1", "--records", place / "records", "--by", "Ada", "--on", "2026-06-02")


# GitHub


def github() -> dict[str, Any]:
    (workflow,) = [block for block in BLOCKS if "jobs" in block]
    job: dict[str, Any] = workflow["jobs"]["review"]
    return job


def step(name: str) -> str:
    (script,) = [step["run"] for step in github()["steps"] if step.get("name") == name]
    return str(script)


def test_github_workflow_has_no_more_rights_than_it_needs() -> None:
    job = github()
    assert job["permissions"] == {"contents": "read", "issues": "write"}
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert len(used) == 3
    assert all(re.fullmatch(r"[a-z-]+/[a-z-]+@[0-9a-f]{40}", action) for action in used)
    pinned = set(re.findall(r"uses: (\S+)", (ROOT / ".github/workflows/ci.yml").read_text()))
    assert set(used[:2]) <= pinned


def test_github_opens_an_issue_and_adds_to_the_open_one(place: Path) -> None:
    code, _ = shell(place, step("Review and re-check"))
    assert code == 0
    assert (place / "output").read_text() == "due=1\n"
    body = (place / "issue.md").read_text()
    assert body.startswith("# Records to review on ")
    assert "0001 figures changed: The recommendation stands" in body
    assert list((place / "records").glob("0001-*/reviews/*.md"))
    _, calls = shell(place, step("Open an issue, or add to the open one"))
    assert calls[-1][:2] == ["issue", "create"]
    assert calls[-1][-2:] == ["--body-file", "issue.md"]
    _, calls = shell(place, step("Open an issue, or add to the open one"), ANSWER="17")
    assert calls[-1] == ["issue", "comment", "17", "--body-file", "issue.md"]


def test_github_does_nothing_where_nothing_is_due(place: Path) -> None:
    quiet(place)
    assert shell(place, step("Review and re-check"))[0] == 0
    assert (place / "output").read_text() == "due=0\n"


def test_github_fails_where_it_is_called_wrongly(place: Path) -> None:
    (place / "records").rename(place / "elsewhere")
    assert shell(place, step("Review and re-check"))[0] == 1


# GitLab


def gitlab(place: Path, **environment: str) -> tuple[int, list[list[str]]]:
    (job,) = [block["records"] for block in BLOCKS if "records" in block]
    assert job["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "schedule"'}]
    fixed = {"CI_API_V4_URL": "https://gitlab.example/api/v4", "CI_PROJECT_ID": "7", "RECORDS_TOKEN": "t"}
    return shell(place, "\n".join(job["script"]), **fixed, **environment)


def test_gitlab_opens_an_issue_and_adds_to_the_open_one(place: Path) -> None:
    code, calls = gitlab(place, ANSWER="[]")
    assert code == 0
    assert calls[-1][-1] == "https://gitlab.example/api/v4/projects/7/issues"
    assert "description@issue.md" in calls[-1]
    assert "0001 figures changed" in (place / "issue.md").read_text()
    for reports in place.glob("records/*/reviews"):
        shutil.rmtree(reports)  # the next run starts from what was committed
    code, calls = gitlab(place, ANSWER=json.dumps([{"iid": 17}]))
    assert code == 0
    assert calls[-1][-1] == "https://gitlab.example/api/v4/projects/7/issues/17/notes"
    assert all("PRIVATE-TOKEN: t" in call for call in calls)


def test_gitlab_does_nothing_where_nothing_is_due(place: Path) -> None:
    quiet(place)
    assert gitlab(place) == (0, [])


# pre-commit


def test_documented_hooks_are_those_that_there_are() -> None:
    (configuration,) = [block for block in BLOCKS if "repos" in block]
    documented = [hook["id"] for hook in configuration["repos"][0]["hooks"]]
    assert documented == [hook["id"] for hook in HOOKS]
    assert all(f"| `{name}` |" in TEXT for name in documented)
    assert {hook["language"] for hook in HOOKS} == {"python"}


def hook(name: str, *files: str) -> int:
    """Run a hook in the working folder, on these files where it takes any; its exit code."""
    (found,) = [item for item in HOOKS if item["id"] == name]
    assert all(re.search(found["files"], file) for file in files)
    program, *arguments = shlex.split(found["entry"])
    assert program == "rackrecord"
    return run(*arguments, *(files if found.get("pass_filenames", True) else ())).exit_code


def test_profile_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "a.yaml").write_text(profile_text())
    (tmp_path / "profiles" / "b.yml").write_text(profile_text().replace("owner", "ownr"))
    assert hook("rackrecord-profiles", "profiles/a.yaml") == 0
    assert hook("rackrecord-profiles", "profiles/a.yaml", "profiles/b.yml") == 2


def test_register_and_verify_hooks(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    assert hook("rackrecord-register", "records/README.md") == 1
    done("register")
    assert hook("rackrecord-register", "records/README.md") == 0
    assert hook("rackrecord-verify", "records/README.md") == 0
    (path,) = (place / "records").glob("0001-*/record.md")
    path.write_text("changed")
    assert hook("rackrecord-verify", "records/README.md") == 1
