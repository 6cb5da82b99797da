#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle::hls {

/// The map of all indices, where all are affine and the circuit has all bits that they need.
static std::optional<std::pair<AffineMap, SmallVector<Value>>> mapOf(ValueRange indices,
                                                                     MLIRContext *context) {
  IndexExpressions expressions(context);
  SmallVector<AffineExpr> results;
  for (Value index : indices) {
    std::optional<AffineExpr> expression = expressions.of(index);
    if (!expression || expressions.dividesLarge(*expression))
      return std::nullopt;
    results.push_back(*expression);
  }
  return expressions.map(results);
}

LogicalResult raiseAccesses(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  top.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      if (auto map = mapOf(load.getIndices(), op->getContext()))
        rewriter.replaceOpWithNewOp<affine::AffineLoadOp>(op, load.getMemRef(), map->first,
                                                          map->second);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (auto map = mapOf(store.getIndices(), op->getContext()))
        rewriter.replaceOpWithNewOp<affine::AffineStoreOp>(
            op, store.getValueToStore(), store.getMemRef(), map->first, map->second);
    }
  });
  return success();
}

} // namespace spindle::hls
