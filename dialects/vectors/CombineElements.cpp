// Operations that make one number of several elements, always in the order of the elements.
#include "dialects/vectors/Elements.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

/// The elements together with those before; the first alone where there are none.
Value combine(Builder &b, vector::CombiningKind kind, Value before, Value element) {
  return before ? vector::makeArithReduction(b, b.getLoc(), kind, before, element) : element;
}

Value multiply(Builder &b, Value left, Value right) {
  return isa<FloatType>(left.getType()) ? arith::MulFOp::create(b, left, right).getResult()
                                        : arith::MulIOp::create(b, left, right).getResult();
}

Results reduce(vector::ReductionOp op, Operands<vector::ReductionOp> operands, Builder &b) {
  Value sum = operands.getAcc().empty() ? Value() : operands.getAcc().front();
  for (Value element : operands.getVector())
    sum = combine(b, op.getKind(), sum, element);
  return {{sum}};
}

Results reduceAxes(vector::MultiDimReductionOp op, Operands<vector::MultiDimReductionOp> operands,
                   Builder &b) {
  ArrayRef<int64_t> shape = op.getSourceVectorType().getShape();
  Elements sums(operands.getAcc());
  forEachIndex(shape, [&](const Index &index) {
    Index kept;
    for (auto [axis, at] : llvm::enumerate(index))
      if (!llvm::is_contained(op.getReductionDims(), int64_t(axis)))
        kept.push_back(at);
    Value &sum = sums[size_t(placeOf(kept, shapeOf(op.getType())))];
    sum = combine(b, op.getKind(), sum, operands.getSource()[size_t(placeOf(index, shape))]);
  });
  return {sums};
}

/// A factor as wide as the sum: integers have signs.
Value widen(Builder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return isa<FloatType>(type) ? arith::ExtFOp::create(b, type, value).getResult()
                              : arith::ExtSIOp::create(b, type, value).getResult();
}

/// Each product is added to the element of the sum that its iteration has.
Results contract(vector::ContractionOp op, Operands<vector::ContractionOp> operands, Builder &b) {
  Index bounds;
  op.getIterationBounds(bounds);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto placeIn = [](AffineMap map, const Index &iteration, Type type) {
    return size_t(placeOf(map.compose(iteration), shapeOf(type)));
  };
  Elements sums(operands.getAcc());
  forEachIndex(bounds, [&](const Index &iteration) {
    Value left = operands.getLhs()[placeIn(maps[0], iteration, op.getLhsType())];
    Value right = operands.getRhs()[placeIn(maps[1], iteration, op.getRhsType())];
    Value &sum = sums[placeIn(maps[2], iteration, op.getAccType())];
    Type type = sum.getType();
    Value a = widen(b, left, type), c = widen(b, right, type);
    sum = combine(b, op.getKind(), sum, multiply(b, a, c));
  });
  return {sums};
}

Results multiplyOuter(vector::OuterProductOp op, Operands<vector::OuterProductOp> operands,
                      Builder &b) {
  Elements elements;
  ValueRange before = operands.getAcc();
  for (Value left : operands.getLhs())
    for (Value right : operands.getRhs()) {
      Value sum = before.empty() ? Value() : before[elements.size()];
      elements.push_back(combine(b, op.getKind(), sum, multiply(b, left, right)));
    }
  return {elements};
}

Results multiplyAdd(vector::FMAOp, Operands<vector::FMAOp> operands, Builder &b) {
  Elements elements;
  for (auto [left, right, sum] :
       llvm::zip_equal(operands.getLhs(), operands.getRhs(), operands.getAcc()))
    elements.push_back(math::FmaOp::create(b, left, right, sum));
  return {elements};
}

/// Along one axis every element is what came before it, itself included or, from the initial
/// value on, not.
Results scan(vector::ScanOp op, Operands<vector::ScanOp> operands, Builder &b) {
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  ArrayRef<int64_t> rest = shapeOf(op.getInitialValueType());
  size_t axis = size_t(op.getReductionDim());
  Elements elements(operands.getSource()), last(operands.getInitialValue());
  forEachIndex(shape, [&](const Index &index) {
    Index kept(index), before(index);
    kept.erase(kept.begin() + axis);
    --before[axis];
    size_t here = size_t(placeOf(index, shape)), row = size_t(placeOf(kept, rest));
    ValueRange source = operands.getSource();
    if (index[axis] == 0) {
      elements[here] = op.getInclusive() ? source[here] : operands.getInitialValue()[row];
    } else {
      size_t previous = size_t(placeOf(before, shape));
      elements[here] =
          combine(b, op.getKind(), elements[previous], source[op.getInclusive() ? here : previous]);
    }
    last[row] = elements[here];
  });
  return {elements, last};
}

} // namespace

void addCombinePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<Unroll<vector::ReductionOp, reduce>, Unroll<vector::MultiDimReductionOp, reduceAxes>,
           Unroll<vector::ContractionOp, contract>, Unroll<vector::OuterProductOp, multiplyOuter>,
           Unroll<vector::FMAOp, multiplyAdd>, Unroll<vector::ScanOp, scan>>(converter,
                                                                             patterns.getContext());
}

} // namespace spindle::vectors
