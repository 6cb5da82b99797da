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

    With `rows`, weights after weights that none of these merge become the `snn.sparse` of the synapses of both, up to 2^26, where they carry currents: no
    weights are left then that do not lead to a population.
  }];
  let options = [Option<"rows", "rows", "bool", "false", "Compressed rows where nothing else merges">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"removed", "operations-removed", "Snn operations merged or cancelled">];
}

def SnnListSynapses : Pass<"snn-list-synapses", "::mlir::func::FuncOp"> {
  let summary = "List the synapses of random connections.";
  let description = [{
    Each `snn.random` becomes the `snn.sparse` with the same synapses and weights: for readers that want lists. Weights must be constants.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"listed", "synapses-listed", "Synapses listed">];
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

def SnnQuantizeInput : Pass<"snn-quantize-input", "::mlir::func::FuncOp"> {
  let summary = "Round the input to integers; weights and encoders follow.";
  let description = [{
    An `snn.quantize` of `unit`, `low` and `high` is put after the argument of the function. The first weights after it are multiplied by the unit, through
    pooling, views and joins on the way; where there are none before an encoder, an `snn.scale` is put in. So is what `snn.relu` with levels hands on: it becomes an `snn.quantize` of its own unit. The maximum of an encoder that makes spikes is divided by the unit and rounded, and regular and
    latency encoders count with `integers` from then on. Recorded events are integers as they are.

    Refuses an input that the function joins with results of its own, weights that cannot take a scale, encoders of rates whose maximum is more than 4,095 units.
  }];
  let options = [
    Option<"unit", "unit", "float", "0.003921569", "What an integer stands for">,
    Option<"low", "low", "int64_t", "0", "The least integer">,
    Option<"high", "high", "int64_t", "255", "The greatest integer">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SnnQuantizeWeights : Pass<"snn-quantize-weights", "::mlir::func::FuncOp"> {
  let summary = "Round weights to integers; thresholds follow.";
  let description = [{
    The weights of a population become integers of `bits` bits, symmetric about zero: `w ← round(w / u)` with the unit `u = max |w| / (2^(bits − 1) − 1)`, over the
    whole layer or per channel (output of a dense or sparse layer, filter of a convolution). Bias, threshold, v_reset, v_leak and initial_membrane are
    divided by u and rounded as well, thresholds to one at least, so that membranes count units: `snn.if` with r = 1 on spikes computes with integers alone,
    exactly while sums stay below 2^24. Populations that do not spike keep the unit of their membranes: their r is multiplied by u. Where several layers meet in
    `snn.add` they share one unit. Populations driven by spikes or currents without weights stay as they are, and so do layers before an encoder: the host computes them.
    An average over whole windows that one layer alone reads becomes a sum; the division goes into the unit of the current, hence bias and threshold. Other averages stay.

    With `integers`, weights in front of the levels of a tensor layer (`snn.quantize` of sums) get the unit of these, divided by the largest 2^k at which none clips, and the levels divide by 2^k. All of the network becomes integers that can: weights between a quantised input (`snn-quantize-input`) and direct encoding, averages that several layers, joins or populations read,
    spikes that join currents with weights (an `snn.scale` of one unit is put in). Populations that do not spike have one unit for the whole layer, the one that loses least as the sum of squares where it clips larger weights.

    `layer-bits` gives single layers a width of their own, by name: `dense1=4,conv2=6`. Layers that join share a unit, the coarsest that their widths ask for.

    With `steps`, channels of `snn.if` that cannot reach their thresholds in so many steps, whatever spikes, lose their weights and take a unit in which their thresholds are as small as the
    others': a dead channel would else need membranes of many bits. No spike changes.

    Requires constant weights, one linear operation with weights between populations (run `snn-compose-linear` before), nothing but
    reshapes, transposes, delays and additions between it and its population. Refuses neurons whose equations have a scale of their own (snn.coba_lif, snn.first_spike) or two currents.
  }];
  let options = [
    Option<"bits", "bits", "unsigned", "8", "Bits of a weight, with its sign: 2 to 16">,
    Option<"perChannel", "per-channel", "bool", "true", "One unit per channel rather than per layer">,
    Option<"integers", "integers", "bool", "false", "Also what direct encoding drives, joins and averages; one unit per readout">,
    ListOption<"layerBits", "layer-bits", "std::string", "Bits of single layers: name=bits">,
    Option<"steps", "steps", "unsigned", "0", "Steps of a run, in which some channels may be silent whatever spikes; 0: unknown">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"rounded", "weights-rounded", "Weights that are integers now">,
    Statistic<"largestError", "largest-error-ppm", "Largest rounding error, in millionths of the layer's largest weight">,
  ];
}

def SnnFixedPointNeurons : Pass<"snn-fixed-point-neurons", "::mlir::func::FuncOp"> {
  let summary = "Turn neurons on integer currents into neurons in fixed point.";
  let description = [{
    `snn.if` and `snn.lif` (Euler or exact, on the grid of steps) whose currents come from spikes become `snn.fixed_lif` with membranes of `membrane-bits`, of which `fraction-bits` are finer than
    a unit of the current, and a decay of `decay-bits`. The membrane is counted from v_leak on and divided by `r · rate`, the share of a current that reaches it; threshold, v_reset and initial_membrane follow and are
    rounded, thresholds to one at least. Without leak nothing has to be rounded after `snn-quantize-weights`: the spikes stay what they were, unless membranes saturate.

    `snn.cuba_lif` (Euler) becomes `snn.fixed_cuba_lif` in the same way, its current j in units of the membrane.

    Run `snn-quantize-weights` before: currents must be integers, which the emulator checks. Populations that direct encoding drives, and those that do not spike, stay in float.
    Refuses other spiking neurons, tau, r and v_leak that differ within a population, reset by subtraction with a v_leak.

    With `integers` (see `snn-quantize-weights`), populations that direct encoding drives become fixed point, too: where half of the membrane does not hold their threshold, their constant current is
    shifted to the right by an `snn.quantize` in front of the encoder, and the membrane counts the coarser unit. `snn.integrator` and `snn.li` become `snn.fixed_li` of `readout-bits`.
  }];
  let options = [
    Option<"membraneBits", "membrane-bits", "unsigned", "24", "Bits of a membrane, with its sign: 2 to 25">,
    Option<"fractionBits", "fraction-bits", "int", "-1", "Fraction bits of a membrane, 0 to 23; -1: as many as leave half of the range above the threshold">,
    Option<"decayBits", "decay-bits", "unsigned", "12", "Bits of the decay: 1 to 28">,
    Option<"integers", "integers", "bool", "false", "Also what direct encoding drives, and populations that do not spike">,
    Option<"readoutBits", "readout-bits", "int", "-1", "Bits of a membrane that is read, 2 to 25; -1: as many as cannot overflow in `steps`, at most 25">,
    Option<"steps", "steps", "int64_t", "0", "Steps that the network runs; 0: unknown">,
  ];
  let statistics = [Statistic<"replaced", "populations-replaced", "Populations in fixed point">];
}

def SnnRemoveDeadNeurons : Pass<"snn-remove-dead-neurons", "::mlir::ModuleOp"> {
  let summary = "Remove neurons that never spiked in a trace.";
  let description = [{
    Removes the neurons of @main that spiked in no sample of `trace` (a file `30-spikes.h5`), with the weights that lead to them and from them: outputs of
    `snn.dense`, and filters of `snn.conv2d` all of whose neurons were silent. Poolings, flattenings and direct encoders on the way shrink. On the samples of the trace
    every answer and every other spike stays.

    What it cannot remove stays: input and output populations, groups of convolutions, what joins, feedback or several consumers read, and one neuron of a layer without any spikes.
    Refuses a trace whose populations are not those of @main.
  }];
  let options = [Option<"trace", "trace", "std::string", "\"\"", "Spike trace of this network (30-spikes.h5)">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"removed", "neurons-removed", "Neurons removed">];
}

#endif // DIALECTS_SNN_TRANSFORMS_PASSES_TD
