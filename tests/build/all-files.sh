#!/usr/bin/env bash
# Reads every source of the tree alone, as the presets dev (GCC 12) and clang (Clang 22) compile it, and makes no code: missing
# includes and warnings of the front end in half the time. Both compile all of it, tests included.
#   all-files.sh dev|clang [REGEX]     all, or those whose path matches
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
preset=${1:?which preset, dev or clang}
build=$root/build/all-files-$preset
cd "$root"
mkdir -p build

cmake --preset "$preset" -B "$build" -D CMAKE_EXPORT_COMPILE_COMMANDS=ON >"$build.log" 2>&1 || {
  cat "$build.log"
  exit 1
}
# What is generated must be there to be read; what the build orders before it need not.
cd "$build"
ninja -t targets all | sed -n 's/^\(.*\.\(inc\|h\|hpp\)\): CUSTOM_COMMAND.*/\1/p' | xargs ninja -t commands |
  grep -E '/mlir-tblgen |/cmake -D ' | sh -e
export ONLY=${2-}
python3 - "$build/compile_commands.json" <<'EOF'
import concurrent.futures, json, os, re, subprocess, sys

units = [u for u in json.load(open(sys.argv[1])) if re.search(os.environ["ONLY"], u["file"])]
if not units:
    sys.exit("all-files.sh: error: no file matches")

def read(unit):
    command = re.sub(r" -o \S+ -c ", " -fsyntax-only -Werror ", unit["command"])
    command = re.sub(r"^.*?ccache ", "", command)
    run = subprocess.run(command, shell=True, cwd=unit["directory"], capture_output=True, text=True)
    return unit["file"], run.returncode, run.stdout + run.stderr

wrong = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for done, (file, code, said) in enumerate(pool.map(read, units), 1):
        if code or said:
            wrong += 1
            print(said, flush=True)
        if done % 50 == 0:
            print(f"{done} of {len(units)} read", flush=True)
print(f"{len(units)} files read alone, {wrong} with something to say")
sys.exit(wrong > 0)
EOF
