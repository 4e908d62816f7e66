"""The corpus of wrong profiles: tests/wrong_profiles/NAME.yaml gives exactly NAME.expected.

`pytest --update-golden` writes the expected files; then they are read by eye.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from rackrecord.cli import main

CORPUS = Path(__file__).parent / "wrong_profiles"
NAMES = sorted(path.stem for path in CORPUS.glob("*.yaml"))


Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Check:
    """Exit code, output and errors of `rackrecord check FILE...` from within the corpus, nothing imported."""

    def run(*names: str) -> tuple[int, str, str]:
        monkeypatch.chdir(CORPUS)
        arguments = ["check", *names, "--catalog", str(tmp_path)]
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        return result.exit_code, result.stdout, result.stderr

    return run


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    assert len(NAMES) >= 150
    assert {path.stem for path in CORPUS.glob("*.expected")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_profile(name: str, check: Check, golden: Callable[[Path, str], None]) -> None:
    code, out, errors = check(f"{name}.yaml")
    assert (code, out) == (2, "")
    golden(CORPUS / f"{name}.expected", errors)
    for line in errors.splitlines():
        assert line.startswith(f"{name}.yaml:")
        assert line.isprintable()
        assert any(words in line for words in ("expected", "did you mean", "still to fill in"))


def test_ten_mistakes_give_ten_errors_in_their_places(check: Check) -> None:
    """The places are counted by hand in ten-mistakes.yaml."""
    places = [
        (1, 8, "title"),
        (3, 11, "currency"),
        (5, 14, "workload.benchmark"),
        (6, 13, "workload.scenario"),
        (8, 14, "workload.slo.ttft_ms"),
        (10, 29, "demand.output_tokens_per_second"),
        (11, 13, "demand.headroom"),
        (16, 30, "options[1].accelerators_per_system"),
        (19, 31, "options[1].price.rent.per_accelerator_hour"),
        (22, 18, "options[1].quote.quoted_on"),
    ]
    code, out, errors = check("ten-mistakes.yaml")
    assert (code, out) == (2, "")
    expected = [f"ten-mistakes.yaml:{line}:{column}: {path}: " for line, column, path in places]
    found = errors.splitlines()
    assert len(found) == 10
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))


def test_nothing_is_written(check: Check, tmp_path: Path) -> None:
    before = sorted(CORPUS.iterdir())
    check("ten-mistakes.yaml")
    assert sorted(CORPUS.iterdir()) == before
    assert list(tmp_path.iterdir()) == []


def test_several_profiles_are_reported_together(check: Check) -> None:
    good = CORPUS.parent.parent / "examples" / "gpt-oss-server.yaml"
    code, out, errors = check("unknown-currency.yaml", str(good), "currency.yaml")
    assert code == 2
    assert out.startswith(f"{good}: OK\n")
    assert [line.split(":")[0] for line in errors.splitlines()] == [
        "currency.yaml",
        "unknown-currency.yaml",
        "unknown-currency.yaml",
    ]
