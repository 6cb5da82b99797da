#!/usr/bin/env bash
# documented-options.sh BUILD SOURCE: every command and option that --help lists stands in the manual page and is completed.
set -euo pipefail
spindle=$1/bin/spindle
failures=0 seen=0
fail() { echo "FAIL $*"; failures=$((failures + 1)); }

page=$("$spindle" manual | sed 's/\\f[BIR]//g; s/\\-/-/g')
zsh=$("$spindle" completion zsh)
fish=$("$spindle" completion fish)
source <("$spindle" completion bash)

# What bash offers behind some words.
offered() {
  COMP_WORDS=(spindle "$@") COMP_CWORD=$#
  _spindle
  printf '%s\n' "${COMPREPLY[@]}"
}

# Prints the lines of the page below the heading of a command.
section() { awk -v heading=".SS \"spindle $*" 'index($0, heading) == 1 { on = 1; next } /^\.S[SH]/ { on = 0 } on' <<<"$page"; }

# Of `--help`: "  --out TEXT …", "  -h,--help", "  run  every stage".
listed() { "$spindle" "$@" --help | awk -v kind="$kind" '/^[A-Z][a-z]+:/ { part = $1; next } part == kind && /^  [^ ]/ { print $1 }'; }

check() { # of a command (its words), options and those below it
  local text kind name word
  if [ $# -eq 0 ]; then text=$page; else text=$(section "$@"); fi
  kind=Options:
  for name in $(listed "$@" | tr ',' '\n'); do
    seen=$((seen + 1))
    grep -qE -- "(^|, )$name( |,|\$)" <<<"$text" || fail "manual: spindle $*: $name"
    offered "$@" - | grep -xF -- "$name" >/dev/null || fail "bash: spindle $*: $name"
    grep -qF -- "$name" <<<"$zsh" || fail "zsh: spindle $*: $name"
    case $name in --*) word="-l ${name#--}" ;; *) word="-s ${name#-}" ;; esac
    grep -F -- "_in \\'$*\\'' " <<<"$fish" | grep -E -- " $word( |\$)" >/dev/null || fail "fish: spindle $*: $name"
  done
  kind=Subcommands:
  for name in $(listed "$@"); do
    seen=$((seen + 1))
    grep -qE -- "^\.SS \"spindle ${*} ?${name}[ \"]" <<<"${page//spindle  /spindle }" || fail "manual: spindle $* $name"
    offered "$@" '' | grep -xF -- "$name" >/dev/null || fail "bash: spindle $* $name"
    grep -qF -- "'$name:" <<<"$zsh" || fail "zsh: spindle $* $name"
    grep -F -- "_in \\'$*\\'' " <<<"$fish" | grep -F -- "-a $name " >/dev/null || fail "fish: spindle $* $name"
    check "$@" "$name"
  done
}
check
[ "$seen" -gt 100 ] || fail "only $seen commands and options found: has the form of --help changed?"

# Values: stages, choices, files.
offered run x.yaml --until '' | grep -x simulate >/dev/null || fail "stages of --until"
offered synth --scheduler e | grep -x exact >/dev/null || fail "schedulers"
cd "$2"
offered run configs/flows/digits-m | grep -x configs/flows/digits-mlp.yaml >/dev/null || fail "flow files"
offered cosim --in README | grep -x README.md >/dev/null || fail "files of an option"
exit $((failures > 0))
