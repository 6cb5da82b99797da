#include "hw/hls/loops/analysis/DemandedBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::hls {

std::optional<unsigned> fixedShift(Operation *op, unsigned bits) {
  APInt by;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&by)) || by.uge(bits))
    return std::nullopt;
  return unsigned(by.getZExtValue());
}

DemandedBits::DemandedBits(ArrayRef<Operation *> inOrder) {
  for (Operation *op : llvm::reverse(inOrder)) // users before makers
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isSignlessInteger()) {
        unsigned &most = demanded[operand.get()];
        most = std::max(most, of(operand));
      }
}

unsigned DemandedBits::of(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  unsigned all = operand.get().getType().getIntOrFloatBitWidth();
  bool isFirst = operand.getOperandNumber() == 0;
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::OrIOp, arith::XOrIOp,
            arith::TruncIOp>([&](auto sum) { return of(sum.getResult()); })
      .Case([&](arith::AndIOp mask) {
        APInt kept;
        bool isMask = matchPattern(op->getOperand(isFirst ? 1 : 0), m_ConstantInt(&kept));
        return std::min(of(mask.getResult()), isMask ? kept.getActiveBits() : all);
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp>(
          [&](auto extended) { return std::min(of(extended.getResult()), all); })
      .Case([&](arith::SelectOp choice) { return isFirst ? all : of(choice.getResult()); })
      .Case([&](arith::ShLIOp shift) {
        std::optional<unsigned> by = fixedShift(op, all);
        unsigned out = of(shift.getResult());
        return !isFirst || !by ? all : out > *by ? out - *by : 1;
      })
      .Case<arith::ShRUIOp, arith::ShRSIOp>([&](auto shift) {
        std::optional<unsigned> by = fixedShift(op, all);
        return isFirst && by ? std::min(all, of(shift.getResult()) + *by) : all;
      })
      .Default([&](Operation *) { return all; });
}

} // namespace spindle::hls
