#!/usr/bin/env python3
"""The table of lanes of docs/benchmarks/hardware.md, from the tool as it is built and the files under SPINDLE_DATA.

  tests/bench/hardware-lanes.py [IMAGES [SPINDLE]]   rewrites it; on 100 images and with build/release/bin/spindle unless it is said

The perceptron of hw-mlp.yaml with fewer and fewer lanes in its first layer: alone and in a stream, each with the emulator's spikes in the
cycles that were predicted, or the script ends.
"""
import datetime
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks/hardware.md"
IMAGES = int(sys.argv[1]) if len(sys.argv) > 1 else 100
TOOL = sys.argv[2] if len(sys.argv) > 2 else str(ROOT / "build/release/bin/spindle")
NEURONS = 128


def tool(*words):
    done = subprocess.run([TOOL, *map(str, words)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, words))}: {done.stderr.strip()}")


def row(lanes):
    with tempfile.TemporaryDirectory() as out:
        tool("run", "configs/flows/hw-mlp.yaml", "--out", out, "--set", f"dataset.limit={IMAGES}", "--set", f"emulation.record_samples={IMAGES}",
             "--set", f"hardware.layers.dense1.lanes={lanes}", "--set", "hardware.layers.dense2.lanes=10")
        circuit = Path(out, "90-hardware")
        tool("cosim", circuit, "--images", IMAGES)  # fails where a spike or a cycle differs
        images = json.loads((circuit / "cosim.json").read_text())["images"]
        emulation = json.loads(Path(out, "30-emulation.json").read_text())
    spikes = emulation["spikes"][0] / emulation["samples"]
    bound = 1.15 * spikes * -(-NEURONS // lanes) + 300
    latency, interval = statistics.mean(images["latencies"]), statistics.mean(images["intervals"])
    text = (f"| {lanes} | {latency:,.1f} | {min(images['latencies']):,} | {max(images['latencies']):,} | {interval:,.1f} | {bound:,.0f} |")
    print(text, flush=True)
    if latency > bound or interval > bound:
        sys.exit(f"error: {lanes} lanes take more than the bound")
    return text, spikes


def main():
    rows = [row(lanes) for lanes in (128, 64, 50, 32, 16)]
    lines = [f"`tests/bench/hardware-lanes.py` writes this table ({datetime.date.today().isoformat()}): the first {IMAGES} images, {rows[0][1]:,.1f} input spikes in the mean; cycles from the first "
             "word to the answer, each image alone, and per image in a stream. Every spike and membrane is the emulator's, and every image takes the cycles that were predicted. The bound of the "
             "goal is 1.15 · input spikes · ⌈128 / lanes⌉ + 300.", "",
             "| lanes | mean | least | most | in a stream | bound |", "|---:|---:|---:|---:|---:|---:|", *(text for text, _ in rows)]
    block = "<!-- lanes -->\n" + "\n".join(lines) + "\n<!-- /lanes -->"
    PAGE.write_text(re.sub(r"<!-- lanes -->.*?<!-- /lanes -->", lambda _: block, PAGE.read_text(), flags=re.DOTALL))


main()
