"""Make sure that the libraries which WeasyPrint loads are there; install them by apt where that is possible.

Standard library only: it runs before anything is installed. Exit code 0 when all are there, 1 otherwise, with
the command that would install them.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

# What WeasyPrint loads by name, and the Debian package that brings it (glib comes with pango).
LIBRARIES = {
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz.so.0": "libharfbuzz0b",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
    "libfontconfig.so.1": "libfontconfig1",
}


def missing_packages() -> list[str]:
    """The Debian packages whose library cannot be loaded."""
    packages = []
    for library, package in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            packages.append(package)
    return packages


def apt_install(packages: list[str]) -> None:
    """Install Debian packages without asking; what apt says is shown only when it fails."""
    update = ["apt-get", "update", "-qq"]
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (update, install):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            print(done.stderr, file=sys.stderr, end="")
            return


def main() -> int:
    """Check, install where possible, check again."""
    if not sys.platform.startswith("linux"):
        return 0  # other systems name the libraries differently; rendering itself reports what is missing
    packages = missing_packages()
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing the system libraries of the PDF engine: {' '.join(packages)}", flush=True)
        apt_install(packages)
        packages = missing_packages()
    if packages:
        print(
            "The PDF engine needs system libraries that are not installed. On Debian or Ubuntu:\n"
            f"  sudo apt-get update && sudo apt-get install -y {' '.join(packages)}\n"
            "On another system install Pango and HarfBuzz, with its subset library, by its package manager.\n"
            "Then run the same make command again.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
