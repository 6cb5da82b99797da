// Quotients and remainders by powers of two, which are wires and at most an adder.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// x / 2^k rounds towards zero: a negative x gets 2^k - 1 more before it is shifted.
struct Shifts {
  ImplicitLocOpBuilder &b;
  Value x;
  unsigned power;
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();

  Value number(const APInt &value) const {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }
  Value amount(unsigned by) const { return number(APInt(width, by)); }
  Value mask() const { return number(APInt::getLowBitsSet(width, power)); }
  Value added() const {
    Value signs = arith::ShRSIOp::create(b, x, amount(width - 1));
    return arith::AndIOp::create(b, signs, mask());
  }

  Value unsignedQuotient() const { return arith::ShRUIOp::create(b, x, amount(power)); }
  Value unsignedRemainder() const { return arith::AndIOp::create(b, x, mask()); }
  Value quotient(bool isNegative) const {
    Value sum = power ? arith::AddIOp::create(b, x, added()).getResult() : x;
    Value quotient = power ? arith::ShRSIOp::create(b, sum, amount(power)).getResult() : sum;
    return isNegative ? arith::SubIOp::create(b, amount(0), quotient).getResult() : quotient;
  }
  Value remainder() const {
    if (power == 0)
      return amount(0);
    Value more = added();
    Value low = arith::AndIOp::create(b, arith::AddIOp::create(b, x, more), mask());
    return arith::SubIOp::create(b, low, more);
  }
};

/// Null where the operation stays.
Value byShifts(Operation *op) {
  APInt divisor;
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  if (!isUnsigned && !isa<arith::DivSIOp, arith::RemSIOp>(op))
    return {};
  if (!op->getResult(0).getType().isInteger() ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
    return {};
  bool isNegative = !isUnsigned && divisor.isNegative();
  APInt magnitude = isNegative ? -divisor : divisor;
  if (!magnitude.isPowerOf2() || (!isUnsigned && magnitude.isNegative()))
    return {};
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value x = op->getOperand(0);
  Shifts shifts{b, x, magnitude.logBase2()};
  bool isQuotient = isa<arith::DivUIOp, arith::DivSIOp>(op);
  bool isNatural = isUnsigned || (!isNegative && integerRangeOf(x).least >= 0);
  if (isNatural)
    return isQuotient ? shifts.unsignedQuotient() : shifts.unsignedRemainder();
  return isQuotient ? shifts.quotient(isNegative) : shifts.remainder();
}

} // namespace

LogicalResult divideByShifts(func::FuncOp top) {
  SmallVector<Operation *> divisions;
  top.walk([&](Operation *op) { divisions.push_back(op); });
  for (Operation *op : divisions)
    if (Value result = byShifts(op)) {
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  return success();
}

} // namespace spindle::hls
