# How long a phase will take: what tests/bench/cold-build.sh measured, by the share of the steps, by the cores and by the speed of
# this machine once that is known. Without a measurement there is no estimate.

measured=$root/tests/bench/cold-build.csv # date,commit,cores,phase,elapsed_s,processor_s,steps

# read_measured PHASE: sets measured_s, measured_processor_s, measured_steps and measured_cores from its newest row.
read_measured() {
  local date commit at phase elapsed processor steps
  measured_s='' measured_processor_s='' measured_steps='' measured_cores=''
  [ -f "$measured" ] || return 1
  while IFS=, read -r date commit at phase elapsed processor steps; do
    if [ "$phase" = "$1" ]; then
      measured_s=${elapsed%.*} measured_processor_s=$processor measured_steps=$steps measured_cores=$at
    fi
  done <"$measured"
  [ "${measured_steps:-0}" -gt 0 ]
}

# estimate PHASE STEPS: sets estimate_s, empty where nothing was measured.
estimate() {
  estimate_s=
  read_measured "$1" || return 0
  estimate_s=$((measured_s * $2 / measured_steps))
  case $1 in
  */build) estimate_s=$((estimate_s * measured_cores / cores)) ;; # packages come one after another
  esac
}

# Sets slowness: processor time of the first configuration here, in percent of the measured one. Machines of equally many cores
# differ by a factor of three, and every build begins with it. 100 where it is not known, or too short to tell.
read_slowness() {
  local phase elapsed processor rest here_s=0
  slowness=100
  [ -f "$phase_times" ] && read_measured run/configure || return 0
  while IFS=, read -r phase elapsed processor rest; do
    [ "$phase" != configure ] || here_s=${processor%.*}
  done <"$phase_times"
  if [ "$here_s" -ge 2 ] && [ "${measured_processor_s%.*}" -ge 2 ]; then
    slowness=$((100 * here_s / ${measured_processor_s%.*}))
  fi
}

# estimate_build FILES: of the tool for `run`; of the tests, too, for `test`, where the tool may be there already.
estimate_build() {
  estimate_s=
  if [ "$with_tests" = yes ] && [ ! -x "$build/bin/spindle" ]; then
    read_measured run/build || return 0
    local tool_s=$measured_s tool_files=$measured_steps
    read_measured test/build || return 0
    estimate_s=$(((tool_s + measured_s) * $1 / (tool_files + measured_steps) * measured_cores / cores))
  elif [ "$with_tests" = yes ]; then
    estimate test/build "$1"
  else
    estimate run/build "$1"
  fi
  local slowness
  read_slowness
  [ -z "$estimate_s" ] || estimate_s=$((estimate_s * slowness / 100))
}

# Files that the first build compiles, as measured; empty where nothing was.
measured_files() {
  expected_files=
  read_measured run/build || return 0
  local tool=$measured_steps
  [ "$with_tests" = no ] || read_measured test/build || return 0
  expected_files=$tool
  [ "$with_tests" = no ] || expected_files=$((tool + measured_steps))
}

# about SECONDS: ", about 4 minutes on 2 cores"; nothing for an empty number.
about() {
  [ -n "$1" ] || return 0
  local minutes=$((($1 + 30) / 60))
  if [ "$minutes" -lt 1 ]; then
    printf ', less than a minute'
  else
    printf ', about %s on %s' "$(counted "$minutes" minute)" "$(counted "$cores" core)"
  fi
}

# What is to be done, before it begins. Files are not counted before there is a build graph, but their measured number is known.
announce() {
  [ ${#missing[@]} -gt 0 ] || is_configuration_due || return 0
  local estimate_s='' total_s=0 expected_files='' what=''
  if [ ${#missing[@]} -gt 0 ]; then
    what="install $(counted ${#missing[@]} package), "
    estimate run/install ${#missing[@]}
    add_estimate
  fi
  what+="configure"
  estimate run/configure 1
  add_estimate
  if [ ! -f "$build/build.ninja" ]; then
    measured_files
    what+=", compile ${expected_files:+about $expected_files files}"
    what+=$([ -n "$expected_files" ] || echo "everything")
    estimate_s=
    [ -z "$expected_files" ] || estimate_build "$expected_files"
    add_estimate
  else
    what+=", compile what is out of date"
    total_s=
  fi
  say "to do: $what$(about "$total_s")"
}

# The sum is unknown where one of its parts is.
add_estimate() {
  if [ -z "$estimate_s" ]; then total_s=; fi
  [ -z "$total_s" ] || total_s=$((total_s + estimate_s))
}
