#include "lib/emulation/layerwise/PopulationStage.h"

#include "lib/emulation/engine/Emitters.h"

namespace spindle::layerwise {

using engine::KernelBuilder;
using engine::Phase;

namespace {

/// A kernel of one step: buffers of signals first, state after them.
struct StepKernel {
  KernelBuilder builder;
  engine::Signals signals;
  size_t row; // what this step puts out
  int64_t vectors;

  StepKernel(PlanBuilder &b, size_t elements, size_t inputs)
      : builder(*b.plan.module->getContext(), engine::Lanes::Elements),
        vectors(builder.vectorsFor(int64_t(elements))) {
    for (size_t k = 0; k < inputs; ++k)
      signals.inputs.push_back(builder.addLaneBuffer(vectors));
    row = signals.output = builder.addLaneBuffer(vectors);
    builder.enter(Phase::Step);
  }

  /// What is put out is state: the emitters keep it in a buffer of its own.
  void keepOutput() { signals.output = builder.addLaneBuffer(vectors); }
  void copyOutput() {
    mlir::Value from = builder.view(signals.output, {vectors}), to = builder.view(row, {vectors});
    builder.loop({vectors},
                 [&](mlir::ValueRange n) { builder.store(builder.load(from, n), to, n); });
  }

  /// Counts the spikes of the output; gives the number of the buffer.
  size_t emitCounts() {
    size_t counts = builder.addLaneBuffer(vectors);
    engine::emitReset(builder, counts, vectors, {0});
    engine::emitAccumulate(builder, signals.output, counts, vectors);
    return counts;
  }
};

/// One value for all stays; others move to the places of the layout.
template <typename T> void arrange(std::vector<T> &parameter, const Layout &layout) {
  if (parameter.size() <= 1 || layout.place.empty())
    return;
  std::vector<T> moved(layout.size);
  for (size_t n = 0; n < parameter.size(); ++n)
    moved[layout.at(n)] = parameter[n];
  parameter = std::move(moved);
}

snn::NeuronModel arranged(snn::NeuronModel model, const Layout &layout) {
  for (std::vector<float> *each :
       {&model.threshold, &model.reset, &model.initial, &model.resistance, &model.rate, &model.leak,
        &model.tau, &model.maximum, &model.synapseRate, &model.synapseGain, &model.synapseCoupling,
        &model.excitatory.rate, &model.excitatory.coupling, &model.excitatory.reversal,
        &model.inhibitory.rate, &model.inhibitory.coupling, &model.inhibitory.reversal})
    arrange(*each, layout);
  arrange(model.refractory, layout);
  return model;
}

} // namespace

Signal addEncoder(PlanBuilder &b, snn::EncodeOp op, const Signal &input,
                  PopulationBuffers &booked) {
  bool recorded = op.getEncoding() == snn::Encoding::Events; // several in a step are possible
  bool drawn = op.getEncoding() == snn::Encoding::Poisson;
  Signal output =
      drawn ? addPoisson(b, op, input) : b.addSignal(Unit::Row, input.elements, !recorded);
  StepKernel kernel(b, input.elements, 1);
  if (op.getEncoding() == snn::Encoding::Regular)
    engine::emitRegular(kernel.builder, op, kernel.signals);
  else if (op.getEncoding() == snn::Encoding::Latency)
    engine::emitLatency(kernel.builder, op, kernel.signals);
  else if (recorded)
    b.plan.events.push_back(output.buffer);
  size_t counts = kernel.emitCounts();
  booked.counts = b.addStateStage(std::move(kernel.builder), {input.buffer, output.buffer})[counts];
  booked.layout = output.layout;
  booked.spikes = output;
  return output;
}

Signal addNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                  PopulationBuffers &booked) {
  const Layout &layout = currents.front().layout;
  snn::NeuronModel model = arranged(op.neuronModel(), layout);
  bool spikes = model.spikes(), binary = model.maxSpikes == 1;
  Signal output = currents.front();
  output.buffer = b.addFloats(Unit::Row, layout.size);
  output.binary = spikes && binary;
  StepKernel kernel(b, layout.size, currents.size());
  size_t membranes;
  bool putsOutMembranes = model.putsOutMembranes();
  if (!putsOutMembranes) {
    membranes = kernel.builder.addLaneBuffer(kernel.vectors);
  } else {
    kernel.keepOutput();
    membranes = kernel.signals.output;
  }
  engine::NeuronModels models; // addresses serve crossings only, which are not planned
  engine::emitNeurons(kernel.builder, std::move(model), kernel.vectors, kernel.signals, membranes,
                      models);
  if (putsOutMembranes)
    kernel.copyOutput();
  size_t counts = kernel.builder.addLaneBuffer(kernel.vectors);
  engine::emitReset(kernel.builder, counts, kernel.vectors, {0});
  if (spikes)
    engine::emitAccumulate(kernel.builder, kernel.signals.output, counts, kernel.vectors);
  std::vector<size_t> buffers;
  for (const Signal &current : currents)
    buffers.push_back(current.buffer);
  buffers.push_back(output.buffer);
  booked.counts = b.addStateStage(std::move(kernel.builder), buffers)[counts];
  booked.layout = layout;
  return output;
}

Signal addDecoder(PlanBuilder &b, snn::DecodeOp op, const Signal &spikes) {
  Signal output = b.addSignal(Unit::Row, spikes.elements, false);
  StepKernel kernel(b, spikes.elements, 1);
  kernel.keepOutput();
  engine::emitDecode(kernel.builder, op, kernel.signals);
  kernel.copyOutput();
  b.addStateStage(std::move(kernel.builder), {spikes.buffer, output.buffer});
  return output;
}

} // namespace spindle::layerwise
