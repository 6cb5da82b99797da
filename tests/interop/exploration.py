"""Python's SQLite and CSV readers find the same points in both tables of an exploration, and a front that is computed
here, pair by pair, is the one that they name."""
import csv
import pathlib
import sqlite3
import sys
import tempfile

import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWEEP = f"""flow: {ROOT}/configs/flows/digits-mlp.yaml
set: {{dataset.limit: 60, dataset.calibration.limit: 60, emulation.record_samples: 4}}
vary: {{emulation.steps: [2, 4, 8, 16], conversion.percentile: [80, 99], partition.algorithm: [greedy, first_fit]}}
objectives: {{snn.accuracy: max, chip.energy_per_sample: min, snn.spikes_per_sample: max}}
constraints: {{snn.accuracy: {{least: 0.5}}}}
"""


def is_worse(a, b):
    return all(x <= y for x, y in zip(b, a)) and a != b


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "sweep.yaml").write_text(SWEEP)
    tool.run("explore", folder / "sweep.yaml", "--out", folder / "out")
    database = sqlite3.connect(folder / "out/points.sqlite")
    rows = list(csv.DictReader((folder / "out/points.csv").open()))
    costs = {}
    for row in rows:
        figures = dict(database.execute("SELECT name, value FROM figures WHERE point = ?", (row["point"],)))
        settings = dict(database.execute("SELECT key, value FROM settings WHERE point = ?", (row["point"],)))
        for key in ("emulation.steps", "conversion.percentile", "partition.algorithm"):
            if settings[key] != row[key] or f"--set {key}={row[key]}" not in row["command"]:
                sys.exit(f"{row['point']}: {key} differs")
        for key in ("snn.accuracy", "chip.energy_per_sample", "snn.spikes_per_sample"):
            if figures[key] != float(row[key]):
                sys.exit(f"{row['point']}: {key} is {figures[key]} in the database, {row[key]} in CSV")
        if figures["snn.accuracy"] >= 0.5:
            costs[row["point"]] = (-figures["snn.accuracy"], figures["chip.energy_per_sample"],
                                   -figures["snn.spikes_per_sample"])
    front = {point for point, own in costs.items() if not any(is_worse(own, other) for other in costs.values())}
    for source, found in (("CSV", {row["point"] for row in rows if row["front"] == "1"}),
                          ("the database", {p for (p,) in database.execute("SELECT point FROM points WHERE front")})):
        if found != front:
            sys.exit(f"front of {source}: {sorted(found)}, here {sorted(front)}")
    if len(rows) != 16 or not 0 < len(front) < 16:
        sys.exit(f"{len(rows)} points, {len(front)} on the front: proves nothing")
    print(f"{len(rows)} points, {len(front)} on the same front")
