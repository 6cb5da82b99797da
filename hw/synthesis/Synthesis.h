// A program in MLIR to a circuit: the one call that tools, systems of kernels and exploration
// share.
#pragma once

#include "core/kernel/DeviceArea.h"
#include "core/kernel/KernelInterface.h"
#include "dialects/hls/Hls.h"
#include "hw/hls/loops/LoopPasses.h"
#include "hw/hls/lower/ScheduleKernel.h"
#include "hw/hls/prepare/Bindings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace spindle::hls {

struct SynthesisOptions {
  std::string top; // function; empty: the only public one
  Bindings bind;
  LoopOptions loops; // `unroll` empty: the factor is searched
  ScheduleOptions schedule;
  std::optional<DeviceArea> budget; // a circuit whose estimate is larger is refused
};

struct Synthesis {
  SynthesisOptions options;                  // with the factors and steps that the search took
  mlir::OwningOpRef<mlir::ModuleOp> program; // in loop form; holds the kernel
  KernelOp kernel;                           // scheduled
  mlir::OwningOpRef<mlir::ModuleOp> design;  // the circuit, simplified; its last module is the top
  KernelInterface interface;                 // without sources: these are files; with its estimate
};

/// A context for programs (hw/program) and all that becomes of them.
std::unique_ptr<mlir::MLIRContext> makeSynthesisContext();

/// Prepares a copy of `program`, reshapes its loops, schedules, binds and makes the circuit. Where
/// the factor of unrolling is searched, every number of iterations side by side up to
/// `mostSearched` is tried, with and without joined nests: the kernel with the fewest predicted
/// cycles is taken, of equals that with the fewest units.
llvm::Expected<Synthesis> synthesize(mlir::ModuleOp program, const Target &target,
                                     const SynthesisOptions &options);

/// As many iterations side by side as there may be units of any kind; 8 where nothing is limited.
uint64_t mostSearched(const UnitLimits &limits);

/// The largest factor of unrolling that makes sense to ask for.
inline constexpr uint64_t kMostUnroll = 1024;

} // namespace spindle::hls
