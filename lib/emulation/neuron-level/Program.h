// A function of the neuron level checked once, so that interpreter and engine walk it without
// doubt.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/emulation/neuron-level/Values.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace spindle::neuron_level {

struct Program {
  mlir::func::FuncOp entry;
  std::vector<mlir::func::FuncOp> functions; // entry last, callees before callers
};

/// Checks that `name` and all it calls are single blocks of operations that both engines know:
/// those of the neuron level, linear synapses on tensors, tensor.cast and tensor.extract,
/// arith.constant, func.call without recursion. The module must outlive the result.
llvm::Expected<Program> readProgram(mlir::ModuleOp module, llvm::StringRef name);

/// The function that a call names; readProgram has seen it.
mlir::func::FuncOp calleeOf(mlir::func::CallOp call);

/// Checks one argument or result against its type: kind, rank and static extents.
llvm::Error checkValue(const Value &value, mlir::Type type, const std::string &what);

/// file:line:column of an operation, or its name.
std::string placeOrNameOf(mlir::Operation *op);

} // namespace spindle::neuron_level
