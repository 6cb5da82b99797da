#include "dialects/rtl/simulation/Semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using llvm::APInt;

namespace spindle::rtl {

using Operands = ArrayRef<APInt>;

static APInt compare(arith::CmpIOp op, const APInt &a, const APInt &b) {
  return APInt(1, arith::applyCmpPredicate(op.getPredicate(), a, b));
}

static APInt concat(unsigned width, Operands parts) {
  APInt joined = APInt::getZero(width);
  unsigned high = width;
  for (const APInt &part : parts) {
    high -= part.getBitWidth();
    joined.insertBits(part, high);
  }
  return joined;
}

static APInt oneHot(unsigned width, Operands operands) {
  size_t count = operands.size() / 2;
  APInt chosen = APInt::getZero(width);
  for (size_t i = 0; i < count; ++i)
    if (operands[i].isOne())
      chosen |= operands[count + i];
  return chosen;
}

/// Shifts by the width or more leave zeros, or copies of the sign.
static unsigned amount(const APInt &x, const APInt &by) {
  return unsigned(by.getLimitedValue(x.getBitWidth()));
}

APInt evaluate(Operation *op, Operands x) {
  unsigned width = widthOf(op->getResult(0));
  return llvm::TypeSwitch<Operation *, APInt>(op)
      .Case([](arith::ConstantOp constant) {
        return cast<IntegerAttr>(constant.getValue()).getValue();
      })
      .Case([&](arith::AddIOp) { return x[0] + x[1]; })
      .Case([&](arith::SubIOp) { return x[0] - x[1]; })
      .Case([&](arith::MulIOp) { return x[0] * x[1]; })
      .Case([&](arith::AndIOp) { return x[0] & x[1]; })
      .Case([&](arith::OrIOp) { return x[0] | x[1]; })
      .Case([&](arith::XOrIOp) { return x[0] ^ x[1]; })
      .Case([&](arith::ShLIOp) { return x[0].shl(amount(x[0], x[1])); })
      .Case([&](arith::ShRUIOp) { return x[0].lshr(amount(x[0], x[1])); })
      .Case([&](arith::ShRSIOp) { return x[0].ashr(amount(x[0], x[1])); })
      .Case([&](arith::CmpIOp comparison) { return compare(comparison, x[0], x[1]); })
      .Case([&](arith::SelectOp) { return x[0].isOne() ? x[1] : x[2]; })
      .Case([&](arith::ExtUIOp) { return x[0].zext(width); })
      .Case([&](arith::ExtSIOp) { return x[0].sext(width); })
      .Case([&](arith::TruncIOp) { return x[0].trunc(width); })
      .Case([&](ExtractOp extract) { return x[0].extractBits(width, extract.getLow()); })
      .Case([&](ConcatOp) { return concat(width, x); })
      .Case([&](ReplicateOp) { return APInt::getSplat(width, x[0]); })
      .Case([&](OneHotOp) { return oneHot(width, x); })
      .Case<WireOp, DelayOp>([&](auto) { return x[0]; }); // a delay of no stages
}

} // namespace spindle::rtl
