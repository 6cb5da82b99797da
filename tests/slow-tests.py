#!/usr/bin/env python3
"""Which tests begin first and are not `quick`: writes SlowTests.cmake beside itself from what ctest measured.

    ./spindle test                                          all tests, once
    python3 tests/slow-tests.py build/release
    python3 tests/slow-tests.py --check build/release       whether each of them is there

Slow is what took longer than LIMIT seconds in the last run. A suite with more slow tests than others, or one with parameters
and a slow test, is slow as a whole. A program keeps its shortest test, one without parameters where it has such, unless it is
a long one, too: the quick ones cover every folder."""
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

LIMIT, LONG = 0.3, 5
LIST = pathlib.Path(__file__).parent / "SlowTests.cmake"


def plain(name):
    """Without the bytes of a parameter, which are others in every build."""
    return name.split("  # GetParam")[0]


def measured(build):
    """Seconds by test, as ctest names it."""
    last = build / "Testing/Temporary/LastTest.log"
    log = last.read_text(errors="replace") if last.exists() else ""
    times, name = {}, None
    for line in log.splitlines():
        if begin := re.match(r"\d+/\d+ Test: (.*)", line):
            name = plain(begin[1])
        elif end := re.match(r"Test time = +([\d.]+) sec", line):
            times[name] = float(end[1])
    return times


def programs(build):
    """Tests by program, as GoogleTest names them, with their seconds."""
    times = measured(build)
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True,
                            capture_output=True, text=True)
    tests = collections.defaultdict(dict)
    for test in json.loads(listed.stdout)["tests"]:
        command = test.get("command", [])
        names = [a.split("=", 1)[1] for a in command if a.startswith("--gtest_filter=")]
        if names and not test["name"].endswith(".quick"):
            tests[pathlib.Path(command[0]).name][names[0]] = times.get(plain(test["name"]), 0)
    return tests


def patterns(times):
    """Of GoogleTest, for the slow ones among the tests of a program."""
    short = sorted((name for name in times if times[name] < LONG),
                   key=lambda name: ("/" in name, times[name]))
    kept = set(short[:1])
    suites = collections.defaultdict(list)
    for name in times:
        suites[name.split(".")[0]].append(name)
    chosen = []
    for suite, tests in sorted(suites.items()):
        slow = [test for test in tests if times[test] > LIMIT]
        if not slow:
            continue
        if ("/" in tests[0] or 2 * len(slow) > len(tests)) and not kept & set(tests):
            chosen.append(suite + ".*")
        else:
            chosen += [test for test in slow if test not in kept]
    return chosen


def check(build):
    """Patterns without a test, of programs that are built: the tests were renamed or are gone."""
    tests, wrong = programs(build), 0
    for program, chosen in re.findall(r"set\((\w+)_SLOW\n([^)]*)\)", LIST.read_text()):
        for pattern in chosen.split() if program in tests else []:
            if not fnmatch.filter(tests[program], pattern):
                print(f"{LIST.name}: {program} has no test {pattern}, make the list again (see {pathlib.Path(__file__).name})")
                wrong += 1
    print(f"{len(tests)} programs, {wrong} patterns without a test")
    return 1 if wrong or not tests else 0


def main():
    if sys.argv[1:2] == ["--check"]:
        sys.exit(check(pathlib.Path(sys.argv[2])))
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    if not measured(build):
        sys.exit(f"{build} has no log of ctest, run all tests first")
    lines = ["# Made by tests/slow-tests.py: tests that begin first and are not `quick`, by program."]
    for program, times in sorted(programs(build).items()):
        if chosen := patterns(times):
            lines.append(f"set({program}_SLOW\n  " + "\n  ".join(chosen) + ")")
    LIST.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
