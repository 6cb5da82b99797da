#include "dialects/affine/Remainders.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;

namespace {

using Bound = std::optional<int64_t>;

/// The expressions of a map, and what upstream knows of its operands: where loops begin and end.
class Spelling {
public:
  Spelling(AffineMap m, ValueRange operands) : map(m) {
    for (Value operand : operands) {
      affine::AffineForOp loop = affine::getForInductionVarOwner(operand);
      bool begins = loop && loop.hasConstantLowerBound(),
           ends = loop && loop.hasConstantUpperBound();
      least.push_back(begins ? Bound(loop.getConstantLowerBound()) : Bound());
      most.push_back(ends ? Bound(loop.getConstantUpperBound() - 1) : Bound());
    }
  }

  /// `isUsed`: something is concluded from the bounds of the results.
  AffineMap spelled(bool isUsed) const {
    SmallVector<AffineExpr> results;
    for (AffineExpr result : map.getResults())
      results.push_back(spelled(result, isUsed));
    return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
  }

private:
  AffineExpr spelled(AffineExpr expr, bool isUsed) const {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return expr;
    AffineExprKind kind = binary.getKind();
    bool divides = kind != AffineExprKind::Add && kind != AffineExprKind::Mul;
    AffineExpr left = spelled(binary.getLHS(), isUsed || divides), right = binary.getRHS();
    if (kind == AffineExprKind::Add)
      right = spelled(right, isUsed);
    auto divisor = dyn_cast<AffineConstantExpr>(right);
    if (kind == AffineExprKind::Mod && isUsed && divisor && divisor.getValue() > 0) {
      Bound lowest = getBoundForAffineExpr(left, map.getNumDims(), map.getNumSymbols(), least, most,
                                           /*isUpper=*/false);
      if (lowest && *lowest % divisor.getValue() != 0)
        return left + (left * -1).ceilDiv(right) * right;
    }
    return getAffineBinaryOpExpr(kind, left, right);
  }

  AffineMap map;
  SmallVector<Bound> least, most; // per operand
};

} // namespace

void spindle::spellRemainders(Operation *root) {
  root->walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>([](auto each) {
          each.setMap(Spelling(each.getMap(), each.getMapOperands()).spelled(true));
        })
        .Case<affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineVectorLoadOp,
              affine::AffineVectorStoreOp>([](auto each) {
          each.setMap(Spelling(each.getAffineMap(), each.getMapOperands()).spelled(false));
        })
        .Case([](affine::AffineForOp loop) {
          AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
          loop.setLowerBoundMap(
              Spelling(lower, loop.getLowerBoundOperands()).spelled(lower.getNumResults() > 1));
          loop.setUpperBoundMap(
              Spelling(upper, loop.getUpperBoundOperands()).spelled(upper.getNumResults() > 1));
        });
  });
}
