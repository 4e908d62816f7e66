#!/usr/bin/env bash
# Makes the record of each named example, numbered in the order given, in records/.
#   scripts/make-records.sh AS-OF EXAMPLE…
# They are made aside and moved in when all are there, so a failure leaves records/ as it was.
set -euo pipefail
cd "$(dirname "$0")/.."
as_of=$1; shift
made=build/records
rm -rf "$made"; mkdir -p "$made"
# Results that this user imported are no part of the examples.
none=build/no-catalog
rm -rf "$none"; mkdir -p "$none"
for example in "$@"; do
  "${VENV:-.venv}/bin/rackrecord" record "examples/$example.yaml" --records "$made" --as-of "$as_of" --catalog "$none" \
    | sed "s|^Files: $made/|Files: records/|"
done
mkdir -p records
for folder in "$made"/[0-9]*/; do
  number=$(basename "$folder"); number=${number%%-*}
  rm -rf records/"$number"-*
  cp -R "$folder" records/
done
"${VENV:-.venv}/bin/rackrecord" register --records records >/dev/null
echo "Records in records/: $(cd records && ls -d [0-9]*/ | tr -d / | tr '\n' ' ')"
