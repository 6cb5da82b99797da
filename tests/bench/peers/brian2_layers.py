"""Feed-forward workloads in Brian2: C++ standalone, float32, one sample after the other.

The default schedule resets after the synapses and loses spikes; here the groups are integrated,
synapses added, thresholds compared, then reset. Membranes start anew with each sample.
"""
import tempfile

import numpy

import workload


def synapses(kind, weights, padding, shape):
    """(source, target, weight) of one layer on a signal of `shape`, and the shape after it."""
    if kind == "dense":
        target, source = numpy.indices(weights.shape).reshape(2, -1)
        return source, target, weights.ravel(), (weights.shape[0],)
    filters, _, rows, columns = weights.shape
    after = (filters, shape[1] + 2 * padding - rows + 1, shape[2] + 2 * padding - columns + 1)
    f, c, ky, kx, y, x = numpy.indices((*weights.shape, *after[1:])).reshape(6, -1)
    sy, sx = y + ky - padding, x + kx - padding
    inside = (sy >= 0) & (sy < shape[1]) & (sx >= 0) & (sx < shape[2])
    source = numpy.ravel_multi_index((c[inside], sy[inside], sx[inside]), shape)
    target = numpy.ravel_multi_index((f[inside], y[inside], x[inside]), after)
    return source, target, weights[f, c, ky, kx][inside], after


def through_pool(source, target, weight, shape, window):
    """Synapses from an average pooling become synapses from what it reads, of `shape`."""
    c, y, x = numpy.unravel_index(source, (shape[0], shape[1] // window, shape[2] // window))
    dy, dx = numpy.indices((window, window)).reshape(2, -1, 1)
    source = numpy.ravel_multi_index((c + 0 * dy, y * window + dy, x * window + dx), shape)
    target, weight = (numpy.broadcast_to(a, source.shape) for a in (target, weight))
    return source.ravel(), target.ravel(), weight.ravel() / window**2


def projections(net):
    """(source, target, weight, targets) between successive populations, sorted by source."""
    shape, window = net.input.shape[1:], 1
    for kind, values, padding in net.layers:
        if kind == "pool":
            window = values
            continue
        read = shape if window == 1 else (shape[0], shape[1] // window, shape[2] // window)
        source, target, weight, after = synapses(kind, values, padding, read)
        if window > 1:
            source, target, weight = through_pool(source, target, weight, shape, window)
        order = numpy.lexsort((target, source))
        yield source[order], target[order], weight[order], int(numpy.prod(after))
        shape, window = after, 1


def main():
    options = workload.parser(__doc__).parse_args()
    net = workload.Layers(options.workload)
    brian2 = workload.need("brian2", "peers/fetch-debian.sh gets it")
    brian2.prefs.core.default_float_dtype = numpy.float32
    brian2.set_device("cpp_standalone", build_on_run=False)
    ms = brian2.ms
    brian2.defaultclock.dt = 1 * ms
    pixels = net.input.reshape(len(net.input), -1)
    namespace = {"rates_of": brian2.TimedArray(pixels / ms, dt=net.steps * ms),
                 "tau": -ms / numpy.log(net.decay)}
    groups = [brian2.PoissonGroup(pixels.shape[1], "rates_of(t, i)", namespace=namespace)]
    objects = list(groups)
    for source, target, weight, size in projections(net):
        group = brian2.NeuronGroup(size, "dv/dt = -v / tau : 1", threshold="v >= 1",
                                   reset="v = 0", method="exact", namespace=namespace)
        group.run_regularly("v = 0", dt=net.steps * ms)
        link = brian2.Synapses(groups[-1], group, "w : 1", on_pre="v_post += w")
        link.connect(i=source, j=target)
        link.w = weight
        groups.append(group)
        objects += [group, link]
    monitors = [brian2.SpikeMonitor(group, record=False) for group in groups]
    network = brian2.Network(*objects, *monitors)
    network.schedule = ["start", "groups", "synapses", "thresholds", "resets", "end"]
    network.run(len(pixels) * net.steps * ms)
    with tempfile.TemporaryDirectory() as folder:
        seconds = workload.run_standalone(brian2, folder, options.runs)
        workload.answer(seconds, [monitor.num_spikes for monitor in monitors],
                        f"{brian2.__version__}, C++ standalone")


main()
