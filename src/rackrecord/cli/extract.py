"""`rackrecord extract`: the files that a record's PDF carries."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rackrecord.cli.text import printable
from rackrecord.errors import UserError

# A plain file name: no path, not hidden. What a PDF names otherwise is not written.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@click.command()
@click.argument("pdf", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to; default: one beside the PDF with its name.",
)
def extract(pdf: Path, folder: Path | None) -> None:
    """Write the record.json and profile.yaml that PDF carries into a folder. No file is overwritten."""
    from rackrecord.register.attachments import open_pdf
    from rackrecord.register.folder import new_files
    from rackrecord.register.stored import read_file

    carried = open_pdf(read_file(pdf), str(pdf)).attachments
    odd = sorted(printable(name) for name in carried if not _PLAIN.fullmatch(name))
    if odd:
        raise UserError.of(
            f"carries files with odd names, which no record has: {', '.join(odd)}", file=str(pdf)
        )
    if not carried:
        raise UserError.of("carries no files; expected the PDF of a record", file=str(pdf))
    target = folder if folder is not None else pdf.with_suffix("")
    new_files(target, carried)
    for name in sorted(carried):
        click.echo(target / name)
