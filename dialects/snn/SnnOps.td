// Operations of the snn dialect, layer level.
#ifndef DIALECTS_SNN_SNNOPS_TD
#define DIALECTS_SNN_SNNOPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/snn/SnnAttrs.td"
include "dialects/snn/SnnInterfaces.td"
include "dialects/snn/SnnTypes.td"

class Snn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Snn_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

/// A linear operator. All of them follow one typing rule (synapse_c1): activations in, activations out;
/// spikes or current in, current out.
class Snn_SynapseOp<string mnemonic, list<string> methods>
    : Snn_Op<mnemonic, [DeclareOpInterfaceMethods<SynapseOp, methods>]>;

/// A rearrangement: the kind of signal stays (synapse_c2).
class Snn_ViewOp<string mnemonic> : Snn_Op<mnemonic, [DeclareOpInterfaceMethods<SynapseOp, ["linearMap"]>]>;

//===-- synapses ----------------------------------------------------------===//

def Snn_DenseOp : Snn_SynapseOp<"dense", ["linearMap", "hasWeights", "rescale"]> {
  let summary = "Connect every input to every output.";
  let description = [{
    `y(o) = Σ_i weight(o, i) · x(i) + bias(o)`

    Constraints: (dense_c1) input and output have one dimension; (dense_c2) weight is outputs × inputs;
    (dense_c3) bias has one value per output.

    Example:
    ```mlir
    func.func @dense(%x: tensor<4xf32>, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
      %y = snn.dense %x, %w, %b {layer = "dense1"} : (tensor<4xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, Snn_Activation:$weight, Optional<Snn_Activation>:$bias,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input `,` $weight (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
}

def Snn_Conv2dOp : Snn_SynapseOp<"conv2d", ["linearMap", "hasWeights", "rescale"]> {
  let summary = "Cross-correlate an image with filters.";
  let description = [{
    `y(f, r, c) = Σ_{k, i, j} weight(f, k, i, j) · x(g(f)·K + k, r·stride_0 + i·dilation_0 − padding_0, …) + bias(f)`
    where K is the number of channels a filter reads and g(f) the group of filter f. Inputs outside the
    image are left out. `padding` is top, left, bottom, right.

    Constraints: (conv2d_c1) input is channels × rows × columns; (conv2d_c2) weight is filters × channels / groups ×
    kernel rows × kernel columns; (conv2d_c3) groups divide channels and filters; (conv2d_c4) strides and dilations are two
    positive numbers, padding four non-negative ones; (conv2d_c5) the output has the shape that follows; (conv2d_c6) bias has one value per filter.

    Example:
    ```mlir
    func.func @conv(%x: tensor<1x28x28xf32>, %w: tensor<6x1x5x5xf32>, %b: tensor<6xf32>) -> tensor<6x28x28xf32> {
      %y = snn.conv2d %x, %w, %b {padding = array<i64: 2, 2, 2, 2>}
        : (tensor<1x28x28xf32>, tensor<6x1x5x5xf32>, tensor<6xf32>) -> tensor<6x28x28xf32>
      return %y : tensor<6x28x28xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, Snn_Activation:$weight, Optional<Snn_Activation>:$bias,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
                       DefaultValuedAttr<I64Attr, "1">:$groups,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input `,` $weight (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
}

def Snn_AvgPool2dOp : Snn_SynapseOp<"avg_pool2d", ["linearMap"]> {
  let summary = "Average the windows of an image, channel by channel.";
  let description = [{
    `y(k, r, c) = (Σ x over the window) / n` where n counts the whole kernel, or with `count_include_pad = false`
    the inputs that lie inside the image. `padding` is top, left, bottom, right; every window holds at least one input.

    Constraints: (avg_pool2d_c1) input is channels × rows × columns; (avg_pool2d_c2) kernel and strides are two positive
    numbers, padding four non-negative ones smaller than the kernel; (avg_pool2d_c3) the output has the shape that follows.

    Example:
    ```mlir
    func.func @pool(%x: tensor<6x28x28xf32>) -> tensor<6x14x14xf32> {
      %y = snn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<6x28x28xf32> -> tensor<6x14x14xf32>
      return %y : tensor<6x14x14xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                       DefaultValuedAttr<BoolAttr, "true">:$count_include_pad,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_ScaleOp : Snn_SynapseOp<"scale", ["linearMap", "hasWeights", "rescale"]> {
  let summary = "Multiply each element by a factor and add a bias.";
  let description = [{
    `y(k, …) = factor(k) · x(k, …) + bias(k)`, with k the first dimension: a batch normalisation, a bias of its own, an
    identity that gives a pooling its own population. `factor` and `bias` have one value per channel, or one per element.

    Constraints: (scale_c1) input and output have the same shape; (scale_c2) factor and bias have one value per channel or
    one per element.

    Example:
    ```mlir
    func.func @scale(%x: tensor<2x4xf32>, %f: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2x4xf32> {
      %y = snn.scale %x, %f, %b : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, Snn_Activation:$factor, Optional<Snn_Activation>:$bias,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input `,` $factor (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
}

def Snn_ReshapeOp : Snn_ViewOp<"reshape"> {
  let summary = "Arrange the same elements in another shape.";
  let description = [{
    Elements keep their row-major order. Flattening is a reshape to one dimension.

    Constraints: (reshape_c1) input and output have the same number of elements.

    Example:
    ```mlir
    func.func @flatten(%x: tensor<16x5x5xf32>) -> tensor<400xf32> {
      %y = snn.reshape %x : tensor<16x5x5xf32> -> tensor<400xf32>
      return %y : tensor<400xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

def Snn_TransposeOp : Snn_ViewOp<"transpose"> {
  let summary = "Permute the dimensions.";
  let description = [{
    Dimension d of the output is dimension `permutation[d]` of the input.

    Constraints: (transpose_c1) permutation names each dimension once; (transpose_c2) the output has the permuted shape.

    Example:
    ```mlir
    func.func @to_chw(%x: tensor<28x28x3xf32>) -> tensor<3x28x28xf32> {
      %y = snn.transpose %x {permutation = array<i64: 2, 0, 1>} : tensor<28x28x3xf32> -> tensor<3x28x28xf32>
      return %y : tensor<3x28x28xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

//===-- activations of the ANN --------------------------------------------===//

def Snn_ReluOp : Op<Snn_Dialect, "relu", [Pure, SameOperandsAndResultType]> {
  let summary = "Rectify: the activation that conversion replaces by a population.";
  let description = [{
    `y = max(x, 0)`; not-a-number becomes zero.

    Example:
    ```mlir
    func.func @relu(%x: tensor<128xf32>) -> tensor<128xf32> {
      %y = snn.relu %x {layer = "dense1"} : tensor<128xf32>
      return %y : tensor<128xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Activation:$input, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Activation:$output);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

//===-- from and to time --------------------------------------------------===//

def Snn_EncodeOp : Snn_Op<"encode"> {
  let summary = "Turn activations into a signal in time.";
  let description = [{
    `direct`: the activation is the current of every step. `poisson`: in each step a spike with probability
    `x / maximum`, clipped to [0, 1]; the random number is a function of seed, sample, element and step.

    Constraints: (encode_c1) shapes are equal; (encode_c2) direct makes current, poisson makes spikes;
    (encode_c3) maximum is positive.

    Example:
    ```mlir
    func.func @encode(%x: tensor<784xf32>) -> !snn.spike_bundle<784x!snn.spike_train<?xf32>> {
      %s = snn.encode poisson %x {maximum = 1.0 : f32} : tensor<784xf32> -> !snn.spike_bundle<784x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<784x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Activation:$input, Snn_Encoding:$encoding,
                       DefaultValuedAttr<F32Attr, "1.0f">:$maximum, OptionalAttr<StrAttr>:$layer);
  let results = (outs AnyTypeOf<[Snn_SpikeBundle, Snn_Current]>:$output);
  let assemblyFormat = "$encoding $input attr-dict `:` type($input) `->` type($output)";
}

def Snn_DecodeOp : Snn_Op<"decode"> {
  let summary = "Turn a signal in time into activations.";
  let description = [{
    `count`: the number of spikes so far. `membrane`: the value of an `snn.integrator` now. Read after any step, it
    is the answer of the network stopped there.

    Constraints: (decode_c1) shapes are equal; (decode_c2) count reads spikes, membrane reads a current.

    Example:
    ```mlir
    func.func @decode(%v: !snn.current<10xf32>) -> tensor<10xf32> {
      %y = snn.decode membrane %v : !snn.current<10xf32> -> tensor<10xf32>
      return %y : tensor<10xf32>
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[Snn_SpikeBundle, Snn_Current]>:$input, Snn_Decoding:$decoding);
  let results = (outs Snn_Activation:$output);
  let assemblyFormat = "$decoding $input attr-dict `:` type($input) `->` type($output)";
}

//===-- populations -------------------------------------------------------===//

/// Parameters are arrays of one value, or of one per channel (first dimension), or one per neuron (neuron_c1); the result
/// has the shape of the input (neuron_c2); thresholds are positive (neuron_c3).
class Snn_NeuronOp<string mnemonic> : Snn_Op<mnemonic, [DeclareOpInterfaceMethods<NeuronOp, ["neuronModel"]>]>;

defvar Snn_Zero = "{0.0f}";

def Snn_IfOp : Snn_NeuronOp<"if"> {
  let summary = "A population of integrate-and-fire neurons.";
  let description = [{
    In each step `v ← v + i`, then a spike if `v ≥ threshold`, and with it `v ← v − threshold` (reset `subtract`) or
    `v ← v_reset` (reset `zero`). v starts at `initial_membrane`.

    Constraints: (neuron_c1) a parameter has one value, one per channel or one per neuron; (neuron_c2) shapes are equal;
    (neuron_c3) thresholds are positive.

    Example:
    ```mlir
    func.func @if(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.if %i reset subtract {layer = "dense1", threshold = array<f32: 1.0>, initial_membrane = array<f32: 0.5>}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, Snn_Reset:$reset, DenseF32ArrayAttr:$threshold,
                       DefaultValuedAttr<DenseF32ArrayAttr, Snn_Zero>:$v_reset,
                       DefaultValuedAttr<DenseF32ArrayAttr, Snn_Zero>:$initial_membrane,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` $reset attr-dict `:` type($input) `->` type($output)";
}

def Snn_LifOp : Snn_NeuronOp<"lif"> {
  let summary = "A population of leaky integrate-and-fire neurons.";
  let description = [{
    `tau · dv/dt = (v_leak − v) + r · i` by Euler steps, tau in steps: `v ← v + ((v_leak − v) + r · i) · (1 / tau)`, each
    operation rounded to f32, then threshold and reset as `snn.if`.

    Constraints: neuron_c1, neuron_c2, neuron_c3; (lif_c1) tau is at least one step.

    Example:
    ```mlir
    func.func @lif(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 20.0>, r = array<f32: 20.0>}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, Snn_Reset:$reset, DenseF32ArrayAttr:$threshold, DenseF32ArrayAttr:$tau,
                       DefaultValuedAttr<DenseF32ArrayAttr, "{1.0f}">:$r,
                       DefaultValuedAttr<DenseF32ArrayAttr, Snn_Zero>:$v_leak,
                       DefaultValuedAttr<DenseF32ArrayAttr, Snn_Zero>:$v_reset,
                       DefaultValuedAttr<DenseF32ArrayAttr, Snn_Zero>:$initial_membrane,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` $reset attr-dict `:` type($input) `->` type($output)";
}

def Snn_IntegratorOp : Snn_NeuronOp<"integrator"> {
  let summary = "A population of integrators that never spike.";
  let description = [{
    In each step `v ← v + i`; the membranes are the result. The output layer of a network read by its membranes.

    Constraints: neuron_c1, neuron_c2.

    Example:
    ```mlir
    func.func @readout(%i: !snn.current<10xf32>) -> !snn.current<10xf32> {
      %v = snn.integrator %i {layer = "dense2"} : !snn.current<10xf32> -> !snn.current<10xf32>
      return %v : !snn.current<10xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input,
                       DefaultValuedAttr<DenseF32ArrayAttr, Snn_Zero>:$initial_membrane,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

#endif // DIALECTS_SNN_SNNOPS_TD
