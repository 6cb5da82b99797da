#include "dialects/upstream/SpellAffine.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace spindle {

void spellAffine(ModuleOp module) {
  DenseSet<Operation *> spelled;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<affine::AffineForOp, affine::AffineIfOp>(op) ||
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      return WalkResult::advance();
    op->walk([&](Operation *inner) {
      if (isa_and_nonnull<affine::AffineDialect>(inner->getDialect()))
        spelled.insert(inner);
    });
    return WalkResult::skip();
  });
  if (spelled.empty())
    return;
  RewritePatternSet patterns(module.getContext());
  populateAffineToStdConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([&](Operation *op) { return !spelled.contains(op); });
  (void)applyPartialConversion(module, target, std::move(patterns)); // at most leaves one to refuse
}

} // namespace spindle
