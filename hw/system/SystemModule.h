// The circuit of a system: circuits of kernels, managers that start them, and the arrays between
// them.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "dialects/rtl/Rtl.h"
#include "hw/system/PortPlan.h"

#include "llvm/Support/Error.h"

namespace spindle::hls {

/// What is put together.
struct SystemParts {
  const TaskGraph &graph;
  const PortPlan &ports;
  /// By circuit.
  std::vector<const KernelInterface *> kernels;
  /// Of arrays, by array, as the kernels have it.
  std::vector<std::vector<DimensionPartition>> partitions;
  /// As the kernels have it.
  uint32_t readLatency = 1;
};

/// Appends a module with the interface of a kernel (start, idle, done, ports of `interface`) to a
/// design that holds the modules of all kernels.
///
/// Each task has a manager, an instance of the module `<top>_manager`: it begins the task's next
/// input where the tasks that it waits for are done and the task is granted its circuit and ports,
/// and counts the inputs that are done, by which others know. The grants are made beside them: none
/// while one that is excluded is at work, or could begin now with an earlier input, or the same
/// input and earlier in the program.
rtl::CircuitModuleOp addSystemModule(mlir::ModuleOp design, const SystemParts &parts,
                                     const KernelInterface &interface);

} // namespace spindle::hls
