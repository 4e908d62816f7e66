"""What the templates show: the record's figures as formatted text, in tables. No arithmetic, no markup."""

from __future__ import annotations

from rackrecord.render.view.build import View, build_view
from rackrecord.render.view.table import Column, Table

__all__ = ["Column", "Table", "View", "build_view"]
