"""Where the templates are: inside the installed package, or beside `src` in a checkout."""

from __future__ import annotations

from pathlib import Path

from rackrecord.errors import UserError

_PACKAGE = Path(__file__).resolve().parents[1]


def templates_path() -> Path:
    """The folder of the project's own templates.

    A wheel carries them as `rackrecord/templates`; an editable install has them at the root of the checkout.

    Raises:
        UserError: neither folder exists, so the installation is not complete.
    """
    candidates = (_PACKAGE / "templates", _PACKAGE.parents[1] / "templates")
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise UserError.of(
        "the templates are missing from this installation; install rackrecord again", file=str(candidates[0])
    )
