"""Profiles for tests, and the names of the bundled catalog."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rackrecord.catalog.store import bundled_catalog
from rackrecord.errors import UserError
from rackrecord.profile import Examined, KnownNames, examine, known_names

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.yaml"))

SMALL = """\
title: Reasoning service
owner: Inference platform team
currency: USD
workload:
  benchmark: gpt-oss-120b
  scenario: Server
demand:
  output_tokens_per_second: 5000000
options:
  - id: gb300
    name: GB300 NVL72 rack
    accelerator: NVIDIA GB300
    accelerators_per_system: 72
    price:
      rent:
        per_accelerator_hour: 3.30
"""
"""A profile of nothing but what is needed, and a price."""


@cache
def names() -> KnownNames:
    """What the bundled catalog knows."""
    return known_names(bundled_catalog())


def read(text: str) -> Examined:
    """A profile without mistakes."""
    return examine(text, "profile.yaml", names())


def mistakes(text: str) -> list[str]:
    """The mistakes of a wrong profile, as they are told."""
    with pytest.raises(UserError) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def edited(old: str, new: str, *, text: str = SMALL) -> str:
    """The small profile with one place changed."""
    assert text.count(old) == 1
    return text.replace(old, new)
