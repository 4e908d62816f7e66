"""The starter profile: every field explained, the blanks marked."""

from __future__ import annotations

from pathlib import Path

_FILE = Path(__file__).with_name("starter.yaml")


def starter_text() -> str:
    """The text of a profile to fill in."""
    return _FILE.read_text(encoding="utf-8")
