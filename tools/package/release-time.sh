#!/usr/bin/env bash
# Seconds since 1970 that a package is dated with, so that the same sources give the same package: SOURCE_DATE_EPOCH where it
# is set, else the commit of the last entry in CHANGELOG.md, else (without the history) that file's own time.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
  echo "$SOURCE_DATE_EPOCH"
else
  seconds=$(git -C "$root" log -1 --format=%ct -- CHANGELOG.md 2>/dev/null || true)
  echo "${seconds:-$(stat -c %Y "$root/CHANGELOG.md")}"
fi
