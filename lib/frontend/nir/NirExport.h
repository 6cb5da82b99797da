// From a spiking network of the snn dialect to NIR.
#pragma once

#include "lib/frontend/nir/NirGraph.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace spindle {

struct NirExportOptions {
  /// Of a step; times in the file are in seconds. Default: that of the module (`snn.dt_ms`), else
  /// 0.1.
  std::optional<double> dtMs = std::nullopt;
};

/// `@main` (or the only function) as a graph. Nodes have the names of their layers. NIR says
/// nothing of reset by subtraction, discretisation, encoding and decoding, so these are left out;
/// what it says otherwise or not at all is an error with the operation's place.
llvm::Expected<NirGraph> exportNir(mlir::ModuleOp module, const NirExportOptions &options);

} // namespace spindle
