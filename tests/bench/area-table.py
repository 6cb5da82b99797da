#!/usr/bin/env python3
"""The table "Estimated area" of docs/benchmarks/hls.md, from the tool as it is built and from Yosys.

  tests/bench/area-table.py [SPINDLE]   rewrites it; SPINDLE is build/release/bin/spindle unless it is given
"""
import concurrent.futures
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks/hls.md"
TOOL = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/spindle")
KERNELS = {"8x8-i32": ("8×8 i32", ["2mm", "atax", "floyd-warshall", "gemm", "mvt", "trmm"]),
           "mini-f64": ("mini f64", ["bicg", "cholesky", "gemm", "jacobi-1d", "seidel-2d"])}


def row(case):
    folder, name, unroll = case
    title = f"{KERNELS[folder][0]} {name}" + (f" × {unroll}" if unroll > 1 else "")
    with tempfile.TemporaryDirectory() as out:
        options = ["--unroll", str(unroll)] if unroll > 1 else []
        for command in (["synth", f"tests/kernels/polybench/{folder}/{name}.mlir", "--out", out, *options], ["area", out]):
            subprocess.run([TOOL, *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        estimate = json.loads(Path(out, "kernel.json").read_text())["estimate"]
        counted = json.loads(Path(out, "area.json").read_text())
    cells = [f"{round(estimate[key])} / {counted[key]}" for key in ("lut", "ff", "dsp")]
    return f"| {title} | " + " | ".join(cells) + " |", estimate["lut"] / counted["lut"]


def main():
    cases = [(folder, name, unroll) for folder, (_, names) in KERNELS.items() for name in names for unroll in (1, 4)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(row, cases))
    ratios = [ratio for _, ratio in rows]
    date = datetime.date.today().isoformat()
    lines = [f"`estimate` of kernel.json over what Yosys counts (`spindle area`), zynq-7020-100mhz, {date}; `× 4` is `--unroll 4`. LUTs {min(ratios):.2f} to {max(ratios):.2f}.",
             "", "| kernel | LUT | FF | DSP |", "|---|---|---|---|", *(text for text, _ in rows)]
    block = "<!-- area -->\n" + "\n".join(lines) + "\n<!-- /area -->"
    PAGE.write_text(re.sub(r"<!-- area -->.*?<!-- /area -->", lambda _: block, PAGE.read_text(), flags=re.DOTALL))


main()
