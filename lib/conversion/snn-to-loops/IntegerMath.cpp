#include "lib/conversion/snn-to-loops/IntegerMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::snn_to_loops {

static unsigned widthOf(Value value) { return value.getType().getIntOrFloatBitWidth(); }

Value IntegerMath::resize(Value value, unsigned bits) const {
  if (bits == widthOf(value))
    return value;
  Type type = program.integer(bits);
  if (bits < widthOf(value))
    return arith::TruncIOp::create(point.builder, point.location, type, value);
  return arith::ExtSIOp::create(point.builder, point.location, type, value);
}

Value IntegerMath::constant(Value like, int64_t value) const {
  return program.constant(cast<IntegerType>(like.getType()), value);
}

Value IntegerMath::add(Value a, Value b) const {
  return arith::AddIOp::create(point.builder, point.location, a, b);
}

Value IntegerMath::subtract(Value a, Value b) const {
  return arith::SubIOp::create(point.builder, point.location, a, b);
}

Value IntegerMath::select(Value condition, Value a, Value b) const {
  return arith::SelectOp::create(point.builder, point.location, condition, a, b);
}

Value IntegerMath::isAtLeast(Value a, Value b) const {
  return arith::CmpIOp::create(point.builder, point.location, arith::CmpIPredicate::sge, a, b);
}

/// Digits −1, 0 and 1 with as few others than zero as possible: no two stand side by side
/// (canonical signed digits, Reitwiesner 1960). They are added as a tree.
Value IntegerMath::scale(Value value, int64_t factor) const {
  struct Term {
    Value amount;
    bool isNegative;
  };
  SmallVector<Term> terms;
  for (unsigned shift = 0; factor != 0; ++shift, factor >>= 1) {
    if ((factor & 1) == 0)
      continue;
    bool isNegative = (factor & 3) == 3;
    factor -= isNegative ? -1 : 1;
    Value term = shift == 0 ? value
                            : arith::ShLIOp::create(point.builder, point.location, value,
                                                    constant(value, shift))
                                  .getResult();
    terms.push_back({term, isNegative});
  }
  if (terms.empty())
    return constant(value, 0);
  while (terms.size() > 1) {
    SmallVector<Term> sums;
    for (size_t n = 0; n + 1 < terms.size(); n += 2) {
      auto [a, aIsNegative] = terms[n];
      auto [b, bIsNegative] = terms[n + 1];
      if (aIsNegative == bIsNegative)
        sums.push_back({add(a, b), aIsNegative});
      else
        sums.push_back({aIsNegative ? subtract(b, a) : subtract(a, b), false});
    }
    if (terms.size() % 2 == 1)
      sums.push_back(terms.back());
    terms = std::move(sums);
  }
  Value sum = terms.front().amount;
  return terms.front().isNegative ? subtract(constant(value, 0), sum) : sum;
}

Value IntegerMath::divide(Value value, unsigned bits) const {
  Value zero = constant(value, 0);
  Value correction =
      select(isAtLeast(value, zero), zero, constant(value, (int64_t(1) << bits) - 1));
  return arith::ShRSIOp::create(point.builder, point.location, add(value, correction),
                                constant(value, bits));
}

/// Multipliers exist in some widths.
Value IntegerMath::multiply(Value a, Value b, unsigned bits) const {
  unsigned least = std::max({bits, widthOf(a), widthOf(b)}), width = 8;
  while (width < least)
    width *= 2;
  Value product =
      arith::MulIOp::create(point.builder, point.location, resize(a, width), resize(b, width));
  return resize(product, bits);
}

Value IntegerMath::clamp(Value value, int64_t least, int64_t most) const {
  Value low = arith::MaxSIOp::create(point.builder, point.location, value, constant(value, least));
  return arith::MinSIOp::create(point.builder, point.location, low, constant(value, most));
}

} // namespace spindle::snn_to_loops
