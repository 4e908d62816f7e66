#!/usr/bin/env bash
# Sets up the virtual environment from a lock file, the project in it (editable), and the system libraries.
#   scripts/set-up.sh LOCK-FILE STAMP-FILE
# Environment: VENV (default .venv), PYTHON (default: the first of python3, python3.14 … python3.11 that will do).
set -euo pipefail
cd "$(dirname "$0")/.."
lock=$1 stamp=$2 venv=${VENV:-.venv}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
say() { printf '%s\n' "$*" >&2; }

python=${PYTHON:-}
if [ -z "$python" ]; then
  for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if new_enough "$candidate"; then python=$candidate; break; fi
  done
fi
if [ -z "$python" ] || ! new_enough "$python"; then
  say "rackrecord needs Python 3.11 or newer; found: $(python3 --version 2>&1 || true)."
  say "Install one, or name it: make PYTHON=/path/to/python3.12 …"
  exit 1
fi

if ! [ -x "$venv/bin/python" ]; then
  say "Setting up $venv (about a minute the first time)"
  if ! "$python" -m venv "$venv" >/dev/null 2>&1; then
    rm -rf "$venv"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
      "$python" -m venv "$venv"
    else
      say "Python's venv module is not complete. On Debian or Ubuntu:  sudo apt-get install -y python3-venv"
      exit 1
    fi
  fi
fi

"$venv/bin/python" scripts/system_libraries.py
pip=("$venv/bin/python" -m pip --disable-pip-version-check -qq install --no-input)
"${pip[@]}" --require-hashes --only-binary :all: -r "$lock"
# The build backend is in the lock, so building needs no network of its own.
"${pip[@]}" --no-deps --no-build-isolation --editable .
touch "$stamp"
