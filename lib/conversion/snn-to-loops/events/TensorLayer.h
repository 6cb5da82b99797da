// The weights in front of the first neurons as a tensor kernel: products of pixels and weights,
// added up once per sample by the circuit itself.
#pragma once

#include "dialects/snn/IntegerRange.h"
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include <optional>

namespace spindle::snn_to_loops {

/// The dense layer or convolution whose sums a direct encoder repeats, and what they are made of.
struct TensorLayer {
  mlir::Operation *op = nullptr;
  std::vector<int64_t> shape; // of the weights
  /// What becomes of a sum: (sum + 2^(by − 1)) >> by, clipped.
  struct Shift {
    int64_t by, low, high;
  };
  std::optional<Shift> shift;
  snn::IntegerRange pixels, sums;
  std::vector<int64_t> weights; // outputs × inputs; of a convolution filters × channels × window
  std::vector<int64_t> bias;    // of each output, or of each filter; zeros where there is none

  /// Errors name the layer: neither a dense layer nor a convolution of one group, pixels or weights
  /// that are no integers, sums that are divided by no power of two.
  static llvm::Expected<TensorLayer> of(snn::EncodeOp encode);
};

/// The kernel: `layer.lanes` outputs of a dense layer, or all filters of a place of a convolution,
/// side by side, each taking `layer.inputs` pixels at a time (of a convolution neighbours in a row
/// of its window, all channels). Pixels come from outside as words; sums go to streams, one for
/// each part of `currents`, which are returned. The spikes behind it have the layout `words`.
/// `layer` gets the bits of weights. Errors: lanes or inputs that do not fit.
llvm::Expected<llvm::SmallVector<mlir::Value>>
emitTensorLayer(ProgramBuilder &program, TensorLayer tensor, const SpikeWords &words,
                const ValueWords &currents, HardwareLayer &layer);

/// From the places of an image, one word of channels each, to what windows are made of: for each
/// place of the output and each row of its window words of `neighbours` places, as many as the row
/// takes. Behind the row's last place there is anything.
mlir::Value emitWindows(ProgramBuilder &program, snn::Conv2dOp op, mlir::Value image,
                        int64_t neighbours, const std::string &layer);

} // namespace spindle::snn_to_loops
