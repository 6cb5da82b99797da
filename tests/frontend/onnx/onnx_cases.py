"""Writes ONNX models of one operator each, with an input and the answer of ONNX's own reference evaluator.

usage: onnx_cases.py FOLDER [COUNT]     needs the packages numpy and onnx
FOLDER/k.onnx, FOLDER/k.npz (x, y) for k = 0, 1, …; shapes and attributes are random, seeded by k.
"""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator


class Case:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants = [], []

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def number(self, low, high):
        return int(self.random.integers(low, high + 1))

    def constant(self, values, dtype=np.float32):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def floats(self, *shape):
        return self.constant(self.random.uniform(-1, 1, shape))

    def integers(self, values):
        return self.constant(values, np.int64)

    def add(self, kind, inputs, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names if outputs > 1 else names[0]

    def image(self):
        return [1, self.number(1, 4), self.number(5, 9), self.number(5, 9)]


def window(case, rank, pool):
    kernel = [case.number(1, 3) for _ in range(rank)]
    attributes = {"kernel_shape": kernel, "strides": [case.number(1, 3) for _ in range(rank)]}
    if case.pick(True, False):
        attributes["pads"] = [case.number(0, k - 1) for k in kernel + kernel]
    else:
        attributes["auto_pad"] = case.pick("VALID", "SAME_UPPER", "SAME_LOWER")
        # the evaluator pads by a negative number where windows leave gaps
        attributes["strides"] = [min(s, k) for s, k in zip(attributes["strides"], kernel)]
    if not pool:
        attributes["dilations"] = [case.number(1, 2) for _ in range(rank)]
        if "pads" not in attributes:  # the evaluator's automatic padding ignores dilation
            attributes["dilations"] = [1] * rank
    return attributes


def convolution(case, shape, x):
    rank, groups = len(shape) - 2, case.pick(1, shape[1])
    attributes = window(case, rank, False)
    filters = groups * case.number(1, 3)
    weights = case.floats(filters, shape[1] // groups, *attributes["kernel_shape"])
    inputs = [x, weights] + ([case.floats(filters)] if case.pick(True, False) else [])
    return case.add("Conv", inputs, group=groups, **attributes)


def max_pool(case, shape, x):
    attributes = window(case, len(shape) - 2, True)
    if len(shape) == 3:  # with padding over one dimension the evaluator counts too few positions
        attributes.pop("pads", None)
        attributes["auto_pad"] = "VALID"
    elif "pads" in attributes:
        attributes["ceil_mode"] = case.pick(0, 1)
    return case.add("MaxPool", [x], **attributes)


def average_pool(case, shape, x):
    attributes = window(case, len(shape) - 2, True)
    attributes["count_include_pad"] = case.pick(0, 1)
    return case.add("AveragePool", [x], **attributes)


def global_pool(case, shape, x):
    kind = case.pick("GlobalAveragePool", "GlobalMaxPool")
    return case.add(kind if len(shape) == 4 else "GlobalAveragePool", [x])  # its maximum is for images only


def reduction(case, shape, x):
    axes = case.pick([2, 3], [1], [3], [1, 2, 3])
    kind = "ReduceMax" if axes == [2, 3] and case.pick(True, False) else case.pick("ReduceMean", "ReduceSum")
    return case.add(kind, [x, case.integers(axes)], keepdims=case.pick(0, 1))


def padding(case, shape, x):
    mode = case.pick("constant", "constant", "edge", "reflect")
    low = -1 if mode == "constant" else 0
    pads = [0, case.number(0, 1) if mode == "constant" else 0] + [case.number(low, 2) for _ in range(2)]
    pads += [0, 0] + [case.number(low, 2) for _ in range(2)]
    padded = case.add("Pad", [x, case.integers(pads), case.constant(case.pick(0.0, 0.5))], mode=mode)
    follow = case.pick(None, "MaxPool", "AveragePool", "Relu")
    if follow is None:
        return padded
    if follow == "Relu":
        return case.add("MaxPool", [case.add("Pad", [case.add("Relu", [x]), case.integers(np.abs(pads))])], kernel_shape=[3, 3])
    return case.add(follow, [padded], kernel_shape=[2, 2], strides=[2, 1])


def resizing(case, shape, x):
    mode = case.pick("nearest", "linear")
    attributes = {
        "mode": mode,
        "coordinate_transformation_mode": case.pick("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"),
    }
    if mode == "nearest":
        attributes["nearest_mode"] = case.pick("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    if attributes["coordinate_transformation_mode"] == "align_corners" or case.pick(True, False):
        sizes = shape[:2] + [case.number(2, 12), case.number(2, 12)]
        return case.add("Resize", [x, "", "", case.integers(sizes)], **attributes)
    scales = [1, 1, case.pick(0.5, 1.5, 2, 3), case.pick(0.5, 1, 2.5)]
    return case.add("Resize", [x, "", case.constant(scales)], **attributes)


def choosing(case, shape, x):
    kind = case.pick("Slice", "Gather", "Split", "DepthToSpace", "SpaceToDepth", "Transpose")
    axis = case.number(1, 3)
    extent = shape[axis]
    if kind == "Slice":
        if case.pick(True, False):
            bounds = [case.number(0, extent - 1), 100, case.number(1, 2)]
        else:
            bounds = [-1, -100, -case.number(1, 2)]
        return case.add("Slice", [x] + [case.integers([v]) for v in (bounds[0], bounds[1], axis - 4, bounds[2])])
    if kind == "Gather":
        indices = np.asarray([case.number(-extent, extent - 1) for _ in range(4)])
        return case.add("Gather", [x, case.integers(case.pick(indices, indices.reshape(2, 2), indices[0]))], axis=axis)
    if kind == "Split" and extent > 1:
        first = case.number(1, extent - 1)
        parts = case.add("Split", [x, case.integers([first, extent - first])], outputs=2, axis=axis)
        return parts[case.number(0, 1)]
    if kind == "Transpose":
        return case.add("Transpose", [x], perm=[0] + [int(d) + 1 for d in case.random.permutation(3)])
    if kind == "SpaceToDepth":
        even = [d // 2 * 2 for d in shape[2:]]
        cut = case.add("Slice", [x, case.integers([0, 0]), case.integers(even), case.integers([2, 3])])
        return case.add("SpaceToDepth", [cut], blocksize=2)
    wide = case.add("Concat", [x] * 4, axis=1)
    return case.add("DepthToSpace", [wide], blocksize=2, mode=case.pick("DCR", "CRD"))


def branches(case, shape, x):
    weights = case.floats(shape[1], shape[1], 3, 3)
    other = case.add("Relu", [case.add("Conv", [x, weights], pads=[1, 1, 1, 1])])
    joined = case.pick("Add", "Sub", "Sum", "Mean", "Concat")
    if joined == "Concat":
        return case.add("Concat", [x, other], axis=case.number(-3, 3) or 1)
    return case.add(joined, [other, x])


def normalisation(case, shape, x):
    channels = shape[1]
    scaled = case.add("Div", [case.add("Sub", [x, case.floats(channels, 1, 1)]), case.constant(0.25)])
    positive = case.constant(case.random.uniform(0.5, 2, channels))
    normal = case.add("BatchNormalization", [scaled, case.floats(channels), case.floats(channels), case.floats(channels), positive])
    if case.pick(True, False):
        normal = case.add("MaxPool", [normal], kernel_shape=[2, 2])
    weights = case.floats(2, channels, 3, 3)
    return case.add("Relu", [case.add("Conv", [normal, weights], pads=[case.number(0, 1)] * 4)])


def products(case, shape, x):
    rows, inner = shape[1], shape[2]
    kind = case.pick("right", "left", "gemm")
    if kind == "right":
        return case.add("MatMul", [x, case.floats(inner, 3)])
    if kind == "left":
        return case.add("MatMul", [case.floats(3, rows), x])
    flat = case.add("Flatten", [x])
    turned = case.pick(0, 1)
    weights = case.floats(3, rows * inner) if turned else case.floats(rows * inner, 3)
    return case.add("Gemm", [flat, weights, case.floats(3)], transB=turned, alpha=0.5, beta=2.0)


OPERATORS = [
    (convolution, "image"), (convolution, "signal"), (max_pool, "image"), (max_pool, "signal"), (average_pool, "image"),
    (average_pool, "signal"), (global_pool, "image"), (global_pool, "signal"), (reduction, "image"), (padding, "image"),
    (resizing, "image"), (choosing, "image"), (branches, "image"), (normalisation, "image"), (products, "matrix"),
]


def main(folder, count):
    for k in range(count):
        case = Case(k)
        operator, kind = OPERATORS[k % len(OPERATORS)]
        shape = case.image()
        if kind == "signal":
            shape = [1, shape[1], 4 * shape[2]]
        if kind == "matrix":
            shape = [1, shape[1], shape[2]]
        result = operator(case, shape, "x")
        graph = helper.make_graph(
            case.nodes, operator.__name__, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)], case.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        x = case.random.uniform(-1, 1, shape).astype(np.float32)
        try:
            y = ReferenceEvaluator(model).run(None, {"x": x})[0]
        except (IndexError, ValueError):
            continue  # a few cases (negative padding, SAME_LOWER over one dimension) the evaluator itself cannot do
        onnx.save(model, f"{folder}/{k}.onnx")
        np.savez(f"{folder}/{k}.npz", x=x, y=np.ascontiguousarray(y, np.float32))


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 150)
