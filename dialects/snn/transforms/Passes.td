// Passes from the snn dialect to itself.
#ifndef DIALECTS_SNN_TRANSFORMS_PASSES_TD
#define DIALECTS_SNN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SnnComposeLinear : Pass<"snn-compose-linear"> {
  let summary = "Merge consecutive linear operations into one.";
  let description = [{
    A population, a crossbar and a layer of weights hold one linear operation. Consecutive ones are merged:

    - `snn.scale` into the `snn.dense` or `snn.conv2d` before or after it, or into another scale. A bias that would enter the
      padding of a convolution stays where it is.
    - `snn.dense` after `snn.dense`: the product of the weights, in double, rounded once.
    - `snn.sparse` with views, scales and other compressed rows beside it, where the product has no more weights than both.
    - A scale of an `snn.add` of two layers of weights, into both.
    - `snn.relu` moves in front of `snn.max_pool2d`, positive scales through both: all of them keep the order of values.
    - Transposes and reshapes sink below element-wise operations so that they meet and cancel; a transpose
      before a flattening becomes an order of the columns of the dense weights.

    A value with several consumers stays; what is merged into one of them is a copy. Weights must be constants; others are left alone. Layer names: a convolution or dense layer keeps its name against a scale,
    the last of several dense layers wins. Results agree with the original up to rounding, they are not bit-identical.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"removed", "operations-removed", "Snn operations merged or cancelled">];
}

def SnnExpandNeurons : Pass<"snn-expand-neurons", "::mlir::ModuleOp"> {
  let summary = "Lower the layers of @main to single neurons with equal spikes.";
  let description = [{
    Each neuron of `snn.if` and `snn.lif` (Euler or exact, on the grid of steps) becomes a clocked `snn.neuron` with a step of 1 ms; synapses become weights, in the order
    in which the layer adds them. A spike of step n has the time n + 1. The new @main returns the spikes of every population, in program order; integrators and decoders do not
    spike and are left out.

    Under direct encoding the argument stays, and operations on it and on the constant current stay, on tensors. The spikes of any other encoder become the argument.

    Refuses other neurons, joins, delays, feedback and max pooling; and two sums in a row (a pooling before a
    convolution, an average by no power of two) unless weights are so short that no sum is rounded: one neuron adds in another order.
  }];
  let options = [Option<"steps", "steps", "int64_t", "64", "Steps to run">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"neurons", "neurons-made", "Single neurons made">];
}

#endif // DIALECTS_SNN_TRANSFORMS_PASSES_TD
