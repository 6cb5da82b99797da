#!/usr/bin/env python3
"""Accuracy of a mapped network on crossbars of real cells: a Markdown table.

usage: devices-table.py FLOW OUT [samples [seeds]]

Runs the flow up to the mapping, with the device below in the crossbars of mesh-128-large, and then
the stage assess with each variation and number of bits. SPINDLE names the tool, RANGE the range
of the converters, BITS the numbers of bits (0: exact sums).
"""

import json
import os
import subprocess
import sys

DEVICE = '{source: "assumption: ideal cells but for their variation", adc: {bits: 8, range: %g}}'
VARIATIONS = [0, 0.05, 0.1, 0.2]
BITS = [int(bits) for bits in os.environ.get("BITS", "0,4,5,6,7,8,16,24").split(",")]


def main():
    flow, out = sys.argv[1], sys.argv[2]
    samples = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    ranges = float(os.environ.get("RANGE", 8))
    os.makedirs(out, exist_ok=True)
    chip = os.path.join(out, "cells.yaml")
    crossbar = "crossbar: {rows: 128, columns: 128, weight_bits: 8"
    with open("configs/chips/mesh-128-large.yaml") as text, open(chip, "w") as file:
        file.write(text.read().replace(crossbar, crossbar + ", device: " + DEVICE % ranges))
    settings = {"samples": samples, "seeds": seeds, "variation": VARIATIONS, "adc_bits": BITS}
    common = [flow, "--out", out, "--set", f"chip={os.path.abspath(chip)}", "--set", f"dataset.limit={max(samples, 100)}"]
    tool = os.environ.get("SPINDLE", "./spindle")
    if not os.path.exists(os.path.join(out, "70-mapping.json")):
        subprocess.run([tool, "run", *common, "--until", "map"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([tool, "assess", *common, "--set", "assessment=" + json.dumps(settings)], check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "85-assessment.json")) as file:
        made = json.load(file)
    points = {(point["variation"], point["adc_bits"]): point for point in made["devices"]}
    ideal = 100 * made["ideal_correct"] / made["samples"]
    print(f"{made['samples']} images, {seeds} seeds, ideally {ideal:.2f} %\n")
    print("| variation | " + " | ".join("exact sums" if not bits else f"{bits} bits" for bits in BITS) + " |")
    print("|---" * (len(BITS) + 1) + "|")
    for variation in VARIATIONS:
        cells = [points[variation, bits] for bits in BITS]
        texts = [f"{100 * cell['mean_accuracy']:.1f} ± {cell['deviation_points']:.1f}" for cell in cells]
        print(f"| {100 * variation:g} % | " + " | ".join(texts) + " |")


if __name__ == "__main__":
    main()
