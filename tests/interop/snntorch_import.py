"""A network built in snnTorch and exported by it gives the same spikes here."""
import pathlib
import tempfile

import tool

torch, snn, nir, _, _ = tool.need("torch", "snntorch", "nir", "nirtorch", "h5py")
from snntorch.export_nir import export_to_nir

INPUTS, HIDDEN, OUTPUTS, STEPS = 12, 20, 5, 60
torch.manual_seed(1)


def network():
    leaky = dict(reset_mechanism="zero", reset_delay=False, init_hidden=True)
    hidden = snn.Leaky(beta=0.9 * torch.ones(HIDDEN), threshold=torch.ones(HIDDEN), **leaky)
    synaptic = snn.Synaptic(alpha=0.7 * torch.ones(OUTPUTS), beta=0.8 * torch.ones(OUTPUTS),
                            threshold=torch.ones(OUTPUTS), output=True, **leaky)
    net = torch.nn.Sequential(torch.nn.Linear(INPUTS, HIDDEN), hidden,
                              torch.nn.Linear(HIDDEN, OUTPUTS, bias=False), synaptic)
    with torch.no_grad():
        net[0].weight.mul_(3)
        net[2].weight.mul_(2)
    return net


def spikes_of(net, events):
    frames = torch.zeros(STEPS, 1, INPUTS)
    for t, i in events:
        frames[t, 0, i] = 1
    hidden, output = set(), set()
    with torch.no_grad():
        for t in range(STEPS):
            first = net[1](net[0](frames[t]))
            last = net[3](net[2](first))
            last = last[0] if isinstance(last, tuple) else last
            hidden |= {(t, int(n)) for n in first[0].nonzero()}
            output |= {(t, int(n)) for n in last[0].nonzero()}
    return hidden, output


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    net = network()
    graph = export_to_nir(net, torch.zeros(INPUTS))
    for layer in net:
        if hasattr(layer, "reset_mem"):
            layer.reset_mem()
    nir.write(folder / "torch.nir", graph)
    events = tool.random_events(INPUTS, STEPS, 0.2, 2)
    hidden, output = spikes_of(net, events)
    ours = tool.emulate(folder, folder / "torch.nir", events, INPUTS, STEPS)
    populations = {key: type(node).__name__ for key, node in graph.nodes.items()}
    tool.check_equal("hidden", ours[next(k for k, v in populations.items() if v == "LIF")], hidden)
    tool.check_equal("output", ours[next(k for k, v in populations.items() if v == "CubaLIF")], output)
