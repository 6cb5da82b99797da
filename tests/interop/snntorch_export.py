"""A network exported here gives the same spikes when snnTorch imports it."""
import pathlib
import tempfile

import tool

torch, snn, nir, np, _, _ = tool.need("torch", "snntorch", "nir", "numpy", "nirtorch", "h5py")
from snntorch.import_nir import import_from_nir

INPUTS, HIDDEN, OUTPUTS, STEPS = 12, 16, 4, 60
SHAPE = "!snn.spike_bundle<{}x!snn.spike_train<?xf32>>"


def dense(values):
    return "dense<" + str(np.round(values, 4).tolist()) + "> : tensor<" + \
        "x".join(map(str, values.shape)) + "xf32>"


def module():
    """Two leaky layers; with r = tau a spike adds its weight to the membrane, as in snnTorch."""
    numbers = np.random.default_rng(3)
    first = numbers.uniform(-0.6, 1.0, (HIDDEN, INPUTS))
    second = numbers.uniform(-0.5, 0.8, (OUTPUTS, HIDDEN))
    leak = "threshold = array<f32: 1.0>, tau = array<f32: 8.0>, r = array<f32: 8.0>"
    return f"""
func.func @main(%x: tensor<{INPUTS}xf32>) -> tensor<{OUTPUTS}xf32> {{
  %0 = snn.encode events %x {{layer = "input"}} : tensor<{INPUTS}xf32> -> {SHAPE.format(INPUTS)}
  %w1 = arith.constant {dense(first)}
  %w2 = arith.constant {dense(second)}
  %1 = snn.dense %0, %w1 {{layer = "fc1"}} : ({SHAPE.format(INPUTS)}, tensor<{HIDDEN}x{INPUTS}xf32>) -> !snn.current<{HIDDEN}xf32>
  %2 = snn.lif %1 reset zero {{layer = "lif1", {leak}}} : !snn.current<{HIDDEN}xf32> -> {SHAPE.format(HIDDEN)}
  %3 = snn.dense %2, %w2 {{layer = "fc2"}} : ({SHAPE.format(HIDDEN)}, tensor<{OUTPUTS}x{HIDDEN}xf32>) -> !snn.current<{OUTPUTS}xf32>
  %4 = snn.lif %3 reset zero {{layer = "lif2", {leak}}} : !snn.current<{OUTPUTS}xf32> -> {SHAPE.format(OUTPUTS)}
  %5 = snn.decode count %4 {{layer = "output"}} : {SHAPE.format(OUTPUTS)} -> tensor<{OUTPUTS}xf32>
  return %5 : tensor<{OUTPUTS}xf32>
}}
"""


def spikes_of(net, events):
    frames = torch.zeros(STEPS, 1, INPUTS)
    for t, i in events:
        frames[t, 0, i] = 1
    state, output = None, set()
    with torch.no_grad():
        for t in range(STEPS):
            spikes, state = net(frames[t], state)
            output |= {(t, int(n)) for n in spikes[0].nonzero()}
    return output


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "net.mlir").write_text(module())
    tool.run("export", folder / "net.mlir", "--out", folder / "ours.nir")
    events = tool.random_events(INPUTS, STEPS, 0.25, 4)
    ours = tool.emulate(folder, folder / "ours.nir", events, INPUTS, STEPS)
    net = import_from_nir(nir.read(folder / "ours.nir"))
    tool.check_equal("lif2", ours["lif2"], spikes_of(net, events))
