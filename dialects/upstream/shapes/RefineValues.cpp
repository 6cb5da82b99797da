#include "dialects/upstream/shapes/RefineValues.h"

using namespace mlir;

namespace spindle::upstream {

func::FuncOp outermostOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return function && function.isPublic() && argument.getOwner()->isEntryBlock() ? function
                                                                                : func::FuncOp();
}

void settleType(func::FuncOp function) {
  function.setType(FunctionType::get(function.getContext(), function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
}

bool castOperand(PatternRewriter &rewriter, OpOperand &operand, ArrayRef<int64_t> shape) {
  ShapedType type = shapedTypeOf(operand.get());
  if (type.getShape() == shape)
    return false;
  Operation *op = operand.getOwner();
  if (func::FuncOp function = outermostOf(operand.get())) {
    Value argument = operand.get();
    rewriter.setInsertionPointToStart(&function.getBody().front());
    rewriter.modifyOpInPlace(function, [&] { argument.setType(type.clone(shape)); });
    Value open = makeShapeCast(rewriter, function.getLoc(), type, argument);
    rewriter.replaceUsesWithIf(argument, open, [&](OpOperand &use) {
      return use.getOwner() != open.getDefiningOp() && &use != &operand;
    });
    settleType(function);
    return true;
  }
  rewriter.setInsertionPoint(op);
  Value cast = makeShapeCast(rewriter, op->getLoc(), type.clone(shape), operand.get());
  rewriter.modifyOpInPlace(op, [&] { operand.set(cast); });
  return true;
}

bool refine(PatternRewriter &rewriter, Operation *owner, Value value, ArrayRef<int64_t> shape) {
  ShapedType type = shapedTypeOf(value);
  if (type.getShape() == shape)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    rewriter.setInsertionPointToStart(argument.getOwner());
  else
    rewriter.setInsertionPointAfter(owner);
  rewriter.modifyOpInPlace(owner, [&] { value.setType(type.clone(shape)); });
  Value cast = makeShapeCast(rewriter, owner->getLoc(), type, value);
  rewriter.replaceAllUsesExcept(value, cast, cast.getDefiningOp());
  return true;
}

} // namespace spindle::upstream
