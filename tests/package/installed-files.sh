#!/usr/bin/env bash
# installed-files.sh BUILD SOURCE: what `cmake --install` leaves is what is promised, is complete and works from another folder.
set -euo pipefail
build=$1 source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
fail() { echo "FAIL $*"; failures=$((failures + 1)); }

DESTDIR=$tree cmake --install "$build" --prefix /usr --component spindle --strip >/dev/null
cd "$tree/usr"

for file in bin/spindle bin/spindle-opt bin/spindle-translate \
  share/man/man1/spindle.1.gz share/man/man1/spindle-opt.1.gz share/man/man1/spindle-translate.1.gz \
  share/bash-completion/completions/spindle share/zsh/vendor-completions/_spindle share/fish/vendor_completions.d/spindle.fish \
  share/doc/spindle/copyright share/doc/spindle/changelog.gz share/doc/spindle/changelog.Debian.gz share/doc/spindle/README.md \
  share/doc/spindle/docs/formats/flow.md share/spindle/examples/polybench/gemm.mlir share/spindle/examples/styles/fir.mlir; do
  [ -s "$file" ] || fail "$file is missing or empty"
done
others=$(find "$tree" -type f ! -path "$tree/usr/bin/*" ! -path "$tree/usr/share/*")
[ -z "$others" ] || fail "outside bin and share: $others"

# All configurations, unchanged, and with them every file of theirs that one of them names.
diff -r -x __pycache__ "$source/configs" share/spindle/configs || fail "configs differ from the sources"
while IFS=: read -r file name; do
  [ -e "share/spindle/$name" ] || fail "$file names $name, which is not installed"
done < <(grep -roE --include='*.yaml' 'configs/[A-Za-z0-9_./-]+' share/spindle/configs)

# The page says where things are.
page=$(zcat share/man/man1/spindle.1.gz)
while read -r name; do
  [ -e "$tree$name" ] || fail "the manual page names $name, which is not installed"
done < <(sed 's/\\-/-/g' <<<"$page" | grep -oE '/usr/share/[A-Za-z0-9_./-]*[A-Za-z0-9]' | sort -u)
for name in spindle spindle-opt spindle-translate; do
  zcat "share/man/man1/$name.1.gz" | grep '^\.TH ' >/dev/null || fail "$name.1 has no title"
done
zcat share/man/man1/spindle-opt.1.gz | grep 'snn\\-quantize\\-weights' >/dev/null || fail "spindle-opt.1 has no passes"

if grep -rlF -e "$source/" -e "$build/" share; then # assertions in the programs may, by the compiler
  fail "the files above name folders of this machine"
fi

# From another folder the program finds what it was installed with.
mkdir "$tree/elsewhere"
cd "$tree/elsewhere"
env -u SPINDLE_DATA "$tree/usr/bin/spindle" run configs/flows/digits-mlp.yaml --until convert >log 2>&1 ||
  fail "the installed program: $(cat log)"
[ -s out/digits-mlp/20-snn.mlir ] || fail "no out/digits-mlp/20-snn.mlir in the current folder"
exit $((failures > 0))
