// A program in MLIR to a circuit: the one call that tools, systems of kernels and exploration
// share.
#pragma once

#include "core/kernel/DeviceArea.h"
#include "core/kernel/KernelInterface.h"
#include "dialects/hls/Hls.h"
#include "hw/hls/UnitVariants.h"
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
  UnitVariants variants;            // of kinds that are not named, the cost decides
  std::optional<DeviceArea> budget; // a circuit whose estimate is larger is refused
};

struct Synthesis {
  SynthesisOptions options;                  // with what the searches took
  mlir::OwningOpRef<mlir::ModuleOp> program; // in loop form; holds the kernel
  KernelOp kernel;                           // scheduled
  mlir::OwningOpRef<mlir::ModuleOp> design;  // the circuit, simplified; its last module is the top
  KernelInterface interface;                 // without sources: these are files; with its estimate
  std::optional<uint64_t> plainCycles;       // without unrolling, where factors were given
};

/// A context for programs (hw/program) and all that becomes of them.
std::unique_ptr<mlir::MLIRContext> makeSynthesisContext();

/// Prepares a copy of `program`, reshapes its loops, schedules, binds and makes the circuit. Of
/// units with variants the cost of the whole circuit decides, `options.variants` apart. Where the
/// factors of unrolling are searched, the circuit with the fewest cycles that fits is taken.
llvm::Expected<Synthesis> synthesize(mlir::ModuleOp program, const Target &target,
                                     const SynthesisOptions &options);

/// Factors of one loop that the search tries whether or not a trip count suggests them: as many as
/// there may be units of any kind; 8 where nothing is limited.
uint64_t mostSearched(const UnitLimits &limits);

/// The largest factor of unrolling that makes sense to ask for.
inline constexpr uint64_t kMostUnroll = 1024;

} // namespace spindle::hls
