#include "dialects/upstream/shapes/KnownShapes.h"

#include "dialects/upstream/shapes/RefineShapes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace spindle {

namespace upstream {

ShapedType shapedTypeOf(Value value) {
  if (auto array = dyn_cast<MemRefType>(value.getType()))
    return array.getLayout().isIdentity() ? ShapedType(array) : ShapedType();
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    return tensor;
  return nullptr;
}

std::optional<Shape> shapeOf(Value value) {
  ShapedType type = shapedTypeOf(value);
  if (!type)
    return std::nullopt;
  if (Operation *cast = value.getDefiningOp();
      isa_and_nonnull<tensor::CastOp, memref::CastOp>(cast))
    if (ShapedType source = shapedTypeOf(cast->getOperand(0))) {
      Shape shape(type.getShape());
      for (auto [extent, behind] : llvm::zip_equal(shape, source.getShape()))
        if (ShapedType::isDynamic(extent))
          extent = behind;
      return shape;
    }
  return Shape(type.getShape());
}

std::optional<Shape> joined(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() != b.size())
    return std::nullopt;
  Shape shape(a);
  for (auto [extent, other] : llvm::zip_equal(shape, b)) {
    if (ShapedType::isDynamic(extent))
      extent = other;
    else if (!ShapedType::isDynamic(other) && extent != other)
      return std::nullopt;
  }
  return shape;
}

Shape common(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  Shape shape(a);
  for (auto [extent, other] : llvm::zip_equal(shape, b))
    extent = extent == other ? extent : ShapedType::kDynamic;
  return shape;
}

bool isOpen(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && !shaped.hasStaticShape();
}

} // namespace upstream

Value makeShapeCast(OpBuilder &builder, Location location, Type type, Value value) {
  if (isa<TensorType>(type))
    return tensor::CastOp::create(builder, location, type, value);
  return memref::CastOp::create(builder, location, type, value);
}

} // namespace spindle
