// LLVM's just-in-time compiler, whose headers are heavy, for modules in the LLVM dialect: set up
// here and nowhere else.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/CodeGen.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
namespace orc {
class JITTargetMachineBuilder;
}
} // namespace llvm
namespace mlir {
class ExecutionEngine;
}

namespace spindle::jit {

/// A function of ours that compiled code calls by name. Its arguments have 32 bits or more: that
/// code extends none of fewer.
struct Callee {
  std::string name;
  void *address;
};

struct Options {
  unsigned level = 2;                              // of LLVM's passes, 0 to 3
  std::optional<llvm::CodeGenOptLevel> generation; // of code, where the target does not say it
  std::vector<Callee> callees;
};

/// This processor with all its features that round as IEEE 754 does, for code generated at `level`.
/// Products and sums are never fused: their rounding is part of the semantics. Any thread may ask.
/// Errors: a processor that LLVM does not know.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostBuilder(llvm::CodeGenOptLevel level);

/// What a context must know before its modules are compiled. No other thread may use it meanwhile.
void registerTranslations(mlir::MLIRContext &context);

/// The module, optimised for `target`. The first look-up of a function generates the code. Errors:
/// code that LLVM refuses. May be called from several threads, for different modules.
llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
makeEngine(mlir::ModuleOp module, std::unique_ptr<llvm::TargetMachine> target,
           const Options &options);

} // namespace spindle::jit
