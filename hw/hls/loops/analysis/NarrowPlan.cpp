#include "hw/hls/loops/analysis/NarrowPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::hls {

namespace {

unsigned signedBitsIn(const ConstantIntRanges &range) {
  return std::max(range.smin().getSignificantBits(), range.smax().getSignificantBits());
}
unsigned plainBitsIn(const ConstantIntRanges &range) {
  return std::max(1u, range.umax().getActiveBits());
}
unsigned bitsIn(Value value) { return value.getType().getIntOrFloatBitWidth(); }

/// Products and quotients have units for these sizes.
unsigned unitBits(unsigned bits) { return bits <= 8 ? 8 : unsigned(llvm::PowerOf2Ceil(bits)); }

std::optional<NarrowPlan> planShift(Operation *op, ValueRanges &ranges, NarrowForm form,
                                    unsigned out) {
  Value shifted = op->getOperand(0);
  unsigned bits = bitsIn(shifted);
  ConstantIntRanges of = ranges.bitsOf(shifted);
  bool isSigned = isa<arith::ShRSIOp>(op);
  if (isa<arith::ShLIOp>(op))
    bits = std::min(form.bits, out);
  else
    bits = isSigned ? signedBitsIn(of) : plainBitsIn(of);
  std::optional<unsigned> by = fixedShift(op, bitsIn(shifted));
  if (!isa<arith::ShLIOp>(op) && by && out + *by < bits)
    bits = out + *by;
  // What is shifted by all of its bits has no meaning.
  if (ranges.bitsOf(op->getOperand(1)).umax().uge(bits))
    return std::nullopt;
  return NarrowPlan{op, bits, isa<arith::ShLIOp>(op) ? form.isSigned : isSigned, false};
}

/// Of two numbers, by their order or by whether they are the same.
std::optional<NarrowPlan> planComparison(Operation *op, ValueRanges &ranges) {
  ConstantIntRanges a = ranges.bitsOf(op->getOperand(0)), b = ranges.bitsOf(op->getOperand(1));
  unsigned plain = std::max(plainBitsIn(a), plainBitsIn(b));
  unsigned withSign = std::max(signedBitsIn(a), signedBitsIn(b));
  bool isEquality = false, isUnsigned = isa<arith::MinUIOp, arith::MaxUIOp>(op);
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    isEquality = compare.getPredicate() == arith::CmpIPredicate::eq ||
                 compare.getPredicate() == arith::CmpIPredicate::ne;
    isUnsigned = compare.getPredicate() >= arith::CmpIPredicate::ult;
  }
  bool arePositive = a.smin().isNonNegative() && b.smin().isNonNegative();
  if (isUnsigned || arePositive || (isEquality && plain < withSign))
    return NarrowPlan{op, plain, false, !isEquality};
  return NarrowPlan{op, withSign, true, false};
}

/// A quotient by zero is all ones, however many there are.
std::optional<NarrowPlan> planQuotient(Operation *op, ValueRanges &ranges) {
  ConstantIntRanges a = ranges.bitsOf(op->getOperand(0)), b = ranges.bitsOf(op->getOperand(1));
  if (b.umin().isZero() && isa<arith::DivUIOp, arith::DivSIOp>(op))
    return std::nullopt;
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return NarrowPlan{op, unitBits(std::max(plainBitsIn(a), plainBitsIn(b))), false, false};
  unsigned bits =
      std::max({signedBitsIn(a), signedBitsIn(b), signedBitsIn(ranges.bitsOf(op->getResult(0)))});
  return NarrowPlan{op, unitBits(bits), true, false};
}

} // namespace

NarrowForm narrowFormOf(const ConstantIntRanges &range) {
  unsigned withSign = signedBitsIn(range), plain = plainBitsIn(range);
  return plain < withSign ? NarrowForm{plain, false} : NarrowForm{withSign, true};
}

std::optional<NarrowPlan> narrowPlanFor(Operation *op, ValueRanges &ranges,
                                        const DemandedBits &demanded) {
  NarrowForm form = narrowFormOf(ranges.bitsOf(op->getResult(0)));
  unsigned out = demanded.of(op->getResult(0)), bits = std::min(form.bits, out);
  bool isSigned = form.isSigned && form.bits <= out; // above what is looked at anything may stand
  auto plan =
      llvm::TypeSwitch<Operation *, std::optional<NarrowPlan>>(op)
          .Case<arith::AddIOp, arith::SubIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
                arith::SelectOp>([&](auto) { return NarrowPlan{op, bits, isSigned, false}; })
          .Case([&](arith::MulIOp) { return NarrowPlan{op, unitBits(bits), isSigned, false}; })
          .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(
              [&](auto) { return planShift(op, ranges, form, out); })
          .Case<arith::CmpIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
              [&](auto) { return planComparison(op, ranges); })
          .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
              [&](auto) { return planQuotient(op, ranges); })
          .Case([&](arith::TruncIOp) {
            return NarrowPlan{op, bitsIn(op->getResult(0)), false, false};
          })
          .Default([](Operation *) { return std::nullopt; });
  if (!plan)
    return std::nullopt;
  Value like = isa<arith::SelectOp>(op) ? op->getResult(0) : op->getOperand(0);
  bool isSmaller = like.getType().isSignlessInteger() && plan->bits < bitsIn(like);
  return isSmaller ? plan : std::nullopt;
}

} // namespace spindle::hls
