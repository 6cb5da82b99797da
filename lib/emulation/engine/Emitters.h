// What each operation of the snn dialect becomes in the kernels. Same results as the function of
// reference/ with the same name, bit for bit.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/emulation/engine/KernelBuilder.h"

namespace spindle::engine {

/// Buffers of the signals around an operation. `output` is added before the emitter is called.
struct Signals {
  size_t input, output;
};

/// A dense operation is a convolution of an image of one pixel.
void emitDense(KernelBuilder &b, snn::DenseOp op, Signals signals);
void emitConv2d(KernelBuilder &b, snn::Conv2dOp op, Signals signals);
void emitAvgPool2d(KernelBuilder &b, snn::AvgPool2dOp op, Signals signals);
void emitScale(KernelBuilder &b, snn::ScaleOp op, Signals signals);
void emitTranspose(KernelBuilder &b, snn::TransposeOp op, Signals signals);
void emitRelu(KernelBuilder &b, snn::ReluOp op, Signals signals);
void emitPoisson(KernelBuilder &b, snn::EncodeOp op, Signals signals);

/// All three kinds of neurons. Spikes go to `signals.output`; an integrator puts out its membranes,
/// so that its output buffer is `membranes`.
void emitNeurons(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons, Signals signals,
                 size_t membranes);

/// totals += signal, element by element.
void emitAccumulate(KernelBuilder &b, size_t signal, size_t totals, int64_t elements);

/// Sets a state buffer in @setup to one value, or to one per element. Leaves the phase as it was.
void emitReset(KernelBuilder &b, size_t state, int64_t elements, const std::vector<float> &values);

/// The buffer of an image inside a frame of zeros, copied in the current phase; the buffer itself
/// where there is no padding (top, left, bottom, right). `shape` becomes that of the framed image.
size_t emitPadding(KernelBuilder &b, size_t input, llvm::SmallVectorImpl<int64_t> &shape,
                   llvm::ArrayRef<int64_t> padding);

/// A parameter of one value for all, or one per element: gives the lanes for an element.
class ElementParameter {
public:
  ElementParameter(KernelBuilder &b, const std::vector<float> &values);
  mlir::Value lanesFor(mlir::Value element);

private:
  KernelBuilder &builder;
  int64_t elements;
  float uniform;
  std::optional<size_t> buffer;
};

} // namespace spindle::engine
