// Synapses with delays of their own: an operation with a header of its own, for few files know of it.
#ifndef DIALECTS_SNN_DELAYEDSPARSEOP_TD
#define DIALECTS_SNN_DELAYEDSPARSEOP_TD

include "dialects/snn/SnnOpBase.td"

def Snn_DelayedSparseOp : Snn_SynapseOp<"delayed_sparse", ["linearMap", "hasWeights"]> {
  let summary = "Connect chosen inputs to each output, each synapse after a delay of its own.";
  let description = [{
    `y(t, o) = Σ_k weight(k) · x(t − delays(k), indices(k)) + bias(o)` over k in [offsets(o), offsets(o + 1)), in this order; x is silent before the first step.
    The rows are those of `snn.sparse`, in the order in which spikes arrive: those of earlier steps first. So a sum can grow while its spikes come in.

    Constraints: (delayed_sparse_c1) the input are spikes; (delayed_sparse_c2) offsets are outputs + 1 numbers, from zero, ascending, ending at the number of weights;
    (delayed_sparse_c3) there are as many indices and delays as weights, delays are zero or more and descend within an output, indices of equal delays ascend, each an element of the
    input, and none stands twice in a row; (delayed_sparse_c4) weight has one dimension; (delayed_sparse_c5) bias has one value per output.

    Example:
    ```mlir
    func.func @delayed(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) -> !snn.current<2xf32> {
      %y = snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 0>}
        : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
      return %y : !snn.current<2xf32>
    }
    ```
  }];
  let arguments = (ins Snn_SpikeBundle:$input, Snn_Activation:$weight, Optional<Snn_Activation>:$bias,
                       DenseI64ArrayAttr:$offsets, DenseI32ArrayAttr:$indices, DenseI16ArrayAttr:$delays, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input `,` $weight (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// The longest delay; zero where there are no synapses.
    int64_t longestDelay();
  }];
}

#endif // DIALECTS_SNN_DELAYEDSPARSEOP_TD
