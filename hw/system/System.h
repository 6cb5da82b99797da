// A program as a system of kernels: found, shared, and joined to one circuit.
#pragma once

#include "hw/synthesis/Synthesis.h"
#include "hw/system/PredictSystem.h"

namespace spindle::hls {

struct SystemOptions {
  SystemKind kind = SystemKind::Centralised;
  std::string share = "auto"; // launches that share a circuit: auto (where that costs no time),
                              // all, none
  int64_t groups = 0;         // launches at most; 0: one for each operation (system-search)
  bool startsEarly = true;    // tasks of a dataflow system, where that is proven (EarlyStart.h)
  bool hasInputs = false;     // the program's outermost loop goes through successive inputs
  bool streamsInputs = false; // with inputs: arguments with a part for each input are streams
  SynthesisOptions kernels;   // of the program; `top` is its function
};

/// To those who use it, a system is a kernel: `interface` and the design's last module have the
/// ports and rules of one.
struct SystemSynthesis {
  mlir::OwningOpRef<mlir::ModuleOp> program; // in the system dialect, after system-dispatch
  TaskGraph graph;
  std::vector<Synthesis> kernels; // each once; their designs are part of `design`
  std::vector<size_t> kernelOf;   // by circuit
  PortPlan ports;
  mlir::OwningOpRef<mlir::ModuleOp> design;
  KernelInterface interface; // with its estimate; without sources
  /// None where a kernel has no predicted cycles; of streams that make nobody wait.
  std::optional<SystemTimes> times;
  std::vector<std::string> remarks; // why arguments are no streams, with their places
};

/// Prepares a copy of `program`, divides it into tasks, synthesises each kernel by itself, and
/// joins them. Kernels that share an array divide it into the same banks, those that the first of
/// them takes. Errors: what hls-prepare, the passes of the system dialect and `synthesize` refuse;
/// an array for which two kernels ask for different banks.
llvm::Expected<SystemSynthesis> synthesizeSystem(mlir::ModuleOp program, const Target &target,
                                                 const SystemOptions &options);

/// A context for programs and all that becomes of them, systems too.
std::unique_ptr<mlir::MLIRContext> makeSystemContext();

} // namespace spindle::hls
