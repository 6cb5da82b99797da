#!/usr/bin/env bash
# write-files.sh PROGRAMS OUT VERSION: man pages and completions as the programs in a folder write them, and the changelogs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
programs=$1 out=$2 version=$3
mkdir -p "$out"

compressed() { gzip -9n >"$out/$1"; }

"$programs/spindle" completion bash >"$out/spindle.bash"
"$programs/spindle" completion zsh >"$out/_spindle"
"$programs/spindle" completion fish >"$out/spindle.fish"
"$programs/spindle" manual | compressed spindle.1.gz
{
  sed '/^@PASSES@$/,$d' "$here/spindle-opt.1"
  "$programs/spindle-opt" --help | awk -f "$here/passes.awk"
  sed '1,/^@PASSES@$/d' "$here/spindle-opt.1"
} | compressed spindle-opt.1.gz
compressed spindle-translate.1.gz <"$here/spindle-translate.1"

compressed changelog.gz <"$here/../../CHANGELOG.md"
compressed changelog.Debian.gz <<END
spindle ($version) unstable; urgency=medium

  * What changed is told in changelog.gz.

 -- Spindle developers <spindle@localhost>  $(LC_ALL=C date -u -R -d "@$("$here/release-time.sh")")
END
