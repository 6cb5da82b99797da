#include "hw/hls/loops/ArrayPartition.h"

#include "hw/hls/loops/IndexRange.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

constexpr const char *names[] = {"none", "block", "cyclic", "complete"};

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
    entry.set("kind", builder.getStringAttr(names[dimension.kind]));
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
    const auto *name = kind ? llvm::find(names, StringRef(kind.getValue())) : std::end(names);
    if (name == std::end(names))
      return std::nullopt;
    DimensionSplit dimension{DimensionSplit::Kind(name - std::begin(names)), 1};
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

std::optional<int64_t> bankOf(const ArrayPartition &partition, Operation *access) {
  AffineMap map;
  SmallVector<Value> operands;
  MemRefType type;
  if (auto load = dyn_cast<AffineLoadOp>(access)) {
    map = load.getAffineMap();
    operands.assign(load.getMapOperands().begin(), load.getMapOperands().end());
    type = load.getMemRefType();
  } else if (auto store = dyn_cast<AffineStoreOp>(access)) {
    map = store.getAffineMap();
    operands.assign(store.getMapOperands().begin(), store.getMapOperands().end());
    type = store.getMemRefType();
  } else {
    return std::nullopt;
  }
  int64_t bank = 0;
  for (auto [dimension, extent, subscript] :
       llvm::zip(partition, type.getShape(), map.getResults())) {
    std::optional<int64_t> one = bankOf(dimension, extent, subscript, map, operands);
    if (!one)
      return std::nullopt;
    bank = bank * banksOf(dimension, extent) + *one;
  }
  return bank;
}

} // namespace spindle::hls
