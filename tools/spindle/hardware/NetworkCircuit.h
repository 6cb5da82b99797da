// The circuit of a network's program, and what its layers take.
#pragma once

#include "core/kernel/KernelSchedule.h"
#include "hw/synthesis/Synthesis.h"
#include "lib/conversion/snn-to-loops/lanes/ChooseLanes.h"
#include "tools/spindle/flow/Flow.h"

namespace spindle {

struct NetworkCircuit {
  std::string text; // of the program
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> program;
  hls::Synthesis made;
  hls::KernelSchedule schedule;
  CircuitCost cost;
  std::map<std::string, std::vector<std::string>> tasks; // by layer
};

/// What has no place of its own is about a section of the flow.
llvm::Error inSection(llvm::Error error, const std::string &section);

/// The target of a flow, the default one where it names none. Errors: a file that is no target.
llvm::Expected<hls::Target> targetOf(const Flow &flow);

/// `path` is what places in the program are called by.
llvm::Expected<NetworkCircuit> makeCircuit(const LoopProgram &program, const hls::Target &target,
                                           const std::string &path);

} // namespace spindle
