// From a network file to a spiking network of the snn dialect: `@main(%sample) -> tensor<K x f32>`,
// sources encoded, populations in steps. Nothing has to be converted.
#pragma once

#include "lib/frontend/ModelOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Reads the file (docs/formats/network.md) and makes its synapses. A module whose input nothing
/// reads drives itself. The attribute `snn.dt_ms` of the module is the duration of a step.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importNetwork(mlir::MLIRContext &context,
                                                                const ModelOptions &options);

} // namespace spindle
