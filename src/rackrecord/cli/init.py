"""`rackrecord init`: a starter profile to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from rackrecord.errors import UserError


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=Path("profile.yaml"))
def init(path: Path) -> None:
    """Write a starter profile to PATH (default: profile.yaml), in which every field is explained.

    A file that is there already is left alone. `rackrecord check` names the blanks still to fill.
    """
    from rackrecord.profile.starter import starter_text

    write_new(path, starter_text().encode())
    click.echo(f"{path} written; fill in what says FILL_IN, then: rackrecord check {path}")


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, whole or not at all. Raises UserError where that cannot be done."""
    try:
        stream = path.open("xb", buffering=0)
    except FileExistsError:
        what = "a folder" if path.is_dir() else "a file"
        raise UserError.of(f"found {what} of that name; expected a new one", file=str(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError.of(f"cannot be written: {reason}", file=str(path)) from None
    try:
        with stream:
            if stream.write(content) != len(content):
                raise OSError("no space left on device")
    except OSError as error:
        path.unlink()
        raise UserError.of(f"cannot be written: {error.strerror or error}", file=str(path)) from None
