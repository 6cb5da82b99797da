#include "hw/program/meaning/DefineClasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {
struct Comparison {
  Comparison(Operation *op)
      : builder(op->getLoc(), op), number(op->getOperand(0)),
        format(cast<FloatType>(number.getType()).getFloatSemantics()) {}

  Value isNan() {
    return arith::CmpFOp::create(builder, arith::CmpFPredicate::UNO, number, number);
  }
  Value magnitude(arith::CmpFPredicate predicate, const llvm::APFloat &limit) {
    Value size = math::AbsFOp::create(builder, number);
    Value other = arith::ConstantOp::create(builder, builder.getFloatAttr(number.getType(), limit));
    return arith::CmpFOp::create(builder, predicate, size, other);
  }
  Value isInfinite() { return magnitude(arith::CmpFPredicate::OEQ, llvm::APFloat::getInf(format)); }
  Value isFinite() { return magnitude(arith::CmpFPredicate::OLT, llvm::APFloat::getInf(format)); }
  Value isNormal() {
    Value isLarge =
        magnitude(arith::CmpFPredicate::OGE, llvm::APFloat::getSmallestNormalized(format));
    return arith::AndIOp::create(builder, isLarge, isFinite());
  }

  ImplicitLocOpBuilder builder;
  Value number;
  const llvm::fltSemantics &format;
};
} // namespace

void defineClasses(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(op) ||
        !isa<FloatType>(op->getOperand(0).getType()))
      return;
    Comparison comparison(op);
    Value is = isa<math::IsNaNOp>(op)      ? comparison.isNan()
               : isa<math::IsInfOp>(op)    ? comparison.isInfinite()
               : isa<math::IsFiniteOp>(op) ? comparison.isFinite()
                                           : comparison.isNormal();
    op->getResult(0).replaceAllUsesWith(is);
    op->erase();
  });
}

} // namespace spindle::hls
