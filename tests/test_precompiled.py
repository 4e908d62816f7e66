"""Templates compiled ahead are the templates."""

from __future__ import annotations

import shutil
from pathlib import Path

import jinja2
import pytest

from deciding import NAMES, example_record
from rackrecord.render import precompiled
from rackrecord.render.environment import engine
from rackrecord.render.template_folder import templates_path
from rackrecord.render.view import build_view

SOURCES = Path(__file__).resolve().parents[1] / "src"


@pytest.mark.parametrize("name", precompiled.MODULES)
def test_the_compiled_module_is_what_its_template_gives(name: str) -> None:
    module = SOURCES / f"{precompiled.MODULES[name].replace('.', '/')}.py"
    assert module.read_text() == precompiled.compiled(engine(name), name), (
        f"stale; make it again: python -m rackrecord.render.precompiled > {module}"
    )


def loaded(folder: Path, name: str = "record.md.j2") -> tuple[jinja2.Template, bool]:
    """The template from a folder, and whether it was compiled ahead."""
    template = engine(name).overlay(loader=precompiled.PrecompiledLoader(str(folder))).get_template(name)
    return template, str(template.filename).endswith("compiled.py")


@pytest.mark.parametrize("name", NAMES)
def test_it_says_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = example_record(name)
    values = {"record": record, "view": build_view(record)}
    ahead, is_ahead = loaded(templates_path())
    monkeypatch.setattr(precompiled, "MODULES", {})
    fresh, is_not = loaded(templates_path())
    assert (is_ahead, is_not) == (True, False)
    assert ahead.render(values) == fresh.render(values)


def test_another_text_is_compiled_when_it_is_used(tmp_path: Path) -> None:
    shutil.copy(templates_path() / "record.md.j2", tmp_path)
    assert loaded(tmp_path)[1]
    (tmp_path / "record.md.j2").write_text("Other words")
    template, ahead = loaded(tmp_path)
    assert (template.render(), ahead) == ("Other words", False)


def test_another_jinja_compiles_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(jinja2), "__version__", "99")
    assert not loaded(templates_path())[1]
