"""docs/evidence.md says what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from rackrecord.catalog.claim import CaveatCode
from rackrecord.claim_check.vendor import ClaimClass, Verdict
from rackrecord.selection.reasons import Reason

PAGE = (Path(__file__).parent.parent / "docs" / "evidence.md").read_text(encoding="utf-8")


def rows_after(heading: str) -> list[list[str]]:
    """The cells of the first table after a text, less its header."""
    table = re.search(r"(?:^\|.*\n)+", PAGE[PAGE.index(heading) :], re.MULTILINE)
    assert table is not None
    lines = table[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def test_every_reason_with_its_sentence_in_order() -> None:
    assert rows_after("<!-- reasons:") == [[reason.value, reason.sentence] for reason in Reason]


def test_every_caveat_in_order() -> None:
    assert [row[0] for row in rows_after("<!-- caveats:")] == [code.value for code in CaveatCode]


def test_every_class_and_verdict() -> None:
    assert [row[0] for row in rows_after("| class |")] == [item.value for item in ClaimClass]
    assert [row[0] for row in rows_after("| verdict |")] == [item.value for item in Verdict]
