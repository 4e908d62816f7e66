"""`python -m rackrecord`."""

from __future__ import annotations

from rackrecord.cli import main

main()
