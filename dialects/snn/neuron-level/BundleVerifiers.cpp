// Constraints of the conversions and bundle operations, by the labels of NeuronLevelOps.td.
#include "dialects/snn/Snn.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::snn {

static std::string text(ArrayRef<int64_t> shape) {
  std::string result;
  for (int64_t extent : shape)
    result += (result.empty() ? "" : "x") +
              (ShapedType::isDynamic(extent) ? std::string("?") : std::to_string(extent));
  return result;
}

/// bundle_c1: what is known of an extent on both sides agrees; the rest is for the run.
static LogicalResult verifyExtents(Operation *op, ArrayRef<int64_t> expected) {
  ArrayRef<int64_t> found = shapeOf(op->getResult(0));
  if (succeeded(verifyCompatibleShape(found, expected)))
    return success();
  return op->emitOpError("result has shape ")
         << text(found) << ", expected " << text(expected) << " or ? for an extent";
}

static LogicalResult verifyList(Operation *op, Value tensor) {
  if (shapeOf(tensor).size() != 1)
    return op->emitOpError("tensor has shape ")
           << text(shapeOf(tensor)) << ", expected one dimension";
  return success();
}

/// tensor_to_bundle_c1, bundle_to_tensor_c1.
static LogicalResult verifyRanks(Operation *op, Value tensor, Value bundle) {
  size_t rank = shapeOf(bundle).size(), found = shapeOf(tensor).size();
  if (found != rank && found != rank + 1)
    return op->emitOpError("tensor of rank ")
           << found << " and bundle of rank " << rank
           << ", expected a tensor of the bundle's rank (one time per train) or one more (a list "
              "per train)";
  return success();
}

LogicalResult TensorToSpikeTrainOp::verify() { return verifyList(*this, getTimes()); }
LogicalResult SpikeTrainToTensorOp::verify() { return verifyList(*this, getTimes()); }

LogicalResult TensorToSpikeTrainBundleOp::verify() {
  if (failed(verifyRanks(*this, getTimes(), getBundle())))
    return failure();
  return verifyExtents(*this, shapeOf(getTimes()).take_front(shapeOf(getBundle()).size()));
}

LogicalResult SpikeBundleToTensorOp::verify() {
  if (failed(verifyRanks(*this, getTimes(), getBundle())))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getBundle()));
  if (shapeOf(getTimes()).size() > shape.size()) // the longest train is up to the run
    shape.push_back(shapeOf(getTimes()).back());
  return verifyExtents(*this, shape);
}

/// `value` in [0, extent), where the extent is known.
static bool isInside(int64_t value, int64_t extent) {
  return value >= 0 && (ShapedType::isDynamic(extent) || value < extent);
}

LogicalResult SpikeBundleSelectOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getBundle()), position = getPosition();
  if (position.size() != shape.size())
    return emitOpError() << position.size() << " indices into a bundle of rank " << shape.size();
  for (size_t d = 0; d < shape.size(); ++d)
    if (!isInside(position[d], shape[d]))
      return emitOpError("index ")
             << position[d] << " of dimension " << d << " is outside the shape " << text(shape);
  return success();
}

LogicalResult SpikeBundleCollectOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getBundle());
  int64_t trains = int64_t(getTrains().size());
  if (shape.size() == 1 && ShapedType::isDynamic(shape[0]))
    return success();
  if (llvm::any_of(shape, ShapedType::isDynamic) || sizeOf(getBundle()) != trains)
    return emitOpError("bundle has shape ")
           << text(shape) << ", expected extents that hold " << trains << " trains";
  return success();
}

static LogicalResult verifyAxis(Operation *op, uint64_t axis, size_t rank) {
  if (axis >= rank)
    return op->emitOpError("axis is ")
           << int64_t(axis) << ", expected a dimension of a bundle of rank " << rank;
  return success();
}

/// The shape with one extent changed by `difference`, unless it is unknown.
static SmallVector<int64_t> grown(ArrayRef<int64_t> shape, uint64_t axis, int64_t difference) {
  SmallVector<int64_t> result(shape);
  if (!ShapedType::isDynamic(result[axis]))
    result[axis] += difference;
  return result;
}

LogicalResult SpikeBundleInsertOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getBundle());
  if (failed(verifyAxis(*this, getAxis(), shape.size())))
    return failure();
  SmallVector<int64_t> beside(shape);
  beside.erase(beside.begin() + getAxis());
  bool isTrain = isa<SpikeTrainType>(getInserted().getType());
  if (isTrain != beside.empty() ||
      (!isTrain && failed(verifyCompatibleShape(shapeOf(getInserted()), beside))))
    return emitOpError("inserts ")
           << getInserted().getType() << ", expected "
           << (beside.empty() ? "a train" : "a bundle of shape ") << text(beside);
  int64_t position = int64_t(getPosition()), extent = shape[getAxis()];
  if (!isInside(position, ShapedType::isDynamic(extent) ? extent : extent + 1))
    return emitOpError("position ") << position << " is beyond the extent " << extent;
  return verifyExtents(*this, grown(shape, getAxis(), 1));
}

LogicalResult SpikeBundleRemoveOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getBundle());
  if (failed(verifyAxis(*this, getAxis(), shape.size())))
    return failure();
  int64_t position = int64_t(getPosition());
  if (!isInside(position, shape[getAxis()]))
    return emitOpError("position ") << position << " is outside the extent " << shape[getAxis()];
  return verifyExtents(*this, grown(shape, getAxis(), -1));
}

LogicalResult SpikeBundleSliceOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getBundle());
  ArrayRef<int64_t> offsets = getOffsets(), sizes = getSizes(), strides = getStrides();
  if (offsets.size() != shape.size() || sizes.size() != shape.size() ||
      strides.size() != shape.size())
    return emitOpError("takes offsets, sizes and strides of ") << shape.size() << " numbers each";
  for (size_t d = 0; d < shape.size(); ++d) {
    if (offsets[d] < 0 || sizes[d] < 0 || strides[d] < 1)
      return emitOpError("offsets and sizes must not be negative, strides must be positive");
    int64_t span = 0, last = 0;
    bool isTooFar = llvm::MulOverflow(sizes[d] - 1, strides[d], span) ||
                    llvm::AddOverflow(offsets[d], span, last);
    if (sizes[d] > 0 && (isTooFar || !isInside(last, shape[d])))
      return emitOpError("reaches index ") << (isTooFar ? INT64_MAX : last) << " of dimension " << d
                                           << ", outside the shape " << text(shape);
  }
  return verifyExtents(*this, sizes);
}

LogicalResult SpikeBundlePermuteOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getBundle()), permutation = getPermutation();
  SmallVector<int64_t> sorted(permutation), permuted;
  llvm::sort(sorted);
  bool valid = permutation.size() == shape.size();
  for (size_t d = 0; valid && d < sorted.size(); ++d)
    valid = sorted[d] == int64_t(d);
  if (!valid)
    return emitOpError("permutation must name each of the ") << shape.size() << " dimensions once";
  for (int64_t dimension : permutation)
    permuted.push_back(shape[dimension]);
  return verifyExtents(*this, permuted);
}

/// order_c1
static LogicalResult verifyOrder(Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  bool unknown = llvm::any_of(shape, ShapedType::isDynamic);
  return verifyExtents(op, {unknown ? ShapedType::kDynamic : sizeOf(op->getOperand(0))});
}

LogicalResult GetOrderOp::verify() { return verifyOrder(*this); }
LogicalResult GetRevOrderOp::verify() { return verifyOrder(*this); }

} // namespace spindle::snn
