#include "dialects/upstream/SpellSincos.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle {

void spellSincos(Operation *root) {
  root->walk([](math::SincosOp op) {
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Value sine = math::SinOp::create(builder, op.getOperand());
    Value cosine = math::CosOp::create(builder, op.getOperand());
    op.getSin().replaceAllUsesWith(sine);
    op.getCos().replaceAllUsesWith(cosine);
    op.erase();
  });
}

} // namespace spindle
