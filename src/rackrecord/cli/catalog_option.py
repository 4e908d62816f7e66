"""The `--catalog` option, and where a user's catalog folder is without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

_Command = TypeVar("_Command", bound=Callable[..., Any])


def default_catalog_folder() -> Path:
    """The folder in the platform's user data directory that `claims import` fills."""
    from platformdirs import user_data_path

    return user_data_path("rackrecord", appauthor=False) / "catalog"


def catalog_option(command: _Command) -> _Command:
    """Adds `--catalog DIR`, given to the command as `catalog: Path`.

    A folder that is named must be there; the default one is there once something was imported.
    """
    return _option(command, _must_exist, "Folder with results imported on top of the bundled ones.")


def catalog_target_option(command: _Command) -> _Command:
    """Adds `--catalog DIR` for a command that fills the folder, and makes it where there is none."""
    return _option(command, None, "Folder to import into, on top of the bundled results.")


def _option(
    command: _Command, callback: Callable[[click.Context, click.Parameter, Path], Path] | None, text: str
) -> _Command:
    return click.option(
        "--catalog",
        type=click.Path(file_okay=False, path_type=Path),
        default=default_catalog_folder,
        show_default="the user's data directory",
        callback=callback,
        help=text,
    )(command)


def _must_exist(context: click.Context, parameter: click.Parameter, folder: Path) -> Path:
    given = context.get_parameter_source("catalog") is ParameterSource.COMMANDLINE
    if given and not folder.is_dir():
        raise click.BadParameter(f"there is no folder {str(folder)!r}", context, parameter)
    return folder
