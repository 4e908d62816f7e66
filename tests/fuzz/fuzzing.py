"""Runs a function on mutated inputs with atheris, for a bounded time; says so and passes where it is missing.

    python tests/fuzz/fuzz_yaml.py [SECONDS]

New inputs are kept in build/fuzz/NAME. An input that breaks something is written beside that folder, and the
exit code is not 0.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SECONDS = 60
LONGEST = 20_000


def available() -> bool:
    """Whether atheris is installed. It is not in the lock, since it has no wheel for every Python."""
    if importlib.util.find_spec("atheris") is not None:
        return True
    print("fuzz: skipped, atheris is not installed (pip install atheris)")
    return False


def run(name: str, function: Callable[[bytes], object], seeds: Iterable[Path]) -> None:
    """Fuzz `function` from the seeds on; the first argument of the command is the number of seconds."""
    import atheris

    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    kept = ROOT / "build" / "fuzz" / name
    kept.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        content = seed.read_bytes()
        if len(content) <= LONGEST:
            (kept / f"seed-{seed.parent.name}-{seed.name}").write_bytes(content)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-timeout=10",
        "-verbosity=0",
        "-print_final_stats=1",
        "-rss_limit_mb=2048",
        f"-artifact_prefix={kept.parent}/{name}-",
    ]
    atheris.Setup([sys.argv[0], *options, str(kept)], lambda data: function(data) and None)
    atheris.Fuzz()
