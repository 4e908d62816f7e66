"""Capacity decision records for AI inference racks, on verified benchmark results.

The library in one line: `decide(profile, catalog, as_of)` gives the record. Names are loaded when used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rackrecord.version import __version__

if TYPE_CHECKING:
    from rackrecord.catalog.store import Catalog, bundled_catalog, load_catalog
    from rackrecord.errors import Problem, UserError
    from rackrecord.pipeline import decide
    from rackrecord.profile import Profile, load_profile
    from rackrecord.record import DecisionRecord, read_record
    from rackrecord.render.html import render_pdf
    from rackrecord.render.markdown import render_markdown

_WHERE = {
    "Catalog": "rackrecord.catalog.store",
    "DecisionRecord": "rackrecord.record",
    "Problem": "rackrecord.errors",
    "Profile": "rackrecord.profile",
    "UserError": "rackrecord.errors",
    "bundled_catalog": "rackrecord.catalog.store",
    "decide": "rackrecord.pipeline",
    "load_catalog": "rackrecord.catalog.store",
    "load_profile": "rackrecord.profile",
    "read_record": "rackrecord.record",
    "render_markdown": "rackrecord.render.markdown",
    "render_pdf": "rackrecord.render.html",
}

__all__ = [
    "Catalog",
    "DecisionRecord",
    "Problem",
    "Profile",
    "UserError",
    "__version__",
    "bundled_catalog",
    "decide",
    "load_catalog",
    "load_profile",
    "read_record",
    "render_markdown",
    "render_pdf",
]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
