// Programs taken through the whole way to the hls dialect, and what they have to compute.
#pragma once

#include "hw/hls/lower/ScheduleKernel.h"
#include "hw/hls/lower/kernel/BuildKernel.h"
#include "hw/program/Golden.h"

#include "dialects/hls/interpreter/Interpreter.h"

#include "mlir/IR/MLIRContext.h"

namespace spindle::hls {

/// A program twice: as written, and as a kernel beside it. Errors of the stages fail the test.
struct ScheduledKernel {
  explicit ScheduledKernel(const std::string &program, const ScheduleOptions &options = {});

  /// Everything up to the schedule, for tests that put a fault before it.
  void schedule(const ScheduleOptions &options = {});

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> original, module;
  std::string top;
  KernelOp kernel; // in module

protected:
  struct Unscheduled {};
  ScheduledKernel(const std::string &program, Unscheduled);
};

/// A kernel without a schedule.
struct BuiltKernel : ScheduledKernel {
  explicit BuiltKernel(const std::string &program) : ScheduledKernel(program, Unscheduled()) {}
};

/// The target of the repository's kernels.
const Target &zynqTarget();

/// Arguments of the golden function: floats between 0.5 and 2, integers between -8 and 8.
std::vector<KernelArray> randomArguments(const Golden &golden, uint64_t seed);

/// exp and pow of the units.
ElementaryFunctions unitFunctions();

/// The first difference, in words; empty where values are the same bit for bit.
std::string difference(const Values &found, const Values &expected);

} // namespace spindle::hls
