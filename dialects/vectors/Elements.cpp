#include "dialects/vectors/Elements.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace spindle::vectors {

ArrayRef<int64_t> shapeOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getShape() : ArrayRef<int64_t>();
}

int64_t countOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Type elementOf(Type type) { return getElementTypeOrSelf(type); }

void forEachIndex(ArrayRef<int64_t> shape, llvm::function_ref<void(const Index &)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1])
      index[--axis] = 0;
    if (axis == 0)
      return;
  }
}

int64_t placeOf(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [at, extent] : llvm::zip_equal(index, shape))
    place = place * extent + at;
  return place;
}

Value indexConstant(Builder &b, int64_t value) { return arith::ConstantIndexOp::create(b, value); }

} // namespace spindle::vectors
