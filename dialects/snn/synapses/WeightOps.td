// Synapses with weights, and the sums that join signals.
#ifndef DIALECTS_SNN_WEIGHTOPS_TD
#define DIALECTS_SNN_WEIGHTOPS_TD

include "dialects/snn/SnnOpBase.td"

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

def Snn_SparseOp : Snn_SynapseOp<"sparse", ["linearMap", "hasWeights", "rescale"]> {
  let summary = "Connect chosen inputs to each output.";
  let description = [{
    `y(o) = Σ_k weight(k) · x(indices(k)) + bias(o)` over k in [offsets(o), offsets(o + 1)): compressed rows. Inputs and outputs are
    numbered row-major. Resizing, zero padding, slices and connections drawn at random come down to it.

    Constraints: (sparse_c1) offsets are outputs + 1 numbers, from zero, ascending, ending at the number of weights; (sparse_c2) there are as
    many indices as weights, ascending within an output, each an element of the input; (sparse_c3) weight has one dimension; (sparse_c4) bias has one value per output.

    Example:
    ```mlir
    func.func @sparse(%x: tensor<4xf32>, %w: tensor<3xf32>) -> tensor<2xf32> {
      %y = snn.sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 0, 2>} : (tensor<4xf32>, tensor<3xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, Snn_Activation:$weight, Optional<Snn_Activation>:$bias,
                       DenseI64ArrayAttr:$offsets, DenseI32ArrayAttr:$indices, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input `,` $weight (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
}

def Snn_RandomOp : Snn_SynapseOp<"random", ["linearMap", "hasWeights", "rescale"]> {
  let summary = "Connect inputs to outputs at random, by a rule instead of a list.";
  let description = [{
    `y(o) = Σ_i weight · x(i) + bias(o)` over the inputs i that are drawn for row o + `first`: each of `source_range` (begin, end) with `probability`, or
    `fan_in` of them without repetition. Rows outside `target_range` are empty. Without `autapses` input n is not connected to row n.

    The numbers of a row are those of Philox4x32-10 with key `key` and counter (0, 1, …; 0; row): with a probability p the candidate after the last one
    and floor(ln(1 − u) / ln(1 − p)) others is next (u in [0, 1), 32 bits, in double); a fan-in is Floyd's choice. So rows can be made alone: `first` is the number of
    the first row of a part. The pass `snn-list-synapses` makes an `snn.sparse` of it.

    Constraints: (random_c1) either a probability from 0 to 1 or a fan_in of at most the inputs that may be chosen; (random_c2) source_range is one of the
    inputs; (random_c3) target_range is one of rows, and `first` is zero or more; (random_c4) weight has one value; (random_c5) bias has one value per output.

    Example:
    ```mlir
    func.func @random(%x: tensor<4xf32>, %w: tensor<1xf32>) -> tensor<3xf32> {
      %y = snn.random %x, %w {autapses = false, key = 7 : i64, probability = 2.0e-1, source_range = array<i64: 0, 4>, target_range = array<i64: 1, 3>}
        : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, Snn_Activation:$weight, Optional<Snn_Activation>:$bias, I64Attr:$key,
                       OptionalAttr<F64Attr>:$probability, OptionalAttr<I64Attr>:$fan_in, DenseI64ArrayAttr:$source_range, DenseI64ArrayAttr:$target_range,
                       DefaultValuedAttr<BoolAttr, "true">:$autapses, DefaultValuedAttr<I64Attr, "0">:$first, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input `,` $weight (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// The rule; the row of output o is `getFirst() + o`.
    ::spindle::RandomRows getRule();
    /// Calls `use(o, sources)` for each output o, ascending.
    void forEachRow(::llvm::function_ref<void(int64_t, ::llvm::ArrayRef<int32_t>)> use);
  }];
}

def Snn_AddOp : Snn_SynapseOp<"add", ["getSources", "linearMap"]> {
  let summary = "Add two signals.";
  let description = [{
    `y = lhs + rhs`, rounded once: a residual connection, or two projections onto one population.

    Constraints: (add_c1) shapes are equal; (add_c2) both are activations, or neither is.

    Example:
    ```mlir
    func.func @add(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %z = snn.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %z : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$lhs, Snn_Signal:$rhs, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

#endif // DIALECTS_SNN_WEIGHTOPS_TD
