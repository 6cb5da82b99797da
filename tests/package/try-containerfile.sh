#!/usr/bin/env bash
# try-containerfile.sh [PACKAGE.deb]: replays the lines of the Containerfile in bare Debian trees, where no container engine is at
# hand, and runs the digits flow in the last one. With a package the stage that builds it is left out. Needs root, debootstrap, the
# network and, without a package, the time of a build. What an engine adds (layers, users, mounts) is not tried.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/tests/package/tree.sh"
require_root
given=${1-}

declare -A stages
folder=/ entrypoint=
# Debian's slim images leave out manuals and documents but copyrights.
make_slim() {
  printf 'path-exclude %s\n' '/usr/share/man/*' '/usr/share/doc/*' >"$tree/etc/dpkg/dpkg.cfg.d/slim"
  echo 'path-include /usr/share/doc/*/copyright' >>"$tree/etc/dpkg/dpkg.cfg.d/slim"
}
copy() { # SOURCE… TARGET, of the checkout or --from=STAGE
  local from=$root target
  if [[ $1 == --from=* ]]; then from=${stages[${1#--from=}]-}; shift; fi
  target=$tree${*: -1}
  mkdir -p "$target"
  if [ "$1" = . ]; then
    tar -C "$root" --anchored --exclude-from=<(sed 's|^|./|' "$root/.containerignore") -cf - . | tar -C "$target" -xf -
  elif [ -n "$given" ]; then
    cp "$given" "$target"
  else
    cp "$from"/$1 "$target"
  fi
}

while read -r instruction rest; do
  case $instruction in
  '' | '#'*) continue ;;
  FROM)
    [[ $rest =~ ^debian:12(-slim)?( AS ([a-z]+))?$ ]] || { echo "error: FROM $rest is no image that can be replayed" >&2; exit 1; }
    stage=${BASH_REMATCH[3]-} slim=${BASH_REMATCH[1]-} folder=/
    skips=; [ -z "$given" ] || [ -z "$stage" ] || skips=yes
    echo "== FROM $rest${skips:+ (left out)}"
    [ -z "$skips" ] || continue
    make_tree "${stage:-runtime}"
    [ -z "$stage" ] || stages[$stage]=$tree
    [ -z "$slim" ] || make_slim
    continue ;;
  esac
  [ -z "$skips" ] || continue
  echo "== $instruction $rest"
  case $instruction in
  COPY) copy $rest ;;
  WORKDIR) folder=$rest && mkdir -p "$tree$folder" ;;
  RUN) in_tree "cd $folder && $rest" ;;
  ENTRYPOINT) entrypoint=$(tr -d '[]",' <<<"$rest") ;;
  CMD) command=$(tr -d '[]",' <<<"$rest") ;;
  *) echo "error: $instruction is not replayed" >&2; exit 1 ;;
  esac
done <"$root/Containerfile"

in_tree "cd $folder && $entrypoint $command" | head -3
in_tree "cd $folder && $entrypoint run configs/flows/digits-mlp.yaml"
test -s "$tree$folder/out/digits-mlp/report.html"
echo "ok: $(du -sm --one-file-system "$tree" | cut -f1) MB in the tree"
