// Writes operations, loops and branches into a kernel: what the builders of both compiled engines
// share.
#pragma once

#include "lib/emulation/lanes/KernelModule.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spindle::lanes {

class LoopBuilder {
public:
  explicit LoopBuilder(mlir::MLIRContext &context);

  using Values = llvm::SmallVector<mlir::Value>;
  using SumBody = llvm::function_ref<Values(mlir::ValueRange, mlir::ValueRange)>;
  /// A loop over first, first + step, … below `end` that carries sums in registers:
  /// `body(index, sums)` gives the sums after it.
  Values reduceBetween(mlir::Value first, mlir::Value end, mlir::Value step, Values sums,
                       SumBody body);
  /// Works `body` where the condition holds.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// The value of one of two branches, of which only that one is worked.
  mlir::Value branch(mlir::Value condition, mlir::Type type, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise);

  template <typename Op, typename... Args> Op emit(Args &&...args) {
    return Op::create(builder, builder.getUnknownLoc(), std::forward<Args>(args)...);
  }
  /// The result of an operation that has one.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return emit<Op>(std::forward<Args>(args)...);
  }
  mlir::Type f32() { return builder.getF32Type(); }
  mlir::Type integer(int64_t bits) { return builder.getIntegerType(unsigned(bits)); }
  mlir::VectorType lanesOf(mlir::Type element, int64_t lanes = kLanes) {
    return mlir::VectorType::get({lanes}, element);
  }
  mlir::OpBuilder &ops() { return builder; }

protected:
  mlir::OpBuilder builder;
};

} // namespace spindle::lanes
