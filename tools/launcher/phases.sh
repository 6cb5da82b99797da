# The phases of the launcher (install, configure, build, tests) are children of it: signals reach them, and what each took is written down.

cores=$(nproc)
phase_times=$build/launcher-times.csv # phase,elapsed_s,processor_s,steps,cores,arguments

say() { printf 'spindle: %s\n' "$*" >&2; }

# counted 1 test: "1 test"; counted 2 test: "2 tests"
counted() { printf '%d %s%s' "$1" "$2" "$([ "$1" -eq 1 ] || echo s)"; }

# 12 s, 3 min 05 s, 2 h 07 min
duration() {
  if [ "$1" -lt 60 ]; then
    printf '%d s' "$1"
  elif [ "$1" -lt 3600 ]; then
    printf '%d min %02d s' $(($1 / 60)) $(($1 % 60))
  else
    printf '%d h %02d min' $(($1 / 3600)) $(($1 / 60 % 60))
  fi
}

child='' bar='' stopped='' after_stop=''

# Ends as the signal would have ended us, after the child and the bar that shows it.
end_stopped() {
  [ -z "$bar" ] || wait "$bar" || true
  say "interrupted${after_stop:+; $after_stop}"
  trap - "$stopped"
  kill -s "$stopped" $$
}

# Signals of a terminal reach the child by themselves, those of `kill` do not; twice is no harm.
forward() {
  stopped=$1
  if [ -n "$child" ]; then
    kill -s "$1" "$child" 2>/dev/null || true
  else
    end_stopped
  fi
}
trap 'forward INT' INT
trap 'forward TERM' TERM
trap 'forward HUP' HUP

# start COMMAND… &: a shell ignores SIGINT for what it starts in the background; `trap - INT` takes that back.
start() {
  trap - INT TERM HUP
  exec "$@"
}

# Waits for what was started last; its exit code.
finish() {
  local code
  child=$!
  while :; do
    wait "$child" && code=0 || code=$?
    kill -0 "$child" 2>/dev/null || break
  done
  child=
  [ -z "$stopped" ] || end_stopped
  return "$code"
}

# Sets clock_ms, and children_ms: the processor time of the children so far (proc(5): cutime, cstime, in hundredths).
read_clock() {
  local fields
  clock_ms=$((${EPOCHREALTIME//[!0-9]/} / 1000)) # whatever the locale puts before the fraction
  read -r -a fields </proc/self/stat
  children_ms=$(((fields[15] + fields[16]) * 10))
}

begin_phase() {
  read_clock
  phase_begin_ms=$clock_ms phase_children_ms=$children_ms
}

# end_phase NAME STEPS [ARGUMENTS]: writes the row; sets phase_seconds.
end_phase() {
  read_clock
  local elapsed=$((clock_ms - phase_begin_ms)) processor=$((children_ms - phase_children_ms))
  phase_seconds=$(((elapsed + 500) / 1000))
  mkdir -p "$build"
  [ -f "$phase_times" ] || echo 'phase,elapsed_s,processor_s,steps,cores,arguments' >"$phase_times"
  printf '%s,%d.%03d,%d.%03d,%d,%d,%s\n' "$1" $((elapsed / 1000)) $((elapsed % 1000)) \
    $((processor / 1000)) $((processor % 1000)) "$2" "$cores" "${3-}" >>"$phase_times"
}
