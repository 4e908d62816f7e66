"""The template engines: sandboxed, undefined names are errors, text is escaped for the format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rackrecord import quantities
from rackrecord.errors import UserError
from rackrecord.render.markdown_text import MarkdownText, escape, markdown_table, visible
from rackrecord.render.precompiled import PrecompiledLoader
from rackrecord.render.template_folder import templates_path

_FILTERS = {
    "fixed": quantities.fixed,
    "significant": quantities.significant,
    "trimmed": quantities.trimmed,
    "compact": quantities.compact,
    "percent": quantities.percent,
}


def render_template(name: str, values: Mapping[str, Any], folder: Path | None = None) -> str:
    """A template with its values; `folder` holds a user's own templates, which come before the project's.

    Raises:
        UserError: the user's template lacks a name, has an error, or reaches for what the sandbox forbids.
    """
    environment = engine(name, folder)
    try:
        return environment.get_template(name).render(values)
    except jinja2.TemplateSyntaxError as error:
        raise UserError.of(
            f"is not a template: {error.message}", file=error.filename or name, line=error.lineno
        ) from error
    except Exception as error:  # a user's template may fail in any way
        if folder is None:
            raise  # a fault of the project's own templates
        raise UserError.of(f"cannot be filled in: {error}", file=str(folder / name)) from error


def engine(name: str, folder: Path | None = None) -> jinja2.Environment:
    """The engine for the format that a template of that name writes."""
    return _environment(name.endswith(".md.j2"), folder)


@cache
def _environment(markdown: bool, folder: Path | None) -> jinja2.Environment:
    own = str(templates_path())
    environment = ImmutableSandboxedEnvironment(
        loader=PrecompiledLoader(own) if folder is None else jinja2.FileSystemLoader([str(folder), own]),
        autoescape=not markdown,
        undefined=jinja2.StrictUndefined,
        finalize=_markdown_value if markdown else _html_value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(_FILTERS)
    environment.globals["table"] = markdown_table
    return environment


def _markdown_value(value: object) -> object:
    if isinstance(value, MarkdownText) or not isinstance(value, str):
        return value
    return escape(value)


def _html_value(value: object) -> object:
    """Text with control characters shown; markup of the templates' own is left as it is."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value)
    return value


def read_template_file(name: str, folder: Path | None = None) -> str:
    """A file beside the templates that is used as it stands; a user's own comes before the project's."""
    for place in (folder, templates_path()):
        if place is not None and (place / name).is_file():
            return (place / name).read_text(encoding="utf-8")
    raise UserError.of(f"{name} is missing", file=str(templates_path()))
