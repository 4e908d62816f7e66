#!/usr/bin/env bash
# Fails when a generated file is not what its generator writes today. One line a file: the file, then its command.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${VENV:-.venv}/bin
stale=0

check() { # FILE COMMAND…
  local file=$1; shift
  if ! "$@" | cmp --silent - "$file"; then
    echo "$file is stale; make it again:  $* > $file" >&2
    stale=1
  fi
}

check docs/profile.schema.json "$bin/rackrecord" schema
check src/rackrecord/render/record_md_compiled.py "$bin/python" -m rackrecord.render.precompiled
check docs/profile.md "$bin/python" -m rackrecord.profile.reference

# The example records are what today's code makes of their own data.
if ! "$bin/rackrecord" verify records; then
  echo "records/ is stale; make it again:  make record" >&2
  stale=1
fi

[ "$stale" = 0 ] && echo "Generated files are up to date"
exit "$stale"
