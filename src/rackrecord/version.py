"""The version of the tool, as records state it."""

from __future__ import annotations

__version__ = "0.1.0"
TOOL = f"rackrecord {__version__}"
