#!/usr/bin/env python3
"""The tables of docs/benchmarks/house.md, from the tool as it is built and from an earlier one.

  tests/bench/house-table.py [--before SPINDLE] [--after SPINDLE]

A cell holds one figure where both tools give it, else `before → after`. Without --before the figures that the page gives for it are
kept; --after is build/release/bin/spindle unless it is given. Kernels are synthesised for the default target; flows run in a folder
of their own, those with files from elsewhere only where SPINDLE_DATA is set.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks/house.md"
KERNELS = ROOT / "tests/kernels/polybench"
FLOWS = ["digits-mlp", "digits-lif", "mnist-mlp", "mnist-lenet", "mnist-own-lenet", "hw-digits"]
KERNEL_HEAD = "| kernel | 8×8 i32 | 8×8 i32, `--unroll 4` | mini f64 |"
FLOW_HEAD = "| flow | ANN | SNN | spikes per sample | clusters | cut spikes | spike hops | pJ |"


def run(tool, *arguments, cwd=ROOT):
    """Whether the tool did it; an earlier tool may refuse what is newer than itself."""
    return subprocess.run([tool, *arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def cycles(tool, program, *options):
    if not program.exists():
        return ""
    with tempfile.TemporaryDirectory() as folder:
        if not run(tool, "synth", program, "--out", folder, *options):
            return "refused"
        return f'{json.loads(Path(folder, "kernel.json").read_text())["predicted_cycles"]:,}'


def kernels(tool):
    for path in sorted((KERNELS / "mini-f64").glob("*.mlir")):
        small = KERNELS / "8x8-i32" / path.name
        yield [path.stem, cycles(tool, small), cycles(tool, small, "--unroll", "4"), cycles(tool, path)]


def flow(tool, name):
    """Of the tool's own checkout, where its chips are, too."""
    checkout = Path(tool).resolve().parents[3]
    path = f"configs/flows/{name}.yaml"
    if not (checkout / path).exists():
        return [""] * 7
    with tempfile.TemporaryDirectory() as folder:
        if not run(tool, "run", path, "--out", folder, cwd=checkout):
            return ["refused"] * 7
        report = json.loads(Path(folder, "report.json").read_text())

    def figure(*way):
        value = report
        for key in way:
            value = value.get(key, {}) if isinstance(value, dict) else {}
        if isinstance(value, dict):
            value = value.get("value", "")
        return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else ""

    return [figure("ann", "accuracy"), figure("snn", "accuracy"), figure("snn", "spikes_per_sample"), figure("partition", "clusters"),
            figure("partition", "cut_spikes"), figure("mapping", "spike_hops"), figure("chip", "energy_pj", "total")]


def flows(tool):
    for name in FLOWS:
        yield [name, *flow(tool, name)]


def block(name):
    return re.compile(rf"<!-- {name} -->.*?<!-- /{name} -->", re.DOTALL)


def stored(text, name):
    """The figures of before, as the page has them."""
    rows = re.findall(r"^\| (.*) \|$", block(name).search(text).group(), re.MULTILINE)
    return [[cell.strip().split(" → ")[0] for cell in row.split("|")] for row in rows[1:]]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--before")
    options.add_argument("--after", default=str(ROOT / "build/release/bin/spindle"))
    given = options.parse_args()
    text = PAGE.read_text()
    for name, rows, head in (("kernels", kernels, KERNEL_HEAD), ("flows", flows, FLOW_HEAD)):
        if name == "flows" and not os.environ.get("SPINDLE_DATA"):
            print("flows are left alone: SPINDLE_DATA is not set", file=sys.stderr)
            continue
        before = {row[0]: row for row in (rows(given.before) if given.before else stored(text, name))}
        lines = [head, "|" + "---|" * (head.count("|") - 1)]
        for row in rows(given.after):
            old = before.get(row[0], [""] * len(row))
            cells = [new if new == was or not was else f"{was} → {new}" for was, new in zip(old, row)]
            lines.append("| " + " | ".join(cells) + " |")
        replacement = f"<!-- {name} -->\n" + "\n".join(lines) + f"\n<!-- /{name} -->"
        text = block(name).sub(lambda _: replacement, text)
    PAGE.write_text(text)


main()
