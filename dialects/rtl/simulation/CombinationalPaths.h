// Which values depend on which in the same cycle.
#pragma once

#include "dialects/rtl/Rtl.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace spindle::rtl {

/// Paths from inputs to outputs of modules, found once each.
class CombinationalPaths {
public:
  /// Whether instances of `rtl.module` are looked into; those of `rtl.extern` always tell.
  explicit CombinationalPaths(bool looksIntoModules) : intoModules(looksIntoModules) {}

  /// The values that `value` depends on in the same cycle, directly: none for ports, registers,
  /// delays, memories, machines.
  llvm::SmallVector<mlir::Value> dependencies(mlir::Value value);

private:
  /// Per output of a module, the indices of the inputs it depends on.
  using Paths = std::vector<std::vector<unsigned>>;
  const Paths &pathsOf(mlir::Operation *module);
  std::vector<unsigned> inputsReaching(mlir::Value output);

  bool intoModules;
  llvm::DenseMap<mlir::Operation *, Paths> known;
};

/// module_c3 within one module. Emits an error with the cycle as notes.
mlir::LogicalResult verifyNoCombinationalCycle(CircuitModuleOp module);

/// What needs all modules at once: no module instantiates itself, and no combinational cycle runs
/// through instances. Linear in the size.
mlir::LogicalResult verifyDesign(mlir::ModuleOp design);

} // namespace spindle::rtl
