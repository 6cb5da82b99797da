#include "hw/hls/dependence/Instance.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

std::optional<ArrayAccess> accessOf(Operation *op) {
  if (auto load = dyn_cast<AffineReadOpInterface>(op))
    return ArrayAccess{op, load.getMemRef(), false};
  if (auto store = dyn_cast<AffineWriteOpInterface>(op))
    return ArrayAccess{op, store.getMemRef(), true};
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return ArrayAccess{op, load.getMemRef(), false};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return ArrayAccess{op, store.getMemRef(), true};
  return std::nullopt;
}

SmallVector<ArrayAccess> accessesIn(Operation *op) {
  SmallVector<ArrayAccess> accesses;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (std::optional<ArrayAccess> access = accessOf(inner))
      accesses.push_back(*access);
  });
  return accesses;
}

SmallVector<AffineForOp> loopsAround(Operation *op) {
  SmallVector<AffineForOp> loops;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (auto loop = dyn_cast<AffineForOp>(parent))
      loops.push_back(loop);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

SmallVector<Guard> guardsAround(Operation *op) {
  SmallVector<Guard> guards;
  for (Operation *inner = op; Operation *parent = inner->getParentOp(); inner = parent)
    if (auto condition = dyn_cast<AffineIfOp>(parent))
      guards.push_back({condition, inner->getParentRegion() == &condition.getElseRegion()});
  return guards;
}

Instance InstanceSystem::add(Operation *op, const Instance *with, unsigned shared) {
  Instance at{op, loopsAround(op), {}};
  for (auto [depth, loop] : llvm::enumerate(at.loops))
    at.variables.push_back(with && depth < shared ? with->variables[depth] : addVariable());
  for (auto [depth, loop] : llvm::enumerate(at.loops))
    if (!with || depth >= shared)
      addBounds(loop, at.variables[depth], at);
  for (const Guard &guard : guardsAround(op))
    addGuard(guard, at);
  return at;
}

std::optional<LinearForm> InstanceSystem::formOf(Value value, const Instance &at) {
  if (AffineForOp loop = getForInductionVarOwner(value))
    if (auto place = llvm::find(at.loops, loop); place != at.loops.end())
      return LinearForm::variable(at.variables[size_t(place - at.loops.begin())]);
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return LinearForm::of(constant.getInt());
  if (auto apply = value.getDefiningOp<AffineApplyOp>()) {
    auto forms = formsOf(apply.getAffineMap(), apply.getMapOperands(), at);
    return forms ? std::optional(forms->front()) : std::nullopt;
  }
  if (value.getParentBlock()->getParentOp()->getParentOfType<AffineForOp>() ||
      isa<AffineForOp>(value.getParentBlock()->getParentOp()))
    return std::nullopt;
  auto [place, isNew] = symbols.try_emplace(value, 0);
  if (isNew)
    place->second = addVariable();
  return LinearForm::variable(place->second);
}

std::optional<SmallVector<LinearForm>> InstanceSystem::formsOf(AffineMap map, ValueRange operands,
                                                               const Instance &at) {
  SmallVector<LinearForm> inputs, results;
  for (Value operand : operands) {
    std::optional<LinearForm> form = formOf(operand, at);
    if (!form)
      return std::nullopt;
    inputs.push_back(*form);
  }
  ArrayRef<LinearForm> all(inputs);
  for (AffineExpr expression : map.getResults()) {
    std::optional<LinearForm> form = AffineSystem::formOf(
        expression, all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    if (!form)
      return std::nullopt;
    results.push_back(*form);
  }
  return results;
}

std::optional<SmallVector<LinearForm>> InstanceSystem::subscripts(const ArrayAccess &access,
                                                                  const Instance &at) {
  if (auto load = dyn_cast<AffineReadOpInterface>(access.op))
    return formsOf(load.getAffineMap(), load.getMapOperands(), at);
  if (auto store = dyn_cast<AffineWriteOpInterface>(access.op))
    return formsOf(store.getAffineMap(), store.getMapOperands(), at);
  ValueRange indices = access.isStore ? ValueRange(cast<memref::StoreOp>(access.op).getIndices())
                                      : ValueRange(cast<memref::LoadOp>(access.op).getIndices());
  return formsOf(AffineMap::getMultiDimIdentityMap(indices.size(), access.op->getContext()),
                 indices, at);
}

void InstanceSystem::addBounds(AffineForOp loop, unsigned variable, const Instance &at) {
  LinearForm iv = LinearForm::variable(variable);
  auto lower = formsOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), at);
  auto upper = formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), at);
  if (lower)
    for (const LinearForm &bound : *lower)
      addNonNegative(iv - bound);
  if (upper)
    for (const LinearForm &bound : *upper)
      addNonNegative(bound - iv - LinearForm::of(1));
  int64_t step = loop.getStepAsInt();
  if (step > 1 && lower && lower->size() == 1)
    addZero(iv - lower->front() - LinearForm::variable(addVariable()) * step);
}

void InstanceSystem::addGuard(const Guard &guard, const Instance &at) {
  AffineIfOp condition = guard.op;
  IntegerSet set = condition.getIntegerSet();
  // The negation of several constraints is no conjunction: it is left out.
  if (guard.inElse && (set.getNumConstraints() != 1 || set.isEq(0)))
    return;
  AffineMap map =
      AffineMap::get(set.getNumDims(), set.getNumSymbols(), set.getConstraints(), set.getContext());
  auto forms = formsOf(map, condition.getOperands(), at);
  if (!forms)
    return;
  for (auto [index, form] : llvm::enumerate(*forms))
    if (guard.inElse)
      addNonNegative(form * -1 - LinearForm::of(1));
    else if (set.isEq(index))
      addZero(form);
    else
      addNonNegative(form);
}

} // namespace spindle::hls
