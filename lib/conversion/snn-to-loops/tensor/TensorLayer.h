// Layers in front of the first neurons that the circuit computes itself, in integers, once per
// sample: dense layers, convolutions and poolings.
#pragma once

#include "dialects/snn/IntegerRange.h"
#include "lib/conversion/snn-to-loops/LayerNest.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <optional>

namespace spindle::snn_to_loops {

/// Of an image along rows or columns, and of the windows on it.
struct WindowExtent {
  int64_t image = 1, before = 0, after = 0, kernel = 1, stride = 1, dilation = 1;

  /// Zeros around the image counted in.
  int64_t padded() const { return image + before + after; }
  /// From the first to the last element of a window.
  int64_t reach() const { return (kernel - 1) * dilation; }
};

struct TensorLayer {
  mlir::Operation *op = nullptr;
  Combine combine = Combine::Sum; // maxima of windows
  bool isWindowed = false;        // of an image; else a dense layer
  std::array<WindowExtent, 2> axes;
  int64_t outputs = 0;          // neurons of a dense layer; filters
  int64_t channels = 0;         // of a place that an output takes; of a dense layer its inputs
  int64_t groups = 1;           // that outputs and channels are divided into
  bool isWeighted = true;       // poolings are not
  std::vector<int64_t> weights; // outputs × channels × kernel
  std::vector<int64_t> bias;    // of each output; zeros where there is none
  /// What becomes of a sum: (sum + 2^(by − 1)) >> by, clipped.
  struct Shift {
    int64_t by, low, high;
  };
  std::optional<Shift> shift;
  snn::IntegerRange pixels, sums, handedOn; // what it takes; its sums; those shifted

  mlir::Value input() const { return op->getOperand(0); }
};

/// The layers from the input of an encoder back to where `isTaken` says no of a dense layer or
/// convolution, in the order in which they are computed; the last one is taken in any case.
/// Errors name the layer: the last one is neither a dense layer nor a convolution; what it takes or
/// its weights are no integers; its sums are divided by no power of two; what it makes is read by
/// another layer, too.
llvm::Expected<std::vector<TensorLayer>>
tensorLayers(snn::EncodeOp encode, llvm::function_ref<bool(mlir::Operation *)> isTaken);

/// The layers from counted spikes to the answer, in the order in which they are computed. Errors
/// name the layer: as above; the last one is not dense; something else between them.
llvm::Expected<std::vector<TensorLayer>> tensorLayersBehind(snn::DecodeOp counts);

/// Bits of the integers between two tensor layers: those of one sign need none.
unsigned bitsOfPixels(const snn::IntegerRange &range);

} // namespace spindle::snn_to_loops
