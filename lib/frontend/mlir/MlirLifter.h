// Walks a function forward and rebuilds it out of the operations of AnnBuilder. Each SSA value is
// known as a Tensor, a constant or an activation. The scalars in the region of an element-wise
// operation are treated as the tensors that they run over, so one rule serves `arith.addf` on
// tensors and in regions.
#pragma once

#include "lib/frontend/AnnBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>

namespace spindle {

class MlirLifter {
public:
  MlirLifter(AnnBuilder &graph, std::string file) : builder(graph), path(std::move(file)) {}

  /// The result of a function whose arguments have these values.
  llvm::Expected<Tensor> lift(mlir::func::FuncOp function, const std::vector<Tensor> &arguments);
  /// The operations of a block but its terminator.
  llvm::Error liftBody(mlir::Block &block);

  void bind(mlir::Value value, Tensor tensor) { values[value] = std::move(tensor); }
  llvm::Expected<Tensor> lookup(mlir::Value value) const;
  /// Static shape of a type; that of an activation with a batch of one.
  llvm::Expected<Shape> shapeOf(mlir::Type type, bool isActivation) const;
  /// Points errors and new operations at `op`.
  void enter(mlir::Operation *op);
  llvm::Error refuse(const std::string &message) const { return builder.refuse(message); }

  AnnBuilder &builder;

private:
  llvm::Expected<Tensor> liftOperation(mlir::Operation *op);
  llvm::Expected<Tensor> liftCall(mlir::func::CallOp call);

  std::string path;
  llvm::DenseMap<mlir::Value, Tensor> values; // looked up only, never iterated
  int depth = 0;                              // of calls
};

/// How one operation is lifted.
struct LiftRule {
  std::string operation;
  std::function<llvm::Expected<Tensor>(MlirLifter &, mlir::Operation *)> lift;
};

template <typename Op> LiftRule rule(llvm::Expected<Tensor> (*lift)(MlirLifter &, Op)) {
  return {Op::getOperationName().str(), [lift](MlirLifter &lifter, mlir::Operation *op) {
            return lift(lifter, mlir::cast<Op>(op));
          }};
}

/// An operation of two operands, of one kind of arithmetic.
template <typename Op, Arithmetic kind>
llvm::Expected<Tensor> liftArithmetic(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor a, lifter.lookup(op->getOperand(0)));
  SPINDLE_ASSIGN(Tensor b, lifter.lookup(op->getOperand(1)));
  return lifter.builder.arithmetic(kind, a, b);
}

/// A function of constants; an activation is refused.
template <typename Op, double (*function)(double)>
llvm::Expected<Tensor> liftFunction(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op->getOperand(0)));
  return lifter.builder.evaluate(Op::getOperationName().str(), x, function);
}

inline double inverseRoot(double x) { return 1 / std::sqrt(x); }

/// The rules of each dialect, in the file of their concern.
std::vector<LiftRule> arithRules();             // LiftArith.cpp
std::vector<LiftRule> tensorRules();            // LiftTensor.cpp
std::vector<LiftRule> linalgElementwiseRules(); // LiftLinalgElementwise.cpp
std::vector<LiftRule> linalgSumRules();         // LiftLinalgSums.cpp
std::vector<LiftRule> tosaRules();              // LiftTosa.cpp

/// Sums over loops, the region of which adds the input to the destination (LiftLinalgSums.cpp).
llvm::Expected<Tensor> liftSumOverLoops(MlirLifter &lifter, mlir::Operation *op);

/// The values of an elements attribute; fails where its storage is absent or of another element
/// type.
llvm::Expected<Tensor> constantOf(const MlirLifter &lifter, mlir::Attribute attribute);

/// Images batch, row, column, channel to batch, channel, row, column, and back.
inline const Shape channelsFirst = {0, 3, 1, 2}, channelsLast = {0, 2, 3, 1};

} // namespace spindle
