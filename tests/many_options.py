"""A record of many offers and vendor statements, for tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml

from deciding import AS_OF, example_text, profile_of
from rackrecord.catalog.store import bundled_catalog
from rackrecord.pipeline import decide
from rackrecord.record import DecisionRecord

STATEMENTS = 9


def numbered(item: dict[str, Any], number: int, **fields: Any) -> dict[str, Any]:
    return {**item, "id": f"{item['id']}-{number}", **fields}


@cache
def many_options(count: int, rack: int = 0) -> DecisionRecord:
    """Dearer and dearer offers of one rack of the example, and statements, of which the first is true."""
    profile = yaml.safe_load(example_text("gpt-oss-server"))
    profile["options"] = [
        numbered(
            profile["options"][rack],
            number,
            name=f"HGX GB300 rack of 18 trays, bought, offer {number}",
            price={
                "purchase": {
                    "per_rack": 3_900_000 + 50_000 * number,
                    "residual": 0.1,
                    "support_rate": 0.05,
                }
            },
        )
        for number in range(1, count + 1)
    ]
    # The first is the published figure, 5,749,440, in round numbers; the others are above it.
    (statement,) = profile["vendor_claims"]
    profile["vendor_claims"] = [
        numbered(statement, number, value=5_750_000 + 100_000 * number, statement=f"statement {number}")
        for number in range(STATEMENTS)
    ]
    text = yaml.safe_dump(profile, sort_keys=False)
    return decide(profile_of(text), bundled_catalog(), AS_OF, number=1)
