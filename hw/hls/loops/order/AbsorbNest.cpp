#include "hw/hls/loops/order/AbsorbNest.h"

#include "hw/hls/dependence/Independence.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

struct Bound {
  AffineMap map;
  SmallVector<Value> operands;
  bool operator==(const Bound &) const = default;
};

Bound boundOf(AffineForOp loop, bool isLower, const IRMapping &mapping) {
  AffineMap map = isLower ? loop.getLowerBoundMap() : loop.getUpperBoundMap();
  SmallVector<Value> operands;
  for (Value operand : isLower ? loop.getLowerBoundOperands() : loop.getUpperBoundOperands())
    operands.push_back(mapping.lookupOrDefault(operand));
  fullyComposeAffineMapAndOperands(&map, &operands);
  canonicalizeMapAndOperands(&map, &operands);
  return {map, operands};
}

IRMapping mappingOf(ArrayRef<AffineForOp> deep, const Shallow &shallow,
                    const Absorption &absorption) {
  IRMapping mapping;
  for (auto [loop, match] : llvm::zip(shallow.loops, absorption.matches))
    mapping.map(AffineForOp(loop).getInductionVar(), AffineForOp(deep[match]).getInductionVar());
  return mapping;
}

bool haveSameRange(AffineForOp shallow, AffineForOp deep, const IRMapping &mapping) {
  return shallow.getStepAsInt() == 1 && deep.getStepAsInt() == 1 &&
         boundOf(shallow, true, mapping) == boundOf(deep, true, {}) &&
         boundOf(shallow, false, mapping) == boundOf(deep, false, {});
}

/// iv - first iteration, or last iteration - iv, of a loop that is not matched.
std::optional<LinearForm> distanceToEnd(InstanceSystem &system, AffineForOp loop, unsigned variable,
                                        const Instance &at, bool isFirst) {
  auto forms = isFirst ? system.formsOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), at)
                       : system.formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), at);
  if (!forms || forms->size() != 1)
    return std::nullopt;
  LinearForm iv = LinearForm::variable(variable);
  return isFirst ? iv - forms->front() : forms->front() - LinearForm::of(1) - iv;
}

/// Whether a deep access, at some iteration, and a shallow one of the same word change places.
bool changePlaces(ArrayRef<AffineForOp> deep, const Absorption &absorption, const ArrayAccess &a,
                  const ArrayAccess &b) {
  unsigned control = unsigned(loopsAround(AffineForOp(deep.front())).size());
  InstanceSystem system;
  Instance inner = system.add(b.op);
  Instance outer = system.add(a.op, &inner, control);
  // The iteration of the deep nest in which the shallow access will run.
  AffineForOp innermost = deep.back();
  Instance point = system.add(innermost.getBody()->getTerminator(), &inner, control);
  for (unsigned level = 0; level < deep.size(); ++level) {
    unsigned variable = point.variables[control + level];
    auto match = llvm::find(absorption.matches, level);
    if (match != absorption.matches.end()) {
      unsigned loop = control + unsigned(match - absorption.matches.begin());
      system.addZero(LinearForm::variable(variable) - LinearForm::variable(outer.variables[loop]));
    } else if (auto end =
                   distanceToEnd(system, deep[level], variable, point, absorption.isBefore)) {
      system.addZero(*end);
    }
  }
  auto here = system.subscripts(a, outer), there = system.subscripts(b, inner);
  if (here && there)
    for (auto [x, y] : llvm::zip(*here, *there))
      system.addZero(x - y);
  for (unsigned level = 0; level < deep.size(); ++level) {
    // how far the point is after the deep access
    LinearForm behind = LinearForm::variable(point.variables[control + level]) -
                        LinearForm::variable(inner.variables[control + level]);
    InstanceSystem wrong = system;
    wrong.addNonNegative(behind * (absorption.isBefore ? 1 : -1) - LinearForm::of(1));
    if (!wrong.isEmpty())
      return true;
    system.addZero(behind);
  }
  return false;
}

} // namespace

bool alwaysRuns(AffineForOp loop) {
  InstanceSystem system;
  Instance at = system.add(loop);
  auto lower = system.formsOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), at);
  auto upper = system.formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), at);
  if (!lower || !upper)
    return false;
  for (const LinearForm &from : *lower)
    for (const LinearForm &to : *upper) {
      std::optional<int64_t> trips = system.minimum(to - from);
      if (trips && *trips < 1)
        return false;
    }
  return true;
}

bool canAbsorb(ArrayRef<AffineForOp> deep, const Shallow &shallow, const Absorption &absorption) {
  auto accesses = [](Operation *op) { return !accessesIn(op).empty(); };
  if (llvm::any_of(deep, isIndependent) && llvm::any_of(shallow.operations, accesses))
    return false;
  IRMapping mapping = mappingOf(deep, shallow, absorption);
  for (auto [loop, match] : llvm::zip(shallow.loops, absorption.matches))
    if (!haveSameRange(loop, deep[match], mapping))
      return false;
  for (unsigned level = 0; level < deep.size(); ++level) {
    AffineForOp loop = deep[level];
    if (loop->getNumResults() > 0)
      return false;
    AffineMap end = absorption.isBefore ? loop.getLowerBoundMap() : loop.getUpperBoundMap();
    if (!llvm::is_contained(absorption.matches, level) &&
        (end.getNumResults() != 1 || loop.getStepAsInt() != 1 || !alwaysRuns(loop)))
      return false;
  }
  SmallVector<ArrayAccess> deepAccesses = accessesIn(AffineForOp(deep.back()));
  for (Operation *op : shallow.operations)
    for (const ArrayAccess &a : accessesIn(op))
      for (const ArrayAccess &b : deepAccesses)
        if (a.array == b.array && (a.isStore || b.isStore) && changePlaces(deep, absorption, a, b))
          return false;
  return true;
}

void absorb(ArrayRef<AffineForOp> deep, const Shallow &shallow, const Absorption &absorption) {
  AffineForOp innermost = deep.back();
  Location loc = innermost.getLoc();
  OpBuilder builder(innermost.getContext());
  if (absorption.isBefore)
    builder.setInsertionPointToStart(innermost.getBody());
  else
    builder.setInsertionPoint(innermost.getBody()->getTerminator());
  SmallVector<AffineExpr> conditions;
  SmallVector<Value> operands;
  for (unsigned level = 0; level < deep.size(); ++level) {
    if (llvm::is_contained(absorption.matches, level))
      continue;
    AffineForOp loop = deep[level];
    AffineMap end = absorption.isBefore ? loop.getLowerBoundMap() : loop.getUpperBoundMap();
    ValueRange ends =
        absorption.isBefore ? loop.getLowerBoundOperands() : loop.getUpperBoundOperands();
    Value bound = AffineApplyOp::create(builder, loc, end, ends);
    AffineExpr iv = builder.getAffineDimExpr(unsigned(operands.size()));
    AffineExpr at = builder.getAffineDimExpr(unsigned(operands.size()) + 1);
    conditions.push_back(absorption.isBefore ? iv - at : iv - at + 1);
    operands.push_back(loop.getInductionVar());
    operands.push_back(bound);
  }
  if (!conditions.empty()) {
    auto set = IntegerSet::get(unsigned(operands.size()), 0, conditions,
                               SmallVector<bool>(conditions.size(), true));
    auto guard = AffineIfOp::create(builder, loc, set, operands, false);
    builder.setInsertionPointToStart(guard.getThenBlock());
  }
  IRMapping mapping = mappingOf(deep, shallow, absorption);
  for (Operation *op : shallow.operations)
    builder.clone(*op, mapping);
}

} // namespace spindle::hls
