"""The catalog of published benchmark results: schema, official-file readers, storage."""
