#include "hw/hls/prepare/indices/ExactIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::hls {

bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

bool looksAtHighBits(Operation *op) {
  return isDivision(op) || isa<arith::ShRSIOp, arith::ShRUIOp, arith::MinSIOp, arith::MinUIOp,
                               arith::MaxSIOp, arith::MaxUIOp>(op);
}

/// Counters have 32 bits, the last one is below the bound.
ExactIndices::ExactIndices(func::FuncOp kernel) : function(kernel) {
  constexpr IntegerRange counted{INT32_MIN, INT32_MAX - 1};
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
      Value counter = loop.getInductionVar();
      ranges.set(counter, common(counted, ranges.of(counter)));
    } else if (auto open = dyn_cast<scf::ForOp>(op)) {
      IntegerRange from = ranges.of(open.getLowerBound());
      ranges.set(open.getInductionVar(), common(counted, {from.least, INT64_MAX}));
    }
  });
}

bool ExactIndices::has(Value index) {
  if (auto found = known.find(index); found != known.end())
    return found->second;
  bool is = find(index);
  known[index] = is;
  return is;
}

/// An index that a loop counts to: no loop of a circuit counts beyond 32 bits.
static bool isBound(Value index) {
  return llvm::any_of(index.getUses(), [](OpOperand &use) {
    if (auto loop = dyn_cast<affine::AffineForOp>(use.getOwner()))
      return use.getOperandNumber() < loop.getNumControlOperands();
    return isa<scf::ForOp>(use.getOwner()) && use.getOperandNumber() < 2;
  });
}

bool ExactIndices::hasCondition(affine::AffineIfOp branch) {
  IntegerSet set = branch.getIntegerSet();
  ValueRange dims = branch.getOperands().take_front(set.getNumDims());
  ValueRange symbols = branch.getOperands().drop_front(set.getNumDims());
  bool isExact = true, isCounted = false;
  for (Value operand : branch.getOperands()) {
    isExact &= has(operand) || isBound(operand);
    isCounted |= isBound(operand);
  }
  return isExact && (isCounted || llvm::all_of(set.getConstraints(), [&](AffineExpr part) {
                       return ranges.of(part, dims, symbols).isKnown();
                     }));
}

bool ExactIndices::find(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op) // the caller's index has 64 bits, a counter has 32
    return index.getParentBlock() != &function.front();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    unsigned bits = op->getOperand(0).getType().getIntOrFloatBitWidth();
    return bits < 32 || (bits == 32 && isa<arith::IndexCastOp>(op));
  }
  if (!ranges.of(index).within(INT32_MIN, INT32_MAX))
    return false;
  if (isa<arith::AndIOp>(op) || matchPattern(op, m_Constant()))
    return true; // of a conjunction, low bits come from low bits
  bool isKept = isa<affine::AffineDialect>(op->getDialect()) ||
                isa<arith::AddIOp, arith::SubIOp, arith::SelectOp>(op) ||
                (looksAtHighBits(op) && !isDivision(op));
  return isKept && llvm::all_of(op->getOperands(), [&](Value operand) {
           return !operand.getType().isIndex() || has(operand);
         });
}

} // namespace spindle::hls
