#include "dialects/hls/Hls.h"
#include "dialects/upstream/shapes/RefineShapes.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace mlir;

namespace spindle::hls {

static LogicalResult bindScalar(func::FuncOp top, unsigned index, ArrayRef<int64_t> numbers) {
  BlockArgument argument = top.getArgument(index);
  Type type = argument.getType();
  if (numbers.size() != 1)
    return top.emitError() << "argument " << index << " has type " << type
                           << ", expected one number to bind it to";
  if (type.isInteger() && !llvm::isIntN(type.getIntOrFloatBitWidth(), numbers[0]) &&
      !llvm::isUIntN(type.getIntOrFloatBitWidth(), numbers[0]))
    return top.emitError() << "argument " << index << " has type " << type << ", " << numbers[0]
                           << " does not fit";
  OpBuilder builder(&top.getBody().front(), top.getBody().front().begin());
  TypedAttr value = builder.getIntegerAttr(
      type, type.isIndex() ? APInt(64, numbers[0], true)
                           : APInt(64, numbers[0], true).trunc(type.getIntOrFloatBitWidth()));
  argument.replaceAllUsesWith(arith::ConstantOp::create(builder, top.getLoc(), value));
  top.setArgAttr(index, HlsDialect::boundName, builder.getUnitAttr());
  return success();
}

/// Whether an operation takes arrays and tensors of any shape, and hands none on.
static bool onlyReads(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() && !isa<func::CallOp>(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

/// Everything else sees a cast to the former type, which later stages carry on.
static void setShape(BlockArgument argument, ArrayRef<int64_t> shape) {
  auto type = cast<ShapedType>(argument.getType());
  if (type.getShape() == shape)
    return;
  OpBuilder builder(argument.getOwner(), argument.getOwner()->begin());
  Location location = argument.getOwner()->getParentOp()->getLoc();
  argument.setType(type.clone(shape));
  Value open = makeShapeCast(builder, location, type, argument);
  argument.replaceUsesWithIf(open, [&](OpOperand &use) {
    return use.getOwner() != open.getDefiningOp() && !onlyReads(use.getOwner());
  });
}

/// A binding that fits.
static std::string shapeToBind(unsigned index, ShapedType type) {
  if (!type.hasRank())
    return "give the argument a rank";
  if (type.getRank() == 0)
    return "it has no extents, leave the binding out";
  std::vector<int64_t> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(ShapedType::isDynamic(extent) ? 8 : extent);
  return fmt::format("bind one extent for each dimension, such as {}={}", index,
                     fmt::join(extents, "x"));
}

/// The type of an array or tensor with the extents of `shape`.
static LogicalResult bindShape(func::FuncOp top, unsigned index, ArrayRef<int64_t> shape) {
  BlockArgument argument = top.getArgument(index);
  auto type = cast<ShapedType>(argument.getType());
  bool fits = type.hasRank() && type.getRank() == static_cast<int64_t>(shape.size());
  for (unsigned dim = 0; fits && dim < shape.size(); ++dim)
    fits = shape[dim] > 0 && (type.isDynamicDim(dim) || type.getDimSize(dim) == shape[dim]);
  if (!fits)
    return top.emitError() << "argument " << index << " has type " << type
                           << ", which has no such shape as is bound; " << shapeToBind(index, type);
  if (isTooLarge(type.clone(shape)))
    return top.emitError() << "argument " << index << " is bound to " << type.clone(shape)
                           << ", expected at most 2^28 elements: bind smaller extents";
  setShape(argument, shape);
  return success();
}

LogicalResult bindArguments(func::FuncOp top, const Bindings &bindings) {
  for (const auto &[index, numbers] : bindings) {
    if (index >= top.getNumArguments())
      return top.emitError() << "no argument " << index << " to bind, '" << top.getSymName()
                             << "' has " << top.getNumArguments();
    Type type = top.getArgument(index).getType();
    if (!type.isIntOrIndex() && !isa<ShapedType>(type))
      return top.emitError() << "argument " << index << " has type " << type
                             << ", only integers and shapes can be bound";
    if (failed(isa<ShapedType>(type) ? bindShape(top, index, numbers)
                                     : bindScalar(top, index, numbers)))
      return failure();
  }
  top.setFunctionType(
      FunctionType::get(top.getContext(), top.getBody().getArgumentTypes(), top.getResultTypes()));
  return success();
}

} // namespace spindle::hls
