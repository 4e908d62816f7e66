"""Records of the example profiles, and of variants of them, for tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path

from rackrecord.catalog.store import bundled_catalog
from rackrecord.pipeline import decide
from rackrecord.profile import Profile, known_names, parse_profile
from rackrecord.record import DecisionRecord

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = ("gpt-oss-server", "deepseek-interactive", "qwen3-vl-agent")
AS_OF = date(2026, 11, 30)


def example_text(name: str) -> str:
    return (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")


def profile_of(text: str) -> Profile:
    return parse_profile(text, "profile.yaml", known_names(bundled_catalog()))


@cache
def example_record(name: str) -> DecisionRecord:
    return decide(profile_of(example_text(name)), bundled_catalog(), AS_OF, number=1)


def record_of(name: str, change: Callable[[str], str]) -> DecisionRecord:
    """The record of an example whose text was changed; the change must change something."""
    text = example_text(name)
    changed = change(text)
    assert changed != text
    return decide(profile_of(changed), bundled_catalog(), AS_OF, number=1)
