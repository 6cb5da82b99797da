// Compiled kernels, kept for the next network of the same shapes.
#pragma once

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace spindle::layerwise {

/// Kernels of a module; they stay as long as somebody holds them.
class CompiledKernels {
public:
  using Kernel = void (*)(void **);
  explicit CompiledKernels(std::unique_ptr<mlir::ExecutionEngine> made) : engine(std::move(made)) {}
  llvm::Expected<Kernel> find(const std::string &name) const { return engine->lookupPacked(name); }

private:
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

/// Compiles a module for this processor, which lowers it, or gives the kernels of an equal one:
/// networks whose layers differ in weights alone have equal modules. The last ones are kept. May be
/// called from several threads.
llvm::Expected<std::shared_ptr<CompiledKernels>> compileKernels(mlir::ModuleOp module);

} // namespace spindle::layerwise
