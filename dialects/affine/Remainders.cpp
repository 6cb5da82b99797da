#include "dialects/affine/Remainders.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;

namespace {

using Bounds = SmallVector<std::optional<int64_t>>;

/// What upstream knows of the least value of an operand: where a loop begins.
Bounds leastOf(ValueRange operands) {
  Bounds least;
  for (Value operand : operands) {
    affine::AffineForOp loop = affine::getForInductionVarOwner(operand);
    least.push_back(loop && loop.hasConstantLowerBound()
                        ? std::optional<int64_t>(loop.getConstantLowerBound())
                        : std::nullopt);
  }
  return least;
}

Bounds mostOf(ValueRange operands) {
  Bounds most;
  for (Value operand : operands) {
    affine::AffineForOp loop = affine::getForInductionVarOwner(operand);
    most.push_back(loop && loop.hasConstantUpperBound()
                       ? std::optional<int64_t>(loop.getConstantUpperBound() - 1)
                       : std::nullopt);
  }
  return most;
}

AffineExpr spelled(AffineExpr expr, AffineMap map, ValueRange operands, bool isUsed) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExprKind kind = binary.getKind();
  bool divides = kind == AffineExprKind::Mod || kind == AffineExprKind::FloorDiv ||
                 kind == AffineExprKind::CeilDiv;
  AffineExpr left = spelled(binary.getLHS(), map, operands, isUsed || divides),
             right = spelled(binary.getRHS(), map, operands, isUsed);
  auto divisor = dyn_cast<AffineConstantExpr>(right);
  if (kind == AffineExprKind::Mod && isUsed && divisor && divisor.getValue() > 0) {
    std::optional<int64_t> least =
        getBoundForAffineExpr(left, map.getNumDims(), map.getNumSymbols(), leastOf(operands),
                              mostOf(operands), /*isUpper=*/false);
    if (least && *least % divisor.getValue() != 0)
      return left + (left * -1).ceilDiv(right) * right;
  }
  return getAffineBinaryOpExpr(kind, left, right);
}

AffineMap spelled(AffineMap map, ValueRange operands, bool isUsed) {
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults())
    results.push_back(spelled(result, map, operands, isUsed || map.getNumResults() > 1));
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}

} // namespace

void spindle::spellRemainders(Operation *root) {
  root->walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>([](auto each) {
          AffineMap map = spelled(each.getMap(), each.getMapOperands(), true);
          if (map != each.getMap())
            each.setMap(map);
        })
        .Case<affine::AffineLoadOp, affine::AffineStoreOp>([](auto each) {
          AffineMap map = each.getAffineMap();
          SmallVector<AffineExpr> results;
          for (AffineExpr result : map.getResults())
            results.push_back(spelled(result, map, each.getMapOperands(), false));
          each->setAttr(each.getMapAttrStrName(),
                        AffineMapAttr::get(AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                                          results, map.getContext())));
        })
        .Case([](affine::AffineForOp loop) {
          loop.setLowerBoundMap(
              spelled(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), false));
          loop.setUpperBoundMap(
              spelled(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), false));
        });
  });
}
