"""Keeps plug-ins of pydantic out, and what looks for them out of memory."""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import Any

_LOADER = "pydantic.plugin._loader"


class _NoPlugins(ModuleType):
    """Stands in for the module of pydantic that looks for plug-ins; makes way for it when asked for more."""

    get_plugins = tuple

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what the import system asks of a module
            raise AttributeError(name)
        sys.modules.pop(_LOADER, None)
        return getattr(importlib.import_module(_LOADER), name)


def without_plugins() -> None:
    """Plug-ins in the user's environment are not to change how a profile is read.

    Pydantic has a setting for that, but still loads `importlib.metadata` to look for them, which takes a
    tenth of the time of a short command.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    sys.modules.setdefault(_LOADER, _NoPlugins(_LOADER))
