#!/usr/bin/env python3
"""Large networks from the import to the mapping: seconds, memory, bytes of stage files, one line for each network.

  tests/bench/scale/scale-table.py SPINDLE [NAME]... [--out FOLDER] [--csv FILE]     as `./spindle bench scale` calls it

Networks of the shape of VGG-16 by vgg-network.py (NAME: vgg-70k, vgg-277k, vgg-467k, vgg-14m; all of them unless some are given).
The stages up to the graph are run first, then partition, analyze and map in a process of their own, which verifies the mapping and, of
large networks, a sample of every cluster. Memory is the peak of that process. Needs NumPy.
"""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHIP_STAGES = ("50-clusters", "60-sdf", "70-mapping")
NETWORKS = {
    "vgg-70k": ["--size", "32", "--channels", "16", "--mesh", "256"],
    "vgg-277k": ["--size", "32", "--channels", "64", "--chip", "loihi", "--chips", "4x2"],
    "vgg-467k": ["--size", "96", "--channels", "12", "--mesh", "256"],
    "vgg-14m": ["--size", "224", "--channels", "64", "--hidden", "4096", "--hidden", "4096", "--classes", "1000", "--steps", "2", "--chip",
                "loihi", "--chips", "32x64"],
}
COLUMNS = ("network", "neurons", "synapses", "clusters", "seconds to graph", "GiB to graph", "seconds to mapping", "GiB to mapping", "MB of files",
           "hops, of random ones")


def measured(words):
    """What a process prints, its seconds and its peak GiB."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            errors.seek(0)
            sys.exit(f"error: {' '.join(words)}: {errors.read().strip() or os.waitstatus_to_exitcode(status)}")
    return printed, time.monotonic() - began, usage.ru_maxrss / 2**20


def measure(tool, name, folder):
    subprocess.run([sys.executable, HERE / "vgg-network.py", folder, *NETWORKS[name]], check=True, stdout=subprocess.DEVNULL)
    flow, out = str(folder / "flow.yaml"), folder / "out"
    printed, seconds, memory = measured([tool, "run", flow, "--out", str(out), "--until", "graph"])
    size = re.search(r"^graph +(\d+) neurons, (\d+) synapses", printed, re.MULTILINE)
    _, chip_seconds, chip_memory = measured([tool, "run", flow, "--out", str(out), "--from", "partition", "--until", "map"])
    mapping = json.loads((out / "70-mapping.json").read_text())
    files = sum(file.stat().st_size for file in out.iterdir() if file.name.startswith(CHIP_STAGES))
    values = (name, size[1], size[2], len(mapping["placements"]), f"{seconds:.0f}", f"{memory:.1f}", f"{chip_seconds:.0f}",
              f"{chip_memory:.1f}", f"{files / 1e6:.0f}", f"{mapping['spike_hops'] / mapping['random_spike_hops']:.2f}")
    return dict(zip(COLUMNS, map(str, values)))


def main():
    parser = argparse.ArgumentParser(prog="spindle bench scale", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, default=Path("out/bench-scale"), help="networks and results are left there")
    parser.add_argument("--csv", type=Path, help="writes the table to this file")
    options = parser.parse_args()
    names = options.names or list(NETWORKS)
    for name in names:
        if name not in NETWORKS:
            sys.exit(f"error: '{name}' is no network, expected one of {', '.join(NETWORKS)}")
    rows = []
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS), flush=True)
    for name in names:
        rows.append(measure(options.tool, name, options.out / name))
        print("| " + " | ".join(rows[-1].values()) + " |", flush=True)
    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)


main()
