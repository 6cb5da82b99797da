// From trained networks to spiking ones.
#ifndef LIB_CONVERSION_ANN_TO_SNN_PASSES_TD
#define LIB_CONVERSION_ANN_TO_SNN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertAnnToSnn : Pass<"convert-ann-to-snn", "::mlir::ModuleOp"> {
  let summary = "Make a spiking network of an ANN, with scales that are given.";
  let description = [{
    Every `snn.relu` of @main becomes a population, and the weights absorb the scales: the activation of a rectifier divided by its scale is the rate of its neurons, or under `first-spike` the time of their spike. What follows the last
    rectifier becomes integrators read by their membranes, or a population.

    `scales` has one entry for each `snn.relu`, in the order of the program, and one for the answer unless a rectifier makes it: `6.5`, or one per channel (per neuron of a dense layer) as `0.5:0.25:1`. The stage `convert` chooses them from activations of
    calibration samples and writes them to `20-snn.json`; this pass makes the same network of `10-ann.mlir` where the method is percentile, max or first_spike. A calibrated network also has other weights, shifts and membranes.

    Refuses operations without a spiking counterpart, maxima of sums or of neurons of different scale; under `first-spike` branches of unequal depth and fewer steps than layers.
  }];
  let options = [
    ListOption<"scales", "scales", "std::string", "The activation that a rate of one stands for: one for each layer, with colons one for each channel">,
    Option<"inputMaximum", "input-maximum", "float", "1", "The input that the highest rate of an encoder stands for">,
    Option<"encoding", "encoding", "::spindle::InputEncoding", "::spindle::InputEncoding::Direct", "How the input enters",
      [{::llvm::cl::values(
          clEnumValN(::spindle::InputEncoding::Direct, "direct", "as a constant current"),
          clEnumValN(::spindle::InputEncoding::Poisson, "poisson", "as random spikes"),
          clEnumValN(::spindle::InputEncoding::Regular, "regular", "as spikes in equal intervals"),
          clEnumValN(::spindle::InputEncoding::Latency, "latency", "as one spike each, with first-spike"))}]>,
    Option<"firstSpike", "first-spike", "bool", "false", "One spike per neuron, its time is the value">,
    Option<"steps", "steps", "int64_t", "64", "Steps, which first-spike divides among the layers">,
    Option<"neuron", "neuron", "::spindle::NeuronChoice", "::spindle::NeuronChoice::IntegrateAndFire", "Neurons",
      [{::llvm::cl::values(
          clEnumValN(::spindle::NeuronChoice::IntegrateAndFire, "if", "integrate and fire"),
          clEnumValN(::spindle::NeuronChoice::LeakyIntegrateAndFire, "lif", "leaky integrate and fire"))}]>,
    Option<"tau", "tau", "double", "100", "Membrane time constant of leaky neurons, in steps">,
    Option<"reset", "reset", "::spindle::ResetChoice", "::spindle::ResetChoice::Subtract", "What a spike does to the membrane",
      [{::llvm::cl::values(
          clEnumValN(::spindle::ResetChoice::Zero, "zero", "to zero"),
          clEnumValN(::spindle::ResetChoice::Subtract, "subtract", "less the threshold"))}]>,
    Option<"initialMembrane", "initial-membrane", "double", "0.5", "In thresholds">,
    Option<"maxSpikes", "max-spikes", "int64_t", "1", "Of a neuron per step">,
    Option<"decoding", "decoding", "::spindle::DecodingChoice", "::spindle::DecodingChoice::Membrane", "What is read at the end",
      [{::llvm::cl::values(
          clEnumValN(::spindle::DecodingChoice::Count, "count", "numbers of spikes"),
          clEnumValN(::spindle::DecodingChoice::Membrane, "membrane", "membrane potentials"),
          clEnumValN(::spindle::DecodingChoice::FirstSpike, "first_spike", "times of first spikes"))}]>,
    Option<"pooling", "pooling", "::spindle::PoolingChoice", "::spindle::PoolingChoice::Linear", "What pooling of spikes becomes",
      [{::llvm::cl::values(
          clEnumValN(::spindle::PoolingChoice::Linear, "linear", "a part of the next weights"),
          clEnumValN(::spindle::PoolingChoice::Population, "population", "neurons of its own"))}]>,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::spindle::snn::SnnDialect"];
}

#endif // LIB_CONVERSION_ANN_TO_SNN_PASSES_TD
