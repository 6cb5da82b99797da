// Networks of our own on disk: MLIR text, or bytecode where there are many synapses.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace spindle {

/// A context that knows the dialects of 10-ann.mlir and 20-snn.mlir. Single-threaded: stages
/// parallelise themselves.
std::unique_ptr<mlir::MLIRContext> makeNetworkContext();

/// Parses and verifies a stage file; the error is the first diagnostic at file:line:column.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(mlir::MLIRContext &context,
                                                             const std::string &path);

llvm::Error writeModule(const std::string &path, mlir::ModuleOp module);

/// Whether a network runs in time as it is: NIR and network files hold such networks.
bool isSpiking(mlir::ModuleOp module);

} // namespace spindle
