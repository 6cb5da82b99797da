// Rules of the tensor dialect: arrangements and zero padding.
#include "lib/frontend/mlir/MlirLifter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace spindle {

/// A destination: its shape is known, its values are not.
static llvm::Expected<Tensor> empty(MlirLifter &lifter, tensor::EmptyOp op) {
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(op.getType(), /*isActivation=*/false));
  return Tensor::constant(shape, {});
}

template <typename Op> static llvm::Expected<Tensor> reshape(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op->getOperand(0)));
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(op->getResult(0).getType(), !x.isConstant()));
  return lifter.builder.reshape(x, shape);
}

static llvm::Expected<Tensor> pad(MlirLifter &lifter, tensor::PadOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getSource()));
  Value value = op.getConstantPaddingValue();
  if (!value)
    return lifter.refuse("padding is supported only with zeros");
  if (value.getParentRegion() == &op.getRegion()) {
    SPINDLE_RETURN_IF_ERROR(lifter.liftBody(op.getRegion().front()));
    lifter.enter(op);
  }
  SPINDLE_ASSIGN(Tensor constant, lifter.lookup(value));
  if (!constant.isAll(0))
    return lifter.refuse("padding is supported only with zeros");
  ArrayRef<int64_t> low = op.getStaticLow(), high = op.getStaticHigh();
  return lifter.builder.pad(x, Shape(low.begin(), low.end()), Shape(high.begin(), high.end()));
}

std::vector<LiftRule> tensorRules() {
  return {rule(empty), rule(reshape<tensor::CastOp>), rule(reshape<tensor::CollapseShapeOp>),
          rule(reshape<tensor::ExpandShapeOp>), rule(pad)};
}

} // namespace spindle
