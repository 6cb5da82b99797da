"""Runs the tool on a NIR file and random events, and reads the spikes it made."""
import importlib
import os
import pathlib
import random
import subprocess
import sys


def need(*packages):
    """Imports packages; where one is absent the test counts as skipped."""
    try:
        return [importlib.import_module(name) for name in packages]
    except ImportError as missing:
        print(f"skipped: {missing} in {sys.executable} (set SPINDLE_INTEROP_PYTHON)")
        sys.exit(77)


def data(*names):
    """Files of the data sets; where one is absent the test counts as skipped."""
    folder = pathlib.Path(os.environ.get("SPINDLE_DATA", "../shared/data"))
    for name in names:
        if not (folder / name).exists():
            print(f"skipped: {name} is absent (set SPINDLE_DATA)")
            sys.exit(77)
    return [folder / name for name in names]


def run(*arguments):
    """One call of the tool; its errors end the test."""
    result = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"spindle {' '.join(map(str, arguments))}: {result.stderr}")


def random_events(inputs, steps, rate, seed):
    """Pairs (step, input), each at most once."""
    numbers = random.Random(seed)
    return [(t, i) for t in range(steps) for i in range(inputs) if numbers.random() < rate]


def write_flow(folder, model, events, inputs, steps, options="reset: zero"):
    """A flow that emulates `model` on one recording; a step is 1 ms of the recording."""
    folder = pathlib.Path(folder)
    lines = [f"{t * 1000},{i}" for t, i in events]
    (folder / "events.csv").write_text("t_us,address\n" + "\n".join(lines) + "\n")
    (folder / "list.txt").write_text("events.csv 0\n")
    flow = folder / "flow.yaml"
    flow.write_text(
        f"model: {{path: {model}, {options}}}\n"
        f"dataset: {{format: events, list: {folder}/list.txt, steps: {steps}, shape: [{inputs}]}}\n"
        f"emulation: {{steps: {steps}, record_samples: 1}}\n")
    return flow


def emulate(folder, model, events, inputs, steps, options="reset: zero"):
    """Imports and emulates; per population the set of (step, neuron)."""
    import h5py
    flow = write_flow(folder, model, events, inputs, steps, options)
    out = pathlib.Path(folder) / "out"
    run("run", flow, "--until", "emulate", "--out", out)
    with h5py.File(out / "30-spikes.h5") as file:
        step_ms = file.attrs["step_ms"]
        return {
            name: {(round(t / step_ms) - 1, int(n))
                   for t, n in zip(group["timestamps"][()], group["node_ids"][()])}
            for name, group in file["spikes"].items()
        }


def check_equal(name, ours, theirs):
    """Both are sets of (step, neuron); silence would prove nothing."""
    if not theirs:
        sys.exit(f"{name}: the network of the other tool is silent")
    if ours != theirs:
        sys.exit(f"{name}: {len(ours)} spikes here, {len(theirs)} there, "
                 f"{len(ours ^ theirs)} differ, first {sorted(ours ^ theirs)[:5]}")
    print(f"{name}: {len(ours)} equal spikes")
