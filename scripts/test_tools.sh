#!/usr/bin/env bash
# Installs the Debian packages of the programs that tests ask for by `tool("NAME")`, where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

package_of() {
  case $1 in
    chromium) echo chromium ;;
    soffice) echo libreoffice-calc ;;
    pdftoppm | pdftotext | pdffonts) echo poppler-utils ;;
    *) echo "$1" ;;
  esac
}

missing=()
for name in $(grep -rhoE '\btool\("[a-z0-9-]+"\)' tests --include='test_*.py' | sed -E 's/.*"(.*)".*/\1/' | sort -u); do
  command -v "$name" >/dev/null || missing+=("$(package_of "$name")")
done

if [ "${#missing[@]}" = 0 ]; then
  echo "nothing missing"
  exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "tests need:  sudo apt-get install -y ${missing[*]}" >&2
  exit 1
fi
