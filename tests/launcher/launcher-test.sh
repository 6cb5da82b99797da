#!/usr/bin/env bash
# ./spindle in a temporary tree, with stubs in place of apt-get, cmake, ninja, ctest and the tool.
set -u
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failures=0

check() { # NAME COMMAND…
  local name=$1
  shift
  number=$((number + 1))
  if "$@"; then
    echo "ok $number - $name"
  else
    failures=$((failures + 1))
    echo "not ok $number - $name: $*"
    sed 's/^/#   /' "$work/output"
  fi
}

stub() { # NAME, text from standard input
  { echo '#!/bin/bash' && cat; } >"$work/stubs/$1"
  chmod +x "$work/stubs/$1"
}

# A fresh tree in which everything is installed and nothing is built. Files in `state` tell the stubs what to do.
fresh() {
  rm -rf "$work/tree" "$work/state"
  mkdir -p "$work/tree/tools" "$work/tree/tests/bench" "$work/state"
  cp "$source/spindle" "$work/tree/"
  cp -r "$source/tools/launcher" "$work/tree/tools/"
  echo 30 >"$work/state/files"
  : >"$work/calls"
}

mkdir "$work/stubs"
export WORK=$work STATE=$work/state BUILD=$work/tree/build/release PATH=$work/stubs:/usr/bin:/bin
stub nproc <<<'echo 2'
stub id <<<'cat "$STATE/uid" 2>/dev/null || echo 0'
stub sudo <<'S'
[ -f "$STATE/has-sudo" ] || exit 1
echo "sudo $*" >>"$WORK/calls"
[ "$1" != -n ] || shift
exec "$@"
S
stub dpkg <<<'echo "dpkg $*" >>"$WORK/calls"'
stub dpkg-query <<'S'
echo "dpkg-query" >>"$WORK/calls"
shift 2
absent=" $(cat "$STATE/absent" 2>/dev/null | tr '\n' ' ') " half=" $(cat "$STATE/half" 2>/dev/null | tr '\n' ' ') "
for name in "$@"; do
  if [[ $absent == *" $name "* ]]; then
    echo "dpkg-query: no packages found matching $name" >&2
  elif [[ $half == *" $name "* ]]; then
    echo "$name half-configured"
  else
    echo "$name installed"
  fi
done
S
stub apt-get <<'S'
echo "apt-get $*" >>"$WORK/calls"
echo "apt says $1"
[ "$1" = install ] || exit 0
[ ! -f "$STATE/apt-hangs" ] || exec sleep 20
[ ! -f "$STATE/apt-fails" ] || { echo 'E: no such package'; exit 100; }
rm -f "$STATE/absent" "$STATE/half"
S
stub mpicc <<<''
stub cmake <<'S'
echo "cmake $*" >>"$WORK/calls"
[ ! -f "$STATE/cmake-fails" ] || { echo 'CMake Error: no LLVM'; exit 1; }
mkdir -p "$BUILD"
echo 'bin/spindle-mpi' >"$BUILD/build.ninja"
[ ! -f "$STATE/cmake-hangs" ] || exec sleep 20
S
# Steps: `files` objects and a link. A number in build-fails says after which of them a compiler fails.
stub ninja <<'S'
echo "ninja $*" >>"$WORK/calls"
[[ " $* " != *' -n '* || ! -f "$STATE/count-fails" ]] || { echo 'ninja: error: unknown target'; exit 1; }
case "$*" in *' build.ninja') [ ! -f "$STATE/graph-fails" ] || { echo 'CMake Error: bad list'; exit 1; }; exit 0 ;; esac
files=$(<"$STATE/files") fails='' warns='' slow=''
for name in fails warns; do [ ! -f "$STATE/build-$name" ] || read -r $name <"$STATE/build-$name"; done
[ ! -f "$STATE/slow" ] || read -r slow <"$STATE/slow"
steps=$((files + 1))
[ "$files" -gt 0 ] || steps=0
status() { text=${NINJA_STATUS//%f/$1}; printf '%s%s\n' "${text//%t/$steps}" "$2"; }
echo "ninja: Entering directory \`build'"
for ((i = 1; i <= steps; ++i)); do
  if [[ " $* " != *' -n '* ]]; then
    [ -z "$slow" ] || sleep "$slow"
    if [ "$i" = "$fails" ]; then
      status "$i" "Building CXX object $i.o"
      printf 'FAILED: %s.o\ng++ -c %s.cpp\n%s.cpp:1:1: error: no\n  @not a status@\nninja: build stopped: subcommand failed.\n' "$i" "$i" "$i"
      exit 1
    fi
    [ "$i" != "$warns" ] || echo "$i.cpp:2: warning: odd"
    echo $((files - i)) >"$STATE/left" && mv "$STATE/left" "$STATE/files" # whole at any moment
  fi
  if [ "$i" -lt "$steps" ]; then status "$i" "Building CXX object $i.o"; else status "$i" "Linking CXX executable bin/spindle"; fi
done
[[ " $* " != *' -n '* ]] || exit 0
[ "$steps" -gt 0 ] || echo 'ninja: no work to do.'
echo 0 >"$STATE/files"
mkdir -p "$BUILD/bin"
printf '#!/bin/bash\necho "tool $*"\n[ ! -e /proc/self/fd/9 ] || echo "lock is held"\nexit 7\n' | tee "$BUILD/bin/spindle" "$BUILD/bin/spindle-flow" >"$BUILD/bin/spindle_bench"
chmod +x "$BUILD/bin/spindle" "$BUILD/bin/spindle-flow" "$BUILD/bin/spindle_bench"
S
stub ctest <<'S'
echo "ctest $*" >>"$WORK/calls"
total=7
[[ " $* " != *' -L quick '* ]] || total=3
[[ " $* " != *' -N '* ]] || { echo "  Test #1: a"; echo; echo "Total Tests: $total"; exit 0; }
[ ! -f "$STATE/ctest-hangs" ] || { sleep 20 & sleeper=$!; trap 'kill $sleeper; echo ctest stopped; exit 3' TERM; wait; }
printf '100%% tests passed, 0 tests failed out of %s\n\nTotal Test time (real) =   0.01 sec\n' "$total"
exit "$(cat "$STATE/ctest-code" 2>/dev/null || echo 0)"
S

launch() { # both streams to `output`, standard output alone to `stdout`; sets code
  code=0
  (cd "$work" && tree/spindle "$@" 2>"$work/errors" >"$work/stdout") || code=$?
  cat "$work/errors" "$work/stdout" >"$work/output"
}
launch_on_terminal() { # COLUMNS ARGUMENT…; standard input is the keyboard
  local columns=$1
  shift
  code=0
  (cd "$work" && TERM=xterm script -qec "stty cols $columns; tree/spindle $*" /dev/null >"$work/output") || code=$?
}
says() { grep -qF -- "$1" "$work/output"; }
silent() { ! grep -q 'spindle:' "$work/output"; }
says_not() { ! says "$1"; }
called() { grep -q -- "$1" "$work/calls"; }
called_not() { ! called "$1"; }
times() { [ "$(grep -c -- "$2" "$work/calls")" -eq "$1" ]; }
exits() { [ "$code" -eq "$1" ]; }
ends_with() { [[ "$(tail -n 1 "$work/stdout")" == "$1"* ]]; }
measure() { printf 'date,commit,cores,phase,elapsed_s,processor_s,steps\n%b' "$1" >"$work/tree/tests/bench/cold-build.csv"; }

# --- nothing measured, nothing missing
fresh
launch run flow.yaml
check 'says what is to do before the build graph' says 'to do: configure, compile everything'
check 'without a measurement there is no estimate' says_not 'minute'
check 'counts the files' says 'compiling 30 files'
check 'a line per tenth elsewhere' says 'spindle: built 50 %, 16 of 31 steps'
check 'ten lines' test "$(grep -c 'built [0-9]* %' "$work/output")" -eq 10
check 'hands the arguments over' says 'tool run flow.yaml'
check 'the exit code is that of the tool' exits 7
check 'the lock is released for the tool' says_not 'lock is held'
check 'only the tool is on standard output' test "$(cat "$work/stdout")" = 'tool run flow.yaml'
check 'asks for all packages at once' times 1 dpkg-query
check 'installs nothing' called_not apt-get
check 'writes how long the build took' grep -q '^build,.*,30,2,$' "$BUILD/launcher-times.csv"
: >"$work/calls"
launch run flow.yaml
check 'nothing to do, nothing said' silent
check 'nothing to do, nothing built' test "$(grep -c '^ninja .* spindle-flow$' "$work/calls")" -eq 1
check 'nothing to do, not configured' called_not cmake
echo 3 >"$work/state/files"
launch run flow.yaml
check 'three files are not worth a word' silent
touch "$work/state/count-fails"
: >"$work/calls"
launch run flow.yaml
check 'what cannot be counted is built all the same' called 'release spindle-flow$'
printf 'model: {}\nhardware: {}\n' >"$work/circuit.yaml"
: >"$work/calls"
launch run circuit.yaml
check 'a flow with a circuit needs the whole tool' called 'release spindle$'

# --- estimates
fresh
measure '2026-01-02,abc,4,run/install,60.5,30,20\n2026-01-02,abc,4,run/configure,20.0,10,1\n2026-01-02,abc,4,run/build,600.9,2000,60\n'
printf '%s\n' ccache lld-22 >"$work/state/absent"
echo libpng-dev >"$work/state/half"
launch run
check 'estimate of all: 9 s for packages, 20 s, 20 minutes on half the cores' says 'to do: install 3 packages, configure, compile about 60 files, about 20 minutes on 2 cores'
check 'names what is missing and why' grep -qE '^  lld-22 +build, links the tool' "$work/output"
check 'half-configured packages are missing, too' says 'libpng-dev'
check 'finishes a cut off installation first' test "$(grep -n 'dpkg --configure -a' "$work/calls" | cut -d: -f1)" -lt "$(grep -n 'apt-get install' "$work/calls" | cut -d: -f1)"
check 'installs what is missing' called 'apt-get install -y -q --no-install-recommends ccache lld-22 libpng-dev'
check 'estimate of the files, by their share' says 'compiling 30 files, about 10 minutes on 2 cores'
measure '2026-01-02,abc,4,run/build,600.9,2000,60\n2026-01-03,abd,2,run/build,61.0,2000,60\n'
echo 10 >"$work/state/files"
launch run
check 'the newest row counts' says 'compiling 10 files, less than a minute'
fresh
launch run
measure '2026-01-02,abc,2,run/configure,9.0,8.1,1\n2026-01-02,abc,2,run/build,600.9,2000,60\n'
printf '%s\n' configure,25.300,24.900,1,2, reconfigure,2.100,2.000,1,2, >>"$BUILD/launcher-times.csv"
echo 30 >"$work/state/files"
launch run
check 'a machine that configures three times as slowly builds so, too' says 'compiling 30 files, about 15 minutes on 2 cores'
fresh
measure '2026-01-02,abc,2,run/build,600.9,2000,60\n'
launch test
check 'no estimate of the tests without a row of theirs' says_not minute
fresh
measure '2026-01-02,abc,2,run/build,600.9,2000,60\n2026-01-02,abc,2,test/build,300.0,900,30\n'
launch test
check 'tool and tests together' says 'compiling 30 files, about 5 minutes on 2 cores'

# --- packages without root, failures
fresh
echo verilator >"$work/state/absent"
echo 1000 >"$work/state/uid"
launch run
check 'without root: says what to run' says 'sudo sh -c "dpkg --configure -a; apt-get update && apt-get install -y --no-install-recommends verilator"'
check 'without root: ends' exits 1
check 'without root: does not build' called_not ninja
touch "$work/state/has-sudo"
launch run
check 'with sudo: installs' called 'sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install'
check 'with sudo: goes on' says 'tool run'
fresh
echo verilator >"$work/state/absent"
touch "$work/state/apt-fails"
launch run
check 'a failed installation is shown' says 'E: no such package'
check 'a failed installation has a remedy' says 'the installation failed; mend it'
check 'a failed installation ends' exits 1
fresh
mv "$work/stubs/dpkg-query" "$work/dpkg-query"
if ! command -v dpkg-query >/dev/null; then # else there is no hiding the real one
  launch run
  check 'not Debian: names the packages' says 'this is not a Debian system'
fi
mv "$work/dpkg-query" "$work/stubs/dpkg-query"

# --- interruptions
interrupt() { # SIGNAL CALL ARGUMENT…: sends SIGNAL as soon as CALL was made
  local signal=$1 call=$2 launcher
  shift 2
  (
    trap - INT
    exec "$work/tree/spindle" "$@" >"$work/output" 2>&1
  ) &
  launcher=$!
  for ((i = 0; i < 200; ++i)); do
    grep -q "$call" "$work/calls" && break
    sleep 0.02
  done
  sleep 0.1
  kill -s "$signal" $launcher
  code=0
  wait $launcher 2>/dev/null || code=$?
}
fresh
echo verilator >"$work/state/absent"
touch "$work/state/apt-hangs"
interrupt INT 'apt-get install' run
check 'an interrupted installation says so' says 'interrupted; the same command finishes the installation'
check 'an interrupted installation ends as by the signal' exits 130
rm "$work/state/apt-hangs"
launch run
check 'an interrupted installation goes on' says 'tool run'
fresh
touch "$work/state/cmake-hangs"
interrupt INT 'cmake' run
check 'an interrupted configuration left a graph' test -f "$BUILD/build.ninja"
rm "$work/state/cmake-hangs"
: >"$work/calls"
launch run
check 'an interrupted configuration is made again' called cmake
check 'and the build follows' says 'tool run'
fresh
launch run >/dev/null
echo 30 >"$work/state/files"
echo 0.1 >"$work/state/slow"
: >"$work/calls"
interrupt TERM '/release spindle-flow$' run
check 'an interrupted build ends as by the signal' exits 143
check 'an interrupted build says that it goes on' says 'interrupted; the same command goes on from here'
rm "$work/state/slow"
left=$(cat "$work/state/files")
launch run
check 'an interrupted build goes on' says "compiling $left files"

# --- failing builds
fresh
touch "$work/state/cmake-fails"
launch run
check 'a failed configuration is shown' says 'CMake Error: no LLVM'
check 'a failed configuration ends' exits 1
rm "$work/state/cmake-fails"
echo 12 >"$work/state/build-fails"
launch run
check 'a failed build is shown' says '12.cpp:1:1: error: no'
check 'whole' says '  @not a status@'
check 'and its command' says 'g++ -c 12.cpp'
check 'a failed build ends' exits 1
check 'a failed build does not run the tool' says_not 'tool run'
rm "$work/state/build-fails"
echo 5 >"$work/state/build-warns"
launch run
check 'warnings are shown' says '5.cpp:2: warning: odd'
touch "$work/state/graph-fails"
launch run
check 'a CMakeLists.txt that fails is shown' says 'CMake Error: bad list'

# --- the time left, by a clock of the test: half of the steps from a cache, then a minute of compilation
time_left() { # FINISHED NOW…, in milliseconds: what is said after each of them
  (
    source "$source/tools/launcher/progress.sh"
    begin=0 total=100 expected='' left='' left_at=0
    while [ $# -gt 0 ]; do
      finished=$1 now=$2
      update_left
      shift 2
    done
    echo "$left"
  )
}
check 'the rate so far' test "$(time_left 50 8000)" -eq 8000
check 'smoothed from second to second' test "$(time_left 50 8000 51 9000)" -eq $(((3 * 7000 + 9000 * 49 / 51) / 4))
check 'but never 0 after a long step' test "$(time_left 50 8000 60 60000)" -eq 40000

# --- on a terminal
if command -v script >/dev/null; then
  fresh
  echo 0.05 >"$work/state/slow"
  launch_on_terminal 100 run
  check 'a bar' grep -qE 'building  \[#+ +\]  *[0-9]+ %  [0-9]+ of 31 steps, [0-9]+ s left' "$work/output"
  check 'in one line' grep -q $'\r''building' "$work/output"
  check 'which is wiped' grep -q $'\r\033\[K''spindle: built in' "$work/output"
  check 'no lines per tenth' says_not 'built 50 %'
  fresh
  echo 0.05 >"$work/state/slow"
  echo 29 >"$work/state/build-fails"
  launch_on_terminal 40 run
  check 'a narrow terminal: no bar, the numbers' grep -qE $'\r''building +[0-9]+ %  [0-9]+ of 31' "$work/output"
  check 'and at most 39 columns' test "$(tr '\r' '\n' <"$work/output" | sed 's/\x1b\[K//g' | grep '^building' | awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }')" -le 39
  check 'the bar is wiped before the errors' grep -q $'\r\033\[K''FAILED: 29.o' "$work/output"
  check 'errors are whole there, too' says '29.cpp:1:1: error: no'
  check 'the exit code, too' exits 1
  fresh
  echo 0.2 >"$work/state/slow"
  code=0
  (sleep 2 && printf '\003') | launch_on_terminal 80 run
  check 'Ctrl-C wipes the bar' grep -q $'\033\[K''spindle: interrupted' "$work/output"
  check 'Ctrl-C ends ninja' test "$(cat "$work/state/files")" -gt 15
fi

# --- tests
fresh
launch test
check 'says how many tests' says 'spindle: running 7 tests'
check 'knows nothing of a run before' says_not 'last run'
check 'runs every test by itself' called 'ctest --test-dir .* --parallel 2 -E \\.quick\$$'
check 'the last words are those of ctest' ends_with 'Total Test time'
check 'exit code 0' exits 0
launch test
check 'says how long the last run took' says 'running 7 tests; the last run took 0 s'
launch test -L quick
check 'counts those of a label' grep -qx 'spindle: running 3 tests' "$work/output"
check 'hands the label to ctest' called 'ctest --test-dir .* --output-on-failure --parallel 2 -L quick$'
launch test --label-regex quick
check 'a label by its long name' called 'ctest --test-dir .* --parallel 2 --label-regex quick$'
launch test -LE slow
check 'a label to leave out' called 'ctest --test-dir .* --parallel 2 -E \\.quick\$ -LE slow$'
launch test -E Digits
check 'tests to leave out' called 'ctest --test-dir .* --parallel 2 -E \\.quick\$ -E Digits|\\.quick\$$'
echo 8 >"$work/state/ctest-code"
launch test
check 'the exit code of ctest' exits 8
check 'the last words are those of ctest after a failure, too' ends_with 'Total Test time'
touch "$work/state/ctest-hangs"
: >"$work/calls"
interrupt TERM 'ctest .*parallel' test
check 'a signal reaches ctest' says 'ctest stopped'
check 'and ends the launcher' exits 143

# --- the benchmark, and another launcher
rm -f "$work"/state/ctest-*
launch bench hls
check 'bench hands over' says 'tool hls'
(
  exec 9>"$work/tree/.spindle.lock"
  flock 9
  sleep 0.5
) &
sleep 0.1
launch run
check 'waits for another launcher, and says so' says 'waiting for another spindle'

# --- what the README says of the times
fresh
cp "$source/README.md" "$source/CONTRIBUTING.md" "$work/tree/"
cp "$source"/tests/bench/*.sh "$work/tree/tests/bench/"
readme() { "$work/tree/tests/bench/cold-build.sh" --readme >"$work/output" 2>&1; }
agrees() { env -u SPINDLE_MEASURES_README bash "$source/tests/launcher/readme-times-test.sh" "$work/tree" >"$work/output" 2>&1; }
disagrees() { ! agrees; }
check 'no table, no README' disagrees
rows='2026-01-02,abc,2,run/install,89,1,34\n2026-01-02,abc,2,run/build,400,1,120\n2026-01-02,abc,2,run,510,1,1\n'
rows+='2026-01-02,abc,2,test/build,300,1,99\n2026-01-02,abc,2,test/tests,60,1,2534\n'
measure "$rows"
check 'a command without a row has no sentence' test "$(readme && echo written)" = ''
measure "${rows}2026-01-02,abc,2,test,390,1,1\n"
check 'the README is written from the table' readme
check 'in rounded minutes' grep -q 'the first command takes 9 minutes (1 for 34 packages, 7 for 120 files to compile; measured 2026-01-02 at abc)' "$work/tree/README.md"
check 'which then agree' agrees
mkdir -p "$work/tree/docs/rationale/emulation"
echo 'The build takes 3 minutes.' >"$work/tree/docs/rationale/emulation/lanes.md"
check 'a time on a page in any folder is found' disagrees
rm "$work/tree/docs/rationale/emulation/lanes.md"
measure "${rows}2026-01-03,abd,2,test,450,1,1\n"
check 'until they are measured anew' disagrees
measure "${rows/install,89,/install,27,}2026-01-02,abc,2,test,390,1,1\n"
check 'less than half a minute is not none' test "$(readme && grep -o 'under 1 for 34 packages' "$work/tree/README.md")" != ''
check 'which agrees, too' agrees

echo "1..$number"
echo "$((number - failures)) passed, $failures failed"
[ "$failures" -eq 0 ]
