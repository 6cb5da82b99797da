"""Networks built in snnTorch and exported by it give the same spikes here."""
import pathlib
import tempfile

import tool

torch, snn, nir, _, _ = tool.need("torch", "snntorch", "nir", "nirtorch", "h5py")
from snntorch.export_nir import export_to_nir

INPUTS, HIDDEN, OUTPUTS, STEPS = 12, 20, 5, 60
torch.manual_seed(1)


def layered(hidden, convention):
    """Two populations; the second has a synaptic current of its own."""
    synaptic = snn.Synaptic(alpha=0.7 * torch.ones(OUTPUTS), beta=0.8 * torch.ones(OUTPUTS),
                            threshold=torch.ones(OUTPUTS), output=True, **convention)
    net = torch.nn.Sequential(torch.nn.Linear(INPUTS, HIDDEN), hidden,
                              torch.nn.Linear(HIDDEN, OUTPUTS, bias=False), synaptic)
    with torch.no_grad():
        net[0].weight.mul_(3)
        net[2].weight.mul_(2)
    return net


def networks():
    """Networks, and what their files leave open. snnTorch resets by subtraction and a step later
    unless it is told otherwise; a Leaky that resets to zero does so before its leak, at once."""
    beta, threshold = 0.9 * torch.ones(HIDDEN), torch.ones(HIDDEN)
    for mechanism, late in (("zero", False), ("zero", True), ("subtract", True)):
        convention = dict(reset_mechanism=mechanism, reset_delay=late, init_hidden=True)
        options = f"reset: {mechanism}, reset_delay: {str(late).lower()}"
        if (mechanism, late) != ("zero", True):
            leaky = snn.Leaky(beta=beta, threshold=threshold, **convention)
            yield f"layers, {options}", layered(leaky, convention), options
        recurrent = snn.RLeaky(beta=beta, threshold=threshold, linear_features=HIDDEN, **convention)
        with torch.no_grad():
            recurrent.recurrent.weight.mul_(3)
        yield f"recurrent, {options}", layered(recurrent, convention), options


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


for kind, net, options in networks():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graph = export_to_nir(net, torch.zeros(INPUTS))
        for layer in net:
            if hasattr(layer, "reset_mem"):
                layer.reset_mem()
        nir.write(folder / "torch.nir", graph)
        events = tool.random_events(INPUTS, STEPS, 0.2, 2)
        hidden, output = spikes_of(net, events)
        ours = tool.emulate(folder, folder / "torch.nir", events, INPUTS, STEPS, options)
        inner = "1.lif" if "1.lif" in ours else "1"  # of the graph within the graph
        tool.check_equal(f"{kind}, hidden", ours[inner], hidden)
        tool.check_equal(f"{kind}, output", ours["3"], output)
