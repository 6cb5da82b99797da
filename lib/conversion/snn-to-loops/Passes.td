// From spiking networks to programs in loop form.
#ifndef LIB_CONVERSION_SNN_TO_LOOPS_PASSES_TD
#define LIB_CONVERSION_SNN_TO_LOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SnnToLoops : Pass<"snn-to-loops", "::mlir::ModuleOp"> {
  let summary = "Make a loop program of a spiking network in fixed point.";
  let description = [{
    The function @main of the network becomes a function @main over arrays of integers: spikes as i1, weights and sums as wide as they need. Each layer is one perfect nest, `for step, for group of neurons, for input, for lane`, with the loop
    over lanes marked `hls.unroll`; the membranes are updated in the iteration of the last input, as `snn.fixed_lif` says. Layers follow each other, each with all its steps, so that every nest fills its pipeline once.

    Arguments, in this order: the spikes of each encoder (steps × elements); layer by layer weights, biases and parameters of single neurons where `arguments` is set, and the spikes of the population where `record` is set; last the answer of the decoder after the last
    step, one value per class.

    What the host computes once per sample and only encoders read is left out. The outermost loop of a nest has the name of its layer as attribute `layer`.

    With `style=event` the layers, a chain of dense ones, convolutions and sums of windows, are processes that streams join: what makes events of the words of spikes in `hls.make_stream`s, and per layer one `scf.while` that takes an event per iteration, adds a row of
    weights, packed into words, to the sums of all lanes and, at the number behind the last input, lets the neurons spike. Words of spikes, currents of a first layer under direct coding, and answers are streams of all samples of a run; an argument i16 says how many there are.

    A first layer of weights under direct coding may be a tensor kernel (`layers=dense1:128:tensor`): the argument is a stream of pixels, a loop adds up products once per sample, for a convolution behind one that makes windows of the image, and a stream of its sums takes the place of the currents.

    With `system=centralised` layers of style event take turns: one loop over the samples is around all processes, of which each works on one sample, and streams from layer to layer are `stored`.

    Refuses, by layer: direct encoding (of `style=clock`), tensor kernels of layers that take spikes or no integers, populations that are neither `snn.fixed_lif` nor, to be read, `snn.fixed_li`, weights that are no integers, several spikes of a neuron in a step, feedback, delays that differ between elements, compressed rows.
  }];
  let options = [
    Option<"steps", "steps", "int64_t", "64", "Steps of a run">,
    Option<"style", "style", "std::string", [{"clock"}], "How layers go through their inputs: clock (each in its cycle) or event (spikes alone)">,
    Option<"system", "system", "std::string", [{""}], "Layers of style event: dataflow (all at work) or centralised (one after the other)">,
    Option<"others", "lanes", "int64_t", "1", "Neurons side by side, in layers that `layers` does not name">,
    ListOption<"layers", "layers", "std::string", "Lanes of layers, as dense1:64, and inputs that a dense layer takes at a time, as dense1:64x4; tensor kernels as dense1:64:tensor">,
    Option<"record", "record", "bool", "false", "The spikes of all populations are arguments">,
    Option<"arguments", "arguments", "bool", "false", "Weights and parameters of single neurons are arguments, else constants">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::spindle::hls::HlsDialect"];
}

#endif // LIB_CONVERSION_SNN_TO_LOOPS_PASSES_TD
