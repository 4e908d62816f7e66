"""Records on disk: whole or nothing, whatever happens while they are written."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from fasteners import InterProcessLock

from rackrecord.errors import UserError
from rackrecord.register import folder as on_disk
from rackrecord.register.checksums import read_checksums, with_checksums
from rackrecord.register.folder import (
    create_record,
    locked,
    new_files,
    own_subfolder,
    record_folders,
    replace_file,
    rewrite_folder,
    slug,
)
from registers import BEFORE_V61, done, folders, make, profile_text, run, tree

FILES = {"record.json": b"{}", "record.md": b"text"}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "rackrecord", *map(str, arguments)]


def whole(folder: Path) -> bool:
    """Whether every file that the checksums list is there and right, and no other."""
    listed = read_checksums((folder / "SHA256SUMS").read_bytes())
    assert listed is not None
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "SHA256SUMS"}
    return with_checksums(found)["SHA256SUMS"] == (folder / "SHA256SUMS").read_bytes()


# Names and numbers


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Reasoning service, capacity for 2027", "reasoning-service-capacity-for-2027"),
        ("../../etc/passwd", "etc-passwd"),
        ("日本語", "record"),
        ("Größe & Zürich", "groe-zurich"),
        ("-", "record"),
        ("a" * 61, "a" * 60),
        ("a" * 59 + " b", "a" * 59),
    ],
)
def test_slug(title: str, name: str) -> None:
    assert slug(title) == name


def test_numbers_go_up_whatever_stands_there(tmp_path: Path) -> None:
    (tmp_path / "0003-removed-by-hand").touch()
    (tmp_path / "0007-link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "notes").mkdir()
    assert create_record(tmp_path, "A", lambda number: FILES).name == "0008-a"
    assert [path.name for path in record_folders(tmp_path)] == ["0008-a"]


def test_more_than_four_digits(tmp_path: Path) -> None:
    (tmp_path / "9999-a").mkdir()
    assert create_record(tmp_path, "A", lambda number: FILES).name == "10000-a"
    assert [path.name for path in record_folders(tmp_path)] == ["9999-a", "10000-a"]


# At the same moment


def test_two_at_once_get_two_numbers_and_two_whole_records(tmp_path: Path) -> None:
    profile = tmp_path / "profile.yaml"
    profile.write_text(profile_text())
    records = tmp_path / "records"
    arguments = command("record", profile, "--records", records, "--formats", "md", "--as-of", "2026-11-30")
    with ThreadPoolExecutor(4) as pool:
        results = list(
            pool.map(lambda _: subprocess.run(arguments, capture_output=True, text=True), range(4))
        )
    assert [result.returncode for result in results] == [0] * 4, results
    assert [folder.name[:4] for folder in folders(records)] == ["0001", "0002", "0003", "0004"]
    assert all(whole(folder) for folder in folders(records))


def test_busy_register_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_disk, "LOCK_SECONDS", 0.1)
    hold = f"""
import sys, time
from pathlib import Path
from rackrecord.register.folder import locked
with locked(Path({str(tmp_path)!r})):
    print("held", flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            with pytest.raises(UserError, match=r"held by another process.*try again"), locked(tmp_path):
                pass
        finally:
            holder.kill()


# Killed


def killed_after(delay: float, arguments: list[str]) -> bool:
    """Whether a command was killed `delay` seconds after its start, before it ended."""
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    return process.returncode == -signal.SIGKILL


# The system calls that change names or content, in whose midst a process is killed.
DYING = """
import os, sys
from pathlib import Path
calls = 0
def die_at(event, arguments):
    global calls
    if event in ("open", "os.rename", "os.mkdir", "os.link", "os.remove", "os.rmdir", "os.chmod"):
        names = [os.fsdecode(name) for name in arguments[:2] if isinstance(name, (str, bytes, os.PathLike))]
        if any("records" in name for name in names):
            calls += 1
            if calls == int(sys.argv[1]):
                os.kill(os.getpid(), 9)
"""


def dying(step: int, script: str) -> int:
    """Run a script that is killed at its n-th operation on the register; its return code."""
    arguments = [sys.executable, "-c", f"{DYING}\nsys.addaudithook(die_at)\n{script}", str(step)]
    return subprocess.run(arguments, capture_output=True).returncode


def test_killed_at_every_step_a_new_record_is_whole_or_not_there(tmp_path: Path) -> None:
    records = tmp_path / "records"
    script = f"""
from rackrecord.register.folder import create_record
create_record(Path({str(records)!r}), "A", lambda number: {FILES!r})
"""
    step, seen = 0, set()
    while True:
        step += 1
        shutil.rmtree(records, ignore_errors=True)
        code = dying(step, script)
        found = record_folders(records)
        assert len(found) <= 1
        assert all(whole(folder) for folder in found)
        seen.add(len(found))
        # The next one gets the next number and clears away what was left.
        following = create_record(records, "B", lambda number: FILES)
        assert following.name == f"{len(found) + 1:04d}-b"
        assert {path.name for path in records.iterdir()} == {
            ".lock",
            following.name,
            *(path.name for path in found),
        }
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert step > 10
    assert seen == {0, 1}


@pytest.mark.parametrize("system", ["exchanges", "cannot exchange"])
def test_killed_at_every_step_a_rewritten_record_is_the_old_or_the_new_one(
    tmp_path: Path, system: str
) -> None:
    records = tmp_path / "records"
    new = with_checksums({"record.json": b"new", "record.md": b"new"})
    script = f"""
import rackrecord.register.folder as on_disk
if {system!r} == "cannot exchange":
    on_disk.exchange = lambda one, other: False
with on_disk.locked(Path({str(records)!r})):
    on_disk.rewrite_folder(Path({str(records)!r}) / "0001-a", {new!r})
"""
    step, seen = 0, set()
    while True:
        step += 1
        shutil.rmtree(records, ignore_errors=True)
        folder = create_record(records, "A", lambda number: FILES)
        (folder / "reviews").mkdir()
        (folder / "reviews" / "2027-01-01.md").write_text("kept")
        before = tree(folder)
        code = dying(step, script)
        with locked(records):  # puts back what a killed process left
            pass
        after = tree(folder)
        assert after in (before, before | new)
        seen.add(after == before)
        assert [path.name for path in records.iterdir() if path.name.startswith(".r")] == []
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert step > 10
    assert seen == {True, False}


def test_command_killed_at_several_moments(tmp_path: Path) -> None:
    records = tmp_path / "records"
    profile = tmp_path / "profile.yaml"
    profile.write_text(profile_text())
    arguments = command("record", profile, "--records", records, "--formats", "md", "--as-of", "2026-11-30")
    killed = [killed_after(delay, arguments) for delay in (0.05, 0.2, 0.3, 0.4, 0.5, 0.7)]
    assert killed[0]
    found = folders(records)
    assert all(whole(folder) for folder in found)
    done("record", profile, "--records", records, "--formats", "md", "--as-of", "2026-11-30")
    assert len(folders(records)) == len(found) + 1
    assert all(path.name == ".lock" or path in folders(records) for path in records.iterdir())


# What the file system refuses


def without_privilege() -> None:
    """Give up what lets root write anywhere: CAP_DAC_OVERRIDE (1), by PR_CAPBSET_DROP (24)."""
    if os.geteuid() == 0:
        assert ctypes.CDLL(None).prctl(24, 1, 0, 0, 0) == 0


def as_user(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, preexec_fn=without_privilege, check=False
    )


def test_read_only_register(tmp_path: Path) -> None:
    folder = make(tmp_path / "records")
    records = folder.parent
    for path in (records, folder):
        path.chmod(0o555)
    try:
        (records / ".lock").chmod(0o444)
        before = tree(records)
        profile = tmp_path / "profile.yaml"
        for arguments in (
            ("record", profile, "--records", records, "--formats", "md"),
            ("approve", folder, "--by", "Ada"),
            ("register", "--records", records),
            ("recheck", folder),
        ):
            result = as_user(*arguments)
            assert result.returncode == 2, result.stderr
            assert re.search(
                r"cannot be written: Permission denied; give yourself write permission", result.stderr
            )
        assert tree(records) == before
        # Reading needs no permission to write.
        assert as_user("review", "--records", records, "--as-of", "2026-06-02").returncode == 1
        assert as_user("recheck", folder, "--no-write").returncode == 0
    finally:
        for path in (records, folder):
            path.chmod(0o755)


def test_full_disk_leaves_what_was(tmp_path: Path) -> None:
    folder = make(tmp_path / "records", formats="md")
    before = tree(tmp_path / "records")
    limit = 40_000  # less than record.json has

    def narrow() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    profile = tmp_path / "profile.yaml"
    for arguments in (
        ("record", profile, "--records", folder.parent, "--formats", "md"),
        ("approve", folder, "--by", "Ada", "--on", "2026-06-10"),
    ):
        result = subprocess.run(command(*arguments), capture_output=True, text=True, preexec_fn=narrow)
        assert result.returncode == 2, result.stderr
        assert "File too large; raise the limit on file size and run the command again" in result.stderr
        assert tree(tmp_path / "records") == before
        assert len(list(folder.parent.iterdir())) == 2  # the record and the lock


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (errno.ENOSPC, "No space left on device; free some space and run the command again"),
        (errno.EROFS, "Read-only file system; name a folder on a file system that can be written"),
        (errno.EIO, "cannot be written: Input/output error"),
    ],
)
def test_refusals_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, advice: str
) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise OSError(code, os.strerror(code), str(path))

    monkeypatch.setattr(on_disk, "_write_through", refuse)
    with pytest.raises(UserError, match=advice):
        create_record(tmp_path, "A", lambda number: FILES)
    with pytest.raises(UserError, match=advice):
        replace_file(tmp_path / "README.md", b"text")
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 600 kB of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_full_disk(small_disk: Path, tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text(profile_text())
    record = command(
        "record",
        tmp_path / "profile.yaml",
        "--formats",
        "md",
        *BEFORE_V61,
        "--records",
        small_disk / "records",
    )
    subprocess.run(record, check=True, capture_output=True)
    (folder,) = folders(small_disk / "records")
    with (small_disk / "other").open("wb", buffering=0) as other, suppress(OSError):
        while True:
            other.write(bytes(4096))
    before = tree(folder.parent)
    for refused in (
        record,
        command("approve", folder, "--by", "Ada", "--on", "2026-06-10"),
        command("recheck", folder, "--as-of", "2027-06-01"),
        command("register", "--records", folder.parent),
    ):
        result = subprocess.run(refused, capture_output=True, text=True)
        assert result.returncode == 2, result.stderr
        assert "No space left on device; free some space and run the command again" in result.stderr
        assert "Traceback" not in result.stderr
        assert tree(folder.parent) == before
        assert sorted(path.name for path in folder.parent.iterdir()) == [".lock", folder.name]
    assert run("verify", folder.parent).exit_code == 0


def test_register_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "records").write_text("")
    with pytest.raises(UserError, match="cannot be written: File exists; expected a folder"):
        create_record(tmp_path / "records", "A", lambda number: FILES)
    result = run("review", "--records", tmp_path / "records")
    assert result.exit_code == 2


# Links that lead out of the register


def test_record_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    outside = make(tmp_path / "outside")
    records = tmp_path / "records"
    records.mkdir()
    (records / outside.name).symlink_to(outside)
    before = tree(tmp_path / "outside")
    result = run("approve", records / outside.name, "--by", "Ada", "--on", "2026-06-10")
    assert result.exit_code == 2
    assert "is a symbolic link; expected a folder of the register itself" in result.stderr
    assert record_folders(records) == ()
    assert tree(tmp_path / "outside") == before


def test_links_inside_a_record_are_replaced_or_refused(tmp_path: Path) -> None:
    folder = make(tmp_path / "records")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "target.md").write_text("precious")
    (folder / "record.md").unlink()
    (folder / "record.md").symlink_to(outside / "target.md")
    (folder / "reviews").symlink_to(outside)
    result = run("recheck", folder)
    assert result.exit_code == 2
    assert "reviews: is a symbolic link; expected a folder of the record itself" in result.stderr
    done("approve", folder, "--by", "Ada", "--on", "2026-06-10")
    assert not (folder / "record.md").is_symlink()
    assert (folder / "reviews").is_symlink()
    assert tree(outside) == {"target.md": b"precious"}


def test_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("precious")
    records = tmp_path / "records"
    records.mkdir()
    (records / ".lock").symlink_to(tmp_path / "target")
    with pytest.raises(UserError, match="cannot be written"), locked(records):
        pass
    assert (tmp_path / "target").read_text() == "precious"


def test_own_subfolder_and_new_files(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path)
    with pytest.raises(UserError, match="is a symbolic link"):
        own_subfolder(tmp_path, "a")
    new_files(tmp_path / "b" / "c", {"x": b"1"})
    with pytest.raises(UserError, match="is there already; name another folder"):
        new_files(tmp_path / "b" / "c", {"w": b"1", "x": b"2"})
    assert tree(tmp_path / "b") == {"c/x": b"1"}


# Odd names


@pytest.mark.parametrize("name", ["with space", "–ünïcode–", "-dash", "a'\"$(id)", "x" * 200])
def test_odd_register_names(tmp_path: Path, name: str) -> None:
    folder = make(tmp_path / name)
    assert whole(folder)
    done("approve", folder, "--by", "Ada", "--on", "2026-06-10")
    done("register", "--records", folder.parent)
    assert whole(folder)


def test_name_too_long(tmp_path: Path) -> None:
    profile = tmp_path / "profile.yaml"
    profile.write_text(profile_text())
    result = run("record", profile, "--records", tmp_path / ("x" * 300), "--formats", "md")
    assert result.exit_code == 2
    assert "File name too long; use shorter names" in result.stderr


def test_rewriting_on_a_system_that_cannot_exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = create_record(tmp_path, "A", lambda number: FILES)
    monkeypatch.setattr(on_disk, "exchange", lambda one, other: False)
    with locked(tmp_path):
        rewrite_folder(folder, {"record.md": b"new"})
    assert (folder / "record.md").read_bytes() == b"new"
    assert (folder / "record.json").read_bytes() == b"{}"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "0001-a"]


def test_system_without_locks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: InterProcessLock) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(InterProcessLock, "trylock", refuse)
    with pytest.raises(UserError, match=r"cannot be written.*No locks available"), locked(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]
