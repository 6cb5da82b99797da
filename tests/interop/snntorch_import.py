"""Networks built in snnTorch and exported by it give the same spikes here."""
import pathlib
import tempfile

import tool

torch, snn, nir, _, _ = tool.need("torch", "snntorch", "nir", "nirtorch", "h5py")
from snntorch.export_nir import export_to_nir

INPUTS, HIDDEN, OUTPUTS, STEPS = 12, 20, 5, 60
LEAKY = dict(reset_mechanism="zero", reset_delay=False, init_hidden=True)
torch.manual_seed(1)


def layered(hidden):
    """Two populations; the second has a synaptic current of its own."""
    synaptic = snn.Synaptic(alpha=0.7 * torch.ones(OUTPUTS), beta=0.8 * torch.ones(OUTPUTS),
                            threshold=torch.ones(OUTPUTS), output=True, **LEAKY)
    net = torch.nn.Sequential(torch.nn.Linear(INPUTS, HIDDEN), hidden,
                              torch.nn.Linear(HIDDEN, OUTPUTS, bias=False), synaptic)
    with torch.no_grad():
        net[0].weight.mul_(3)
        net[2].weight.mul_(2)
    return net


def networks():
    beta, threshold = 0.9 * torch.ones(HIDDEN), torch.ones(HIDDEN)
    yield "layers", layered(snn.Leaky(beta=beta, threshold=threshold, **LEAKY))
    recurrent = snn.RLeaky(beta=beta, threshold=threshold, linear_features=HIDDEN, **LEAKY)
    with torch.no_grad():
        recurrent.recurrent.weight.mul_(3)
    yield "recurrent", layered(recurrent)


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


for kind, net in networks():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graph = export_to_nir(net, torch.zeros(INPUTS))
        for layer in net:
            if hasattr(layer, "reset_mem"):
                layer.reset_mem()
        nir.write(folder / "torch.nir", graph)
        events = tool.random_events(INPUTS, STEPS, 0.2, 2)
        hidden, output = spikes_of(net, events)
        ours = tool.emulate(folder, folder / "torch.nir", events, INPUTS, STEPS)
        inner = "1.lif" if "1.lif" in ours else "1"  # of the graph within the graph
        tool.check_equal(f"{kind}, hidden", ours[inner], hidden)
        tool.check_equal(f"{kind}, output", ours["3"], output)
