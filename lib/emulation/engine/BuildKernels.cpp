#include "lib/emulation/engine/BuildKernels.h"

#include "lib/emulation/engine/Emitters.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::engine {

/// Operations whose result is their operand under another name.
static bool isAlias(Operation *op) {
  if (auto encode = dyn_cast<snn::EncodeOp>(op))
    return encode.getEncoding() == snn::Encoding::Direct;
  if (auto decode = dyn_cast<snn::DecodeOp>(op))
    return decode.getDecoding() == snn::Decoding::Membrane;
  return isa<snn::ReshapeOp>(op);
}

static void emitOp(KernelBuilder &b, Operation *op, Signals signals) {
  int64_t elements = snn::sizeOf(op->getResult(0));
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](snn::DenseOp dense) { emitDense(b, dense, signals); })
      .Case([&](snn::Conv2dOp conv) { emitConv2d(b, conv, signals); })
      .Case([&](snn::AvgPool2dOp pool) { emitAvgPool2d(b, pool, signals); })
      .Case([&](snn::ScaleOp scale) { emitScale(b, scale, signals); })
      .Case([&](snn::TransposeOp transpose) { emitTranspose(b, transpose, signals); })
      .Case([&](snn::ReluOp relu) { emitRelu(b, relu, signals); })
      .Case([&](snn::EncodeOp encode) { emitPoisson(b, encode, signals); })
      .Case([&](snn::DecodeOp) { // the count itself is the answer
        emitReset(b, signals.output, elements, {0});
        emitAccumulate(b, signals.input, signals.output, elements);
      });
}

/// Emits one operation and gives the buffer of its result.
static size_t emit(KernelBuilder &b, const NetworkOp &each, size_t input, KernelModule &kernels) {
  b.enter(each.everyStep ? Phase::Step : Phase::Setup);
  if (isAlias(each.op))
    return input;
  int64_t elements = snn::sizeOf(each.op->getResult(0));
  size_t output = b.addLaneBuffer(elements);
  if (!each.population) {
    emitOp(b, each.op, {input, output});
    return output;
  }
  size_t membranes = output, counts = b.addLaneBuffer(elements);
  if (auto neuron = dyn_cast<snn::NeuronOp>(each.op)) {
    snn::NeuronModel model = neuron.neuronModel();
    if (model.spikes())
      membranes = b.addLaneBuffer(elements);
    emitNeurons(b, model, elements, {input, output}, membranes);
  } else {
    emitOp(b, each.op, {input, output});
  }
  emitReset(b, counts, elements, {0});
  if (isa<snn::SpikeBundleType>(each.op->getResult(0).getType()))
    emitAccumulate(b, output, counts, elements);
  kernels.membranes.push_back(membranes);
  kernels.counts.push_back(counts);
  return output;
}

KernelModule buildKernels(const Network &network, MLIRContext &context) {
  KernelBuilder b(context);
  KernelModule kernels;
  kernels.signals[network.input] = b.addLaneBuffer(static_cast<int64_t>(network.inputs()));
  for (const NetworkOp &each : network.ops) {
    size_t input = kernels.signals.find(each.op->getOperand(0))->second;
    size_t output = emit(b, each, input, kernels);
    kernels.signals[each.op->getResult(0)] = output;
  }
  KernelModule built = b.take();
  kernels.module = std::move(built.module);
  kernels.buffers = std::move(built.buffers);
  return kernels;
}

} // namespace spindle::engine
