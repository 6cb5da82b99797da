#include "hw/hls/prepare/indices/ExactIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
