#include "hw/hls/loops/order/RowNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include <functional>

using namespace mlir;
using affine::AffineForOp;

namespace spindle::hls {

namespace {

Value arrayOf(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return load.getMemRef();
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return store.getMemRef();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getMemRef();
  return {};
}

bool isStore(Operation *op) { return isa<affine::AffineStoreOp, memref::StoreOp>(op); }

/// Index arithmetic without a unit.
bool isCheap(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::IndexCastOp, arith::IndexCastUIOp,
             arith::ConstantOp, arith::CmpIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op);
}

/// Arrays are read or written, not both: then nothing keeps the iterations apart but what they
/// carry.
bool isFreeOfConflicts(AffineForOp rows) {
  llvm::SmallDenseSet<Value> read, written;
  bool isKnown = true;
  rows.walk([&](Operation *op) {
    isKnown &= !isa<affine::AffineMinOp, affine::AffineMaxOp, affine::AffineIfOp>(op);
    if (Value array = arrayOf(op))
      (isStore(op) ? written : read).insert(array);
  });
  return isKnown && llvm::none_of(written, [&](Value array) { return read.contains(array); });
}

/// As the loop form has it.
bool countsByOne(scf::ForOp row) {
  return row.getInductionVar().getType().isIndex() && matchPattern(row.getStep(), m_One()) &&
         !row.getUnsignedCmp();
}

} // namespace

std::optional<RowNest> rowNestOf(AffineForOp loop) {
  RowNest found;
  found.rows = loop;
  if (loop.getNumIterOperands() > 0 || !loop.hasConstantBounds() || loop.getStepAsInt() != 1 ||
      loop.getConstantLowerBound() >= loop.getConstantUpperBound() ||
      loop.getConstantUpperBound() >= INT32_MAX || loop.getConstantLowerBound() < 0)
    return std::nullopt;
  unsigned loops = 0;
  loop.getBody()->walk([&](LoopLikeOpInterface) { ++loops; });
  for (auto inner : loop.getBody()->getOps<scf::ForOp>())
    found.row = inner;
  if (loops != 1 || !found.row || !countsByOne(found.row) || !isFreeOfConflicts(loop))
    return std::nullopt;

  llvm::SetVector<Operation *> slice;
  std::function<bool(Value)> need = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || slice.contains(op))
      return true;
    bool isLoad = isa<affine::AffineLoadOp, memref::LoadOp>(op);
    if (!isLoad && (op->getNumRegions() > 0 || !isPure(op)))
      return false;
    bool isFine = llvm::all_of(op->getOperands(), need);
    slice.insert(op);
    return isFine;
  };
  if (!need(found.row.getLowerBound()) || !need(found.row.getUpperBound()))
    return std::nullopt;
  bool isBehind = false;
  llvm::SmallPtrSet<Operation *, 16> again;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto isAvailable = [&](Value operand) {
      Operation *maker = operand.getDefiningOp();
      return !maker || maker->getBlock() != loop.getBody() || slice.contains(maker) ||
             again.contains(maker);
    };
    if (&op == found.row)
      isBehind = true;
    else if (isBehind)
      found.last.push_back(&op);
    else if (slice.contains(&op))
      found.bounds.push_back(&op);
    else if (isCheap(&op) && llvm::all_of(op.getOperands(), isAvailable)) {
      again.insert(&op);
      found.everytime.push_back(&op);
    } else
      found.first.push_back(&op);
  }
  found.ahead.insert(found.row.getLowerBound());
  found.ahead.insert(found.row.getUpperBound());
  auto isReadElsewhere = [&](OpOperand &use) {
    bool isBound = use.getOwner() == found.row && use.getOperandNumber() < 2;
    return !isBound && !slice.contains(use.getOwner());
  };
  for (Operation *op : found.bounds)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUses(), isReadElsewhere))
        found.ahead.insert(result);
  for (Operation *op : found.first)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::any_of(found.first,
                                 [&](Operation *one) { return one->isAncestor(user); });
          }))
        found.kept.push_back(result);
  return found;
}

} // namespace spindle::hls
