#!/usr/bin/env bash
# How long the tool that runs flows takes to be rebuilt after a change, really compiled (without ccache). Appends rows to warm-build.csv.
#   tests/bench/warm-build.sh [--preset dev|release]… [--touch FILE]…
# By default both presets, a typical source file, the header of the most used noun, and nothing. What is not built yet is built
# first, which is not measured. `launcher` is ./spindle run --help with nothing touched, in release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
table=$root/tests/bench/warm-build.csv
# shellcheck source=/dev/null
. "$root/tests/bench/measurement.sh"

presets=() files=()
while [ $# -gt 0 ]; do
  case $1 in
  --preset) presets+=("${2:?--preset needs a name}") ;;
  --touch) files+=("${2:?--touch needs a file}") ;;
  *) fail "unknown option '$1' (the head of this file tells them)" ;;
  esac
  shift 2
done
[ ${#presets[@]} -gt 0 ] || presets=(dev release)
[ ${#files[@]} -gt 0 ] || files=(lib/emulation/diagnosis/Diagnose.cpp core/network/SpikeTrace.h nothing)
cd "$root"
for file in "${files[@]}"; do
  [ "$file" = nothing ] || [ -f "$file" ] || fail "there is no file $file"
done

commit=$(git rev-parse --short=7 HEAD)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
write_row() { # PRESET TOUCHED STEPS
  [ -f "$table" ] || echo 'date,commit,cores,preset,touched,elapsed_s,processor_s,steps' >"$table"
  printf '%s,%s,%d,%s,%s,%s,%s,%d\n' "$(date -u +%F)" "$commit" "$(nproc)" "$1" "$2" "$elapsed_s" "$processor_s" "$3" | tee -a "$table"
}
build() {
  ninja -C "build/$1" spindle-flow >"$log" 2>&1 || {
    cat "$log" >&2
    fail "preset $1 does not build"
  }
}

for preset in "${presets[@]}"; do
  if [ "$preset" = release ]; then
    ./spindle run --help >/dev/null # configures and builds, with ccache
  else
    [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >"$log" 2>&1 || {
      cat "$log" >&2
      fail "preset $preset cannot be configured"
    }
    say "building preset $preset where it is out of date"
    build "$preset"
  fi
  for file in "${files[@]}"; do
    [ "$file" = nothing ] || touch "$file"
    begin
    CCACHE_DISABLE=1 build "$preset"
    end
    write_row "$preset" "$file" "$(grep -c 'Building C.* object' "$log" || true)"
  done
  if [ "$preset" = release ]; then
    begin
    ./spindle run --help >/dev/null
    end
    write_row release launcher 0
  fi
done
