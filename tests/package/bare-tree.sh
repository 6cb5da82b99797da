#!/usr/bin/env bash
# bare-tree.sh PACKAGE.deb [--light]: installs the package in a bare Debian 12 tree, uses it there without a checkout, removes it.
# --light leaves out the recommended packages (Verilator, Yosys, a compiler) and what needs them. For whoever releases: needs root,
# debootstrap and the network, and takes minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/tree.sh"
[ $# -ge 1 ] && [ -f "$1" ] || { sed -n '2,4s/^# //p' "$0"; exit 1; }
require_root
package=$1 light=${2-}

failures=0
check() { # NAME COMMAND…
  local name=$1
  shift
  if "$@"; then echo "ok      $name"; else echo "FAILED  $name"; failures=$((failures + 1)); fi
}
quietly() { "$@" >"$tree/tmp/log" 2>&1 || { tail -5 "$tree/tmp/log" >&2; false; }; }
prints() { local text=$1; shift; "$@" 2>&1 | tee "$tree/tmp/log" | grep -E -- "$text" >/dev/null || { tail -5 "$tree/tmp/log" >&2; false; }; }
# The first words of the README that match.
readme() { grep -oE "$1" "$here/../../README.md" | head -1; }

make_tree bare
cp "$package" "$tree/tmp/spindle.deb"
quietly in_tree 'apt-get update -q'
in_tree 'dpkg-query -W -f "\${Package}\n"' | sort >"$tree/tmp/before"
check "installs" quietly in_tree 'apt-get install -y -q --no-install-recommends /tmp/spindle.deb'
in_tree 'dpkg-query -W -f "\${Package}\n"' | sort >"$tree/tmp/after"
echo "        with it: $(comm -13 "$tree/tmp/before" "$tree/tmp/after" | tr '\n' ' ')"

flow=/usr/share/spindle/configs/flows/digits-mlp.yaml
check "digits flow, ANN as in the README" prints "$(readme 'ANN accuracy [0-9.]+ %')" as_user /home/a "spindle run $flow"
check "digits flow, SNN as in the README" prints "$(readme 'SNN accuracy [0-9.]+ %')" as_user /home/b 'spindle run configs/flows/digits-mlp.yaml'
for file in report.html report.json; do
  check "$file" test -s "$tree/home/a/out/digits-mlp/$file"
done
check "equal in both folders" cmp "$tree/home/a/out/digits-mlp/20-snn.mlir" "$tree/home/b/out/digits-mlp/20-snn.mlir"
check "flow copied into a folder of one's own" quietly as_user /home/c "cp $flow my.yaml; spindle run my.yaml --until convert"
for network in vogels-abbott-cuba digits-lif; do
  check "$network" quietly as_user /home/a "spindle run configs/flows/$network.yaml --until graph"
done
check "spindle-opt --help" prints snn-quantize-weights as_user /home/a 'spindle-opt --help'
check "spindle-opt with a pass" quietly as_user /home/a 'spindle-opt --snn-quantize-weights=bits=8 out/digits-mlp/20-snn.mlir -o 20-snn.mlir; test -s 20-snn.mlir'
check "spindle-translate --help" prints rtl-to-systemverilog as_user /home/a 'spindle-translate --help'
check "synth of an example" quietly as_user /home/a 'spindle synth /usr/share/spindle/examples/polybench/gemm.mlir --resources fadd=2,fmul=2 --out gemm; test -s gemm/kernel_gemm.sv'
check "cosim says what it lacks" prints 'install the package' as_user /home/a 'spindle cosim gemm || true'

if [ "$light" != --light ]; then
  quietly in_tree 'apt-get install -y -q --no-install-recommends man-db bash-completion $(dpkg-query -W -f "\${Recommends}" spindle | tr -d ,)'
  check "man finds the page" prints '/spindle.1.gz' as_user /home/a 'man -w spindle'
  check "man has no warnings" test -z "$(as_user /home/a 'for name in spindle spindle-opt spindle-translate; do MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z /usr/share/man/man1/$name.1.gz 2>&1 >/dev/null; done')"
  check "bash completion is loaded" prints vogels-abbott as_user /home/a 'bash -c ". /usr/share/bash-completion/bash_completion; _completion_loader spindle; cd /usr/share/spindle; COMP_WORDS=(spindle run configs/flows/v) COMP_CWORD=2; _spindle; echo \${COMPREPLY[@]}"'
  check "cosim of the example" prints ' 0 mismatches' as_user /home/a 'spindle cosim gemm'
  check "area of the example" prints ' LUT, ' as_user /home/a 'spindle area gemm'
fi

check "is removed" quietly in_tree 'apt-get purge -y -q spindle'
left=$(in_tree "find / -xdev -name '*spindle*' -not -path '/home/*' -not -path '/tmp/*' -not -path '/proc/*'")
check "nothing is left" test -z "$left"
[ -z "$left" ] || echo "$left"
exit $((failures > 0))
