#!/usr/bin/env python3
"""Which tests begin first and are not `quick`: writes SlowTests.cmake beside itself from what ctest measured.

    ./spindle test                                          all tests, once
    python3 tests/slow-tests.py build/release

Slow is what took longer than LIMIT seconds of the last run. A suite with more slow tests than others, or one with parameters
and a slow test, is slow as a whole. A program keeps its shortest test, one without parameters where it has such, unless it is
a long one, too: the quick ones cover every folder."""
import collections
import json
import pathlib
import subprocess
import sys

LIMIT, LONG = 0.3, 5


def plain(name):
    """Without the bytes of a parameter, which are others in every run."""
    return name.split("  # GetParam")[0]


def measured(build):
    """Seconds by test."""
    times = {}
    for line in (build / "Testing/Temporary/CTestCostData.txt").read_text().splitlines():
        if line == "---":
            break  # the tests that failed
        name, _, seconds = line.rsplit(" ", 2)
        times[plain(name)] = float(seconds)
    return times


def programs(build):
    """Tests by GoogleTest program."""
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True,
                            capture_output=True, text=True)
    tests = collections.defaultdict(list)
    for test in json.loads(listed.stdout)["tests"]:
        command = test.get("command", [])
        if any(argument.startswith("--gtest_filter") for argument in command) and ".quick" not in test["name"]:
            tests[pathlib.Path(command[0]).name].append(plain(test["name"]))
    return tests


def patterns(names, times):
    """Of GoogleTest, for the slow ones among the tests of a program."""
    short = sorted((name for name in names if times.get(name, 0) < LONG),
                   key=lambda name: ("/" in name, times.get(name, 0)))
    kept = set(short[:1])
    suites = collections.defaultdict(list)
    for name in names:
        suites[name.split(".")[0]].append(name)
    chosen = []
    for suite, tests in sorted(suites.items()):
        slow = [test for test in tests if times.get(test, 0) > LIMIT]
        if not slow:
            continue
        if ("/" in tests[0] or 2 * len(slow) > len(tests)) and not kept & set(tests):
            chosen.append(suite + ".*")
        else:
            chosen += [test for test in slow if test not in kept]
    return chosen


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    times = measured(build)
    lines = ["# Made by tests/slow-tests.py: tests that begin first and are not `quick`, by program."]
    for program, names in sorted(programs(build).items()):
        if chosen := patterns(names, times):
            lines.append(f"set({program}_SLOW\n  " + "\n  ".join(chosen) + ")")
    (pathlib.Path(__file__).parent / "SlowTests.cmake").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
