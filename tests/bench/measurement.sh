# Clocks of the scripts that measure builds.

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }
fail() {
  say "error: $*"
  exit 1
}

# Sets clock_ms, and children_ms: the processor time of the children so far (proc(5): cutime, cstime, in hundredths).
read_clocks() {
  local fields
  clock_ms=$((${EPOCHREALTIME//[!0-9]/} / 1000))
  read -r -a fields </proc/self/stat
  children_ms=$(((fields[15] + fields[16]) * 10))
}

begin() {
  read_clocks
  begin_ms=$clock_ms begin_children_ms=$children_ms
}

# Sets elapsed_s and processor_s since begin, in tenths.
end() {
  read_clocks
  local elapsed=$(((clock_ms - begin_ms + 50) / 100)) processor=$(((children_ms - begin_children_ms + 50) / 100))
  elapsed_s=$((elapsed / 10)).$((elapsed % 10))
  processor_s=$((processor / 10)).$((processor % 10))
}
