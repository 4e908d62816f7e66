"""Templates compiled ahead: Jinja takes as long to compile `record.md.j2` as to be imported.

`python -m rackrecord.render.precompiled` prints what `record_md_compiled.py` holds. It counts only for the
very text it was made from and the Jinja that made it; otherwise the template is compiled when it is used.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Mapping, MutableMapping
from types import MappingProxyType
from typing import Any

import jinja2

MODULES: Mapping[str, str] = MappingProxyType({"record.md.j2": "rackrecord.render.record_md_compiled"})
"""The templates compiled ahead, and the modules they were compiled to."""


class PrecompiledLoader(jinja2.FileSystemLoader):
    """Loads the project's own templates, compiled ahead where there is such a module."""

    def load(
        self, environment: jinja2.Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> jinja2.Template:
        """The template of that name."""
        if name in MODULES:
            source = self.get_source(environment, name)[0]
            namespace = vars(importlib.import_module(MODULES[name]))
            if (namespace["MADE_FROM"], namespace["MADE_BY"]) == (_digest(source), _jinja()):
                return environment.template_class.from_module_dict(environment, namespace, globals or {})
        return super().load(environment, name, globals)


def compiled(environment: jinja2.Environment, name: str) -> str:
    """A template as a module."""
    assert environment.loader is not None
    source = environment.loader.get_source(environment, name)[0]
    code = environment.compile(source, name, raw=True, defer_init=True)
    return (
        f'"""{name}, compiled; made by `python -m rackrecord.render.precompiled`."""\n\n'
        f'MADE_FROM = "{_digest(source)}"\nMADE_BY = {_jinja()!r}\n\n{code}\n'
    )


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def _jinja() -> object:
    """Jinja's version; None where it does not say it at once, as later ones may not."""
    return vars(jinja2).get("__version__")


if __name__ == "__main__":
    from rackrecord.render.environment import engine

    for template in MODULES:
        sys.stdout.write(compiled(engine(template), template))
