"""`make bench`: how long the main jobs take beside what they cannot do without, as ratios of one run.

Each row runs two whole processes in turn, A B A B …, and takes the median of their ratios: of the wall
clock's time, and of the processor time that the operating system counted, which other processes disturb less.
Memory is the largest resident set that it counted. docs/performance.md explains each floor. The table is
printed and written to bench.json. Nothing here is a test: a busy machine gives other numbers.

This process itself loads nothing of the project: a new process counts the memory of the one that started it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(sys.executable).with_name("rackrecord")
PROFILE = ROOT / "examples" / "gpt-oss-server.yaml"
AS_OF = ("--as-of", "2026-11-30")
FINDING = ("review", "recheck")
MOST_PAIRS, LEAST_SECONDS = 40, 20
IMPORTS = "import click, pydantic, yaml, jinja2"
CHECK_IMPORTS = "import click, yaml, msgspec; from pydantic import BaseModel, Field, model_validator"
NO_CHARTS = """
import sys
import rackrecord.render.charts as charts
charts.draw_charts = lambda record: charts.NO_CHARTS
from rackrecord.__main__ import run
run()
"""
BARE_PDF = """
import sys, pathlib, weasyprint
from weasyprint.text.fonts import FontConfiguration
html, css, pdf = map(pathlib.Path, sys.argv[1:])
fonts = FontConfiguration()
style = weasyprint.CSS(string=css.read_text(encoding="utf-8"), font_config=fonts)
document = weasyprint.HTML(string=html.read_text(encoding="utf-8"))
same = {"pdf_variant": "pdf/a-3u", "pdf_tags": True}
pdf.write_bytes(document.write_pdf(stylesheets=[style], font_config=fonts, **same))
"""
PDF_PARTS = """
import sys, datetime, pathlib, shutil
from rackrecord import bundled_catalog, decide, load_profile
from rackrecord.render import fonts
from rackrecord.render.environment import read_template_file
from rackrecord.render.html import render_html
profile, day, work = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
catalog = bundled_catalog()
day = datetime.date.fromisoformat(day)
record = decide(load_profile(profile, catalog), catalog, day, number=1)
(work / "bare.html").write_text(render_html(record, with_charts=False), encoding="utf-8")
(work / "bare.css").write_text(read_template_file("record.css"), encoding="utf-8")
own, kept = fonts.fontconfig_file(), work / "fonts"
shutil.copytree(own.parent, kept)
(kept / own.name).write_text(own.read_text().replace(str(own.parent), str(kept)))
"""
REGISTER = """
import sys, pathlib
from rackrecord import read_record
from rackrecord.register.checksums import with_checksums
made, folder, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
record = read_record((made / "record.json").read_bytes(), "record.json")
profile = (made / "profile.yaml").read_bytes()
for number in range(1, count + 1):
    place = folder / f"{number:04d}-record"
    place.mkdir(parents=True)
    data = record.model_copy(update={"number": number}).sealed().to_json()
    for name, content in with_checksums({"record.json": data, "profile.yaml": profile}).items():
        (place / name).write_bytes(content)
"""
READ_BYTES = """
import sys, pathlib
from rackrecord.__main__ import run
records, empty = sys.argv[1:]
for path in sorted(pathlib.Path(records).glob("*/*")):
    path.read_bytes()
sys.argv[1:] = ["review", "--records", empty, "--catalog", empty]
run()
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One process: seconds of the wall clock and of the processors, largest resident set in MiB."""

    seconds: float
    processor: float
    mebibytes: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `goal` is the ratio aimed at, None where there is none."""

    job: str
    floor: str
    seconds: float
    floor_seconds: float
    ratio: float
    processor_seconds: float
    processor_ratio: float
    goal: float | None
    mebibytes: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Job:
    """A command with what is done before each run, untimed."""

    name: str
    command: Sequence[str | Path]
    prepare: Callable[[], None] = lambda: None
    environment: dict[str, str] | None = None
    exit_codes: tuple[int, ...] = (0,)


def once(job: Job) -> Run:
    """Runs a job as a whole process, which must end as it should."""
    job.prepare()
    command = [str(part) for part in job.command]
    # As an installed package has it, the second run finds its modules compiled.
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=inherited | (job.environment or {}),
        cwd=ROOT,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in job.exit_codes:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def pair(job: Job, floor: Job, goal: float | None, pairs: int) -> Row:
    """The two in turn, after one run of each that does not count: `pairs` times, more where they are short.

    A start-up takes a fraction of a second, of which the noise of a shared machine is a large part.
    """
    first = once(job).seconds + once(floor).seconds
    pairs = max(pairs, min(MOST_PAIRS, round(LEAST_SECONDS / first)))
    runs = [(once(job), once(floor)) for _ in range(pairs)]
    row = Row(
        job=job.name,
        floor=floor.name,
        seconds=median(a.seconds for a, _ in runs),
        floor_seconds=median(b.seconds for _, b in runs),
        ratio=median(a.seconds / b.seconds for a, b in runs),
        processor_seconds=median(a.processor for a, _ in runs),
        processor_ratio=median(a.processor / b.processor for a, b in runs),
        goal=goal,
        mebibytes=max(a.mebibytes for a, _ in runs),
        pairs=pairs,
    )
    print(line(row), flush=True)
    return row


def python(name: str, code: str, *arguments: str | Path, environment: dict[str, str] | None = None) -> Job:
    """A job that runs Python code."""
    return Job(name, [sys.executable, "-c", code, *arguments], environment=environment)


def command(name: str, *arguments: str | Path) -> Job:
    """A job that runs rackrecord, which ends with 1 where it has found something."""
    return Job(name, [PROGRAM, *arguments], exit_codes=(0, 1) if arguments[0] in FINDING else (0,))


def recording(work: Path, name: str, formats: str, catalog: Path, *, charts: bool = True) -> Job:
    """A job that makes one record in an empty folder."""
    target = work / "made"
    program = [PROGRAM] if charts else [sys.executable, "-c", NO_CHARTS]
    options = ["record", PROFILE, "--records", target, *AS_OF, "--formats", formats, "--catalog", catalog]
    return Job(name, [*program, *options], lambda: shutil.rmtree(target, ignore_errors=True))


def bare_pdf(work: Path) -> Job:
    """The same HTML by WeasyPrint alone, with the same fonts."""
    aside(PDF_PARTS, PROFILE, AS_OF[1], work)
    files = (work / "bare.html", work / "bare.css", work / "bare.pdf")
    fonts = {"FONTCONFIG_FILE": str(work / "fonts" / "fonts.conf")}
    return python("WeasyPrint, same HTML", BARE_PDF, *files, environment=fonts)


def aside(code: str, *arguments: str | Path) -> None:
    """Runs Python code that prepares something."""
    subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=True, cwd=ROOT)


def big(work: Path, kind: str, times: int) -> Path:
    """A made-up catalog that many times the bundled one."""
    folder = work / kind
    script = ROOT / "tests" / "bench" / "make_catalog.py"
    subprocess.run(
        [sys.executable, script, kind, folder, "--times", str(times)], check=True, capture_output=True
    )
    return folder


def many_records(work: Path, count: int) -> Path:
    """A register of that many records: one record under many numbers."""
    folder = work / f"register-{count}"
    once(recording(work, "", "md", work / "none"))
    (made,) = (work / "made").glob("0001-*")
    aside(REGISTER, made, folder, str(count))
    return folder


def rows(work: Path, pairs: int, times: int, records: int) -> list[Row]:
    """Every row of the table."""
    none = work / "none"
    none.mkdir()
    imports = python("its imports", IMPORTS)
    markdown = recording(work, "record, Markdown", "md", none)
    found = [pair(markdown, imports, 2.0, pairs)]
    plain = recording(work, "record, Markdown and PDF without charts", "md,pdf", none, charts=False)
    found.append(pair(plain, bare_pdf(work), 1.3, pairs))
    full = recording(work, "record, Markdown and PDF", "md,pdf", none)
    found.append(pair(full, plain, None, pairs))
    found.append(pair(recording(work, "record, all formats", "md,pdf,xlsx", none), full, None, pairs))
    found.append(pair(command("--help", "--help"), python("import click", "import click"), 1.5, pairs))
    check = command("check", "check", PROFILE, "--catalog", none)
    found.append(pair(check, python("its imports", CHECK_IMPORTS), 1.5, pairs))
    # A record carries every claim in scope with its reasons, so its time grows with those: no goal there.
    for kind, name, goal in (("wide", "on more benchmarks", 3.0), ("layer", "on the same benchmarks", None)):
        job = recording(work, f"record, {3397 * times:,} results {name}", "md", big(work, kind, times))
        found.append(pair(job, markdown, goal, max(3, pairs // 2)))
    found += import_rows(work, max(3, times // 4) | 1)
    found += register_rows(work, records)
    return found


def import_rows(work: Path, times: int) -> list[Row]:
    """Import of a large summary beside one half as large: twice the time is linear."""

    def importing(times: int) -> Job:
        summary = big(work / str(times), "official", times) / "v5.1-summary_results.json"
        target = work / "imported"
        arguments = ("claims", "import", summary, "--catalog", target, "--retrieved", AS_OF[1])
        name = f"import of {1448 * (times - 1):,} results"
        run = command(name, *arguments)
        return Job(name, run.command, lambda: shutil.rmtree(target, ignore_errors=True))

    return [pair(importing(times), importing((times + 1) // 2), None, 3)]


def register_rows(work: Path, records: int) -> list[Row]:
    """Review of many records beside reading them; re-check of them beside half as many."""
    whole, half = many_records(work, records), many_records(work, records // 2)
    none = work / "none"
    review = command(f"review, {records:,} records", "review", "--records", whole, *AS_OF, "--catalog", none)
    floor = python("start-up and reading the files", READ_BYTES, whole, none)
    found = [pair(review, floor, 2.0, 5)]

    def recheck(folder: Path, count: int) -> Job:
        arguments = ("recheck", "--records", folder, *AS_OF, "--catalog", none)
        return command(f"recheck, {count:,} records", *arguments)

    found.append(pair(recheck(whole, records), recheck(half, records // 2), None, 3))
    return found


def line(row: Row) -> str:
    """A row of the printed table."""
    goal = f"≤ {row.goal:.1f}" if row.goal is not None else ""
    return (
        f"{row.job:<50}{row.floor:<42}{row.seconds:>8.3f} s{row.floor_seconds:>8.3f} s"
        f"{row.ratio:>7.2f}{row.processor_ratio:>7.2f}{goal:>7}{row.mebibytes:>7.0f} MiB"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pairs", type=int, default=7, help="least counted runs of each pair (default: %(default)s)"
    )
    parser.add_argument(
        "--times", type=int, default=100, help="size of the big catalogs (default: %(default)s)"
    )
    parser.add_argument(
        "--records", type=int, default=1000, help="size of the register (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "bench.json")
    given = parser.parse_args()
    head = f"{'this':<50}{'beside':<42}{'':>10}{'':>10}{'ratio':>7}{'cpu':>7}{'goal':>7}{'memory':>11}"
    print(head, flush=True)
    with tempfile.TemporaryDirectory() as work:
        table = rows(Path(work), given.pairs, given.times, given.records)
    given.out.write_text(json.dumps([asdict(row) for row in table], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
