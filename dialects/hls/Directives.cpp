// What the attributes `hls.…` beside operations, arguments and results of other dialects hold.
#include "dialects/hls/Partition.h"

#include "llvm/ADT/STLExtras.h"

namespace spindle::hls {

namespace {

struct Directive {
  llvm::StringLiteral name;
  bool (*fits)(mlir::Attribute);
  const char *expected;
};

template <int64_t least> bool isNumber(mlir::Attribute attribute) {
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute);
  return number && number.getValue().getBitWidth() <= 64 && number.getInt() >= least;
}

bool isAnyNumber(mlir::Attribute attribute) { return isNumber<INT64_MIN>(attribute); }
bool isMark(mlir::Attribute attribute) { return llvm::isa<mlir::UnitAttr>(attribute); }
bool isSymbol(mlir::Attribute attribute) { return llvm::isa<mlir::FlatSymbolRefAttr>(attribute); }
bool isList(mlir::Attribute attribute) { return llvm::isa<mlir::DenseI64ArrayAttr>(attribute); }
bool isPartition(mlir::Attribute attribute) {
  auto dimensions = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
  return dimensions && llvm::all_of(dimensions, llvm::IsaPred<PartitionAttr>);
}

constexpr const char *kIterations = "a number of iterations, 0 for all";

constexpr Directive kOfOperations[] = {
    {HlsDialect::startName, isAnyNumber, "a cycle"},
    {HlsDialect::unitName, isSymbol, "the name of an hls.unit"},
    {HlsDialect::leastIntervalName, isAnyNumber, "a number of cycles"},
    {HlsDialect::leastDepthName, isMark, "no value"},
    {HlsDialect::partitionName, isPartition, "one #hls.partition for each dimension"},
    {HlsDialect::bankName, isNumber<0>, "the number of a bank"},
    {HlsDialect::copyName, isNumber<1>, "the number of a copy"},
    {HlsDialect::unrollName, isNumber<0>, kIterations},
    {HlsDialect::unrollAndJamName, isNumber<0>, kIterations},
    {HlsDialect::tileName, isNumber<0>, kIterations},
    {HlsDialect::bufferName, isNumber<0>, "a number of elements, 0 for any"},
    {HlsDialect::atLeastName, isNumber<0>, "a number of iterations"},
    {HlsDialect::intervalName, isNumber<1>, "a number of cycles of at least 1"},
    {HlsDialect::widenedName, isMark, "no value"},
    {HlsDialect::indexArgumentsName, isList, "a list of numbers"},
    {HlsDialect::indexResultsName, isList, "a list of numbers"},
};

constexpr Directive kOfValues[] = {
    {HlsDialect::partitionName, isPartition, "one #hls.partition for each dimension"},
    {HlsDialect::boundName, isMark, "no value"},
    {HlsDialect::indexName, isMark, "no value"},
};

mlir::LogicalResult verify(mlir::Operation *op, mlir::NamedAttribute attribute,
                           llvm::ArrayRef<Directive> known) {
  llvm::StringRef name = attribute.getName();
  const auto *found =
      llvm::find_if(known, [&](const Directive &directive) { return directive.name == name; });
  if (found == known.end()) {
    mlir::InFlightDiagnostic error = op->emitError("attribute '")
                                     << name << "' is not known, expected one of ";
    llvm::interleaveComma(known, error, [&](const Directive &one) { error << one.name; });
    return error;
  }
  if (found->fits(attribute.getValue()))
    return mlir::success();
  return op->emitError("attribute '")
         << name << "' is " << attribute.getValue() << ", expected " << found->expected;
}

} // namespace

mlir::LogicalResult HlsDialect::verifyOperationAttribute(mlir::Operation *op,
                                                         mlir::NamedAttribute attribute) {
  return verify(op, attribute, kOfOperations);
}

mlir::LogicalResult HlsDialect::verifyRegionArgAttribute(mlir::Operation *op, unsigned, unsigned,
                                                         mlir::NamedAttribute attribute) {
  return verify(op, attribute, kOfValues);
}

mlir::LogicalResult HlsDialect::verifyRegionResultAttribute(mlir::Operation *op, unsigned, unsigned,
                                                            mlir::NamedAttribute attribute) {
  return verify(op, attribute, kOfValues);
}

} // namespace spindle::hls
