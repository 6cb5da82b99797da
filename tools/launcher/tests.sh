# Runs the tests. The last words are ctest's.

# Sets count (empty where ctest cannot say) and last_s: how long the same tests took when they were last run here.
find_tests() {
  local phase elapsed processor steps at arguments
  count=$(ctest --test-dir "$build" -N "$@" 2>/dev/null | sed -n 's/^Total Tests: //p') || true
  last_s=
  [ -f "$phase_times" ] || return 0
  while IFS=, read -r phase elapsed processor steps at arguments; do
    [ "$phase" != tests ] || [ "$arguments" != "$test_arguments" ] || last_s=${elapsed%.*}
  done <"$phase_times"
}

# run_tests ARGUMENT…: ctest's exit code. A run that was stopped is not remembered. Quick tests of a program run together where
# they are asked for (`-L quick`), otherwise each by itself. Of several -E ctest takes the last.
run_tests() {
  local argument others='\.quick$' arguments=() wants_name=
  for argument; do
    [ -z "$wants_name" ] || argument="$argument|$others"
    wants_name=
    [[ "$argument" != -E && "$argument" != --exclude-regex ]] || wants_name=1
    arguments+=("$argument")
  done
  case "$*" in
  *quick*) ;;
  *) set -- -E "$others" "${arguments[@]}" ;;
  esac
  local count last_s code=0 test_arguments=${*//[$',\n']/ }
  find_tests "$@"
  if [ "${count:-0}" -gt 0 ]; then
    say "running $(counted "$count" test)${last_s:+; the last run took $(duration "$last_s")}"
  fi
  after_stop=
  begin_phase
  start ctest --test-dir "$build" --output-on-failure --parallel "$cores" "$@" &
  finish || code=$?
  [ "${count:-0}" -eq 0 ] || end_phase tests "$count" "$test_arguments"
  return "$code"
}
