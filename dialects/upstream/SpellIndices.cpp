#include "dialects/upstream/SpellIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle {

template <typename To> static Operation *again(Operation *op, OpBuilder &builder) {
  return To::create(builder, op->getLoc(), op->getResultTypes(), op->getOperands());
}

static arith::CmpIPredicate predicateOf(index::IndexCmpPredicate predicate) {
  std::optional<arith::CmpIPredicate> same =
      arith::symbolizeCmpIPredicate(index::stringifyIndexCmpPredicate(predicate));
  assert(same && "both dialects have the same names");
  return *same;
}

/// The operation of arith that does the same; null where there is none.
static Operation *arithmeticOf(Operation *op, OpBuilder &builder) {
  using Made = Operation *;
  Location location = op->getLoc();
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case([&](index::AddOp) { return again<arith::AddIOp>(op, builder); })
      .Case([&](index::SubOp) { return again<arith::SubIOp>(op, builder); })
      .Case([&](index::MulOp) { return again<arith::MulIOp>(op, builder); })
      .Case([&](index::DivSOp) { return again<arith::DivSIOp>(op, builder); })
      .Case([&](index::DivUOp) { return again<arith::DivUIOp>(op, builder); })
      .Case([&](index::CeilDivSOp) { return again<arith::CeilDivSIOp>(op, builder); })
      .Case([&](index::CeilDivUOp) { return again<arith::CeilDivUIOp>(op, builder); })
      .Case([&](index::FloorDivSOp) { return again<arith::FloorDivSIOp>(op, builder); })
      .Case([&](index::RemSOp) { return again<arith::RemSIOp>(op, builder); })
      .Case([&](index::RemUOp) { return again<arith::RemUIOp>(op, builder); })
      .Case([&](index::MaxSOp) { return again<arith::MaxSIOp>(op, builder); })
      .Case([&](index::MaxUOp) { return again<arith::MaxUIOp>(op, builder); })
      .Case([&](index::MinSOp) { return again<arith::MinSIOp>(op, builder); })
      .Case([&](index::MinUOp) { return again<arith::MinUIOp>(op, builder); })
      .Case([&](index::ShlOp) { return again<arith::ShLIOp>(op, builder); })
      .Case([&](index::ShrSOp) { return again<arith::ShRSIOp>(op, builder); })
      .Case([&](index::ShrUOp) { return again<arith::ShRUIOp>(op, builder); })
      .Case([&](index::AndOp) { return again<arith::AndIOp>(op, builder); })
      .Case([&](index::OrOp) { return again<arith::OrIOp>(op, builder); })
      .Case([&](index::XOrOp) { return again<arith::XOrIOp>(op, builder); })
      .Case([&](index::CastSOp) { return again<arith::IndexCastOp>(op, builder); })
      .Case([&](index::CastUOp) { return again<arith::IndexCastUIOp>(op, builder); })
      .Case([&](index::CmpOp compare) -> Made {
        return arith::CmpIOp::create(builder, location, predicateOf(compare.getPred()),
                                     compare.getLhs(), compare.getRhs());
      })
      .Case([&](index::ConstantOp constant) -> Made {
        return arith::ConstantIndexOp::create(builder, location,
                                              constant.getValue().getSExtValue());
      })
      .Case([&](index::BoolConstantOp constant) -> Made {
        return arith::ConstantOp::create(builder, location, constant.getValueAttr());
      })
      .Default([](Operation *) -> Made { return nullptr; });
}

/// Of several results, which are as wide as their operands: in i64.
static void spellExtended(Operation *op, OpBuilder &builder) {
  Location location = op->getLoc();
  auto recast = [&](Value value, Type type) -> Value {
    return value.getType() == type ? value
                                   : arith::IndexCastOp::create(builder, location, type, value);
  };
  Type number = builder.getI64Type();
  Operation *wide = builder.clone(*op);
  builder.setInsertionPoint(wide);
  for (OpOperand &operand : wide->getOpOperands())
    operand.set(recast(operand.get(), number));
  builder.setInsertionPointAfter(wide);
  for (auto [result, known] : llvm::zip_equal(wide->getResults(), op->getResults()))
    if (known.getType().isIndex()) {
      result.setType(number);
      known.replaceAllUsesWith(recast(result, known.getType()));
    } else {
      known.replaceAllUsesWith(result);
    }
  op->erase();
}

static bool isExtendedOfIndices(Operation *op) {
  return isa<arith::AddUIExtendedOp, arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op) &&
         op->getOperand(0).getType().isIndex();
}

void spellIndices(Operation *root) {
  root->walk([](Operation *op) {
    OpBuilder builder(op);
    if (isExtendedOfIndices(op)) {
      spellExtended(op, builder);
    } else if (Operation *arithmetic = arithmeticOf(op, builder)) {
      op->replaceAllUsesWith(arithmetic);
      op->erase();
    }
  });
}

} // namespace spindle
