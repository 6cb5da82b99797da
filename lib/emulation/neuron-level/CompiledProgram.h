// A program of the neuron level compiled for this processor.
#pragma once

#include "lib/emulation/lanes/MachineCode.h"
#include "lib/emulation/neuron-level/Program.h"

#include <memory>

namespace spindle::neuron_level {

/// Neurons are machine code, one function for each set of parameters; what moves whole trains are
/// calls of the runtime. Results are those of `interpret`, bit for bit, and so are its errors.
class CompiledProgram {
public:
  /// `program` must outlive the result.
  static llvm::Expected<std::unique_ptr<CompiledProgram>> compile(const Program &program);

  llvm::Expected<std::vector<Value>> run(std::vector<Value> arguments) const;

private:
  explicit CompiledProgram(const Program &source) : program(source) {}

  const Program &program;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<mlir::Operation *> operations; // that the code names by position
  lanes::MachineCode code;
};

} // namespace spindle::neuron_level
