#include "dialects/upstream/SpellExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace spindle {

template <typename Dim> static void spell(Dim op) {
  auto type = dyn_cast<ShapedType>(op.getSource().getType());
  if (op.getConstantIndex() || !type || !type.hasRank() || type.getRank() == 0)
    return;
  OpBuilder builder(op);
  Location location = op.getLoc();
  Value chosen = Dim::create(builder, location, op.getSource(), 0);
  for (int64_t dimension = 1; dimension < type.getRank(); ++dimension) {
    Value number = arith::ConstantIndexOp::create(builder, location, dimension);
    Value isMeant =
        arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, op.getIndex(), number);
    Value extent = Dim::create(builder, location, op.getSource(), dimension);
    chosen = arith::SelectOp::create(builder, location, isMeant, extent, chosen);
  }
  op.getResult().replaceAllUsesWith(chosen);
  op.erase();
}

void spellExtents(Operation *root) {
  root->walk([](memref::DimOp op) { spell(op); });
  root->walk([](tensor::DimOp op) { spell(op); });
}

} // namespace spindle
