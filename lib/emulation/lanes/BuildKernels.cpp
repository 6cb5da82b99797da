#include "lib/emulation/lanes/BuildKernels.h"

#include "lib/emulation/lanes/emitters/DelayedSparseEmitter.h"
#include "lib/emulation/lanes/emitters/Emitters.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::lanes {

/// Operations whose result is their operand under another name.
static bool isAlias(Operation *op) {
  if (auto encode = dyn_cast<snn::EncodeOp>(op))
    return encode.getEncoding() == snn::Encoding::Direct;
  if (auto decode = dyn_cast<snn::DecodeOp>(op))
    return decode.getDecoding() == snn::Decoding::Membrane;
  return isa<snn::ReshapeOp>(op);
}

static void emitEncode(KernelBuilder &b, snn::EncodeOp op, const Signals &signals) {
  switch (op.getEncoding()) {
  case snn::Encoding::Poisson:
    return emitPoisson(b, op, signals);
  case snn::Encoding::Regular:
    return emitRegular(b, op, signals);
  case snn::Encoding::Latency:
    return emitLatency(b, op, signals);
  case snn::Encoding::Direct: // an alias
  case snn::Encoding::Events: // the host fills the buffer before every step
    return;
  }
}

static void emitOp(KernelBuilder &b, Operation *op, const Signals &signals) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](snn::DenseOp dense) { emitDense(b, dense, signals); })
      .Case([&](snn::Conv2dOp conv) { emitConv2d(b, conv, signals); })
      .Case([&](snn::AvgPool2dOp pool) { emitAvgPool2d(b, pool, signals); })
      .Case([&](snn::SumPool2dOp pool) { emitSumPool2d(b, pool, signals); })
      .Case([&](snn::MaxPool2dOp pool) { emitMaxPool2d(b, pool, signals); })
      .Case([&](snn::ScaleOp scale) { emitScale(b, scale, signals); })
      .Case([&](snn::SparseOp sparse) { emitSparse(b, sparse, signals); })
      .Case([&](snn::DelayedSparseOp sparse) { emitDelayedSparse(b, sparse, signals); })
      .Case([&](snn::RandomOp random) { emitRandom(b, random, signals); })
      .Case([&](snn::AddOp sum) { emitAdd(b, sum, signals); })
      .Case([&](snn::ConcatOp join) { emitConcat(b, join, signals); })
      .Case([&](snn::TransposeOp transpose) { emitTranspose(b, transpose, signals); })
      .Case([&](snn::DelayOp line) { emitDelay(b, line, signals); })
      .Case([&](snn::QuantizeOp quantize) { emitQuantize(b, quantize, signals); })
      .Case([&](snn::ReluOp relu) { emitRelu(b, relu, signals); })
      .Case([&](snn::EncodeOp encode) { emitEncode(b, encode, signals); })
      .Case([&](snn::DecodeOp decode) { emitDecode(b, decode, signals); });
}

/// A population: its spikes, its membranes where it has some, its counts.
static void emitPopulation(KernelBuilder &b, Operation *op, const Signals &signals,
                           KernelModule &kernels) {
  int64_t elements = snn::sizeOf(op->getResult(0));
  size_t membranes = signals.output, counts = b.addLaneBuffer(elements);
  emitReset(b, counts, elements, {0});
  if (auto neuron = dyn_cast<snn::NeuronOp>(op)) {
    snn::NeuronModel model = neuron.neuronModel();
    if (!model.outputsMembranes())
      membranes = b.addLaneBuffer(elements);
    emitNeurons(b, std::move(model), elements, signals, membranes, kernels.models);
  } else if (auto pool = dyn_cast<snn::MaxPool2dOp>(op)) {
    emitMaxPoolInTime(b, pool, signals, counts);
  } else {
    emitOp(b, op, signals);
  }
  if (isa<snn::SpikeBundleType>(op->getResult(0).getType()) && !isa<snn::MaxPool2dOp>(op))
    emitAccumulate(b, signals.output, counts, elements);
  kernels.membranes.push_back(membranes);
  kernels.counts.push_back(counts);
}

/// Spikes that come back are written to their rings after the whole step: no operation of this
/// step, above or below the population, sees them.
static void emitFeedbackWrites(KernelBuilder &b, const llvm::DenseMap<Operation *, size_t> &rings,
                               const Network &network, const KernelModule &kernels) {
  if (rings.empty())
    return;
  b.enterOperation(int64_t(network.ops.size()) - 1);
  for (const NetworkOp &each : network.ops)
    if (auto feedback = dyn_cast<snn::FeedbackOp>(each.op)) {
      mlir::Value spikes = populationOf(feedback)->getResult(0);
      emitFeedbackWrite(b, feedback, kernels.signals.find(spikes)->second,
                        rings.find(each.op)->second);
    }
}

KernelModule buildKernels(const Network &network, MLIRContext &context) {
  KernelBuilder b(context);
  KernelModule kernels;
  llvm::DenseMap<Operation *, size_t> rings;
  kernels.signals[network.input] = b.addLaneBuffer(static_cast<int64_t>(network.inputs()));
  for (auto [number, each] : llvm::enumerate(network.ops)) {
    if (each.everyStep)
      b.enterOperation(int64_t(number));
    else
      b.enter(Phase::Setup);
    Signals signals;
    for (mlir::Value source : each.sources)
      signals.inputs.push_back(kernels.signals.find(source)->second);
    signals.output =
        isAlias(each.op) ? signals.input() : b.addLaneBuffer(snn::sizeOf(each.op->getResult(0)));
    if (each.population)
      emitPopulation(b, each.op, signals, kernels);
    else if (auto feedback = dyn_cast<snn::FeedbackOp>(each.op))
      rings[each.op] = emitFeedback(b, feedback, signals.output);
    else if (!isAlias(each.op))
      emitOp(b, each.op, signals);
    kernels.signals[each.op->getResult(0)] = signals.output;
    if (auto encode = dyn_cast<snn::EncodeOp>(each.op);
        encode && encode.getEncoding() == snn::Encoding::Events)
      kernels.events.push_back(signals.output);
  }
  emitFeedbackWrites(b, rings, network, kernels);
  KernelModule built = b.take();
  kernels.module = std::move(built.module);
  kernels.buffers = std::move(built.buffers);
  return kernels;
}

} // namespace spindle::lanes
