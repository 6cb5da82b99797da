"""Recurrent workloads in Brian2: C++ standalone, all spikes recorded. Balanced networks of
excitatory and inhibitory neurons after Vogels and Abbott, Journal of Neuroscience 25, 2005.

The file is written by `./spindle bench emulation --export FOLDER`: `offsets` and `targets`
(compressed rows, one per source), `v0` (membranes at the start), `excitatory` (so many neurons are,
from the first on), `steps`; `delay` and `refractory` in steps; scalars in ms and mV, conductances in
units of the leak: `dt tau_m tau_e tau_i e_l v_th v_r w_e w_i`, with conductances `e_e e_i input`.

Synapses come before the groups: a spike moves the membranes of its targets in the next step, which
is the first step of the delay. `--spikes FILE` keeps the spikes (arrays `step`, `neuron`), `--double` computes in f64: an
oracle for others with the same connections and initial membranes.
"""
import tempfile

import numpy

import workload

CURRENTS = """
dv/dt = (ge + gi - (v - e_l)) / tau_m : 1 (unless refractory)
dge/dt = -ge / tau_e : 1
dgi/dt = -gi / tau_i : 1
"""
CONDUCTANCES = """
dv/dt = (ge * (e_e - v) + gi * (e_i - v) - (v - e_l) + input) / tau_m : 1 (unless refractory)
dge/dt = -ge / tau_e : 1
dgi/dt = -gi / tau_i : 1
"""


class Network:
    """A workload read from its file; `sources` goes with `targets`."""

    def __init__(self, path):
        with numpy.load(path) as file:
            arrays = dict(file)
        self.offsets, self.targets, self.v0 = (arrays.pop(k) for k in ("offsets", "targets", "v0"))
        self.sources = numpy.repeat(numpy.arange(len(self.v0), dtype=numpy.int32),
                                    numpy.diff(self.offsets))
        self.parameters = {name: value.item() for name, value in arrays.items()}


def main():
    parser = workload.parser(__doc__)
    parser.add_argument("--spikes", help="writes all of them to this npz file")
    parser.add_argument("--double", action="store_true", help="f64 instead of f32")
    parser.add_argument("--steps", type=int, help="instead of those of the file")
    options = parser.parse_args()
    net = Network(options.workload)
    p = net.parameters
    steps = options.steps or p["steps"]
    brian2 = workload.need("brian2", "peers/fetch-debian.sh gets it")
    brian2.prefs.core.default_float_dtype = numpy.float64 if options.double else numpy.float32
    brian2.set_device("cpp_standalone", build_on_run=False)
    ms = brian2.ms
    brian2.defaultclock.dt = p["dt"] * ms
    names = {k: p[k] * ms if k.startswith("tau") else p[k]
             for k in ("tau_m", "tau_e", "tau_i", "e_l", "v_th", "v_r", "w_e", "w_i", "e_e", "e_i", "input")
             if k in p}
    conductances = "e_e" in p
    # Brian2 integrates again in the step in which that time is over; here so many steps are left out.
    refractory = (p["refractory"] + 1) * p["dt"] * ms
    group = brian2.NeuronGroup(
        len(net.v0), CONDUCTANCES if conductances else CURRENTS, threshold="v > v_th",
        reset="v = v_r", refractory=refractory,
        method="euler" if conductances else "exact", namespace=names)
    group.v = net.v0
    objects = [group]
    split = net.offsets[p["excitatory"]]
    for target, weight, part in (("ge", "w_e", slice(0, split)), ("gi", "w_i", slice(split, None))):
        link = brian2.Synapses(group, group, on_pre=f"{target}_post += {weight}", namespace=names,
                               delay=(p["delay"] - 1) * p["dt"] * ms)
        link.connect(i=net.sources[part], j=net.targets[part])
        objects.append(link)
    monitor = brian2.SpikeMonitor(group)
    network = brian2.Network(*objects, monitor)
    network.schedule = ["start", "synapses", "groups", "thresholds", "resets", "end"]
    network.run(steps * p["dt"] * ms)
    with tempfile.TemporaryDirectory() as folder:
        seconds = workload.run_standalone(brian2, folder, options.runs)
        if options.spikes:
            step = numpy.rint(numpy.asarray(monitor.t / ms) / p["dt"]).astype(int)
            numpy.savez(options.spikes, step=step, neuron=numpy.asarray(monitor.i))
        workload.answer(seconds, [monitor.num_spikes], f"{brian2.__version__}, C++ standalone")


main()
