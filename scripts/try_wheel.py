"""Use an installed rackrecord outside its checkout: `try_wheel.py CHECKOUT`, run by check-wheel.sh.

It fails when the package comes from the checkout after all, when there is a network, or when there is no PDF.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import rackrecord.render

AS_OF = "2026-11-30"


def main() -> None:
    """Make a record of an example and look at what is there."""
    checkout = Path(sys.argv[1]).resolve()
    package = Path(rackrecord.render.__file__).resolve()
    assert checkout not in package.parents, f"{package} is in the checkout"
    try:
        # RFC 5737 sets this address aside: nothing is there.
        socket.create_connection(("192.0.2.1", 80), timeout=2).close()
    except OSError:
        pass
    else:
        sys.exit("something answers where nothing is: is a proxy in the way?")

    here = Path.cwd()
    profile = here / "gpt-oss-server.yaml"
    command = [str(Path(sys.executable).parent / "rackrecord"), "record", str(profile)]
    subprocess.run([*command, "--records", str(here / "records"), "--as-of", AS_OF], check=True)
    made = sorted((here / "records").glob("0001-*/*"))
    assert {"record.json", "record.md", "record.pdf"} <= {path.name for path in made}, made
    pdf = next(path for path in made if path.name == "record.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-"), pdf[:20]
    assert len(pdf) > 10_000, f"a PDF of {len(pdf)} bytes"


if __name__ == "__main__":
    main()
