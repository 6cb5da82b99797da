#include "hw/hls/loops/order/CarryRowSums.h"

using namespace mlir;
using affine::AffineForOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

namespace spindle::hls {

namespace {

bool touches(Operation *op, Value array) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::is_contained(inner->getOperands(), array) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the subscripts stay inside the array wherever the loops around stand.
bool isInRange(AffineStoreOp store) {
  AffineMap map = store.getAffineMap();
  for (auto [subscript, extent] : llvm::zip(map.getResults(), store.getMemRefType().getShape())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(subscript)) {
      if (constant.getValue() < 0 || constant.getValue() >= extent)
        return false;
      continue;
    }
    auto dimension = dyn_cast<AffineDimExpr>(subscript);
    AffineForOp loop =
        dimension ? affine::getForInductionVarOwner(store.getMapOperands()[dimension.getPosition()])
                  : AffineForOp();
    if (!loop || !loop.hasConstantBounds() || loop.getConstantLowerBound() < 0 ||
        loop.getConstantUpperBound() > extent)
      return false;
  }
  return true;
}

bool isSameWord(AffineLoadOp load, AffineStoreOp store) {
  return load.getMemRef() == store.getMemRef() && load.getAffineMap() == store.getAffineMap() &&
         llvm::equal(load.getMapOperands(), store.getMapOperands());
}

/// The load of the word that `store` writes, where these two are all that touches the array.
AffineLoadOp partnerOf(AffineStoreOp store, scf::ForOp row) {
  AffineLoadOp partner;
  for (Operation &op : row.getBody()->without_terminator()) {
    if (&op == store || !touches(&op, store.getMemRef()))
      continue;
    auto load = dyn_cast<AffineLoadOp>(op);
    if (!load || partner || !isSameWord(load, store) || !load->isBeforeInBlock(store))
      return {};
    partner = load;
  }
  return partner;
}

/// The last operation before `op` that touches the array.
Operation *lastBefore(Operation *op, Value array) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (touches(before, array))
      return before;
  return nullptr;
}

scf::ForOp carry(scf::ForOp row, AffineLoadOp load, AffineStoreOp store, IRRewriter &rewriter) {
  Location location = store.getLoc();
  rewriter.setInsertionPoint(row);
  Value init = AffineLoadOp::create(rewriter, load.getLoc(), load.getMemRef(), load.getAffineMap(),
                                    load.getMapOperands());
  auto before = dyn_cast_or_null<AffineStoreOp>(lastBefore(init.getDefiningOp(), load.getMemRef()));
  if (before && isSameWord(load, before)) {
    Value stored = before.getValueToStore();
    rewriter.replaceOp(init.getDefiningOp(), stored);
    rewriter.eraseOp(before);
    init = stored;
  }
  Value next = store.getValueToStore();
  auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
    return SmallVector<Value>{next};
  };
  FailureOr<LoopLikeOpInterface> made = row.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false, yields);
  auto carried = cast<scf::ForOp>(made->getOperation());
  rewriter.replaceOp(load, carried.getRegionIterArgs().back());
  rewriter.setInsertionPointAfter(carried);
  AffineStoreOp::create(rewriter, location, carried.getResults().back(), store.getMemRef(),
                        store.getAffineMap(), store.getMapOperands());
  rewriter.eraseOp(store);
  return carried;
}

} // namespace

scf::ForOp carryRowSums(scf::ForOp row, IRRewriter &rewriter) {
  for (bool isFound = true; isFound;) {
    isFound = false;
    for (auto store : row.getBody()->getOps<AffineStoreOp>()) {
      AffineLoadOp load = partnerOf(store, row);
      if (!load || !isInRange(store))
        continue;
      row = carry(row, load, store, rewriter);
      isFound = true;
      break;
    }
  }
  return row;
}

} // namespace spindle::hls
