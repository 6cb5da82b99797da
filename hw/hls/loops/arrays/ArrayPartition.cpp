#include "hw/hls/loops/arrays/ArrayPartition.h"

#include "hw/hls/loops/analysis/IndexRange.h"

#include "hw/hls/dependence/Instance.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

constexpr const char *kKindNames[] = {"none", "block", "cyclic", "complete"};

bool hasFactor(DimensionSplit::Kind kind) {
  return kind == DimensionSplit::Block || kind == DimensionSplit::Cyclic;
}

int64_t blockOf(const DimensionSplit &partition, int64_t extent) {
  return (extent + partition.factor - 1) / partition.factor;
}
} // namespace

int64_t banksOf(const DimensionSplit &partition, int64_t extent) {
  switch (partition.kind) {
  case DimensionSplit::None:
    return 1;
  case DimensionSplit::Complete:
    return extent;
  default:
    return partition.factor;
  }
}

int64_t banksOf(const ArrayPartition &partition, ArrayRef<int64_t> shape) {
  int64_t banks = 1;
  for (auto [dimension, extent] : llvm::zip(partition, shape))
    banks *= banksOf(dimension, extent);
  return banks;
}

ArrayAttr toAttribute(const ArrayPartition &partition, MLIRContext *context) {
  Builder builder(context);
  SmallVector<Attribute> dimensions;
  for (const DimensionSplit &dimension : partition) {
    NamedAttrList entry;
    entry.set("kind", builder.getStringAttr(kKindNames[dimension.kind]));
    if (hasFactor(dimension.kind))
      entry.set("factor", builder.getI64IntegerAttr(dimension.factor));
    dimensions.push_back(entry.getDictionary(context));
  }
  return builder.getArrayAttr(dimensions);
}

std::optional<ArrayPartition> readPartition(Attribute attribute, size_t rank) {
  auto dimensions = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!dimensions || dimensions.size() != rank)
    return std::nullopt;
  ArrayPartition partition;
  for (Attribute entry : dimensions) {
    auto dictionary = dyn_cast<DictionaryAttr>(entry);
    auto kind = dictionary ? dictionary.getAs<StringAttr>("kind") : StringAttr();
    const auto *name =
        kind ? llvm::find(kKindNames, StringRef(kind.getValue())) : std::end(kKindNames);
    if (name == std::end(kKindNames))
      return std::nullopt;
    DimensionSplit dimension{DimensionSplit::Kind(name - std::begin(kKindNames)), 1};
    auto factor = dictionary.getAs<IntegerAttr>("factor");
    if (hasFactor(dimension.kind)) {
      if (!factor || factor.getInt() < 1)
        return std::nullopt;
      dimension.factor = factor.getInt();
    }
    partition.push_back(dimension);
  }
  return partition;
}

std::pair<int64_t, int64_t> placeOf(const DimensionSplit &partition, int64_t extent,
                                    int64_t index) {
  switch (partition.kind) {
  case DimensionSplit::None:
    return {0, index};
  case DimensionSplit::Complete:
    return {index, 0};
  case DimensionSplit::Cyclic:
    return {index % partition.factor, index / partition.factor};
  default:
    return {index / blockOf(partition, extent), index % blockOf(partition, extent)};
  }
}

std::optional<int64_t> bankOf(const DimensionSplit &partition, int64_t extent, AffineExpr subscript,
                              AffineMap map, ValueRange operands) {
  AffineExpr bank = subscript;
  if (partition.kind == DimensionSplit::None)
    return 0;
  if (partition.kind == DimensionSplit::Cyclic)
    bank = subscript % partition.factor;
  else if (partition.kind == DimensionSplit::Block)
    bank = subscript.floorDiv(blockOf(partition, extent));
  bank = simplifyAffineExpr(bank, map.getNumDims(), map.getNumSymbols());
  auto range = rangeOf(bank, map.getNumDims(), operands);
  if (!range || range->lowest != range->highest || range->lowest < 0 ||
      range->lowest >= banksOf(partition, extent))
    return std::nullopt;
  return range->lowest;
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
    int64_t count = banksOf(partition[d], shape[d]);
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
