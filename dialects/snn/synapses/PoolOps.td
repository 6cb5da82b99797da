// Windows over images without weights.
#ifndef DIALECTS_SNN_POOLOPS_TD
#define DIALECTS_SNN_POOLOPS_TD

include "dialects/snn/SnnOpBase.td"

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

def Snn_SumPool2dOp : Snn_SynapseOp<"sum_pool2d", ["linearMap"]> {
  let summary = "Add up the windows of an image, channel by channel.";
  let description = [{
    `y(k, r, c) = Σ x over the window`. `padding` is top, left, bottom, right; every window holds at least one input.

    Constraints: (sum_pool2d_c1, c2, c3) as for snn.avg_pool2d.

    Example:
    ```mlir
    func.func @sum(%x: tensor<6x28x28xf32>) -> tensor<6x14x14xf32> {
      %y = snn.sum_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<6x28x28xf32> -> tensor<6x14x14xf32>
      return %y : tensor<6x14x14xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Analog:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_MaxPool2dOp : Snn_Op<"max_pool2d"> {
  let summary = "Take the maximum of the windows of an image, channel by channel.";
  let description = [{
    Of activations: `y(k, r, c) = max x` over those inputs of the window that lie inside the image. Of spikes: with N_i(t) the number of spikes of
    input i up to and with step t, `y(t) = max_i N_i(t) − max_i N_i(t − 1)`, so that the output has spiked as often as the
    busiest input of its window at any time. Of currents (those of `snn.rectifier`) the same with N_i(t) their sum. `padding` is top, left, bottom, right.

    Of spikes it is a population: its spikes are events of their own. It is not linear, so it is no synapse.

    Constraints: (max_pool2d_c1) input is channels × rows × columns; (max_pool2d_c2) kernel and strides are two
    positive numbers, padding four non-negative ones smaller than the kernel; (max_pool2d_c3) the output has the kind of the input and the shape that follows.

    Example:
    ```mlir
    func.func @max(%x: tensor<6x28x28xf32>) -> tensor<6x14x14xf32> {
      %y = snn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<6x28x28xf32> -> tensor<6x14x14xf32>
      return %y : tensor<6x14x14xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let extraClassDeclaration = [{
    /// The inputs of each window, with weights of one.
    ::spindle::snn::LinearMap windows();
  }];
}

#endif // DIALECTS_SNN_POOLOPS_TD
