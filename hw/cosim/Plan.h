// What a co-simulation runs, and the values that it has to come to.
#pragma once

#include "hw/cosim/Circuit.h"

namespace spindle::hls {

/// The program that a kernel was made from, as it was written.
struct Program {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Golden> golden;
  std::vector<ProgramArgument> arguments;
};

/// Errors: files; a program that the kernel is not of.
llvm::Expected<Program> readOriginal(const std::string &folder, const KernelInterface &kernel);

/// The runs, what they start with and what they have to come to.
struct Plan {
  Stimulus stimulus;
  std::vector<size_t> compared;                 // indices of the runs that come to their end
  std::vector<std::vector<KernelArray>> inputs; // of the compared runs
  std::vector<Values> expected;
};

/// Runs on inputs of files or random ones. Errors: files; inputs that the program cannot run on.
llvm::Expected<Plan> makePlan(const Circuit &circuit, const Program &program,
                              const CosimOptions &options);

} // namespace spindle::hls
