// Windows over an image: where each of their elements lies.
#pragma once

#include "lib/conversion/snn-to-loops/Layers.h"

namespace spindle::snn_to_loops {

struct Windows {
  llvm::ArrayRef<int64_t> input;  // channels, rows, columns
  llvm::ArrayRef<int64_t> output; // channels, rows, columns
  std::array<int64_t, 2> kernel{}, strides{}, dilations{1, 1};
  llvm::ArrayRef<int64_t> padding; // top, left, bottom, right

  /// The input that a window's element reads, by its channel, its window and its place there.
  struct Element {
    mlir::AffineExpr number;                        // flat
    llvm::SmallVector<mlir::AffineExpr> conditions; // at least 0 inside the image
  };
  Element at(mlir::AffineExpr channel, std::array<mlir::AffineExpr, 2> window,
             std::array<mlir::AffineExpr, 2> place) const;
  /// The flat number of an output.
  mlir::AffineExpr numberOf(mlir::AffineExpr channel, std::array<mlir::AffineExpr, 2> window) const;
};

/// The element of a signal in a step, zero outside the image.
mlir::Value readWindow(const NestPoint &point, ProgramBuilder &program, const Signal &signal,
                       mlir::AffineExpr step, const Windows::Element &element);

template <typename Pool> Windows windowsOf(Pool op) {
  Windows windows{snn::shapeOf(op.getInput()), snn::shapeOf(op.getOutput()), {}, {}, {1, 1}, {}};
  windows.kernel = {op.getKernel()[0], op.getKernel()[1]};
  windows.strides = {op.getStrides()[0], op.getStrides()[1]};
  windows.padding = op.getPadding();
  return windows;
}

} // namespace spindle::snn_to_loops
