# Bare Debian trees to run things in, for the scripts beside this one: needs root, debootstrap and the network.
# Mirror, suites, keyrings and proxy are those of the host's apt.

require_root() {
  [ "$(id -u)" -eq 0 ] || { echo "error: this needs root, for chroot" >&2; exit 1; }
  command -v debootstrap >/dev/null || { echo "error: debootstrap is missing, install it by apt-get install debootstrap" >&2; exit 1; }
}

trees=()
remove_trees() {
  local tree
  for tree in "${trees[@]}"; do
    umount -l "$tree/proc" "$tree/dev" 2>/dev/null || true # lazily: what apt started may still end
    rm -rf --one-file-system "$tree"
  done
}
trap remove_trees EXIT

suite=bookworm

# make_tree NAME: a minimal system in a new folder; its path is left in $tree.
make_tree() {
  tree=$(mktemp -d "${TMPDIR:-/var/tmp}/spindle-$1-XXXXXX")
  trees+=("$tree")
  chmod 755 "$tree"
  local sources mirror keyring
  sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' | grep " $suite" | sort -u)
  mirror=$(awk -v suite="$suite" '$2 == suite { print $1; exit }' <<<"$sources")
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -n "$mirror" ] || { echo "error: apt of this host knows no mirror of $suite" >&2; exit 1; }
  debootstrap --variant=minbase --keyring="$keyring" "$suite" "$tree" "$mirror" >"$tree.log" 2>&1 || { tail "$tree.log" >&2; exit 1; }
  rm -f "$tree.log"
  sed 's/^/deb /' <<<"$sources" >"$tree/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(https?::(Proxy|Verify)|Check-)' >"$tree/etc/apt/apt.conf.d/90host" || true
  cp /etc/resolv.conf "$tree/etc/resolv.conf"
  mount -t proc proc "$tree/proc"
  mount --bind --make-private /dev "$tree/dev" # what is mounted below stays there
}

# in_tree COMMAND: as root; as_user FOLDER COMMAND: as somebody without rights, in a folder of theirs. Both without the host's variables.
in_tree() {
  chroot "$tree" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec "$1"
}
as_user() {
  mkdir -p "$tree$1"
  chown 1234:1234 "$tree$1"
  chroot --userspec=1234:1234 "$tree" env -i HOME="$1" PATH=/usr/bin:/bin sh -ec "cd '$1'; $2"
}
