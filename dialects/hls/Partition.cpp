#include "dialects/hls/Partition.h"

#include <algorithm>

namespace spindle::hls {

using Kind = DimensionPartition::Kind;

PartitionAttr PartitionAttr::get(mlir::MLIRContext *context, DimensionPartition partition) {
  return get(context, partition.kind, hasFactor(partition.kind) ? partition.factor : 1);
}

DimensionPartition PartitionAttr::over(int64_t extent) const {
  return {getKind(), getKind() == Kind::Complete ? extent : getFactor()};
}

mlir::LogicalResult PartitionAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                          Kind kind, int64_t factor) {
  if (factor < 1 || (factor > 1 && !hasFactor(kind)))
    return emitError() << kPartitionNames[size_t(kind)] << " partition with the factor " << factor
                       << ", expected at least 1";
  return mlir::success();
}

mlir::Attribute PartitionAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  llvm::StringRef word;
  int64_t factor = 1;
  mlir::SMLoc place;
  if (parser.parseLess() || parser.getCurrentLocation(&place) || parser.parseKeyword(&word))
    return {};
  const auto *found = std::find(kPartitionNames.begin(), kPartitionNames.end(), word);
  if (found == kPartitionNames.end()) {
    parser.emitError(place, "'") << word << "', expected none, block, cyclic or complete";
    return {};
  }
  auto kind = static_cast<Kind>(found - kPartitionNames.begin());
  if ((hasFactor(kind) && parser.parseInteger(factor)) || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(place); }, parser.getContext(), kind, factor);
}

void PartitionAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<' << kPartitionNames[size_t(getKind())];
  if (hasFactor(getKind()))
    printer << ' ' << getFactor();
  printer << '>';
}

int64_t banksOf(const ArrayPartition &partition) {
  int64_t banks = 1;
  for (const DimensionPartition &dimension : partition)
    banks *= dimension.factor;
  return banks;
}

mlir::ArrayAttr toAttribute(const ArrayPartition &partition, mlir::MLIRContext *context) {
  llvm::SmallVector<mlir::Attribute> dimensions;
  for (const DimensionPartition &dimension : partition)
    dimensions.push_back(PartitionAttr::get(context, dimension));
  return mlir::ArrayAttr::get(context, dimensions);
}

std::optional<ArrayPartition> readPartition(mlir::Attribute attribute,
                                            llvm::ArrayRef<int64_t> shape) {
  auto entries = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute);
  if (!entries || entries.size() != shape.size())
    return std::nullopt;
  ArrayPartition partition;
  for (auto [entry, extent] : llvm::zip(entries, shape)) {
    auto dimension = llvm::dyn_cast<PartitionAttr>(entry);
    if (!dimension || dimension.getFactor() > extent)
      return std::nullopt;
    partition.push_back(dimension.over(extent));
  }
  return partition;
}

bool isComplete(mlir::Attribute partition, mlir::MemRefType type) {
  std::optional<ArrayPartition> dimensions =
      type.getRank() ? readPartition(partition, type.getShape()) : ArrayPartition();
  return dimensions && llvm::all_of(*dimensions, [](const DimensionPartition &dimension) {
           return dimension.kind == Kind::Complete;
         });
}

mlir::AffineExpr bankOf(const DimensionPartition &partition, int64_t extent,
                        mlir::AffineExpr subscript) {
  switch (partition.kind) {
  case Kind::None:
    return mlir::getAffineConstantExpr(0, subscript.getContext());
  case Kind::Block:
    return subscript.floorDiv(partition.words(extent));
  case Kind::Cyclic:
    return subscript % partition.factor;
  case Kind::Complete:
    return subscript;
  }
  llvm_unreachable("kinds are enumerated");
}

mlir::AffineExpr wordOf(const DimensionPartition &partition, int64_t extent,
                        mlir::AffineExpr subscript) {
  switch (partition.kind) {
  case Kind::None:
    return subscript;
  case Kind::Block:
    return subscript % partition.words(extent);
  case Kind::Cyclic:
    return subscript.floorDiv(partition.factor);
  case Kind::Complete:
    return mlir::getAffineConstantExpr(0, subscript.getContext());
  }
  llvm_unreachable("kinds are enumerated");
}

} // namespace spindle::hls
