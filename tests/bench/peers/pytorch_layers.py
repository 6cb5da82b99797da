"""Feed-forward workloads in PyTorch, one thread, all samples as one batch: the faster of a loop
over the steps and one matrix product over all steps per layer. Debian's PyTorch calls whatever BLAS
the loader finds; the reference BLAS is 30 times slower, so OpenBLAS is put before it.
"""
import glob
import os
import sys
import time

import workload


def load_openblas():
    """Starts anew with OpenBLAS in the loader's path, unless PyTorch brings a fast BLAS itself."""
    folders = glob.glob("/usr/lib/*/openblas-*") or glob.glob(f"{workload.UNPACKED}/usr/lib/*/openblas-*")
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    if "SPINDLE_PEER_STARTED" not in os.environ and folders:
        path = os.environ.get("LD_LIBRARY_PATH", "")
        os.environ.update(SPINDLE_PEER_STARTED="1", LD_LIBRARY_PATH=f"{folders[0]}:{path}",
                          MALLOC_MMAP_MAX_="0", MALLOC_TRIM_THRESHOLD_=str(2**40))  # keep pages
        os.execv(sys.executable, [sys.executable, *sys.argv])
    torch = workload.need("torch", "Debian: python3-torch")
    if not torch.backends.mkl.is_available():
        with open("/proc/self/maps") as maps:
            if "openblas" not in maps.read():
                workload.skip("PyTorch without OpenBLAS would be slow (peers/fetch-debian.sh gets it)")
    return torch


torch = load_openblas()


def linear(kind, weights, padding, x):
    """One layer without neurons on a batch of rows."""
    if kind == "dense":
        return torch.mm(x.flatten(1), weights)
    if kind == "convolution":
        return torch.nn.functional.conv2d(x, weights, padding=padding)
    return torch.nn.functional.avg_pool2d(x, weights)


def fire(v, current, decay, spikes):
    """One step of the neurons: `spikes` (0 or 1) is written, the membrane `v` updated."""
    torch.add(current, v, alpha=decay, out=v)
    torch.ge(v, 1, out=spikes)
    v.addcmul_(v, spikes, value=-1)


def encode(rates, shape):
    return torch.lt(torch.rand(shape), rates, out=torch.empty(shape))


def step_by_step(net, layers):
    """All layers in each step; spikes per population."""
    counts = torch.zeros(1 + sum(kind != "pool" for kind, _, _ in layers), dtype=torch.float64)
    membranes = {}
    for _ in range(net.steps):
        x = encode(net.rates, net.rates.shape)
        counts[0] += x.sum()
        population = 0
        for kind, weights, padding in layers:
            x = linear(kind, weights, padding, x)
            if kind == "pool":
                continue
            population += 1
            if population not in membranes:
                membranes[population] = (torch.zeros_like(x), torch.empty_like(x))
            v, spikes = membranes[population]
            fire(v, x, net.decay, spikes)
            x = spikes
            counts[population] += x.sum()
    return counts.tolist()


def layer_by_layer(net, layers):
    """All steps in each layer; spikes per population."""
    x = encode(net.rates, (net.steps, *net.rates.shape))
    counts = [int(x.sum(dtype=torch.float64))]
    for kind, weights, padding in layers:
        x = linear(kind, weights, padding, x.flatten(0, 1))
        x = x.view(net.steps, -1, *x.shape[1:])
        if kind == "pool":
            continue
        v, spikes = torch.zeros_like(x[0]), torch.empty_like(x)
        for t in range(net.steps):
            fire(v, x[t], net.decay, spikes[t])
        x = spikes
        counts.append(int(x.sum(dtype=torch.float64)))
    return counts


def main():
    options = workload.parser(__doc__).parse_args()
    net = workload.Layers(options.workload)
    torch.set_num_threads(1)
    net.rates = torch.from_numpy(net.input)
    layers = [(kind, values if kind == "pool" else torch.from_numpy(values), padding)
              for kind, values, padding in net.layers]
    layers = [(kind, v.t().contiguous() if kind == "dense" else v, p) for kind, v, p in layers]
    best = (float("inf"), [], "")
    with torch.no_grad():
        for way in (step_by_step, layer_by_layer):
            for _ in range(options.runs):
                start = time.perf_counter()
                spikes = way(net, layers)
                seconds = time.perf_counter() - start
                best = min(best, (seconds, spikes, f"{torch.__version__}, {way.__name__}"))
    workload.answer(*best)


main()
