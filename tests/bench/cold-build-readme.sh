# What README.md says of the times of its two commands, from cold-build.csv (both paths set by who sources this).

# read_row PHASE: sets date, commit, cores, minutes (rounded) and steps from its newest row.
read_row() {
  local d c k phase elapsed processor s
  date=''
  while IFS=, read -r d c k phase elapsed processor s; do
    if [ "$phase" = "$1" ]; then
      date=$d commit=$c cores=$k minutes=$(((${elapsed%.*} + 30) / 60)) steps=$s
    fi
  done <"$table"
  [ -n "$date" ] || fail "${table#"$root"/} has no row of '$1': run tests/bench/cold-build.sh"
}

# part PHASE WHAT: "6 for 118 files", "under 1 for 25 packages"
part() {
  read_row "$1"
  [ "$minutes" -gt 0 ] || minutes='under 1'
  printf '%s for %d %s' "$minutes" "$steps" "$2"
}

plural() { [ "$1" -eq 1 ] || printf s; }

sentences() {
  local date commit cores minutes steps
  [ -f "$table" ] || fail "${table#"$root"/} is missing: run tests/bench/cold-build.sh"
  read_row run
  printf 'From a bare Debian 12 on %d core%s, with nothing cached, the first command takes %d minute%s (%s, %s; measured %s at %s).\n' \
    "$cores" "$(plural "$cores")" "$minutes" "$(plural "$minutes")" "$(part run/install packages)" "$(part run/build 'files to compile')" "$date" "$commit"
  read_row test
  printf 'The second then takes %d minute%s (%s, %s; measured %s at %s).\n' \
    "$minutes" "$(plural "$minutes")" "$(part test/build 'files to compile')" "$(part test/tests tests)" "$date" "$commit"
}

write_readme() {
  local text
  text=$(sentences)
  grep -q '^<!-- cold-build -->$' "$root/README.md" || fail "README.md has no line '<!-- cold-build -->'"
  awk -v text="$text" '
    /^<!-- \/cold-build -->$/ { inside = 0 }
    !inside { print }
    /^<!-- cold-build -->$/ { inside = 1; print text }' "$root/README.md" >"$root/README.md.new"
  cat "$root/README.md.new" >"$root/README.md"
  rm "$root/README.md.new"
}
