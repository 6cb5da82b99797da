// A program in MLIR to a scheduled kernel: the stages of `synth` before the circuit.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/loops/LoopPipeline.h"
#include "hw/hls/lower/ScheduleKernel.h"
#include "hw/hls/prepare/Bindings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace spindle {

struct KernelSource {
  std::string text, path; // of the program
  std::string top;        // function; empty: the only public one
  hls::Bindings bind;
};

struct KernelOptions {
  hls::LoopOptions loops;
  hls::ScheduleOptions schedule;
};

struct CompiledKernel {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> program; // holds the kernel
  hls::KernelOp kernel;
  std::string function, top; // the function, and the module that computes it
  KernelOptions options;
  std::optional<uint64_t> cycles; // predicted
};

/// Prepares, reshapes the loops, schedules and binds.
llvm::Expected<CompiledKernel> compileKernel(const KernelSource &source, const hls::Target &target,
                                             const KernelOptions &options);

/// The same for every number of iterations side by side up to `most`, with and without joined
/// nests; the kernel with the fewest predicted cycles, of equals that with the fewest units.
llvm::Expected<CompiledKernel> searchKernel(const KernelSource &source, const hls::Target &target,
                                            const KernelOptions &options, uint64_t most);

} // namespace spindle
