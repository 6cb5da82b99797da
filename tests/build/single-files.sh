#!/usr/bin/env bash
# The release preset compiles folders together, so a missing include shows only where files stand alone, as in the preset
# dev. Compiles the files that the last commits changed (a header: by a source that includes it) one by one.
#   single-files.sh [COUNT]     COUNT files, 4 by default; the rest of the tree is for `cmake --preset dev`
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/single-files
cd "$root"

skip() {
  echo "skipped: $*"
  exit 77
}
command -v git >/dev/null || skip "git is not installed, which tells what the last commits changed"
git rev-parse HEAD >/dev/null 2>&1 || skip "not a git checkout"

changed=()
while IFS= read -r file; do
  case $file in
  *.h) file=$(grep -rlF "#include \"$file\"" --include='*.cpp' core dialects lib hw sim tools tests | sort | head -n 1 || true) ;;
  esac
  [ -f "$file" ] || continue
  [[ $file == core/* || $file == lib/* ]] || continue # the others need the whole tool first, or another preset
  [[ " ${changed[*]-} " == *" $file "* ]] || changed+=("$file")
  [ "${#changed[@]}" -lt "${1:-4}" ] || break
done < <(git log -n 40 --name-only --diff-filter=AM --pretty= -- '*.cpp' '*.h')
[ "${#changed[@]}" -gt 0 ] || skip "the last commits changed no source"

cmake --preset dev -B "$build" >"$build.log" 2>&1 || {
  cat "$build.log"
  exit 1
}
targets=()
for file in "${changed[@]}"; do
  targets+=("$root/$file^") # ninja: what is made of it
done
echo "compiling one by one: ${changed[*]}"
ninja -C "$build" "${targets[@]}"
