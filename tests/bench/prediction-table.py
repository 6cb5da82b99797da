#!/usr/bin/env python3
"""The table "Predicted and simulated" of docs/rationale/sdf.md, from the tool as it is built and the networks under SPINDLE_DATA.

  tests/bench/prediction-table.py [SPINDLE] [--only TEXT]...   rewrites it; SPINDLE is build/release/bin/spindle unless it is given;
                                                               --only: the rows that begin with one of the texts, the others stay
"""
import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/rationale/sdf.md"
PARSER = argparse.ArgumentParser()
PARSER.add_argument("tool", nargs="?", default=str(ROOT / "build/release/bin/spindle"))
PARSER.add_argument("--only", action="append", default=[])
ARGUMENTS = PARSER.parse_args()
TOOL = ARGUMENTS.tool
DATA = Path(os.environ.get("SPINDLE_DATA", ROOT / "../shared/data")).resolve()


def tool(*words):
    done = subprocess.run([TOOL, *map(str, words)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, words))}: {done.stderr.strip()}")


def lists(name):
    """A published network as lists of connections and spikes."""
    def make(out):
        files = DATA / "workloads/graphs"
        tool("lists", "import", out, "--connections", files / f"{name}.connection_info.txt", "--spikes", files / f"{name}.spike_info.txt")
        flow = Path(out) / "flow.yaml"
        flow.write_text("chip: mesh-128-large\n")
        return flow, []
    return make


def flow(name, *sets):
    def make(out):
        words = [word for each in sets for word in ("--set", each)]
        tool("run", ROOT / "configs/flows" / name, "--out", out, "--until", "graph", *words)
        return ROOT / "configs/flows" / name, words
    return make


LENET, LARGE = lists("lenet_mnist0_T32"), "mesh-128-large"
CASES = [("Drexel LeNet", LENET, chip, [f"partition.algorithm={algorithm}"]) for chip in (LARGE, "loihi")
         for algorithm in ("kernighan_lin", "metis", "first_fit", "random")]
CASES += [("Drexel LeNet", LENET, chip, ["partition.objective=time"]) for chip in (LARGE, "loihi")]
CASES += [("respiration", lists("respclass"), chip, []) for chip in ("mesh-128", "loihi")]
CASES += [("digits-mlp", flow("digits-mlp.yaml", "dataset.limit=20"), chip, []) for chip in ("mesh-128", "loihi")]
CASES += [("mnist-lenet", flow("mnist-lenet.yaml", "dataset.limit=10", f"conversion.pooling={pooling}"), chip, [f"conversion.pooling={pooling}"])
          for pooling in ("linear", "population") for chip in (LARGE, "loihi")]


def beginning(name, chip, sets):
    option = ", ".join(each.split(".", 1)[1].replace("=", ": ") for each in sets)
    return f"| {name} | {chip} | {option} |"


def row(name, make, chip, sets):
    with tempfile.TemporaryDirectory() as out:
        file, words = make(out)
        command = [file, "--out", out, *words, "--set", f"chip={chip}"] + [word for each in sets for word in ("--set", each)]
        for stage in ("partition", "analyze", "map", "simulate"):
            tool(stage, *command)
        period = json.loads(Path(out, "60-sdf-analysis.json").read_text())["period"]
        clusters = [actor["execution_time"] for actor in json.loads(Path(out, "60-sdf.json").read_text())["actors"] if actor["name"] != "steps"]
        placed = json.loads(Path(out, "70-prediction.json").read_text())
        stats = json.loads(Path(out, "80-chip.json").read_text())
    cycles = stats["cycles"] / stats["samples"]
    slots = sum(wait["slots"] for wait in stats["waits"])
    waits = ", ".join(f'{wait["part"]} {100 * wait["slots"] / slots:.0f} %' for wait in sorted(stats["waits"], key=lambda wait: -wait["slots"]))
    predicted = placed["cycles_per_sample"]
    text = (f'{beginning(name, chip, sets)} {max(clusters):,} | {period:,.0f} | {predicted:,.0f} | {cycles:,.0f} | {100 * (period / cycles - 1):+.1f} % | '
            f'{100 * (predicted / cycles - 1):+.1f} % | {placed["steps_in_detail"]} of {placed["steps"]} | {waits} |')
    print(text, flush=True)
    return text


def main():
    rows = []
    for name, make, chip, sets in CASES:
        first = beginning(name, chip, sets)
        before = [line for line in PAGE.read_text().splitlines() if line.startswith(first)]
        isKept = ARGUMENTS.only and not any(first.startswith(f"| {text}") for text in ARGUMENTS.only)
        rows.append(before[0] if isKept and before else row(name, make, chip, sets))
    lines = [f"`tests/bench/prediction-table.py` writes this table ({datetime.date.today().isoformat()}): cycles per sample, of the slowest cluster alone, of `analyze`, of `map` for its placement, and of the simulation; how far `analyze` and `map` are from that; "
             "the recorded steps that `map` works in detail; and what the steps of the simulation wait for ([`waits`](../formats/chip-stats.md)).", "",
             "| network | chip | options | slowest cluster | `analyze` | `map` | simulated | `analyze` | `map` | in detail | steps wait for |",
             "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|", *rows]
    block = "<!-- predictions -->\n" + "\n".join(lines) + "\n<!-- /predictions -->"
    PAGE.write_text(re.sub(r"<!-- predictions -->.*?<!-- /predictions -->", lambda _: block, PAGE.read_text(), flags=re.DOTALL))


main()
