# Configuring and building. Both go on where they were cut off: ninja by its log, CMake by being run again.

# configure.log comes last, so a configuration that was cut off has none.
is_configured() { [ -f "$build/build.ninja" ] && [ -f "$build/configure.log" ]; }

# Whether MPI came after the last configuration.
lacks_mpi() { command -v mpicc >/dev/null && ! grep -qs 'bin/spindle-mpi' "$build/build.ninja"; }

is_configuration_due() { ! is_configured || { [ -n "$with_mpi" ] && lacks_mpi; }; }

# The first time is a phase of its own: it tells how fast the machine is.
configure() {
  is_configuration_due || return 0
  local phase=configure
  [ ! -f "$build/CMakeCache.txt" ] || phase=reconfigure
  say "configuring"
  after_stop="the same command configures again"
  rm -f "$build/configure.log"
  begin_phase
  start cmake -S "$root" --preset release >"$root/.configure.log" 2>&1 &
  finish || {
    cat "$root/.configure.log" >&2
    exit 1
  }
  mv "$root/.configure.log" "$build/configure.log"
  end_phase "$phase" 1
}

# CMake's own list of what makes the graph: a source file more, another CMakeLists.txt.
update_graph() {
  start ninja -C "$build" build.ninja >"$build/graph.log" 2>&1 &
  finish || {
    local code=$?
    cat "$build/graph.log" >&2
    fail_build "$code"
  }
}

# ninja_through_bar SECONDS ARGUMENT…: its exit code.
ninja_through_bar() {
  local expected=$1 to code=0
  shift
  exec {to}> >(show_progress "$expected")
  bar=$!
  start env NINJA_STATUS="$ninja_status" ninja -C "$build" "$@" >&"$to" 2>&1 &
  exec {to}>&-
  finish || code=$?
  wait "$bar" || true
  bar=
  return "$code"
}

# Sets files and steps: what ninja would compile, and all it would do. In the manifest of CMake itself it only sees that
# the globs are to be checked, and stops; so it reads one that includes it.
count_steps() {
  local line
  files=0 steps=0
  echo 'include build.ninja' >"$build/plan.ninja"
  while IFS= read -r line; do
    if [[ $line =~ ^$ninja_status_pattern ]]; then steps=${BASH_REMATCH[2]}; fi
    if [[ $line == *' Building C'*' object '* ]]; then files=$((files + 1)); fi
  done < <(NINJA_STATUS=$ninja_status ninja -C "$build" -f plan.ninja -n "$@" 2>&1)
  wait $! || steps=1 # ninja itself will say why not
}

fail_build() {
  say "the build failed, with the errors above; what is built stays, the same command goes on from there"
  exit "$1"
}

# Nothing is said about fewer than four files.
build_targets() {
  local files=0 steps=0 code=0 estimate_s=''
  after_stop="the same command goes on from here"
  update_graph
  count_steps "$@"
  [ "$steps" -gt 0 ] || return 0
  estimate_build "$files"
  [ "$files" -lt 4 ] || say "compiling $files files$(about "$estimate_s")"
  begin_phase
  ninja_through_bar "$estimate_s" "$@" || fail_build $?
  end_phase build "$files"
  [ "$files" -lt 4 ] || say "built in $(duration "$phase_seconds")"
}
