// Constraints of operations with several sources, and of connections one by one.
#include "dialects/snn/Snn.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace spindle::snn {

/// Activations among activations, or signals in time among their like.
static LogicalResult verifyKinds(Operation *op) {
  bool inTime = runsInTime(op->getOperand(0).getType());
  for (Value operand : op->getOperands())
    if (runsInTime(operand.getType()) != inTime)
      return op->emitOpError("joins activations with a signal in time");
  return success();
}

static LogicalResult verifyType(Operation *op, Type expected) {
  Type found = op->getResult(0).getType();
  if (found != expected)
    return op->emitOpError("output is ") << found << ", expected " << expected;
  return success();
}

LogicalResult AddOp::verify() {
  if (shapeOf(getLhs()) != shapeOf(getRhs()))
    return emitOpError("inputs must have the same shape");
  if (failed(verifyKinds(*this)))
    return failure();
  return verifyType(*this, synapseResult(getLhs().getType(), shapeOf(getLhs())));
}

LogicalResult ConcatOp::verify() {
  if (getInputs().empty())
    return emitOpError("expected at least one input");
  if (failed(verifyKinds(*this)))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getInputs()[0]));
  int64_t axis = getAxis();
  if (axis < 0 || axis >= int64_t(shape.size()))
    return emitOpError("axis is ") << axis << ", expected a dimension of the inputs";
  shape[axis] = 0;
  bool sameType = true; // but for extents
  for (Value input : getInputs()) {
    SmallVector<int64_t> other(shapeOf(input));
    if (other.size() != shape.size())
      return emitOpError("inputs must have the same number of dimensions");
    shape[axis] += other[axis];
    other[axis] = shape[axis];
    if (other != shape)
      return emitOpError("inputs must have the same extents but along the axis");
    sameType &= input.getType().getTypeID() == getInputs()[0].getType().getTypeID();
  }
  Type kind = getInputs()[0].getType();
  return verifyType(*this, sameType ? withShape(kind, shape) : synapseResult(kind, shape));
}

LogicalResult SparseOp::verify() {
  ArrayRef<int64_t> offsets = getOffsets(), weight = shapeOf(getWeight());
  ArrayRef<int32_t> indices = getIndices();
  int64_t inputs = sizeOf(getInput()), outputs = sizeOf(getOutput());
  if (weight.size() != 1)
    return emitOpError("weight must have one dimension");
  if (int64_t(offsets.size()) != outputs + 1 || offsets.front() != 0 ||
      offsets.back() != weight[0] || !llvm::is_sorted(offsets))
    return emitOpError("offsets must be ")
           << outputs + 1 << " ascending numbers from 0 to the " << weight[0] << " weights";
  if (int64_t(indices.size()) != weight[0])
    return emitOpError("there are ")
           << indices.size() << " indices, expected one per weight: " << weight[0];
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t k = offsets[o]; k < offsets[o + 1]; ++k)
      if (indices[k] < 0 || indices[k] >= inputs ||
          (k > offsets[o] && indices[k] <= indices[k - 1]))
        return emitOpError("indices of output ")
               << o << " must ascend within the " << inputs << " inputs";
  if (getBias() && shapeOf(getBias()) != ArrayRef<int64_t>{outputs})
    return emitOpError("bias must have one value per output: ") << outputs;
  return verifyType(*this, synapseResult(getInput().getType(), shapeOf(getOutput())));
}

/// The populations that feedbacks of a function name are counted once for all of them.
static LogicalResult verifyFeedbacks(FunctionOpInterface function) {
  llvm::StringMap<SmallVector<Type, 1>> populations; // by layer
  function->walk([&](Operation *op) {
    if (isa<NeuronOp, GatherOp>(op))
      populations[layerOf(op)].push_back(op->getResult(0).getType());
  });
  WalkResult result = function->walk([&](FeedbackOp op) {
    if (!op.getPopulationAttr() || op->getNumResults() != 1)
      return WalkResult::advance(); // is told of by its own verification
    auto found = llvm::count(populations[op.getPopulation()], op.getOutput().getType());
    if (found == 1)
      return WalkResult::advance();
    op.emitOpError("expected one spiking population of the function with layer '")
        << op.getPopulation() << "' and this shape, found " << found;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult FeedbackOp::verify() {
  if (int64_t(getSteps()) < 1)
    return emitOpError("steps must be at least one");
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function)
    return emitOpError("expected in a function, whose population it names");
  FeedbackOp first;
  function->walk([&](FeedbackOp op) {
    first = op;
    return WalkResult::interrupt();
  });
  return first == *this ? verifyFeedbacks(function) : success();
}

LogicalResult GatherOp::verify() {
  int64_t first = int64_t(getFirst()), part = sizeOf(getInput()), all = sizeOf(getOutput());
  if (first < 0 || first > all - part)
    return emitOpError("the ") << part << " spikes from " << first << " on must lie within the "
                               << all << " of the output";
  return success();
}

} // namespace spindle::snn
