// What an operation of a loop body costs on a target: its unit, its cycles and its delays.
#pragma once

#include "hw/hls/Target.h"
#include "hw/hls/schedule/problem/Problem.h"

#include "mlir/IR/Operation.h"

#include <functional>

namespace spindle::hls {

/// Whether an operation is too large for plain logic: arithmetic on floats, conversions, and
/// products and quotients of integers. Indices, choices and signs are logic; of products with
/// constants `unitFor` knows more.
bool needsUnit(mlir::Operation *op);

/// Bits of two's complement that hold an integer; absent where nothing is known of values.
using SignedBits = std::function<unsigned(mlir::Value)>;

/// The type by which a target lists the unit for an operation: that of the operands, `f64`; of a
/// conversion with that of the result, `i32_f64`.
std::string unitType(mlir::Operation *op);

/// The unit that makes the result of an operation; null where it needs none or the target has none.
/// A product of narrow factors may have a narrow unit; one with a constant needs none where shifts
/// and adds are cheaper (ConstantProduct.h), which `isShiftedSum` says.
const FunctionalUnit *unitFor(mlir::Operation *op, const Target &target,
                              const SignedBits &signedBits = {});
bool isShiftedSum(mlir::Operation *op, const Target &target, const SignedBits &signedBits = {});

/// Puts the factors of a product into the order that its unit takes them in.
void orderOperands(mlir::Operation *op, const FunctionalUnit &unit, const SignedBits &signedBits);

/// What is known of a body beside its operations.
struct CostRules {
  const Target &target;
  std::function<unsigned(mlir::Value)> indexBits; // width of a value without one of its own
  bool sharesUnits = false;                       // a multiplexer stands before each unit
  SignedBits signedBits = {};                     // where values are known to be small
};

/// Of an operation that is no access. `unitFor` says of whom the cost is.
OperatorType costOf(mlir::Operation *op, const CostRules &rules);

/// Of a load or a store; registers are read at once.
OperatorType accessCost(bool isStore, bool isRegister, const BlockMemory &memory);

} // namespace spindle::hls
