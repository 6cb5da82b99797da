"""Random networks for the tests beside SANA-FE."""
import tool

STEPS = 40


def layers_of(kind, size, numbers):
    """Sizes of the populations, and the synapses (source, target, weight) between one and the next."""
    def weight():
        return numbers.randint(-128, 256) / 64  # as fine as SANA-FE keeps membranes, so that few sums cancel
    if kind == "convolution":
        side, channels = 6 + 4 * size, 2 * size
        kernel = [[[weight() for _ in range(9)] for _ in range(channels)] for _ in range(2)]
        out = side - 2
        synapses = [[], []]
        for y in range(out):
            for x in range(out):
                for c in range(channels):
                    target = (c * out + y) * out + x
                    synapses[0] += [((y + k // 3) * side + x + k % 3, target, kernel[0][c][k]) for k in range(9)]
        for y in range(out - 2):
            for x in range(out - 2):
                for c in range(channels):
                    synapses[1] += [((c * out + y + k // 3) * out + x + k % 3, (y * (out - 2) + x), kernel[1][c][k])
                                    for k in range(9)]
        return [side * side, channels * out * out, (out - 2) ** 2], synapses
    sizes = [20 * size, 60 * size, 30 * size]
    share = 1 if kind == "dense" else 0.15
    synapses = [[(s, t, weight()) for s in range(a) for t in range(b) if numbers.random() < share]
                for a, b in zip(sizes, sizes[1:])]
    return sizes, synapses


def write_network(folder, sizes, synapses, spikes, threshold, kind="unknown"):
    names = ["in", "one", "two"]
    lines = ["dt: 1", "output: two", "populations:",
             f"  in: {{source: samples, encoding: events, size: {sizes[0]}}}"]
    for name, size in zip(names[1:], sizes[1:]):
        lines.append(f"  {name}: {{neuron: if, size: {size}, threshold: {threshold}}}")
    lines.append("projections:")
    for index, pairs in enumerate(synapses):
        file = folder / f"synapses{index}.csv"
        file.write_text("source, target, weight\n" + "".join(f"{s}, {t}, {w}\n" for s, t, w in pairs))
        lines.append(f"  - {{from: {names[index]}, to: {names[index + 1]}, connect: {{file: {file}}}, kind: {kind}}}")
    (folder / "net.yaml").write_text("\n".join(lines) + "\n")
    events = [(step, neuron) for neuron, step in sorted(spikes, key=lambda spike: spike[1])]
    flow = tool.write_flow(folder, "net.yaml", events, sizes[0], STEPS, "list_synapses: true")
    flow.write_text(flow.read_text() + f"chip: {folder}/chip.yaml\nsimulation: {{samples: 1}}\n")
    return flow
