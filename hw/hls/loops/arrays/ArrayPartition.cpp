#include "hw/hls/loops/arrays/ArrayPartition.h"

#include "hw/hls/dependence/Instance.h"
#include "hw/hls/ranges/ValueRanges.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

std::optional<int64_t> bankOf(const DimensionPartition &partition, int64_t extent,
                              AffineExpr subscript, AffineMap map, ValueRange operands) {
  if (partition.kind == DimensionPartition::Kind::None)
    return 0;
  AffineExpr bank = simplifyAffineExpr(bankOf(partition, extent, subscript), map.getNumDims(),
                                       map.getNumSymbols());
  IntegerRange range = integerRangeOf(bank, map.getNumDims(), operands);
  if (!range.isSingle() || range.least < 0 || range.least >= partition.factor)
    return std::nullopt;
  return range.least;
}

namespace {
/// An affine load or store.
struct AffineAccess {
  AffineMap map;
  SmallVector<Value> operands;
  MemRefType type;
};

std::optional<AffineAccess> affineAccess(Operation *access) {
  if (auto load = dyn_cast<AffineLoadOp>(access))
    return AffineAccess{load.getAffineMap(), SmallVector<Value>(load.getMapOperands()),
                        load.getMemRefType()};
  if (auto store = dyn_cast<AffineStoreOp>(access))
    return AffineAccess{store.getAffineMap(), SmallVector<Value>(store.getMapOperands()),
                        store.getMemRefType()};
  return std::nullopt;
}
} // namespace

SmallVector<int64_t> banksReached(const ArrayPartition &partition, Operation *access) {
  std::optional<AffineAccess> affine = affineAccess(access);
  ArrayRef<int64_t> shape = cast<MemRefType>(accessOf(access)->array.getType()).getShape();
  SmallVector<int64_t> banks{0};
  for (size_t d = 0; d < partition.size(); ++d) {
    int64_t count = partition[d].factor;
    std::optional<int64_t> one;
    if (affine)
      one = bankOf(partition[d], shape[d], affine->map.getResult(unsigned(d)), affine->map,
                   affine->operands);
    SmallVector<int64_t> next;
    for (int64_t before : banks)
      for (int64_t bank = one.value_or(0); bank < (one ? *one + 1 : count); ++bank)
        next.push_back(before * count + bank);
    banks = std::move(next);
  }
  return banks;
}

std::optional<int64_t> bankOf(const ArrayPartition &partition, Operation *access) {
  if (!affineAccess(access))
    return std::nullopt;
  SmallVector<int64_t> banks = banksReached(partition, access);
  return banks.size() == 1 ? std::optional(banks.front()) : std::nullopt;
}

} // namespace spindle::hls
