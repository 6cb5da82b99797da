// What the attributes `hls.…` beside operations, arguments and results of other dialects hold.
#include "dialects/hls/Partition.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

bool isIndependent(mlir::Attribute attribute) { return llvm::isa<IndependentAttr>(attribute); }

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
    {HlsDialect::independentName, isIndependent,
     "#hls.independent, or #hls.independent<[0, 2]> for some arguments"},
    {HlsDialect::declaredName, isMark, "no value"},
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

/// A loop whose iterations can be told apart, and arrays among the arguments around it.
mlir::LogicalResult verifyIndependent(mlir::Operation *op, IndependentAttr claim) {
  if (!llvm::isa<mlir::affine::AffineForOp, mlir::scf::ForOp>(op))
    return op->emitError("attribute '")
           << HlsDialect::independentName << "' of " << op->getName().getStringRef()
           << ", expected an affine.for or scf.for that has it";
  auto function = op->getParentOfType<mlir::FunctionOpInterface>();
  for (unsigned number : claim.getArguments())
    if (!function || number >= function.getNumArguments() ||
        !llvm::isa<mlir::ShapedType>(function.getArgumentTypes()[number]))
      return op->emitError("attribute '")
             << HlsDialect::independentName << "' names argument " << number
             << ", expected the numbers of arrays among the arguments of the function";
  return mlir::success();
}

} // namespace

bool IndependentAttr::covers(mlir::Value array) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(array))
    return getArguments().empty() || llvm::is_contained(getArguments(), argument.getArgNumber());
  mlir::Operation *made = array.getDefiningOp();
  return getArguments().empty() && made->hasAttr(HlsDialect::declaredName);
}

mlir::LogicalResult HlsDialect::verifyOperationAttribute(mlir::Operation *op,
                                                         mlir::NamedAttribute attribute) {
  if (mlir::failed(verify(op, attribute, kOfOperations)))
    return mlir::failure();
  auto claim = llvm::dyn_cast<IndependentAttr>(attribute.getValue());
  return claim ? verifyIndependent(op, claim) : mlir::success();
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
