"""What the peers share: the workload's file, repeated timing, the line they answer with.

The file is written by `./spindle bench emulation --export FOLDER`: `input` (samples × shape, the
probability of a spike per step), `steps`, `decay` (of the membrane, per step), then the layers in
order: `0_dense` (outputs × inputs), `1_convolution` (filters × channels × rows × columns) with
`1_padding`, `2_pool` (edge of the window). Neurons follow each dense layer and convolution:
v ← v · decay + input, a spike at v ≥ 1, then v = 0. An input spike adds its weight.
"""
import argparse
import importlib
import json
import pathlib
import sys

import numpy

SKIPPED = 77  # exit code
UNPACKED = pathlib.Path(__file__).resolve().parents[3] / "build/peers"  # by fetch-debian.sh
sys.path.append(str(UNPACKED / "usr/lib/python3/dist-packages"))


def need(name, remedy):
    """Imports a module; where it is absent the peer is skipped and says why."""
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        skip(f"{missing} in {sys.executable} ({remedy})")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def parser(description):
    options = argparse.ArgumentParser(description=description)
    options.add_argument("workload", help="file of ./spindle bench emulation --export")
    options.add_argument("--runs", type=int, default=5, help="the fastest one counts")
    return options


class Layers:
    """Feed-forward layers: `(kind, weights or window, padding)` in order."""

    def __init__(self, path):
        with numpy.load(path) as file:
            arrays = dict(file)
        self.input = arrays["input"].astype(numpy.float32)
        self.steps, self.decay = int(arrays["steps"]), float(arrays["decay"])
        self.layers = []
        for name, values in arrays.items():
            position, _, kind = name.partition("_")
            if kind in ("dense", "convolution", "pool"):
                padding = arrays.get(f"{position}_padding", 0)
                values = int(values) if kind == "pool" else values.astype(numpy.float32)
                self.layers.append((int(position), kind, values, int(padding)))
        self.layers = [layer[1:] for layer in sorted(self.layers, key=lambda layer: layer[0])]


def run_standalone(brian2, folder, runs):
    """Builds Brian2's program in `folder`; seconds of its fastest run, simulation only."""
    brian2.device.build(directory=folder, compile=True, run=False)
    seconds = []
    for _ in range(runs):
        brian2.device.run(folder, with_output=False, run_args=[])
        seconds.append(brian2.device._last_run_time)
    return min(seconds)


def answer(seconds, spikes, detail):
    """`spikes`: of each population over all samples, the input first."""
    print(json.dumps({"seconds": seconds, "spikes": [int(s) for s in spikes], "detail": detail}))
