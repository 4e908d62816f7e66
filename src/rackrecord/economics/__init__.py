"""Economics: from evidence and quotes to cost, racks, limits and a ranking. Sources: docs/economics.md."""
