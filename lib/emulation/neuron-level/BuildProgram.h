// From a program to a module of func, scf, arith and llvm.
#pragma once

#include "lib/emulation/neuron-level/Program.h"

#include "mlir/IR/OwningOpRef.h"

namespace spindle::neuron_level {

struct ProgramCode {
  mlir::OwningOpRef<mlir::ModuleOp> module;  // @run(pointer to NeuronRuntime)
  std::vector<mlir::Operation *> operations; // that the code names by position
};

ProgramCode buildProgram(const Program &program, mlir::MLIRContext &context);

} // namespace spindle::neuron_level
