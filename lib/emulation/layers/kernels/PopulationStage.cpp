#include "lib/emulation/layers/kernels/PopulationStage.h"

#include "lib/emulation/lanes/emitters/Emitters.h"
#include "lib/emulation/layers/kernels/ReadCounts.h"
#include "lib/emulation/layers/kernels/WriteSpikes.h"

namespace spindle::layers {

using lanes::KernelBuilder;
using lanes::Phase;

namespace {

/// A kernel of one step: buffers of signals first, state after them.
struct StepKernel {
  KernelBuilder builder;
  lanes::Signals signals;
  size_t row; // what this step outputs
  int64_t vectors;

  StepKernel(PlanBuilder &b, size_t elements, size_t inputs)
      : builder(*b.plan.module->getContext(), lanes::Lanes::Elements),
        vectors(builder.vectorsFor(int64_t(elements))) {
    for (size_t k = 0; k < inputs; ++k)
      signals.inputs.push_back(builder.addLaneBuffer(vectors));
    row = signals.output = builder.addLaneBuffer(vectors);
    builder.enter(Phase::Step);
  }

  /// What is output is state: the emitters keep it in a buffer of its own.
  void keepOutput() { signals.output = builder.addLaneBuffer(vectors); }
  void copyOutput() {
    mlir::Value from = builder.view(signals.output, {vectors}), to = builder.view(row, {vectors});
    builder.loop({vectors},
                 [&](mlir::ValueRange n) { builder.store(builder.load(from, n), to, n); });
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

/// Spikes in the natural order are kept as a list.
static void book(PlanBuilder &b, const Signal &spikes, PopulationBuffers &booked) {
  booked.events = addEventList(b, spikes, 1, naturalNumbers(spikes.elements));
  booked.layout = spikes.layout;
}

static std::vector<size_t> buffersOf(llvm::ArrayRef<Signal> signals) {
  std::vector<size_t> buffers;
  for (const Signal &signal : signals)
    buffers.push_back(signal.buffer);
  return buffers;
}

static void emitEncoder(KernelBuilder &b, snn::EncodeOp op, const lanes::Signals &signals) {
  if (op.getEncoding() == snn::Encoding::Regular)
    lanes::emitRegular(b, op, signals);
  else
    lanes::emitLatency(b, op, signals);
}

Signal addEncoder(PlanBuilder &b, snn::EncodeOp op, const Signal &input,
                  PopulationBuffers &booked) {
  Signal output;
  if (op.getEncoding() == snn::Encoding::Poisson) {
    output = addPoisson(b, op, input);
  } else if (op.getEncoding() == snn::Encoding::Events) {
    output = b.addSignal(Unit::Row, input.elements, false); // several in a step are possible
    b.plan.events.push_back(output.buffer);
  } else {
    output = b.addSignal(Unit::Row, input.elements, true);
    StepKernel kernel(b, input.elements, 1);
    emitEncoder(kernel.builder, op, kernel.signals);
    b.addStateStage(std::move(kernel.builder), {input.buffer, output.buffer});
  }
  book(b, output, booked);
  return output;
}

Signal addNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                  PopulationBuffers &booked) {
  const Layout &layout = currents.front().layout;
  snn::NeuronModel model = arranged(op.neuronModel(), layout);
  bool spikes = model.spikes(), outputsMembranes = model.outputsMembranes();
  Signal output = currents.front();
  output.buffer = b.addFloats(Unit::Row, layout.size);
  output.binary = spikes && model.maxSpikes == 1;
  StepKernel kernel(b, layout.size, currents.size());
  if (outputsMembranes)
    kernel.keepOutput();
  size_t membranes =
      outputsMembranes ? kernel.signals.output : kernel.builder.addLaneBuffer(kernel.vectors);
  lanes::NeuronModels models; // addresses serve crossings only, which are not planned
  lanes::emitNeurons(kernel.builder, std::move(model), kernel.vectors, kernel.signals, membranes,
                     models);
  if (outputsMembranes)
    kernel.copyOutput();
  std::vector<size_t> buffers = buffersOf(currents);
  buffers.push_back(output.buffer);
  b.addStateStage(std::move(kernel.builder), buffers);
  if (spikes)
    book(b, output, booked);
  return output;
}

Signal addImageNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                       PopulationBuffers &booked) {
  const Layout &layout = currents.front().layout;
  StepKernel kernel(b, layout.size, currents.size());
  KernelBuilder &builder = kernel.builder;
  MaskWriter writer(builder, builder.addLaneBuffer(1));
  kernel.signals.put = [&](mlir::Value n, mlir::Value spikes) { writer.write(n, spikes); };
  size_t membranes = builder.addLaneBuffer(kernel.vectors);
  lanes::NeuronModels models;
  lanes::emitNeurons(builder, arranged(op.neuronModel(), layout), kernel.vectors, kernel.signals,
                     membranes, models);
  Signal bits = currents.front();
  bits.buffer = addMasks(b, layout.size);
  bits.binary = bits.areBits = true;
  std::vector<size_t> buffers = buffersOf(currents);
  buffers.insert(buffers.end(), {b.addBuffer(Unit::Row, 1), bits.buffer});
  b.addStateStage(std::move(builder), buffers);
  booked = {std::nullopt, bits, 0, layout, addSpikeCounts(b, bits)};
  return bits;
}

Signal addListedNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                        PopulationBuffers &booked) {
  size_t elements = currents.front().elements;
  snn::NeuronModel model = op.neuronModel(), resting = model;
  bool rests = canRest(model);
  if (rests)
    model.refractory = {};
  StepKernel kernel(b, elements, currents.size());
  for (size_t k = 0; k < currents.size(); ++k)
    if (currents[k].taken)
      kernel.signals.taken.push_back(kernel.signals.inputs[k]);
  kernel.signals.take = [&](size_t input, mlir::Value n) {
    const std::optional<Counts> &counts = currents[input].counts;
    return counts ? takeCounts(kernel.builder, kernel.signals.inputs[input], *counts, n)
                  : mlir::Value();
  };
  EventAppender appender(kernel.builder, elements);
  kernel.signals.put = [&](mlir::Value n, mlir::Value counts) { appender.append(n, counts); };
  size_t membranes = kernel.builder.addLaneBuffer(kernel.vectors);
  lanes::NeuronModels models;
  lanes::emitNeurons(kernel.builder, std::move(model), kernel.vectors, kernel.signals, membranes,
                     models);
  Signal output{b.addBuffer(Unit::Row, 1), elements, {elements, {}}, true};
  EventList list = makeEventList(b, Unit::Row, elements, 1, elements - 1, true);
  b.keepList(output.buffer, 1, naturalNumbers(elements), list);
  std::vector<size_t> buffers = buffersOf(currents);
  buffers.insert(buffers.end(), {output.buffer, list.entries, list.ends});
  std::vector<size_t> all = b.addStateStage(std::move(kernel.builder), buffers);
  if (rests)
    addRest(b, resting, list, elements, all[membranes]);
  book(b, output, booked);
  return output;
}

Signal addDecoder(PlanBuilder &b, snn::DecodeOp op, const Signal &spikes) {
  Signal output = b.addSignal(Unit::Row, spikes.elements, false);
  StepKernel kernel(b, spikes.elements, 1);
  kernel.keepOutput();
  lanes::emitDecode(kernel.builder, op, kernel.signals);
  kernel.copyOutput();
  b.addStateStage(std::move(kernel.builder), {spikes.buffer, output.buffer});
  return output;
}

Signal addActivation(PlanBuilder &b, mlir::Operation *op, const Signal &sums) {
  Signal output = b.addSignal(Unit::Row, sums.elements, false);
  StepKernel kernel(b, sums.elements, 1);
  if (auto rectifier = llvm::dyn_cast<snn::ReluOp>(op))
    lanes::emitRelu(kernel.builder, rectifier, kernel.signals);
  else
    lanes::emitQuantize(kernel.builder, llvm::cast<snn::QuantizeOp>(op), kernel.signals);
  b.addStateStage(std::move(kernel.builder), {sums.buffer, output.buffer});
  return output;
}

} // namespace spindle::layers
