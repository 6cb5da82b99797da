#include "lib/emulation/layerwise/ReadCounts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;

namespace spindle::layerwise {

using engine::KernelBuilder;
using engine::kLanes;

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

/// The counts, in 32 bits; zeros stay.
static Value takeIntegers(KernelBuilder &b, size_t buffer, const Counts &counts, Value n) {
  Type count = counts.areWide() ? b.ops().getI16Type() : b.ops().getI8Type();
  VectorType narrow = b.lanesOf(count);
  auto pointer = LLVM::LLVMPointerType::get(b.ops().getContext());
  Value base = b.make<LLVM::IntToPtrOp>(pointer, b.address(buffer));
  Value at = b.make<arith::IndexCastOp>(b.ops().getI64Type(), b.at({{n, kLanes}}));
  Value place = b.make<LLVM::GEPOp>(pointer, count, base, ArrayRef<LLVM::GEPArg>{at});
  Location location = b.ops().getUnknownLoc();
  auto alignment = unsigned(kLanes * (counts.areWide() ? 2 : 1));
  Value found = LLVM::LoadOp::create(b.ops(), location, narrow, place, alignment);
  LLVM::StoreOp::create(b.ops(), location, splat(b, narrow, 0), place, alignment);
  return b.make<arith::ExtUIOp>(b.lanesOf(b.ops().getI32Type()), found);
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

Value takeCounts(KernelBuilder &b, size_t buffer, const Counts &counts, Value n) {
  Value numbers = takeIntegers(b, buffer, counts, n);
  Value floats = b.make<arith::SIToFPOp>(b.lanesOf(b.ops().getF32Type()), numbers);
  Value product = b.make<arith::MulFOp>(floats, b.splat(counts.weight));
  if (std::signbit(counts.weight)) // a sum of nothing is +0
    product = b.make<arith::AddFOp>(product, b.splat(0));
  int64_t exact = exactMultiples(counts.weight, counts.most);
  if (exact == counts.most)
    return product;
  auto wide = cast<VectorType>(numbers.getType());
  Value isMore = b.make<arith::CmpIOp>(arith::CmpIPredicate::ugt, numbers, splat(b, wide, exact));
  Value bits = b.make<LLVM::BitcastOp>(b.ops().getI16Type(), isMore);
  Value none = b.make<arith::ConstantOp>(b.ops().getI16IntegerAttr(0));
  Value some = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, bits, none);
  Location location = b.ops().getUnknownLoc();
  auto branch = scf::IfOp::create(b.ops(), location, product.getType(), some, true);
  OpBuilder::InsertionGuard guard(b.ops());
  b.ops().setInsertionPointToStart(&branch.getThenRegion().front());
  scf::YieldOp::create(b.ops(), location, addUp(b, numbers, counts.weight));
  b.ops().setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(b.ops(), location, product);
  return branch.getResult(0);
}

} // namespace spindle::layerwise
