#!/usr/bin/env python3
"""The table "Leakage of routers that sleep" of docs/benchmarks/gating.md: the Drexel LeNet on mesh-128-large with the prices of
mesh-128-gated, from the tool as it is built and the network under SPINDLE_DATA.

  tests/bench/gating-table.py [SPINDLE]   rewrites it; SPINDLE is build/release/bin/spindle unless it is given
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks/gating.md"
TOOL = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/spindle")
GRAPH = Path(os.environ.get("SPINDLE_DATA", ROOT / "../shared/data")).resolve() / "workloads/graphs/lenet_mnist0_T32"
CHIPS = ROOT / "configs/chips"
PARTS = ("leakage_router", "leakage_port", "leakage_gated_router", "leakage_gated_port", "router_wake", "port_wake")
GATED = ("leakage_router_mw", "leakage_gated_router_mw", "router_wake_pj", "leakage_port_mw")


def tool(*words):
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, words))}: {done.stderr.strip()}")


def chip(multicast, gating):
    """mesh-128-large, its routers priced as in mesh-128-gated."""
    large, gated = (yaml.safe_load((CHIPS / f"{name}.yaml").read_text()) for name in ("mesh-128-large", "mesh-128-gated"))
    del large["energy"]["leakage_tile_mw"]
    large["router"]["multicast"] = multicast
    prices = GATED[:1] if gating is None else GATED[:3] if gating["granularity"] == "router" else GATED
    large["energy"].update({key: gated["energy"][key] for key in prices})
    if gating:
        large["router"]["gating"] = gating
    return large


def simulated(folder, multicast, gating):
    (folder / "chip.yaml").write_text(yaml.safe_dump(chip(multicast, gating), sort_keys=False))
    tool("simulate", folder / "flow.yaml", "--out", folder / "out")
    stats = json.loads((folder / "out/80-chip.json").read_text())
    energy = {part["name"]: part["pj"] / 1e6 for part in stats["energy"]}
    return stats["cycles"], [sum(energy.get(name, 0) for name in PARTS[i : i + 2]) for i in (0, 2, 4)]


def rows(folder, sums):
    (folder / "flow.yaml").write_text(f"chip: chip.yaml\npartition: {{fan_in: {{sums: {sums}}}}}\n")
    (folder / "chip.yaml").write_text(yaml.safe_dump(chip("unicast", None)))
    tool("lists", "import", folder / "out", "--connections", f"{GRAPH}.connection_info.txt", "--spikes", f"{GRAPH}.spike_info.txt")
    for stage in ("partition", "map"):
        tool(stage, folder / "flow.yaml", "--out", folder / "out")
    always = None
    for multicast in ("unicast", "tree"):
        for parts, wake in (("", 0), ("router", 8), ("port", 8), ("flit", 8), ("flit", 5)):
            gating = {"idle_cycles": 4, "wake_cycles": wake, "granularity": parts} if parts else None
            cycles, energies = simulated(folder, multicast, gating)
            always = always or sum(energies)
            cells = [sums, multicast, parts or "always on", wake or "", f"{cycles:,}", *(f"{energy:.2f}" for energy in energies),
                     f"{sum(energies):.2f}", f"{always / sum(energies):.1f}"]
            print(*cells)
            yield "| " + " | ".join(map(str, cells)) + " |"


def main():
    table = []
    for sums in ("packets", "vector"):
        with tempfile.TemporaryDirectory() as folder:
            table += rows(Path(folder), sums)
    text = PAGE.read_text()
    begin = text.index("|---|") + len(text[text.index("|---|") :].split("\n", 1)[0]) + 1
    end = begin
    while text[end:].startswith("|"):
        end = text.index("\n", end) + 1
    PAGE.write_text(text[:begin] + "".join(row + "\n" for row in table) + text[end:])


main()
