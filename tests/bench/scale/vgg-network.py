#!/usr/bin/env python3
"""A network of the shape of VGG-16 (Simonyan & Zisserman 2015, configuration D) with random weights, and a flow for it.

  tests/bench/scale/vgg-network.py OUT [--size 32] [--channels 64] [--hidden 512]... [--chip NAME] [--mesh N] [--chips 4x2]

Thirteen convolutions of 3 x 3, average pooling after the 2nd, 4th, 7th, 10th and 13th, then dense layers. `--channels` is the width of
the first layer, the others have twice, four times, eight and eight times as many. Weights are random (He et al. 2015), images, too.
Writes vgg.mlir, vgg.npz, images.npz, calibration.npz, chip.yaml and flow.yaml. Needs NumPy.
"""
import argparse
import re
from pathlib import Path

import numpy

GROUPS = ((1, 2), (2, 2), (4, 3), (8, 3), (8, 3))  # channels in units of the first layer's, convolutions
CLASSES = 10
CHIPS = Path(__file__).resolve().parents[3] / "configs/chips"


class Program:
    """Operations on tensors, one name each, and the arguments that hold the weights."""

    def __init__(self, size, seed):
        self.lines, self.arguments, self.names = [], {}, 0
        self.random = numpy.random.default_rng(seed)
        self.extents = (1, 3, size, size)
        self.value = "%x"
        self.synapses = self.neurons = 0

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def emit(self, text, extents):
        name = self.name()
        self.lines.append(f"    {name} = {text}")
        return name, extents

    @staticmethod
    def type(extents):
        return "tensor<" + "x".join(map(str, extents)) + "xf32>"

    def zeros(self, extents):
        empty, _ = self.emit(f"tensor.empty() : {self.type(extents)}", extents)
        kind = self.type(extents)
        return self.emit(f"linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}", extents)[0]

    def weights(self, extents, fan_in):
        name = f"w{len(self.arguments) + 1}"
        self.arguments[name] = (self.random.standard_normal(extents) * numpy.sqrt(2 / fan_in)).astype(numpy.float32)
        return f"%{name}"

    def apply(self, operation, operands, extents, start):
        values = ", ".join(value for value, _ in operands)
        kinds = ", ".join(self.type(each) for _, each in operands)
        kind = self.type(extents)
        self.value, self.extents = self.emit(f"{operation} ins({values} : {kinds}) outs({start} : {kind}) -> {kind}", extents)

    def rectify(self):
        zero = self.zeros(self.extents)
        self.apply("linalg.max", [(self.value, self.extents), (zero, self.extents)], self.extents, zero)
        self.neurons += int(numpy.prod(self.extents))

    def convolve(self, filters):
        _, channels, rows, columns = self.extents
        padded = (1, channels, rows + 2, columns + 2)
        self.lines.append(f"    %p{self.names} = tensor.pad {self.value} low[0, 0, 1, 1] high[0, 0, 1, 1] {{\n"
                          f"    ^bb0(%a: index, %b: index, %c: index, %d: index):\n      tensor.yield %zero : f32\n"
                          f"    }} : {self.type(self.extents)} to {self.type(padded)}")
        value = f"%p{self.names}"
        shape = (filters, channels, 3, 3)
        weights, extents = self.weights(shape, channels * 9), (1, filters, rows, columns)
        self.apply("linalg.conv_2d_nchw_fchw", [(value, padded), (weights, shape)], extents, self.zeros(extents))
        self.rectify()

    def pool(self):
        _, channels, rows, columns = self.extents
        extents = (1, channels, rows // 2, columns // 2)
        window, _ = self.emit("tensor.empty() : tensor<2x2xf32>", (2, 2))
        self.apply("linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>}", [(self.value, self.extents), (window, (2, 2))], extents,
                   self.zeros(extents))
        four, _ = self.emit(f"arith.constant dense<4.0> : {self.type(extents)}", extents)
        self.value, _ = self.emit(f"arith.divf {self.value}, {four} : {self.type(extents)}", extents)

    def flatten(self):
        size = int(numpy.prod(self.extents))
        self.value, self.extents = self.emit(
            f"tensor.collapse_shape {self.value} [[0], [1, 2, 3]] : {self.type(self.extents)} into {self.type((1, size))}", (1, size))

    def connect(self, outputs):
        inputs = self.extents[1]
        weights, extents = self.weights((inputs, outputs), inputs), (1, outputs)
        self.apply("linalg.matmul", [(self.value, self.extents), (weights, (inputs, outputs))], extents, self.zeros(extents))

    def text(self, size):
        arguments = ", ".join([f"%x: {self.type((1, 3, size, size))}"] + [f"%{name}: {self.type(array.shape)}" for name, array in self.arguments.items()])
        return "\n".join([f"func.func @main({arguments}) -> {self.type(self.extents)} {{", "    %zero = arith.constant 0.0 : f32", *self.lines,
                          f"    return {self.value} : {self.type(self.extents)}", "}", ""])


FLOW = """# Written by vgg-network.py
model: {path: vgg.mlir, function: main, arguments: vgg.npz}
dataset: {format: npz, images: images.npz, limit: 1, calibration: {images: calibration.npz, limit: 2}}
conversion: {method: percentile}
emulation: {steps: STEPS, encoding: direct, seed: 1, threads: 2, record_samples: 1}
chip: chip.yaml
mapping: {algorithm: annealing}
"""

# A link ten times as slow and as dear as one of Loihi.
JOINED = """chips:
  columns: {columns}
  rows: {rows}
  link: {{cycles: 510, interval_cycles: 10, flit_pj: {{value: 40, source: "assumption: ten times a hop"}}}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--hidden", type=int, action="append", default=[])
    parser.add_argument("--classes", type=int, default=CLASSES)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--chip", default="mesh-128-large", help="of configs/chips")
    parser.add_argument("--mesh", type=int, help="so many columns and rows of tiles in place of the chip's own")
    parser.add_argument("--chips", help="so many of the chip joined, columns x rows")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = Program(options.size, options.seed)
    for factor, convolutions in GROUPS:
        for _ in range(convolutions):
            program.convolve(factor * options.channels)
        program.pool()
    program.flatten()
    for outputs in options.hidden or [512]:
        program.connect(outputs)
        program.rectify()
    program.connect(options.classes)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "vgg.mlir").write_text(program.text(options.size))
    numpy.savez(options.out / "vgg.npz", **program.arguments)
    for name in ("images.npz", "calibration.npz"):
        images = program.random.random((2, 3, options.size, options.size), dtype=numpy.float32)
        numpy.savez(options.out / name, x=images, y=numpy.arange(2) % options.classes)
    chip = (CHIPS / f"{options.chip}.yaml").read_text()
    if options.mesh:
        chip = re.sub(r"^mesh: .*$", f"mesh: {{columns: {options.mesh}, rows: {options.mesh}}}", chip, flags=re.MULTILINE)
    if options.chips:
        columns, rows = options.chips.split("x")
        chip = chip.replace("version: 1\n", "version: 2\n") + JOINED.format(columns=columns, rows=rows)
    (options.out / "chip.yaml").write_text(chip)
    (options.out / "flow.yaml").write_text(FLOW.replace("STEPS", str(options.steps)))
    print(f"{program.neurons + options.classes:,} neurons, {sum(a.size for a in program.arguments.values()):,} weights")


main()
