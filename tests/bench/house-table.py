#!/usr/bin/env python3
"""The tables of docs/benchmarks/house.md, from the tool as it is built.

  tests/bench/house-table.py [SPINDLE]   rewrites them; SPINDLE is build/release/bin/spindle unless it is given

Kernels are synthesised for the default target; flows run in a folder of their own, those with files from elsewhere only
where SPINDLE_DATA is set.
"""
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
TOOL = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/spindle")


def cycles(program, *options):
    if not program.exists():
        return ""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([TOOL, "synth", program, "--out", folder, *options], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return f'{json.loads(Path(folder, "kernel.json").read_text())["predicted_cycles"]:,}'


def kernels():
    yield "| kernel | 8×8 i32 | 8×8 i32, `--unroll 4` | mini f64 |"
    yield "|---|---|---|---|"
    for path in sorted((KERNELS / "mini-f64").glob("*.mlir")):
        small = KERNELS / "8x8-i32" / path.name
        yield f"| {path.stem} | {cycles(small)} | {cycles(small, '--unroll', '4')} | {cycles(path)} |"


def flow(name):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([TOOL, "run", f"configs/flows/{name}.yaml", "--out", folder], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
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


def flows():
    yield "| flow | ANN | SNN | spikes per sample | clusters | cut spikes | spike hops | pJ |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in FLOWS:
        yield f"| {name} | " + " | ".join(flow(name)) + " |"


def main():
    text = PAGE.read_text()
    for name, rows in (("kernels", kernels), ("flows", flows)):
        if name == "flows" and not os.environ.get("SPINDLE_DATA"):
            continue
        block = f"<!-- {name} -->\n" + "\n".join(rows()) + f"\n<!-- /{name} -->"
        text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: block, text, flags=re.DOTALL)
    PAGE.write_text(text)


main()
