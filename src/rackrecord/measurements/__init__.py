"""Readers of the load-test files that a team already has, one module a tool, all giving one `Measurement`."""
