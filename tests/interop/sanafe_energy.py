"""Networks that this test makes on a chip like Loihi, beside SANA-FE (Boyle et al.) with the same neurons on the same
cores: spikes, messages, each part of the energy and the time of the run. The architecture that SANA-FE is given is
written here from our chip file, so that both count at the same prices. Its two models of time differ by up to 15 %:
`detailed`, which estimates congestion, and `cycle`, in which BookSim moves the messages (too slow for the larger dense
networks). Our time must be within 10 % of one of them, or between them."""
import json
import pathlib
import random
import sys
import tempfile
import time

import tool
from sanafe_networks import STEPS, layers_of, write_network

sanafe, yaml = tool.need("sanafe", "yaml")
ENERGY, TOTAL, TIME = 0.02, 0.01, 0.10  # how far parts, their sum, and the time may be apart
CHIP = pathlib.Path(__file__).parents[2] / "configs/chips/loihi.yaml"


class WithoutAliases(yaml.SafeDumper):
    """SANA-FE knows none."""

    def ignore_aliases(self, data):
        return True


def architecture(chip, hosts, kind):
    """The prices of our chip file for SANA-FE, with one core more in the host's tile, which costs nothing. `hosts`:
    tiles that its barriers count for that core alone, and ours do not. `kind`: of all synapses."""
    second = 1e-6 / chip["clock_mhz"]["value"]

    def figure(table, key, shared):
        return chip[table].get(key, chip[table].get(shared))["value"]

    def energy(key, shared=None):
        return figure("energy", key, shared) * 1e-12

    def cycles(key, shared=None):
        return figure("latency", key, shared) * second
    levels = chip["latency"]["step_barrier_levels"]
    hop = (chip["router"]["link_cycles"] + 2) * second  # and the switch with its allocation
    tile = {}
    for way, key in (("north", "hop_y_pj"), ("south", "hop_y_pj"), ("east", "hop_x_pj"), ("west", "hop_x_pj")):
        tile[f"energy_{way}_hop"], tile[f"latency_{way}_hop"] = energy(key), hop

    def soma(name, model, access, update, spike):
        return {"name": name, "attributes": {
            "model": model, "energy_access_neuron": access[0], "latency_access_neuron": access[1],
            "energy_update_neuron": update[0], "latency_update_neuron": update[1],
            "energy_spike_out": spike[0], "latency_spike_out": spike[1]}}
    free = (0.0, 0.0)
    pipeline = {
        "attributes": {"buffer_position": "soma", "buffer_inside_unit": False, "max_neurons_supported": 65536},
        "axon_in": [{"name": "axons", "attributes": {"energy_message_in": energy("axon_in_pj"),
                                                     "latency_message_in": cycles("row_read_cycles")}}],
        "synapse": [{"name": "synapses", "attributes": {"model": "current_based",
                                                        "energy_process_spike": energy(f"{kind}_synapse_pj", "synapse_pj"),
                                                        "latency_process_spike": cycles(f"{kind}_synapse_cycles", "synapse_cycles")}}],
        "dendrite": [{"name": "dendrites", "attributes": {"model": "accumulator", "energy_update": 0.0,
                                                          "latency_update": 0.0}}]}
    core = dict(pipeline, name=f"core[0..{chip['crossbars_per_tile'] - 1}]",
                soma=[soma("lif", "leaky_integrate_fire",
                           (energy("neuron_access_pj"), cycles("neuron_access_cycles")),
                           (energy("neuron_update_pj"), cycles("neuron_update_cycles")),
                           (energy("neuron_spike_pj"), cycles("neuron_spike_cycles")))],
                axon_out=[{"name": "out", "attributes": {"energy_message_out": energy("axon_out_pj"),
                                                         "latency_message_out": cycles("axon_out_cycles")}}])
    host = dict(pipeline, name="host", soma=[soma("inputs[0..4095]", "input", free, free, free)],
                axon_out=[{"name": "out", "attributes": {"energy_message_out": 0.0, "latency_message_out": 0.0}}])
    columns, rows = chip["mesh"]["columns"], chip["mesh"]["rows"]
    return {"architecture": {
        "name": "chip",
        "attributes": {"topology": "mesh", "width": columns, "height": rows, "link_buffer_size": 16,
                       "sync_model": "table",
                       "latency_sync": {t + hosts * (t > 1): c * second
                                        for t, c in zip(levels["tiles"], levels["cycles"])}},
        "tile": [{"name": "first", "attributes": tile, "core": [core, host]},
                 {"name": f"tile[1..{columns * rows - 1}]", "attributes": tile, "core": [core]}]}}


def by_peer(folder, chip, kind, sizes, synapses, spikes, threshold, cores, timing):
    """`cores`: tile and crossbar of each neuron with a column, in the order of neurons. Its tiles are numbered column
    by column."""
    (folder / "arch.yaml").write_text(yaml.dump(architecture(chip, 0 not in {tile for tile, _ in cores}, kind), Dumper=WithoutAliases))
    arch = sanafe.load_arch(str(folder / "arch.yaml"))
    net = sanafe.Network()
    groups = [net.create_neuron_group("in", sizes[0])]
    for name, size in zip(("one", "two"), sizes[1:]):
        groups.append(net.create_neuron_group(
            name, size, soma_hw_name="lif",
            model_attributes={"threshold": threshold, "leak_decay": 1.0, "reverse_threshold": -1e9}))
    fired = [[0] * STEPS for _ in range(sizes[0])]
    for neuron, step in spikes:
        fired[neuron][step] = 1
    host = arch.tiles[0].cores[chip["crossbars_per_tile"]]
    for index, neuron in enumerate(groups[0]):
        neuron.set_attributes(soma_hw_name=f"inputs[{index}]", model_attributes={"spikes": fired[index]})
        neuron.map_to_core(host)
    columns, rows = chip["mesh"]["columns"], chip["mesh"]["rows"]
    for neuron, (tile, core) in zip((n for group in groups[1:] for n in group), cores):
        neuron.map_to_core(arch.tiles[tile % columns * rows + tile // columns].cores[core])
    for index, pairs in enumerate(synapses):
        groups[index].connect_neurons_sparse(groups[index + 1], {"weight": [w for _, _, w in pairs]},
                                             [(s, t) for s, t, _ in pairs])
    spiking = sanafe.SpikingChip(arch)
    spiking.load(net)
    begin = time.perf_counter()
    result = spiking.sim(STEPS, timing_model=timing)
    return result, time.perf_counter() - begin


def compare(kind, size, placement, seed):
    numbers = random.Random(seed)
    timings = ["detailed"] if kind == "dense" and size > 1 else ["detailed", "cycle"]
    chip = yaml.safe_load(CHIP.read_text())
    chip["crossbar"]["columns"] = 16 * size * size  # so that the network takes several cores
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "chip.yaml").write_text(yaml.safe_dump(chip))
        sizes, synapses = layers_of(kind, size, numbers)
        threshold = 5.5 + 1 / 128  # which no membrane meets exactly: SANA-FE spikes above, ours also at it
        spikes = [(n, t) for t in range(STEPS) for n in range(sizes[0]) if numbers.random() < 0.1]
        flow = write_network(folder, sizes, synapses, spikes, threshold, kind)
        algorithm = "annealing" if placement == "own" else "random"
        tool.run("run", flow, "--out", folder / "out", "--until", "simulate", "--set",
                 f"mapping.algorithm={algorithm}")
        begin = time.perf_counter()
        tool.run("simulate", flow, "--out", folder / "out")
        ours_seconds = time.perf_counter() - begin
        stats = json.loads((folder / "out/80-chip.json").read_text())
        clusters = json.loads((folder / "out/50-clusters.json").read_text())
        mapping = json.loads((folder / "out/70-mapping.json").read_text())
        units = sorted(clusters["units"])
        if [unit[0] for unit in units] != list(range(sizes[0], sum(sizes))):
            sys.exit("a neuron is missing or divided: nothing to compare")
        cores = [(mapping["placements"][c]["tile"], mapping["placements"][c]["crossbar"]) for _, c, _ in units]
        runs = [by_peer(folder, chip, kind, sizes, synapses, spikes, threshold, cores, timing) for timing in timings]
    theirs, seconds = runs[0][0], ", ".join(f"{took:.3f} s ({timing})" for (_, took), timing in zip(runs, timings))
    times = [result["sim_time"] for result, _ in runs]
    ours = {part["name"]: part for part in stats["energy"]}

    def joules(*parts):
        return sum(ours[part]["pj"] for part in parts) * 1e-12
    rows = [
        ("spikes", sum(stats["tile_spikes"]) + len(spikes), theirs["neurons_fired"], 0),
        ("messages", stats["packets"] + stats["local_deliveries"], theirs["packets_sent"], 0),
        ("synaptic events", stats["synaptic_events"], theirs["spikes"], 0),
        ("synapses, J", joules(*(name for name in ours if name.endswith("synapse"))), theirs["energy"]["synapse"], ENERGY),
        ("neurons, J", joules("neuron_access", "neuron_update", "neuron_spike"), theirs["energy"]["soma"], ENERGY),
        ("network, J", joules("hop_x", "hop_y", "axon_out", "axon_in"), theirs["energy"]["network"], ENERGY),
        ("all, J", stats["energy_total_pj"] * 1e-12, theirs["energy"]["total"], TOTAL)]
    seconds_here = stats["cycles"] * 1e-6 / stats["clock_mhz"]
    cores_used = len(set(cores))
    print(f"{kind} {size}, {placement} placement: {sum(sizes)} neurons on {cores_used} cores, "
          f"{sum(map(len, synapses))} synapses; {seconds} by SANA-FE, {ours_seconds:.3f} s by the stage simulate with "
          f"start and files")
    failures = []
    for what, mine, other, limit in rows:
        apart = abs(mine - other) / other if other else abs(mine)
        print(f"  {what:16} {mine:<12.6g} {other:<12.6g} {100 * apart:.3f} %")
        if apart > limit:
            failures.append(f"{kind} {size} {placement}: {what} {mine} here, {other} by SANA-FE")
    print(f"  time, s          {seconds_here:<12.6g} " + ", ".join(
        f"{other:.6g} ({timing}) {100 * (seconds_here / other - 1):+.2f} %" for other, timing in zip(times, timings)))
    if not (1 - TIME) * min(times) <= seconds_here <= (1 + TIME) * max(times):
        failures.append(f"{kind} {size} {placement}: {seconds_here} s here, {times} by SANA-FE")
    if sum(stats["tile_spikes"]) == 0 or cores_used < 2:
        failures.append(f"{kind} {size}: silent, or on one core: nothing is compared")
    return failures


failed = []
for number, (kind, size) in enumerate((k, s) for k in ("dense", "sparse", "convolution") for s in (1, 2, 3)):
    for placement in ("own", "random"):
        failed += compare(kind, size, placement, number)
if failed:
    sys.exit("\n".join(failed))
