#include "lib/emulation/layers/kernels/ReadCounts.h"

#include "lib/emulation/lanes/HostTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;

namespace spindle::layers {

using lanes::Array;
using lanes::KernelBuilder;
using lanes::kLanes;
using lanes::Number;

int64_t exactMultiples(float weight, int64_t most) {
  float sum = weight;
  for (int64_t k = 1; k < most; ++k) {
    sum += weight;
    if (sum != float(k + 1) * weight)
      return k;
  }
  return most;
}

/// Whether a count of a vector is above `exact`, which is one less than a power of two: other bits
/// say that a number is larger. They are looked at as integers, for the units of vectors are what
/// is short.
static Number isSomeAbove(KernelBuilder &b, Array place, const Counts &counts, int64_t exact) {
  int64_t bits = counts.areWide() ? 16 : 8, mask = 0;
  for (int64_t at = 0; at < 64; at += bits)
    mask |= int64_t((uint64_t(1) << bits) - 1 - uint64_t(exact)) << at;
  Array words = place.as(b.integer(64));
  Number all = words.load();
  for (int64_t word = 1; word < kLanes * bits / 64; ++word)
    all = all | words[word];
  return (all & mask) != 0;
}

/// Weight after weight, as often as the largest count says.
static Value addUp(KernelBuilder &b, Value numbers, float weight) {
  VectorType wide = cast<VectorType>(numbers.getType());
  Value most = b.make<vector::ReductionOp>(vector::CombiningKind::MAXUI, numbers);
  Value end = b.make<arith::IndexCastUIOp>(b.ops().getIndexType(), most);
  return b.reduceBetween(b.index(0), end, {b.splat(0)}, [&](ValueRange k, ValueRange sums) {
    Value number = b.make<arith::IndexCastOp>(wide.getElementType(), k[0]);
    Value isMore = b.make<arith::CmpIOp>(arith::CmpIPredicate::ugt, numbers, b.broadcast(number));
    Value more = b.make<arith::AddFOp>(sums[0], b.splat(weight));
    return KernelBuilder::Values{b.make<arith::SelectOp>(isMore, more, sums[0])};
  })[0];
}

/// From a table of sums in two registers.
static Value lookUp(KernelBuilder &b, Value numbers, float weight) {
  VectorType type = b.lanesOf(b.ops().getF32Type());
  std::vector<float> sums(size_t(2 * kLanes), 0);
  for (size_t k = 1; k < sums.size(); ++k)
    sums[k] = sums[k - 1] + weight;
  auto half = [&](int64_t first) {
    return b.make<arith::ConstantOp>(
        DenseElementsAttr::get(type, ArrayRef(sums).slice(size_t(first), size_t(kLanes))));
  };
  auto permute = b.ops().getStringAttr("llvm.x86.avx512.vpermi2var.ps.512");
  return LLVM::CallIntrinsicOp::create(b.ops(), b.ops().getUnknownLoc(), type, permute,
                                       ValueRange{half(0), numbers, half(kLanes)})
      .getResult(0);
}

static Number multiply(Number numbers, float weight) {
  Number product = numbers.toFloat() * weight;
  return std::signbit(weight) ? product + 0 : product; // a sum of nothing is +0
}

Value takeCounts(KernelBuilder &b, size_t buffer, const Counts &counts, Value n) {
  bool looksUp = lanes::isWide();
  int64_t exact = looksUp ? 2 * kLanes - 1 : exactMultiples(counts.weight, counts.most);
  if (exact < counts.most)
    exact = int64_t(llvm::bit_floor(uint64_t(exact) + 1)) - 1;
  Number vector(b, b.make<arith::IndexCastOp>(b.integer(64), n));
  Array place = b.array(buffer, b.integer(counts.areWide() ? 16 : 8)) + vector * kLanes;
  std::optional<Number> someAbove;
  if (exact < counts.most)
    someAbove = isSomeAbove(b, place, counts, exact);
  Number found = place.aligned(), numbers = found.resized(32);
  place.storeAligned(found.like(0));
  Value sum = looksUp ? lookUp(b, numbers.value(), counts.weight)
                      : multiply(numbers, counts.weight).value();
  if (!someAbove)
    return sum;
  return b.branch(
      someAbove->value(), sum.getType(), [&] { return addUp(b, numbers.value(), counts.weight); },
      [&] { return sum; });
}

} // namespace spindle::layers
