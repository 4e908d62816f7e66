"""The `--catalog` option, and where a user's catalog folder is without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def default_catalog_folder() -> Path:
    """The folder in the platform's user data directory that `claims import` fills."""
    from platformdirs import user_data_path

    return user_data_path("rackrecord", appauthor=False) / "catalog"


def catalog_option(command: _Command) -> _Command:
    """Adds `--catalog DIR`, given to the command as `catalog: Path`."""
    return click.option(
        "--catalog",
        type=click.Path(file_okay=False, path_type=Path),
        default=default_catalog_folder,
        show_default="the user's data directory",
        help="Folder with results imported on top of the bundled ones.",
    )(command)
