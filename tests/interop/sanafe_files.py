"""Files of SANA-FE (Boyle et al.), both ways. What `spindle sanafe export` writes of finished runs is loaded by the
package unedited: spikes neuron by neuron, messages, each part of the energy and the time of the run are those of the
stage simulate. What it wrote, and the examples of the package, come back by `spindle sanafe import`: the chip
simulation has the same figures again, and the spikes are those of SANA-FE."""
import csv
import json
import pathlib
import random
import sys
import tempfile
from importlib.resources import files

import tool
from sanafe_networks import STEPS, layers_of, write_network

sanafe, yaml, h5py = tool.need("sanafe", "yaml", "h5py")
ENERGY, TIME = 1e-3, 0.12  # parts of the energy; the time beside a model of SANA-FE (sanafe_energy.py)
RESTS = 0.01  # the energy of neurons whose membranes are not at zero when they rest here
CHIPS = pathlib.Path(__file__).parents[2] / "configs/chips"
failures = []


def check(what, ours, theirs, limit=0.0):
    apart = abs(ours - theirs) / abs(theirs) if theirs else abs(ours)
    print(f"  {what:16} {ours:<14.8g} {theirs:<14.8g} {100 * apart:.4f} %")
    if apart > limit:
        failures.append(f"{what}: {ours} here, {theirs} by SANA-FE")


def run_peer(arch, net, folder, steps, timing="detailed"):
    """Figures, and per group the set of (step, neuron) of its spikes, steps from 0."""
    architecture = sanafe.load_arch(str(arch))
    chip = sanafe.SpikingChip(architecture)
    chip.load(sanafe.load_net(str(net), architecture))
    result = chip.sim(steps, timing_model=timing, spike_trace=str(folder / "spikes.csv"))
    spikes = {}
    for row in csv.DictReader(open(folder / "spikes.csv")):
        group, neuron = row["neuron"].rsplit(".", 1)
        spikes.setdefault(group, set()).add((int(row["timestep"]) - 1, int(neuron)))
    return result, spikes


def our_spikes(out):
    """Per population the set of (step, neuron) of the first sample."""
    with h5py.File(out / "30-spikes.h5") as file:
        step = file.attrs["step_ms"]
        spikes = {}
        for name, group in file["spikes"].items():
            begin, end = group["sample_offsets"][:2]
            spikes[name] = {(round(t / step) - 1, int(n)) for t, n in
                            zip(group["timestamps"][begin:end], group["node_ids"][begin:end])}
        return spikes


def compare_stats(out, theirs, input_spikes, rests=ENERGY):
    stats = json.loads((out / "80-chip.json").read_text())
    parts = {part["name"]: part["pj"] * 1e-12 for part in stats["energy"]}

    def joules(*names):
        return sum(parts[name] for name in names)
    check("spikes", sum(stats["tile_spikes"]) + input_spikes, theirs["neurons_fired"])
    check("messages", stats["packets"] + stats["local_deliveries"], theirs["packets_sent"])
    check("synaptic events", stats["synaptic_events"], theirs["spikes"])
    check("synapses, J", joules(*(part for part in parts if part.endswith("synapse"))), theirs["energy"]["synapse"], ENERGY)
    check("neurons, J", joules("neuron_access", "neuron_update", "neuron_spike"), theirs["energy"]["soma"], rests)
    check("network, J", joules("hop_x", "hop_y", "axon_out", "axon_in"), theirs["energy"]["network"], ENERGY)
    check("all, J", stats["energy_total_pj"] * 1e-12, theirs["energy"]["total"], rests)
    check("time, s", stats["cycles"] * 1e-6 / stats["clock_mhz"], theirs["sim_time"], TIME)
    return stats


def compare_spikes(ours, theirs, names):
    """`names`: group of SANA-FE of each population."""
    for name, group in names.items():
        mine, other = ours.get(name, set()), theirs.get(group, set())
        print(f"  {name}: {len(mine)} spikes")
        if mine != other:
            failures.append(f"{name}: {len(mine)} spikes here, {len(other)} there, {len(mine ^ other)} differ")


def exported(kind, size, changes, neuron=None, delay=1):
    """A random network of one kind on Loihi: out, loaded, and back again."""
    print(f"{kind} {size} {changes or ''} {neuron or ''}")
    numbers = random.Random(size)
    chip = yaml.safe_load((CHIPS / "loihi.yaml").read_text())
    chip["crossbar"]["columns"] = 16 * size * size
    chip.update(changes)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "chip.yaml").write_text(yaml.safe_dump(chip))
        sizes, synapses = layers_of(kind, size, numbers)
        spikes = [(n, t) for t in range(STEPS) for n in range(sizes[0]) if numbers.random() < 0.1]
        flow = write_network(folder, sizes, synapses, spikes, 5.5, kind)
        text = (folder / "net.yaml").read_text().replace("neuron: if,", (neuron or "neuron: if") + ",")
        (folder / "net.yaml").write_text(text.replace("connect:", f"delay: {delay}, connect:"))
        out = folder / "out"
        tool.run("run", flow, "--out", out, "--until", "simulate")
        tool.run("sanafe", "export", out, "--out", folder / "files")
        shifts = {"in": 0, "one": 1 - delay, "two": 2 - 2 * delay}
        theirs, there = run_peer(folder / "files/arch.yaml", folder / "files/snn.yaml", folder, STEPS + shifts["two"])
        ours = our_spikes(out)
        compare_spikes({name: {(t + shifts[name], n) for t, n in ours[name]} for name in shifts},
                       {name: {(t, n) for t, n in there.get(name, set()) if t < STEPS + shifts[name]}
                        for name in shifts}, {name: name for name in shifts})
        if delay == 0:
            return
        stats = compare_stats(out, theirs, len(spikes), RESTS if neuron else ENERGY)
        if not sum(stats["tile_spikes"]):
            failures.append(f"{kind} {size}: silent, nothing is compared")
        tool.run("sanafe", "import", folder / "files/arch.yaml", folder / "files/snn.yaml", "--out", folder / "back",
                 "--steps", STEPS)
        tool.run("run", folder / "back/flow.yaml", "--out", folder / "again", "--until", "simulate")
        again = json.loads((folder / "again/80-chip.json").read_text())
        if "synchronisation" in changes:  # the files have a barrier that takes no time
            stats = {**stats, "cycles": again["cycles"], "energy_total_pj": again["energy_total_pj"]}
        for key in ("packets", "local_deliveries", "synaptic_events", "cycles", "energy_total_pj", "tile_spikes"):
            if json.dumps(stats[key]) != json.dumps(again[key]) and key != "energy_total_pj" or \
                    key == "energy_total_pj" and abs(stats[key] / again[key] - 1) > 1e-9:
                failures.append(f"{kind} {size}: {key} {stats[key]}, and {again[key]} when it came back")
        compare_spikes(our_spikes(out), our_spikes(folder / "again"), {"one": "one", "two": "two"})


def converted():
    """A converted network: spikes of a step in the same step, constant currents, membranes that start at a half."""
    print("digits-mlp")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flow = CHIPS.parent / "flows/digits-mlp.yaml"
        tool.run("run", flow, "--out", folder / "out", "--until", "simulate", "--set", "chip=loihi", "--set",
                 "dataset.limit=20", "--set", "simulation.samples=1")
        tool.run("sanafe", "export", folder / "out", "--out", folder / "files")
        steps = json.loads((folder / "out/30-emulation.json").read_text())["steps"]
        ours = our_spikes(folder / "out")
        _, theirs = run_peer(folder / "files/arch.yaml", folder / "files/snn.yaml", folder, steps + len(ours))
        for shift, population in enumerate(ours):
            mine = {(t + shift, n) for t, n in ours[population]}
            other = {(t, n) for t, n in theirs.get(population, set()) if t < steps + shift}
            print(f"  {population}: {len(mine)} spikes")
            if mine != other or not mine and population != "dense2":  # which is read by its membranes
                failures.append(f"digits-mlp {population}: {len(mine)} and {len(other)} spikes, {len(mine ^ other)} differ")


def example(arch, net, steps, names):
    """Files of others, unedited."""
    print(f"{pathlib.Path(arch).name}, {pathlib.Path(net).name}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        theirs, there = run_peer(arch, net, folder, steps)
        tool.run("sanafe", "import", arch, net, "--out", folder / "in", "--steps", steps)
        tool.run("run", folder / "in/flow.yaml", "--out", folder / "out", "--until", "simulate")
        compare_spikes(our_spikes(folder / "out"), there, names)


for kind in ("dense", "sparse", "convolution"):
    exported(kind, 1, {})
exported("dense", 2, {"synchronisation": "pipeline"}, "neuron: lif, tau: 4, r: 4")
exported("sparse", 2, {"host": [9]}, "neuron: cuba_lif, tau: 4, tau_syn: 2, r: 4, w_in: 2")
exported("sparse", 1, {}, "neuron: if, reset: subtract")
exported("dense", 1, {}, "neuron: if, reset: subtract, current: 0.125", delay=0)
exported("convolution", 1, {}, "neuron: lif, tau: 4, r: 4, initial_membrane: 0.5", delay=0)
converted()
bundled = files("sanafe.examples")
example(bundled / "example_chip.yaml", bundled / "example_snn.yaml", 10, {"out": "out"})
example(bundled / "tutorial_arch.yaml", bundled / "tutorial_snn.yaml", 30, {"group0": "0", "group1": "1"})
for chip_alone in ("loihi.yaml", "truenorth.yaml"):
    with tempfile.TemporaryDirectory() as name:
        tool.run("sanafe", "import", bundled / chip_alone, "--out", name)
if failures:
    sys.exit("\n".join(failures))
