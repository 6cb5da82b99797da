"""What the nir package writes is imported, and what is exported from that loads in the package again
with the same nodes, edges and values."""
import pathlib
import sys
import tempfile

import tool

nir, np, _ = tool.need("nir", "numpy", "h5py")
numbers = np.random.default_rng(1)


def random(*shape):
    return numbers.uniform(-1, 1, shape).astype(np.float32)


def full(value, *shape):
    return np.full(shape, value)


def example():
    conv = nir.Conv2d(input_shape=(6, 6), weight=random(4, 2, 3, 3), stride=(1, 1), padding=(1, 1),
                      dilation=(1, 1), groups=1, bias=random(4))
    nodes = {
        "input": nir.Input(np.array([2, 6, 6])),
        "conv": conv,
        "if": nir.IF(r=full(1.0, 4, 6, 6), v_threshold=full(0.5, 4, 6, 6)),
        "pool": nir.SumPool2d(kernel_size=np.array([2, 2]), stride=np.array([2, 2]),
                              padding=np.array([0, 0])),
        "flatten": nir.Flatten(input_type={"input": np.array([4, 3, 3])}, start_dim=0, end_dim=-1),
        "fc1": nir.Affine(weight=random(8, 36), bias=random(8)),
        "cuba": nir.CubaLIF(tau_syn=full(0.0005, 8), tau_mem=full(0.002, 8), r=full(20.0, 8),
                            v_leak=full(0.0, 8), v_threshold=full(1.0, 8), w_in=full(5.0, 8)),
        "back": nir.Linear(weight=random(8, 8)),
        "delay": nir.Delay(delay=full(0.0003, 8)),
        "fc2": nir.Linear(weight=random(3, 8)),
        "lif": nir.LIF(tau=full(0.001, 3), r=full(10.0, 3), v_leak=full(0.0, 3),
                       v_threshold=full(1.0, 3)),
        "output": nir.Output(np.array([3])),
    }
    edges = [("input", "conv"), ("conv", "if"), ("if", "pool"), ("pool", "flatten"),
             ("flatten", "fc1"), ("fc1", "cuba"), ("cuba", "back"), ("back", "cuba"),
             ("cuba", "delay"), ("delay", "fc2"), ("fc2", "lif"), ("lif", "output")]
    return nir.NIRGraph(nodes, edges)


def compare(written, read):
    if sorted(written.edges) != sorted(read.edges):
        sys.exit(f"edges differ: {sorted(set(written.edges) ^ set(read.edges))}")
    if written.nodes.keys() != read.nodes.keys():
        sys.exit(f"nodes differ: {written.nodes.keys() ^ read.nodes.keys()}")
    for name, node in written.nodes.items():
        other = read.nodes[name]
        if type(node) is not type(other):
            sys.exit(f"{name} is a {type(other).__name__}, expected {type(node).__name__}")
        for key, value in vars(node).items():
            if isinstance(value, np.ndarray) and not np.allclose(value, getattr(other, key),
                                                                 rtol=1e-6, atol=0):
                sys.exit(f"{name}.{key} differs")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    graph = example()
    nir.write(folder / "first.nir", graph)
    events = tool.random_events(72, 10, 0.2, 1)
    flow = tool.write_flow(folder, folder / "first.nir", events, 72, 10)
    flow.write_text(flow.read_text().replace("shape: [72]", "shape: [2, 6, 6]"))
    tool.run("run", flow, "--until", "convert", "--out", folder / "out")
    tool.run("export", folder / "out/20-snn.mlir", "--out", folder / "second.nir")
    compare(graph, nir.read(folder / "second.nir"))
print(f"{len(graph.nodes)} nodes came back")
