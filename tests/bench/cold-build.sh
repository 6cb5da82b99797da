#!/usr/bin/env bash
# How long the two commands of the README take from nothing: in a bare Debian 12 tree, with an empty compiler cache.
#   tests/bench/cold-build.sh                 makes the tree, runs both commands in it, appends rows to cold-build.csv
#   tests/bench/cold-build.sh --only run      the first command only
#   tests/bench/cold-build.sh --here          no tree: this checkout on this machine, which must be as bare as a tree
#   tests/bench/cold-build.sh --dir DIR       where the tree lies (several GB), in place of a folder below /var/tmp
#   tests/bench/cold-build.sh --keep          leaves the tree there
#   tests/bench/cold-build.sh --mirror URL    of Debian, in place of the one that apt uses here
#   tests/bench/cold-build.sh --readme        writes the newest rows into README.md, measures nothing
# Needs root on a Debian 12 with debootstrap and git. What is measured is HEAD, without changes that are not committed.
# SPINDLE_DATA, where set, is to be read in the tree, too; without it the tests that need it are skipped.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
table=$root/tests/bench/cold-build.csv
# shellcheck source=/dev/null
. "$root/tests/bench/measurement.sh"

only='' keep='' folder='' mirror='' readme='' here=''
while [ $# -gt 0 ]; do
  case $1 in
  --only)
    only=${2-}
    [ "$only" = run ] || fail "--only takes 'run', not '$only'"
    shift
    ;;
  --dir) folder=$(realpath -m "${2:?--dir needs a folder}") && shift ;;
  --mirror) mirror=${2:?--mirror needs an address} && shift ;;
  --keep) keep=yes ;;
  --here) here=yes ;;
  --readme) readme=yes ;;
  *) fail "unknown option '$1' (the head of this file tells them)" ;;
  esac
  shift
done

if [ -n "$readme" ]; then
  # shellcheck source=/dev/null
  . "$root/tests/bench/cold-build-readme.sh"
  write_readme
  exit
fi

# Mounts and processes of the tree live in a namespace of their own, which ends with them. Out here nothing of it is
# mounted, so the tree can be removed.
outside() {
  [ "$(id -u)" -eq 0 ] || fail "a tree with a system of its own needs root"
  . /etc/os-release
  [ "${VERSION_CODENAME-}" = bookworm ] || fail "this is not Debian 12, whose apt settings the tree takes over"
  command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
  [ -n "$folder" ] || folder=$(mktemp -d /var/tmp/spindle-cold-build.XXXXXX)
  [ ! -e "$folder/tree" ] || fail "$folder/tree is there already"
  mkdir -p "$folder"
  trap remove_tree EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  COLD_BUILD_INSIDE=yes unshare --mount --propagation private --pid --fork --kill-child \
    bash "${BASH_SOURCE[0]}" --dir "$folder" ${only:+--only "$only"} ${mirror:+--mirror "$mirror"} &
  namespace=$!
  wait "$namespace"
}

remove_tree() {
  local code=$?
  trap '' INT TERM HUP
  { ! kill -KILL "$namespace" || wait "$namespace" || sleep 1; } 2>/dev/null # and with it all that runs in the tree
  if [ -n "$keep" ]; then
    say "the tree stays in $folder/tree"
  else
    rm -rf --one-file-system "$folder/tree" "$folder"/{debootstrap.log,rows.csv}
    rmdir "$folder" 2>/dev/null || true
  fi
  exit "$code"
}

if [ -n "$here" ]; then
  [ -z "$only$keep$folder$mirror" ] || [ "$only" = run ] || fail "--here makes no tree: --dir, --keep and --mirror are of no use beside it"
  folder=$(mktemp -d /var/tmp/spindle-cold-build.XXXXXX)
  trap 'rm -rf "$folder"' EXIT
elif [ -z "${COLD_BUILD_INSIDE-}" ]; then
  outside
  exit
fi
tree=$folder/tree
checkout=$tree/root/spindle
[ -z "$here" ] || checkout=$root

make_tree() {
  mkdir "$tree"
  [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk '$2 == "bookworm" && $3 == "main" { print $1; exit }')
  [ -n "$mirror" ] || fail "apt has no source for bookworm main here: name one by --mirror"
  say "a bare tree from $mirror"
  debootstrap --variant=minbase bookworm "$tree" "$mirror" >"$folder/debootstrap.log" 2>&1 || {
    tail -n 20 "$folder/debootstrap.log" >&2
    fail "debootstrap failed"
  }
  rm "$folder/debootstrap.log"
  copy_network_settings
  mount -t proc proc "$tree/proc"
  mount --rbind /dev "$tree/dev"
  mount -t sysfs -o ro sysfs "$tree/sys" # Open MPI counts the cores there
  if [ -n "${SPINDLE_DATA-}" ]; then
    [ -d "$SPINDLE_DATA" ] || fail "SPINDLE_DATA is no folder: $SPINDLE_DATA"
    mkdir "$tree/data"
    mount --bind "$SPINDLE_DATA" "$tree/data"
    mount -o remount,bind,ro "$tree/data"
  fi
}

# Where packages come from and by which way, as it is set here; nothing else of this system.
copy_network_settings() {
  local name
  rm -f "$tree/etc/apt/sources.list"
  for name in apt/sources.list apt/sources.list.d apt/keyrings apt/trusted.gpg apt/trusted.gpg.d apt/auth.conf apt/auth.conf.d resolv.conf hosts; do
    [ ! -e "/etc/$name" ] || cp -rL "/etc/$name" "$tree/etc/$(dirname "$name")/"
  done
  mkdir -p "$tree/usr/share/keyrings" "$tree/etc/ssl/certs"
  cp -rL /usr/share/keyrings/. "$tree/usr/share/keyrings/"
  [ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Check|Retries|ForceIP|Proxy)' >"$tree/etc/apt/apt.conf.d/90network" || true
}

# Nothing built, no package, no compiler cache: what a tree has by its making.
expect_bare() {
  [ ! -e "$root/build" ] || fail "--here: this checkout has a build folder, use a fresh clone"
  [ ! -e /root/.cache/ccache ] && [ ! -e /root/.ccache ] || fail "--here: this machine has a compiler cache"
  ! dpkg -s libmlir-22-dev >/dev/null 2>&1 || fail "--here: this machine has the packages already"
}

# A fresh clone of HEAD.
clone() {
  [ -z "$(git -C "$root" status --porcelain -uno)" ] || say "changes that are not committed are not measured"
  git clone -q --no-checkout "$root" "$tree/root/spindle"
  git -C "$tree/root/spindle" checkout -q --detach "$commit"
}

# in_tree COMMAND…: in the clone, with nothing of our environment but the way to the network.
in_tree() {
  # The README cannot say yet what is measured here.
  local variables=(SPINDLE_MEASURES_README=yes HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8) name
  for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name-}" ] || variables+=("$name=${!name}")
  done
  if [ -n "$here" ]; then
    [ -z "${SPINDLE_DATA-}" ] || variables+=("SPINDLE_DATA=$SPINDLE_DATA")
    (cd "$root" && env -i "${variables[@]}" "$@" </dev/null)
    return
  fi
  [ ! -d "$tree/data" ] || variables+=(SPINDLE_DATA=/data)
  chroot "$tree" /usr/bin/env -i "${variables[@]}" /bin/bash -c 'cd /root/spindle && exec "$@"' bash "$@" </dev/null
}

# measure NAME REST COMMAND…: rows NAME/PHASE of what the launcher wrote down, NAME/REST of what remains if REST is not
# empty, and NAME of the whole.
measure() {
  local name=$1 rest=$2 phases=$checkout/build/release/launcher-times.csv
  shift 2
  say "$*"
  rm -f "$phases"
  begin
  in_tree "$@" || fail "'$*' failed, nothing is written down of it"
  end
  awk -F, -v OFS=, -v head="$(date -u +%F),$commit,$(nproc)" -v name="$name" -v rest="$rest" -v elapsed="$elapsed_s" -v processor="$processor_s" '
    FNR > 1 { e[$1] += $2; p[$1] += $3; s[$1] += $4; if (!seen[$1]++) order[++n] = $1 }
    END {
      for (i = 1; i <= n; ++i) {
        phase = order[i]; allElapsed += e[phase]; allProcessor += p[phase]
        printf "%s,%s/%s,%.1f,%.1f,%d\n", head, name, phase, e[phase], p[phase], s[phase]
      }
      if (rest != "") printf "%s,%s/%s,%.1f,%.1f,1\n", head, name, rest, elapsed - allElapsed, processor - allProcessor
      printf "%s,%s,%.1f,%.1f,1\n", head, name, elapsed, processor
    }' "$phases" >"$folder/rows.csv"
  [ -f "$table" ] || echo 'date,commit,cores,phase,elapsed_s,processor_s,steps' >"$table"
  cat "$folder/rows.csv" >>"$table"
  column -s, -t "$folder/rows.csv" 2>/dev/null || cat "$folder/rows.csv"
  rm "$folder/rows.csv"
}

commit=$(git -C "$root" rev-parse --short=7 HEAD)
if [ -n "$here" ]; then
  expect_bare
else
  make_tree
  clone
fi
measure run flow ./spindle run configs/flows/digits-mlp.yaml
[ "$only" = run ] || measure test '' ./spindle test
say "rows appended to ${table#"$root"/}; --readme writes them into README.md"
