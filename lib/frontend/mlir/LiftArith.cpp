// Rules of arith and math: arithmetic on tensors or on the elements of a region, and constants.
#include "lib/frontend/mlir/MlirLifter.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>

using namespace mlir;

namespace spindle {

/// One value for a splat, all values otherwise; none for element types that are no numbers.
static std::vector<double> valuesOf(DenseElementsAttr elements) {
  std::vector<double> values;
  size_t count = elements.isSplat() ? 1 : size_t(elements.getNumElements());
  values.reserve(count);
  if (elements.getElementType().isF32())
    for (float value :
         llvm::make_range(elements.value_begin<float>(), elements.value_begin<float>() + count))
      values.push_back(value);
  else if (isa<FloatType>(elements.getElementType()))
    for (APFloat value :
         llvm::make_range(elements.value_begin<APFloat>(), elements.value_begin<APFloat>() + count))
      values.push_back(value.convertToDouble());
  else if (elements.getElementType().isIntOrIndex())
    for (APInt value :
         llvm::make_range(elements.value_begin<APInt>(), elements.value_begin<APInt>() + count))
      values.push_back(double(value.getSExtValue()));
  return values;
}

llvm::Expected<Tensor> constantOf(const MlirLifter &lifter, Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Tensor::constant({}, {number.getValueAsDouble()});
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return Tensor::constant({}, {double(number.getValue().getSExtValue())});
  auto elements = dyn_cast<ElementsAttr>(attribute);
  if (!elements)
    return checkError(lifter.builder.presentPlace(), "a constant is no number and no tensor");
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(elements.getType(), /*isActivation=*/false));
  if (llvm::is_contained(shape, 0))
    return lifter.refuse("a constant without elements is not supported");
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    std::vector<double> values = valuesOf(dense);
    if (!values.empty())
      return Tensor::constant(shape, std::move(values));
  }
  if (auto resource = dyn_cast<DenseF32ResourceElementsAttr>(attribute)) {
    std::optional<ArrayRef<float>> values = resource.tryGetAsArrayRef();
    if (!values || int64_t(values->size()) != spindle::sizeOf(shape))
      return lifter.refuse(fmt::format("resource '{}' is absent or does not hold {} floats",
                                       resource.getRawHandle().getKey().str(), toText(shape)));
    return Tensor::constant(shape, std::vector<double>(values->begin(), values->end()));
  }
  return lifter.refuse("a constant of other elements than floats is not supported");
}

static llvm::Expected<Tensor> constant(MlirLifter &lifter, arith::ConstantOp op) {
  return constantOf(lifter, op.getValue());
}

static llvm::Expected<Tensor> negate(MlirLifter &lifter, arith::NegFOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getOperand()));
  return lifter.builder.arithmetic(Arithmetic::Multiply, x, Tensor::constant({}, {-1}));
}

/// A change of precision; constants keep their value until they enter the graph.
template <typename Op> static llvm::Expected<Tensor> sameValue(MlirLifter &lifter, Op op) {
  return lifter.lookup(op->getOperand(0));
}

/// A comparison has a meaning only in a select, which looks at it.
static llvm::Expected<Tensor> compare(MlirLifter &, arith::CmpFOp) { return Tensor(); }

/// x > c ? x : c and the like: a maximum or a minimum, in the ways there are to write it.
static llvm::Expected<Tensor> select(MlirLifter &lifter, arith::SelectOp op) {
  using P = arith::CmpFPredicate;
  auto compared = op.getCondition().getDefiningOp<arith::CmpFOp>();
  // The constant may be written once for the comparison and once for the choice.
  auto same = [&](Value a, Value b) {
    if (a == b)
      return true;
    llvm::Expected<Tensor> left = lifter.lookup(a), right = lifter.lookup(b);
    bool equal = left && right && left->isConstant() && right->isConstant() &&
                 !left->values.empty() && right->isAll(left->values.front()) &&
                 left->isAll(left->values.front());
    llvm::consumeError(left.takeError());
    llvm::consumeError(right.takeError());
    return equal;
  };
  if (compared) {
    P predicate = compared.getPredicate();
    Value left = compared.getLhs(), right = compared.getRhs();
    bool greater = llvm::is_contained({P::OGT, P::UGT, P::OGE, P::UGE}, predicate);
    bool less = llvm::is_contained({P::OLT, P::ULT, P::OLE, P::ULE}, predicate);
    bool keeps = same(op.getTrueValue(), left) && same(op.getFalseValue(), right);
    bool swaps = same(op.getTrueValue(), right) && same(op.getFalseValue(), left);
    if ((greater || less) && (keeps || swaps)) {
      SPINDLE_ASSIGN(Tensor a, lifter.lookup(left));
      SPINDLE_ASSIGN(Tensor b, lifter.lookup(right));
      Arithmetic kind = greater == keeps ? Arithmetic::Maximum : Arithmetic::Minimum;
      return lifter.builder.arithmetic(kind, a, b);
    }
  }
  return lifter.refuse("a selection is supported only as a maximum or a minimum: x > c ? x : c");
}

static double root(double x) { return std::sqrt(x); }
static double exponential(double x) { return std::exp(x); }

std::vector<LiftRule> arithRules() {
  return {
      rule<arith::ConstantOp>(constant),
      rule(liftArithmetic<arith::AddFOp, Arithmetic::Add>),
      rule(liftArithmetic<arith::SubFOp, Arithmetic::Subtract>),
      rule(liftArithmetic<arith::MulFOp, Arithmetic::Multiply>),
      rule(liftArithmetic<arith::DivFOp, Arithmetic::Divide>),
      rule(liftArithmetic<arith::MaximumFOp, Arithmetic::Maximum>),
      rule(liftArithmetic<arith::MaxNumFOp, Arithmetic::Maximum>),
      rule(liftArithmetic<arith::MinimumFOp, Arithmetic::Minimum>),
      rule(liftArithmetic<arith::MinNumFOp, Arithmetic::Minimum>),
      rule(negate),
      rule(sameValue<arith::TruncFOp>),
      rule(sameValue<arith::ExtFOp>),
      rule(compare),
      rule(select),
      rule(liftFunction<math::ExpOp, exponential>),
      rule(liftFunction<math::RsqrtOp, inverseRoot>),
      rule(liftFunction<math::SqrtOp, root>),
  };
}

} // namespace spindle
