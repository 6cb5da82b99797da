// Kernels in the text of a test: prepared, and the error of those that are refused.
#pragma once

#include "hw/hls/prepare/Prepare.h"

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace spindle::hls {

/// A context and a module parsed in it under the name `kernel.mlir`; parse errors fail the test.
struct KernelText {
  explicit KernelText(const std::string &text);

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The text of the prepared module, or the error.
std::string preparedText(const std::string &text, const PrepareOptions &options = {});

} // namespace spindle::hls
