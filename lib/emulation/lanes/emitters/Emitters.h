// What each operation of the snn dialect becomes in the kernels. Same results as the function of
// reference/ with the same name, bit for bit.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/emulation/lanes/KernelBuilder.h"

#include <functional>

namespace spindle::lanes {

/// Buffers of the signals around an operation. `output` is added before the emitter is called.
struct Signals {
  llvm::SmallVector<size_t, 2> inputs;
  size_t output;
  llvm::SmallVector<size_t, 2> taken; // inputs of neurons that are zero once they have been read
  /// Gives vector n of an input of neurons, or no value where its buffer is to be read.
  std::function<mlir::Value(size_t input, mlir::Value n)> take;
  /// Gets the spikes of vector n instead of the output, where there is such a function.
  std::function<void(mlir::Value n, mlir::Value counts)> put;

  size_t input() const { return inputs.front(); }
};

/// A dense operation is a convolution of an image of one pixel.
void emitDense(KernelBuilder &b, snn::DenseOp op, const Signals &signals);
void emitConv2d(KernelBuilder &b, snn::Conv2dOp op, const Signals &signals);
void emitAvgPool2d(KernelBuilder &b, snn::AvgPool2dOp op, const Signals &signals);
void emitSumPool2d(KernelBuilder &b, snn::SumPool2dOp op, const Signals &signals);
/// Of activations or currents; pooled spikes are a population (emitMaxPoolInTime).
void emitMaxPool2d(KernelBuilder &b, snn::MaxPool2dOp op, const Signals &signals);
void emitScale(KernelBuilder &b, snn::ScaleOp op, const Signals &signals);
void emitSparse(KernelBuilder &b, snn::SparseOp op, const Signals &signals);
void emitRandom(KernelBuilder &b, snn::RandomOp op, const Signals &signals);
void emitAdd(KernelBuilder &b, snn::AddOp op, const Signals &signals);
void emitConcat(KernelBuilder &b, snn::ConcatOp op, const Signals &signals);
void emitTranspose(KernelBuilder &b, snn::TransposeOp op, const Signals &signals);
void emitQuantize(KernelBuilder &b, snn::QuantizeOp op, const Signals &signals);
void emitRelu(KernelBuilder &b, snn::ReluOp op, const Signals &signals);
void emitPoisson(KernelBuilder &b, snn::EncodeOp op, const Signals &signals);
void emitRegular(KernelBuilder &b, snn::EncodeOp op, const Signals &signals);
void emitLatency(KernelBuilder &b, snn::EncodeOp op, const Signals &signals);

/// Of spikes or currents. `made` holds what the output made before this step and is brought up to
/// date.
void emitMaxPoolInTime(KernelBuilder &b, snn::MaxPool2dOp op, const Signals &signals, size_t made);

/// Counts spikes, or the steps since the first one.
void emitDecode(KernelBuilder &b, snn::DecodeOp op, const Signals &signals);

/// Values of earlier steps, from a ring of as many as the longest delay.
void emitDelay(KernelBuilder &b, snn::DelayOp op, const Signals &signals);

/// Spikes that come back. The first call gives the ring, with room for `steps` steps, and reads it;
/// the second writes this step's spikes, once the whole network has been worked.
size_t emitFeedback(KernelBuilder &b, snn::FeedbackOp op, size_t output);
void emitFeedbackWrite(KernelBuilder &b, snn::FeedbackOp op, size_t spikes, size_t ring);

/// Populations of all kinds; `neurons` counts vectors where these hold elements. Spikes go to
/// `signals.output`; integrators output their membranes, so that their output buffer is
/// `membranes`. The model is kept in `models`: kernels that seek crossings within the step hold
/// its address.
void emitNeurons(KernelBuilder &b, snn::NeuronModel model, int64_t neurons, const Signals &signals,
                 size_t membranes, NeuronModels &models);

/// totals += signal, element by element or vector by vector.
void emitAccumulate(KernelBuilder &b, size_t signal, size_t totals, int64_t elements);

/// Sets a state buffer in @setup to one value, or to one per element. Leaves the phase as it was.
/// `elements` counts vectors where these hold elements.
void emitReset(KernelBuilder &b, size_t state, int64_t elements, const std::vector<float> &values);

/// The buffer of an image inside a frame of one value, copied in the current phase; the buffer
/// itself where there is no padding (top, left, bottom, right). `shape` becomes that of the framed
/// image.
size_t emitPadding(KernelBuilder &b, size_t input, llvm::SmallVectorImpl<int64_t> &shape,
                   llvm::ArrayRef<int64_t> padding, float frame = 0);

/// A parameter of one value for all, or one per element: gives the lanes for an element, or for a
/// vector of elements.
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

} // namespace spindle::lanes
