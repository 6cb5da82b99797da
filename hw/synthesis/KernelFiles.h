// The folder that `synth` writes.
#pragma once

#include "core/kernel/KernelSchedule.h"
#include "hw/synthesis/Synthesis.h"

#include <set>

namespace spindle::hls {

/// The hand-written modules that a kernel's circuit instances.
std::set<std::string> unitModules(KernelOp kernel);

/// Writes <top>.sv, units/ with the sources of `modules`, contents/ with large constant arrays,
/// original.mlir with the text of the program, and kernel.json; the interface gets its sources.
llvm::Error writeCircuitFiles(const std::string &folder, mlir::ModuleOp design,
                              const std::set<std::string> &modules, KernelInterface &interface,
                              const std::string &program);

/// Writes <top>.sv, units/, contents/ with large constant arrays, original.mlir with the text of
/// the program, scheduled.mlir and kernel.json; the interface gets its sources.
llvm::Error writeKernelFiles(const std::string &folder, Synthesis &made,
                             const std::string &program);

/// Writes schedule.json, whose bounds are those of the units that were allowed.
llvm::Expected<KernelSchedule> writeSchedule(const std::string &folder, const Synthesis &made,
                                             const Target &target);

} // namespace spindle::hls
