#include "dialects/upstream/DefinePoison.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle {

void definePoison(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](Operation *op) {
    if (!isa<ub::PoisonOp, LLVM::UndefOp, LLVM::PoisonOp>(op))
      return;
    Type type = op->getResult(0).getType();
    auto array = dyn_cast<ShapedType>(type);
    TypedAttr zero = rewriter.getZeroAttr(type);
    if (!zero || (array && !array.hasStaticShape()))
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, zero);
  });
}

} // namespace spindle
