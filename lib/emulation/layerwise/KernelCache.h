// Compiled kernels, kept for the next network of the same shapes.
#pragma once

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace spindle::layerwise {

/// Kernels of a module; they stay as long as somebody holds them.
class CompiledKernels {
public:
  using Kernel = void (*)(void **);
  /// Of a function of the module.
  Kernel find(const std::string &name) const { return kernels.at(name); }
  /// Takes the kernels of other functions.
  void add(CompiledKernels &&others);

  std::vector<std::unique_ptr<mlir::ExecutionEngine>> engines; // own the code
  std::map<std::string, Kernel> kernels;
};

/// Compiles a module for this processor, which lowers it, or gives the kernels of an equal one:
/// networks whose layers differ in weights alone have equal modules. The last ones are kept. May be
/// called from several threads; the context of the module must be one for several threads.
llvm::Expected<std::shared_ptr<CompiledKernels>> compileKernels(mlir::ModuleOp module);

} // namespace spindle::layerwise
