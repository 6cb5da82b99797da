#include "hw/hls/loops/order/RebuildNest.h"

#include "hw/hls/dependence/Independence.h"
#include "hw/hls/dependence/Nest.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::affine;
using namespace mlir::presburger;

namespace spindle::hls {

namespace {

/// The iterations as integer points: new loops first, then values from around the nest.
class IterationSpace {
public:
  IterationSpace(ArrayRef<AffineForOp> loops, const LoopMatrix &backwards)
      : nest(loops), inverse(backwards) {}

  /// Reads the bounds of the nest and of the loops around it; false where one has a division.
  bool read() {
    SmallVector<AffineForOp> around = loopsAround(nest.front());
    SmallVector<AffineForOp> all(around);
    llvm::append_range(all, nest);
    for (AffineForOp loop : all)
      for (Value operand : loop->getOperands())
        addOutside(operand);
    for (AffineForOp loop : all)
      if (!addBound(loop, true) || !addBound(loop, false))
        return false;
    return true;
  }

  /// Bounds of the new loop `level`, as maps over the loops down to it and the values outside.
  std::pair<AffineMap, AffineMap> boundsOf(unsigned level, MLIRContext *context) {
    IntegerPolyhedron projected = polyhedron();
    projected.projectOut(level + 1, nest.size() - level - 1);
    projected.removeRedundantConstraints();
    SmallVector<AffineExpr> lower, upper;
    auto add = [&](ArrayRef<DynamicAPInt> row, int64_t sign) {
      int64_t factor = sign * int64_t(row[level]);
      if (factor == 0)
        return;
      AffineExpr rest = getAffineConstantExpr(sign * int64_t(row.back()), context);
      for (unsigned v = 0; v + 1 < row.size(); ++v)
        if (v != level)
          rest = rest + getAffineDimExpr(v, context) * (sign * int64_t(row[v]));
      if (factor > 0)
        lower.push_back((-rest).ceilDiv(factor));
      else
        upper.push_back(rest.floorDiv(-factor) + 1);
    };
    for (unsigned r = 0; r < projected.getNumInequalities(); ++r)
      add(projected.getInequality(r), 1);
    for (unsigned r = 0; r < projected.getNumEqualities(); ++r)
      for (int64_t sign : {1, -1})
        add(projected.getEquality(r), sign);
    unsigned dims = projected.getNumVars();
    return {AffineMap::get(dims, 0, lower, context), AffineMap::get(dims, 0, upper, context)};
  }

  ArrayRef<Value> outsideValues() const { return outside.getArrayRef(); }

private:
  void addOutside(Value value) {
    if (auto apply = value.getDefiningOp<AffineApplyOp>()) {
      for (Value operand : apply.getMapOperands())
        addOutside(operand);
      return;
    }
    AffineForOp loop = getForInductionVarOwner(value);
    if (!loop || !llvm::is_contained(nest, loop))
      outside.insert(value);
  }

  std::optional<LinearForm> formOf(AffineExpr expression, ArrayRef<LinearForm> inputs,
                                   unsigned dims) {
    AffineSystem system; // grows a variable for a division
    std::optional<LinearForm> form =
        system.formOf(expression, inputs.take_front(dims), inputs.drop_front(dims));
    return system.isPlain() ? form : std::nullopt;
  }

  std::optional<LinearForm> formOf(Value value) {
    for (auto [loop, row] : llvm::zip(nest, inverse))
      if (value == AffineForOp(loop).getInductionVar()) {
        LinearForm form;
        form.coefficients.assign(row.begin(), row.end());
        return form;
      }
    if (auto apply = value.getDefiningOp<AffineApplyOp>()) {
      SmallVector<LinearForm> inputs;
      for (Value operand : apply.getMapOperands()) {
        std::optional<LinearForm> form = formOf(operand);
        if (!form)
          return std::nullopt;
        inputs.push_back(*form);
      }
      return formOf(apply.getAffineMap().getResult(0), inputs, apply.getAffineMap().getNumDims());
    }
    auto place = llvm::find(outside, value);
    return LinearForm::variable(unsigned(nest.size() + size_t(place - outside.begin())));
  }

  bool addBound(AffineForOp loop, bool isLower) {
    AffineMap map = isLower ? loop.getLowerBoundMap() : loop.getUpperBoundMap();
    SmallVector<LinearForm> inputs;
    for (Value operand : isLower ? loop.getLowerBoundOperands() : loop.getUpperBoundOperands()) {
      std::optional<LinearForm> form = formOf(operand);
      if (!form)
        return false;
      inputs.push_back(*form);
    }
    bool isOurs = llvm::is_contained(nest, loop);
    if (!isOurs)
      outside.insert(loop.getInductionVar());
    LinearForm variable = *formOf(loop.getInductionVar());
    for (AffineExpr result : map.getResults()) {
      std::optional<LinearForm> bound = formOf(result, inputs, map.getNumDims());
      if (bound)
        constraints.push_back(isLower ? variable - *bound : *bound - variable - LinearForm::of(1));
      else if (isOurs)
        return false;
    }
    return loop.getStepAsInt() == 1 || !isOurs;
  }

  IntegerPolyhedron polyhedron() {
    unsigned variables = unsigned(nest.size() + outside.size());
    IntegerPolyhedron all(PresburgerSpace::getSetSpace(variables));
    for (const LinearForm &form : constraints) {
      SmallVector<int64_t> row{ArrayRef<int64_t>(form.coefficients)};
      row.resize(variables, 0);
      row.push_back(form.constant);
      all.addInequality(row);
    }
    return all;
  }

  ArrayRef<AffineForOp> nest;
  const LoopMatrix &inverse;
  llvm::SetVector<Value> outside;
  SmallVector<LinearForm> constraints; // each >= 0
};

} // namespace

/// The old loop that a new one is, null where it is a sum of several.
static AffineForOp movedLoop(ArrayRef<AffineForOp> nest, ArrayRef<int64_t> row) {
  unsigned others = llvm::count_if(row, [](int64_t factor) { return factor != 0; });
  const int64_t *one = llvm::find(row, 1);
  return others == 1 && one != row.end() ? nest[size_t(one - row.begin())] : AffineForOp();
}

AffineForOp rebuildNest(AffineForOp outermost, const LoopMatrix &matrix) {
  SmallVector<AffineForOp> nest = perfectNest(outermost);
  LoopMatrix inverse = inverseOf(matrix);
  IterationSpace space(nest, inverse);
  if (outermost->getNumResults() > 0 || !space.read())
    return {};
  MLIRContext *context = outermost.getContext();
  SmallVector<std::pair<AffineMap, AffineMap>> bounds;
  for (unsigned level = 0; level < nest.size(); ++level) {
    bounds.push_back(space.boundsOf(level, context));
    if (bounds.back().first.getNumResults() == 0 || bounds.back().second.getNumResults() == 0)
      return {};
  }
  OpBuilder builder(outermost);
  Location loc = outermost.getLoc();
  SmallVector<Value> variables;
  AffineForOp first;
  for (unsigned level = 0; level < nest.size(); ++level) {
    SmallVector<Value> operands(variables);
    operands.push_back({}); // the loop itself, which its bounds do not read
    llvm::append_range(operands, space.outsideValues());
    auto [lower, upper] = bounds[level];
    auto build = [&](AffineMap map) {
      SmallVector<Value> used;
      SmallVector<AffineExpr> dims;
      for (unsigned d = 0; d < map.getNumDims(); ++d) {
        bool isUsed = map.isFunctionOfDim(d);
        dims.push_back(isUsed ? getAffineDimExpr(unsigned(used.size()), context)
                              : getAffineConstantExpr(0, context));
        if (isUsed)
          used.push_back(operands[d]);
      }
      map = map.replaceDimsAndSymbols(dims, {}, unsigned(used.size()), 0);
      canonicalizeMapAndOperands(&map, &used);
      return std::pair(removeDuplicateExprs(map), used);
    };
    auto [lowerMap, lowerOperands] = build(lower);
    auto [upperMap, upperOperands] = build(upper);
    auto loop = AffineForOp::create(builder, loc, lowerOperands, lowerMap, upperOperands, upperMap);
    if (AffineForOp same = movedLoop(nest, matrix[level]))
      loop->setDiscardableAttrs(same->getDiscardableAttrDictionary());
    dropIndependence(loop); // it was meant for other loops around
    first = first ? first : loop;
    variables.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  IRMapping mapping;
  for (auto [loop, row] : llvm::zip(nest, inverse)) {
    AffineExpr old = getAffineConstantExpr(0, context);
    for (auto [level, factor] : llvm::enumerate(row))
      old = old + getAffineDimExpr(unsigned(level), context) * factor;
    Value value = AffineApplyOp::create(builder, loc, AffineMap::get(unsigned(nest.size()), 0, old),
                                        variables);
    mapping.map(loop.getInductionVar(), value);
  }
  for (Operation &op : nest.back().getBody()->without_terminator())
    builder.clone(op, mapping);
  return first;
}

} // namespace spindle::hls
