"""libsonata, which shares nothing with our reader, finds every spike and membrane where h5py and numpy find
it; rates and intervals computed from that with numpy are those of 30-statistics.json."""
import json
import pathlib
import sys
import tempfile

import tool

libsonata, h5py, np = tool.need("libsonata", "h5py", "numpy")
ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS, STEP_MS, RECORDED = 40, 0.5, 30


def check(name, ours, theirs):
    if not np.allclose(ours, theirs, rtol=1e-12, atol=0):
        sys.exit(f"{name}: {ours} here, {theirs} by numpy")


def check_spikes(reader, name, group):
    population = reader[name]
    times, nodes = group["timestamps"][()], group["node_ids"][()]
    found = population.get_dict()
    if not (np.array_equal(found["timestamps"], times) and np.array_equal(found["node_ids"], nodes)):
        sys.exit(f"{name}: libsonata reads other spikes")
    if population.time_units != "ms":
        sys.exit(f"{name}: times in {population.time_units}")
    if len(nodes) == 0:
        return
    one = int(nodes[0])
    found = sorted(time for _, time in population.get(node_ids=[one]))
    if found != sorted(times[nodes == one]):
        sys.exit(f"{name}: libsonata has other spikes of neuron {one}")


def check_membranes(path, name):
    with h5py.File(path) as file:
        data = file[f"report/{name}/data"][()]
    nodes = [3, 17]
    found = libsonata.ElementReportReader(path)[name].get(node_ids=nodes)
    if not np.array_equal(found.data, data[:, nodes]) or len(data) != RECORDED * STEPS:
        sys.exit(f"{name}: libsonata reads other membranes")
    check("frames", found.times, np.arange(len(data)) * STEP_MS)


def intervals_of(group):
    """Per neuron the intervals in steps, those within samples only."""
    steps = np.rint(group["timestamps"][()] / STEP_MS).astype(int)
    nodes, offsets = group["node_ids"][()], group["sample_offsets"][()]
    intervals = [[] for _ in group["counts"]]
    for begin, end in zip(offsets[:-1], offsets[1:]):
        for neuron in np.unique(nodes[begin:end]):
            intervals[neuron].extend(np.diff(steps[begin:end][nodes[begin:end] == neuron]))
    return intervals


def check_statistics(name, group, found, samples):
    rates = group["counts"][()] / (samples * STEPS)
    for key, value in (("mean", rates.mean()), ("deviation", rates.std()), ("least", rates.min()),
                       ("most", rates.max()), ("silent", (rates == 0).sum())):
        check(f"{name} rate {key}", found["rate"][key], value)
    check(f"{name} Hz", group["rates"][()], rates / (STEP_MS / 1000))
    own = intervals_of(group)
    together = np.concatenate([np.asarray(each, dtype=float) for each in own])
    intervals = found["intervals"]
    check(f"{name} intervals", intervals["count"], len(together))
    if len(together) == 0:
        return 0
    check(f"{name} interval", intervals["mean_ms"], together.mean() * STEP_MS)
    check(f"{name} cv", intervals["cv"], together.std() / together.mean())
    check(f"{name} neuron cv", intervals["neuron_cv"],
          np.mean([np.std(each) / np.mean(each) for each in own if len(each) >= 2]))
    check(f"{name} histogram", intervals["histogram"], np.bincount(together.astype(int)))
    return len(together)


with tempfile.TemporaryDirectory() as folder:
    tool.run("run", ROOT / "configs/flows/digits-mlp.yaml", "--until", "emulate", "--out", folder,
             "--set", f"emulation.steps={STEPS}", "--set", f"emulation.step_ms={STEP_MS}",
             "--set", f"emulation.record_samples={RECORDED}", "--set", "emulation.encoding=poisson",
             "--set", "emulation.record_membranes=[dense1]")
    reader = libsonata.SpikeReader(folder + "/30-spikes.h5")
    statistics = json.loads(pathlib.Path(folder, "30-statistics.json").read_text())
    total = 0
    with h5py.File(folder + "/30-spikes.h5") as file:
        for found in statistics["populations"]:
            group = file["spikes"][found["name"]]
            check_spikes(reader, found["name"], group)
            total += check_statistics(found["name"], group, found, file.attrs["samples"])
    check_membranes(folder + "/30-membranes.h5", "dense1")
    if total == 0:
        sys.exit("no intervals: silence would prove nothing")
    print(f"{total} equal intervals of {reader.get_population_names()}")
