#!/usr/bin/env bash
# Builds the wheel, installs it with its locked dependencies into an empty environment, and makes a PDF there:
# outside the checkout and without a network.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
bin=${VENV:-.venv}/bin
rm -rf dist
"$bin/python" -m pip --disable-pip-version-check --quiet wheel --no-deps --no-build-isolation -w dist .
wheel=$(ls dist/rackrecord-*.whl)

work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
"$bin/python" -m venv "$work/venv"
pip=("$work/venv/bin/python" -m pip --disable-pip-version-check -qq install --no-input)
"${pip[@]}" --require-hashes --only-binary :all: -r requirements.lock
"${pip[@]}" --no-deps "$wheel"

# A network namespace of its own has no interface but a loopback that is down; not every system grants one.
offline=()
if unshare -n true 2>/dev/null; then offline=(unshare -n)
elif unshare -rn true 2>/dev/null; then offline=(unshare -rn)
else echo "wheel: no network namespace to be had here; a dead proxy stands in for it" >&2
  export http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9
fi

cp scripts/try_wheel.py examples/*.yaml "$work/" 2>/dev/null || true
cd "$work"
env -u PYTHONPATH XDG_DATA_HOME="$work/data" "${offline[@]}" "$work/venv/bin/python" -I "$work/try_wheel.py" "$root"
echo "wheel: $(basename "$wheel") makes a PDF on its own"
