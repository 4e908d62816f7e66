"""Fuzzes the reading of load-test results, from the tests' own files on."""

from __future__ import annotations

import sys

from fuzzing import ROOT, available, run

if not available():
    sys.exit(0)

import atheris

with atheris.instrument_imports(include=["rackrecord"]):
    from oracle import measurements_or_error

seeds = [path for path in ROOT.glob("tests/fixtures/**/*") if path.is_file()]
run("measurements", measurements_or_error, sorted(seeds))
