#include "lib/emulation/layers/kernels/ReadCounts.h"

#include "lib/emulation/lanes/HostTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;

namespace spindle::layers {

using lanes::KernelBuilder;
using lanes::kLanes;

int64_t exactMultiples(float weight, int64_t most) {
  float sum = weight;
  for (int64_t k = 1; k < most; ++k) {
    sum += weight;
    if (sum != float(k + 1) * weight)
      return k;
  }
  return most;
}

static Value splat(KernelBuilder &b, VectorType type, int64_t value) {
  return b.make<arith::ConstantOp>(
      DenseElementsAttr::get(type, b.ops().getIntegerAttr(type.getElementType(), value)));
}

namespace {

/// The counts of a vector, in 32 bits, and whether one is above `exact`; zeros stay.
struct Taken {
  Value numbers;
  Value someAbove; // none where all counts are exact
};

} // namespace

/// `exact` is one less than a power of two: other bits say that a number is larger. They are looked
/// at as integers, for the units of vectors are what is short.
static Value someAbove(KernelBuilder &b, Value place, const Counts &counts, int64_t exact) {
  int64_t bits = counts.areWide() ? 16 : 8, mask = 0;
  for (int64_t at = 0; at < 64; at += bits)
    mask |= int64_t((uint64_t(1) << bits) - 1 - uint64_t(exact)) << at;
  Value all;
  for (int64_t word = 0; word < kLanes * bits / 64; ++word) {
    Value from = b.make<LLVM::GEPOp>(place.getType(), b.ops().getI64Type(), place,
                                     ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(word))});
    Value found = b.make<LLVM::LoadOp>(b.ops().getI64Type(), from);
    all = all ? b.make<arith::OrIOp>(all, found) : found;
  }
  auto constant = [&](int64_t value) {
    return b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(value));
  };
  Value above = b.make<arith::AndIOp>(all, constant(mask));
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, above, constant(0));
}

static Taken take(KernelBuilder &b, size_t buffer, const Counts &counts, Value n, int64_t exact) {
  Type count = counts.areWide() ? b.ops().getI16Type() : b.ops().getI8Type();
  VectorType narrow = b.lanesOf(count);
  auto pointer = LLVM::LLVMPointerType::get(b.ops().getContext());
  Value base = b.make<LLVM::IntToPtrOp>(pointer, b.address(buffer));
  Value at = b.make<arith::IndexCastOp>(b.ops().getI64Type(), b.at({{n, kLanes}}));
  Value place = b.make<LLVM::GEPOp>(pointer, count, base, ArrayRef<LLVM::GEPArg>{at});
  Location location = b.ops().getUnknownLoc();
  auto alignment = unsigned(kLanes * (counts.areWide() ? 2 : 1));
  Taken taken;
  if (exact < counts.most)
    taken.someAbove = someAbove(b, place, counts, exact);
  Value found = LLVM::LoadOp::create(b.ops(), location, narrow, place, alignment);
  LLVM::StoreOp::create(b.ops(), location, splat(b, narrow, 0), place, alignment);
  taken.numbers = b.make<arith::ExtUIOp>(b.lanesOf(b.ops().getI32Type()), found);
  return taken;
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

static Value multiply(KernelBuilder &b, Value numbers, float weight) {
  Value floats = b.make<arith::SIToFPOp>(b.lanesOf(b.ops().getF32Type()), numbers);
  Value product = b.make<arith::MulFOp>(floats, b.splat(weight));
  if (std::signbit(weight)) // a sum of nothing is +0
    product = b.make<arith::AddFOp>(product, b.splat(0));
  return product;
}

Value takeCounts(KernelBuilder &b, size_t buffer, const Counts &counts, Value n) {
  bool looksUp = lanes::isWide();
  int64_t exact = looksUp ? 2 * kLanes - 1 : exactMultiples(counts.weight, counts.most);
  if (exact < counts.most)
    exact = int64_t(llvm::bit_floor(uint64_t(exact) + 1)) - 1;
  Taken taken = take(b, buffer, counts, n, exact);
  Value sum =
      looksUp ? lookUp(b, taken.numbers, counts.weight) : multiply(b, taken.numbers, counts.weight);
  if (!taken.someAbove)
    return sum;
  Location location = b.ops().getUnknownLoc();
  auto branch = scf::IfOp::create(b.ops(), location, sum.getType(), taken.someAbove, true);
  OpBuilder::InsertionGuard guard(b.ops());
  b.ops().setInsertionPointToStart(&branch.getThenRegion().front());
  scf::YieldOp::create(b.ops(), location, addUp(b, taken.numbers, counts.weight));
  b.ops().setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(b.ops(), location, sum);
  return branch.getResult(0);
}

} // namespace spindle::layers
