#!/usr/bin/env bash
# The minutes that README.md claims for its two commands are those of the newest rows of tests/bench/cold-build.csv.
#   readme-times-test.sh [ROOT]
set -u
root=${1-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
table=$root/tests/bench/cold-build.csv
failures=0
if [ -n "${SPINDLE_MEASURES_README-}" ]; then
  echo "skipped: tests/bench/cold-build.sh is measuring what README.md will say"
  exit 77
fi
claims=$(sed -n '/^<!-- cold-build -->$/,/^<!-- \/cold-build -->$/p' "$root/README.md")

complain() {
  failures=$((failures + 1))
  echo "not ok - $*"
}

# compare WHAT PATTERN PHASE: the number behind PATTERN, and the row's seconds as minutes.
compare() {
  local claimed measured
  claimed=$(sed -nE "s/.*$2.*/\1/p" <<<"$claims" | head -n 1)
  measured=$(awk -F, -v phase="$3" '$4 == phase { seconds = $5 } END { if (seconds != "") printf "%d", int(seconds / 60 + 0.5) }' "$table")
  [ "$measured" != 0 ] || measured='under 1'
  if [ -z "$claimed" ]; then
    complain "$1: README.md says no minutes"
  elif [ -z "$measured" ]; then
    complain "$1: the table has no row of $3"
  elif [ "$claimed" != "$measured" ]; then
    complain "$1: README.md says $claimed minutes, the table $measured"
  else
    echo "ok - $1: $claimed minutes"
  fi
}

if [ ! -f "$table" ]; then
  complain "tests/bench/cold-build.csv is missing: run tests/bench/cold-build.sh, then with --readme"
elif [ -z "$claims" ]; then
  complain "README.md has no part between <!-- cold-build --> and <!-- /cold-build -->"
else
  compare 'first command' 'first command takes ([0-9]+) minutes?' run
  compare 'its packages' 'first command takes [^(]*\((under 1|[0-9]+) for' run/install
  compare 'its compilation' 'first command takes [^(]*\([^,]*, (under 1|[0-9]+) for' run/build
  compare 'second command' 'second then takes ([0-9]+) minutes?' test
  compare 'its compilation' 'second then takes [^(]*\((under 1|[0-9]+) for' test/build
  compare 'its tests' 'second then takes [^(]*\([^,]*, (under 1|[0-9]+) for' test/tests
fi

# No other claim of how long the build takes.
others=$(grep -rnEi --include='*.md' 'bare Debian|first (time|command|call) takes|(build|compil)[a-z]* takes [a-z0-9 ]*minutes?' "$root/README.md" "$root/CONTRIBUTING.md" "$root/docs" 2>/dev/null |
  grep -vE 'README.md:[0-9]+:From a bare Debian 12 on [0-9]+ core')
[ -z "$others" ] || complain "a time that is not measured: $others"

[ "$failures" -eq 0 ] || echo "remedy: tests/bench/cold-build.sh measures, tests/bench/cold-build.sh --readme writes README.md"
[ "$failures" -eq 0 ]
