# Debian packages: which are missing, and their installation.

is_debian() { command -v dpkg-query >/dev/null; }

# find_missing NAME…: sets missing. One call, since each costs more than the question.
find_missing() {
  local name status installed=' '
  while read -r name status; do
    [ "$status" != installed ] || installed+="$name "
  done < <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
  missing=()
  for name in "$@"; do
    [[ $installed == *" $name "* ]] || missing+=("$name")
  done
}

# What is missing of the list `packages`.
find_missing_packages() {
  missing=()
  is_debian || return 0
  local name why names=()
  while IFS=: read -r name why; do
    [ -z "$name" ] || names+=("$name")
  done <<<"$packages"
  find_missing "${names[@]}"
}

list_missing() {
  local name why
  say "these Debian packages are missing:"
  while IFS=: read -r name why; do
    [[ " ${missing[*]} " != *" $name "* ]] || printf '  %-24s%s\n' "$name" "$why" >&2
  done <<<"$packages"
}

# as_root COMMAND…, by sudo where need be.
apt_to=2
as_root() {
  local run=()
  [ "$(id -u)" -eq 0 ] || run=(sudo -n)
  start "${run[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >&"$apt_to" 2>&"$apt_to" &
  finish
}

install_packages() {
  if ! is_debian; then
    if ! is_configured; then
      say "this is not a Debian system, so nothing is installed by itself; the build needs the counterparts of:"
      printf '%s' "$packages" >&2
    fi
    return
  fi
  [ ${#missing[@]} -gt 0 ] || return 0
  list_missing

  # An installation that was cut off is finished first, otherwise apt-get refuses to begin another.
  local remedy="dpkg --configure -a; apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
    say "installing them needs root; run this once, then try again:"
    printf '  sudo sh -c "%s"\n' "$remedy" >&2
    exit 1
  fi
  say "installing $(counted ${#missing[@]} package)"
  after_stop="the same command finishes the installation"
  begin_phase
  as_root dpkg --configure -a || true # apt-get says what is wrong
  if ! { as_root apt-get update -q && as_root apt-get install -y -q --no-install-recommends "${missing[@]}"; }; then
    say "the installation failed; mend it, or run this by hand:"
    printf '  %s\n' "$remedy" >&2
    exit 1
  fi
  end_phase install ${#missing[@]}
}

# Tests that need Open MPI are skipped where it cannot be had.
try_mpi_packages() {
  is_debian || return 0
  local names=(libopenmpi-dev openmpi-bin)
  find_missing "${names[@]}"
  [ ${#missing[@]} -gt 0 ] || return 0
  local apt_to
  exec {apt_to}>/dev/null
  begin_phase
  if as_root timeout 60 apt-get update -q && as_root apt-get install -y -q --no-install-recommends "${missing[@]}"; then
    end_phase install ${#missing[@]}
  else
    say "Open MPI cannot be installed (${names[*]}): its tests are skipped"
  fi
  exec {apt_to}>&-
}
