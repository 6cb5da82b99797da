// A lowered module as code of this processor, in memory.
#pragma once

#include "dialects/jit/Jit.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
}

namespace spindle::lanes {

class MachineCode {
public:
  /// Takes the addresses of its arguments.
  using Function = void (*)(void **);
  using Callee = jit::Callee;
  /// Fast: what is worth its time in code that runs once. Full: kernels.
  enum class Optimisation { Fast, Full };

  /// Compiles what lowerKernels lowered and looks up the functions of these names. Errors: a
  /// processor that LLVM does not know, code that LLVM refuses. May be called from several threads,
  /// for different modules.
  static llvm::Expected<MachineCode> compile(mlir::ModuleOp module,
                                             const std::vector<std::string> &names,
                                             Optimisation optimisation,
                                             const std::vector<Callee> &callees = {});
  MachineCode();
  MachineCode(MachineCode &&);
  MachineCode &operator=(MachineCode &&);
  ~MachineCode();

  /// Takes the functions of others, whose names differ.
  void add(MachineCode &&others);

  /// One of the names.
  Function find(const std::string &name) const { return functions.at(name); }

private:
  std::vector<std::unique_ptr<mlir::ExecutionEngine>> engines; // own the code
  std::map<std::string, Function> functions;
};

} // namespace spindle::lanes
