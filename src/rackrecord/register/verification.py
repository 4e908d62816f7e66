"""Whether a record is what it was when it was made: digests, files, renderings, figures, history."""

from __future__ import annotations

from collections.abc import Iterator

from rackrecord.canonical import canonical_json
from rackrecord.catalog.store import Catalog
from rackrecord.errors import UserError
from rackrecord.migrations import SCHEMA
from rackrecord.record import DecisionRecord, digest, read_content, read_record
from rackrecord.register.checks import Check, Material, Verification, failed, passed
from rackrecord.register.checks_figures import check_figures, check_profile
from rackrecord.register.checks_files import check_checksums, check_renderings
from rackrecord.register.checks_history import check_afterwards, check_history
from rackrecord.register.entries import AFTERWARDS
from rackrecord.register.folder import RECORD_JSON
from rackrecord.render.files import PROFILE_YAML
from rackrecord.version import TOOL


def verify(material: Material, catalog: Catalog) -> Verification:
    """Check a record's files, or the files that its PDF carries, against each other and the catalog."""
    return Verification(subject=material.subject, checks=tuple(_checks(material, catalog)))


def _checks(material: Material, catalog: Catalog) -> Iterator[Check]:
    files = material.files
    if not material.alone:
        yield from check_checksums(files)
    record, comparable = None, False
    for check, found in _check_json(files.get(RECORD_JSON)):
        yield check
        if found is not None:
            record, comparable = found
    if record is None:
        return
    if material.number is not None and record.number != material.number:
        yield failed("number", f"the folder's is {material.number}, the record's {record.number}")
    yield from check_history(record)
    if AFTERWARDS in files:
        yield from check_afterwards(files[AFTERWARDS], record)
    yield from check_profile(files.get(PROFILE_YAML), record, catalog)
    yield from check_renderings(material, record, comparable)
    yield from check_figures(record, catalog)


def _check_json(
    data: bytes | None,
) -> Iterator[tuple[Check, tuple[DecisionRecord, bool] | None]]:
    """record.json is a record, in canonical form, and what its digest says.

    With the last check comes the record, where it can be read, and whether this version would write it alike.
    """
    if data is None:
        yield failed(RECORD_JSON, "is missing"), None
        return
    try:
        content = read_content(data, RECORD_JSON)
        found = digest(content)
        canonical = canonical_json(content) == data
    except UserError as error:
        yield failed(RECORD_JSON, error.problems[0].message), None
        return
    except ValueError as error:
        yield failed(RECORD_JSON, f"is not canonical JSON: {error}"), None
        return
    if found != content.get("sha256"):
        yield (
            failed("digest", f"says {content.get('sha256')}, the content gives {found}: it was changed"),
            None,
        )
    elif not canonical:
        yield (
            failed("digest", "matches, but record.json is not in the canonical form it was written in"),
            None,
        )
    else:
        yield passed("digest", found), None
    try:
        record = read_record(data, RECORD_JSON)
    except UserError as error:
        yield failed(RECORD_JSON, error.problems[0].message), None
        return
    version = content.get("schema_version")
    comparable = version == SCHEMA and record.tool == TOOL
    text = f"{record.tool}, schema {version}" + ("" if version == SCHEMA else f", read as schema {SCHEMA}")
    yield passed("schema", text), (record, comparable)
