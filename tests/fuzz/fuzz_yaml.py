"""Fuzzes the reading of profiles, from the examples and the wrong profiles on."""

from __future__ import annotations

import sys

from fuzzing import ROOT, available, run

if not available():
    sys.exit(0)

import atheris

with atheris.instrument_imports(include=["rackrecord"]):
    from oracle import profile_or_error

seeds = [*ROOT.glob("examples/*.yaml"), *ROOT.glob("tests/wrong_profiles/*.yaml")]
run("yaml", profile_or_error, sorted(seeds))
