// From NIR to a spiking network of the snn dialect: `@main(%sample) -> tensor<K x f32>`, encoded,
// populations in steps, decoded. Nothing has to be converted.
#pragma once

#include "lib/frontend/ModelOptions.h"
#include "lib/frontend/nir/NirGraph.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// `path` stands for the file in errors.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importNirGraph(mlir::MLIRContext &context,
                                                                 const NirGraph &graph,
                                                                 const std::string &path,
                                                                 const ModelOptions &options);

/// Reads the file and imports its graph.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importNir(mlir::MLIRContext &context,
                                                            const ModelOptions &options);

} // namespace spindle
