#!/usr/bin/env bash
# make.sh BUILD: the Debian package of a build whose target spindle-package-files is up to date.
set -euo pipefail
build=$(cd "$1" && pwd)
SOURCE_DATE_EPOCH=$("$(dirname "${BASH_SOURCE[0]}")/release-time.sh")
export SOURCE_DATE_EPOCH
rm -f "$build"/package/*.deb
if ! (umask 022 && cpack --config "$build/CPackConfig.cmake" >"$build/package/cpack.log" 2>&1); then
  cat "$build/package/cpack.log" >&2
  exit 1
fi
package=$(echo "$build"/package/*.deb)
echo "spindle: $package; apt-get install $package installs it" >&2
