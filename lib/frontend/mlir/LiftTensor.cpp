// Rules of the tensor dialect: arrangements, slices and padding.
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
    return lifter.refuse("padding is supported only with one constant");
  if (value.getParentRegion() == &op.getRegion()) {
    SPINDLE_RETURN_IF_ERROR(lifter.liftBody(op.getRegion().front()));
    lifter.enter(op);
  }
  SPINDLE_ASSIGN(Tensor constant, lifter.lookup(value));
  if (!constant.isConstant() || constant.values.empty())
    return lifter.refuse("padding is supported only with one constant");
  ArrayRef<int64_t> low = op.getStaticLow(), high = op.getStaticHigh();
  return lifter.builder.pad(x, Shape(low.begin(), low.end()), Shape(high.begin(), high.end()),
                            constant.at(0));
}

static llvm::Expected<Tensor> concat(MlirLifter &lifter, tensor::ConcatOp op) {
  std::vector<Tensor> parts;
  for (Value input : op.getInputs()) {
    SPINDLE_ASSIGN(Tensor part, lifter.lookup(input));
    parts.push_back(std::move(part));
  }
  return lifter.builder.concat(parts, size_t(op.getDim()));
}

static llvm::Expected<Tensor> slice(MlirLifter &lifter, tensor::ExtractSliceOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getSource()));
  ArrayRef<int64_t> offsets = op.getStaticOffsets(), sizes = op.getStaticSizes(),
                    strides = op.getStaticStrides();
  for (ArrayRef<int64_t> numbers : {offsets, sizes, strides})
    if (llvm::any_of(numbers, ShapedType::isDynamic))
      return lifter.refuse("a slice with computed bounds is not supported");
  std::vector<AxisMap> maps;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    bool batch = d == 0 && !x.isConstant() && x.shape[0] == 1;
    Shape positions;
    for (int64_t i = 0; i < (batch ? 1 : sizes[d]); ++i)
      positions.push_back(batch ? 0 : offsets[d] + i * strides[d]);
    maps.push_back(takeInputs(positions));
  }
  SPINDLE_ASSIGN(Tensor part, lifter.builder.arrange(x, maps));
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(op.getType(), !x.isConstant()));
  return lifter.builder.reshape(part, shape);
}

std::vector<LiftRule> tensorRules() {
  return {rule(empty),
          rule<tensor::ConcatOp>(concat),
          rule<tensor::ExtractSliceOp>(slice),
          rule(reshape<tensor::CastOp>),
          rule(reshape<tensor::CollapseShapeOp>),
          rule(reshape<tensor::ExpandShapeOp>),
          rule<tensor::PadOp>(pad)};
}

} // namespace spindle
