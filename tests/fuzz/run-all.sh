#!/bin/sh
# tests/fuzz/run-all.sh SECONDS [FOLDER]: every fuzzer of build/fuzz for so long, one after the other, from the corpora;
# new inputs go to FOLDER/NAME (/tmp/spindle-fuzz), findings beside them. Ends with 1 where one found something.
#   cmake --preset clang -B build/fuzz -D SPINDLE_FUZZ=ON && ninja -C build/fuzz spindle-fuzzers
set -u
cd "$(dirname "$0")/../.." || exit 1
seconds=${1:?how many seconds for each fuzzer}
folder=${2:-/tmp/spindle-fuzz}
status=0
for program in build/fuzz/bin/fuzz/spindle_fuzz_*; do
  [ -x "$program" ] || { echo "run-all.sh: error: no fuzzers in build/fuzz/bin/fuzz, build spindle-fuzzers first" >&2; exit 1; }
  name=${program##*spindle_fuzz_}
  case $name in
    graph | mlir | nir | spikes) longest=16384 ;;
    chip | network | yaml) longest=2048 ;;
    *) longest=4096 ;;
  esac
  mkdir -p "$folder/$name"
  echo "== $name, $seconds s"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=$longest -print_final_stats=1 \
    -artifact_prefix="$folder/$name-" "$folder/$name" "tests/fuzz/corpus/$name" > "$folder/$name.log" 2>&1 || {
    status=1
    echo "$name: found something, see $folder/$name.log"
  }
  grep -E 'stat::(number_of_executed_units|peak_rss_mb|slowest_unit_time_sec)|SUMMARY' "$folder/$name.log"
done
exit $status
