"""Records of earlier schemas brought up to the present one, a step at a time; pure functions over JSON data.

To change the record's shape: raise `SCHEMA`, add the function that makes the new shape from the last one, and
store a record of the last shape under tests/fixtures/records. A step never changes a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

SCHEMA = 1
"""The schema that this version writes."""

Content = dict[str, Any]


def _from_0(content: Content) -> Content:
    """Schema 0, before the first release, had no life after the recording: no history and no successor."""
    return {**content, "history": [], "supersedes": None}


STEPS: Mapping[int, Callable[[Content], Content]] = MappingProxyType({0: _from_0})
"""The step from a schema to the next one."""


def migrated(content: Content) -> Content | None:
    """A record's JSON in the present schema; None where no step leads from its own to it.

    `schema_version` is that of the result. The digest stays the one that the record was written with.
    """
    version = content.get("schema_version")
    if type(version) is not int:
        return None
    while version != SCHEMA:
        step = STEPS.get(version)
        if step is None:
            return None
        version += 1
        content = {**step(content), "schema_version": version}
    return content
