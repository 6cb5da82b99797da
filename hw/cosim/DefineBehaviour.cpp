#include "hw/cosim/DefineBehaviour.h"

#include "hw/cosim/MathSymbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <cmath>

using namespace mlir;

namespace spindle::hls {

namespace {

/// Builds replacements just before the operation that they stand for.
class Definition {
public:
  explicit Definition(Operation *operation)
      : op(operation), builder(operation->getLoc(), operation),
        type(operation->getResult(0).getType()) {}

  Value constant(const APInt &value) {
    return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
  }
  Value constant(FloatType floatType, double value) {
    return arith::ConstantOp::create(builder, builder.getFloatAttr(floatType, value));
  }
  unsigned width() const { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }
  Value equals(Value a, Value b) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, predicate, a, b);
  }
  Value select(Value condition, Value ifTrue, Value ifFalse) {
    return arith::SelectOp::create(builder, condition, ifTrue, ifFalse);
  }
  /// The operation itself on other operands.
  Value again(ValueRange operands) {
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    return copy->getResult(0);
  }
  void replace(Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  Operation *op;
  ImplicitLocOpBuilder builder;
  Type type; // of the result
};

} // namespace

/// Divides by one where the quotient is open: by zero, and the least integer by -1, which is what
/// that quotient wraps around to.
static void defineDivision(Operation *op, bool isSigned, bool isRemainder) {
  Definition d(op);
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Value isZero = d.equals(divisor, d.constant(APInt::getZero(d.width())));
  Value isOpen = isZero;
  if (isSigned) {
    Value least = d.equals(dividend, d.constant(APInt::getSignedMinValue(d.width())));
    Value minusOne = d.equals(divisor, d.constant(APInt::getAllOnes(d.width())));
    Value overflows = arith::AndIOp::create(d.builder, least, minusOne);
    isOpen = arith::OrIOp::create(d.builder, isZero, overflows);
  }
  Value result = d.again({dividend, d.select(isOpen, d.constant(APInt(d.width(), 1)), divisor)});
  Value ofZero = isRemainder ? dividend : d.constant(APInt::getAllOnes(d.width()));
  d.replace(d.select(isZero, ofZero, result));
}

static void defineShift(Operation *op) {
  Definition d(op);
  Value distance = op->getOperand(1), width = d.constant(APInt(64, d.width()).trunc(d.width()));
  bool widthFits = llvm::isUIntN(d.width(), d.width()); // not for i1, which no shift leaves whole
  Value zero = d.constant(APInt::getZero(d.width()));
  Value isWhole =
      widthFits
          ? arith::CmpIOp::create(d.builder, arith::CmpIPredicate::ult, distance, width).getResult()
          : d.equals(distance, zero);
  if (isa<arith::ShRSIOp>(op)) {
    Value most = d.constant(APInt(d.width(), d.width() - 1));
    return d.replace(d.again({op->getOperand(0), d.select(isWhole, distance, most)}));
  }
  Value shifted = d.again({op->getOperand(0), d.select(isWhole, distance, zero)});
  d.replace(d.select(isWhole, shifted, zero));
}

static void defineConversion(Operation *op, bool isSigned) {
  Definition d(op);
  Value value = op->getOperand(0);
  auto from = cast<FloatType>(value.getType());
  Value low = d.constant(from, isSigned ? -std::ldexp(1.0, int(d.width()) - 1) : 0);
  Value high = d.constant(from, std::ldexp(1.0, int(d.width()) - (isSigned ? 1 : 0)));
  Value isLow = d.compare(arith::CmpFPredicate::OLT, value, low);
  Value isHigh = d.compare(arith::CmpFPredicate::OGE, value, high);
  Value isNan = d.compare(arith::CmpFPredicate::UNO, value, value);
  Value isOpen = arith::OrIOp::create(d.builder, isNan,
                                      arith::OrIOp::create(d.builder, isLow, isHigh).getResult());
  Value within = d.again({d.select(isOpen, d.constant(from, 0), value)}); // 0 for NaN
  APInt least = isSigned ? APInt::getSignedMinValue(d.width()) : APInt::getZero(d.width());
  APInt most = isSigned ? APInt::getSignedMaxValue(d.width()) : APInt::getMaxValue(d.width());
  d.replace(d.select(isLow, d.constant(least), d.select(isHigh, d.constant(most), within)));
}

template <typename Ordered> static void defineExtremum(Operation *op) {
  Definition d(op);
  Value a = op->getOperand(0), b = op->getOperand(1);
  Value both = Ordered::create(d.builder, a, b);
  Value aIsNan = d.compare(arith::CmpFPredicate::UNO, a, a);
  Value bIsNan = d.compare(arith::CmpFPredicate::UNO, b, b);
  d.replace(d.select(aIsNan, b, d.select(bIsNan, a, both)));
}

static void callFunction(Operation *op, const char *operation) {
  Definition d(op);
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = mathSymbol(operation, d.type.getIntOrFloatBitWidth());
  if (!module.lookupSymbol(name)) {
    auto body = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(body, op->getLoc(), name,
                         body.getFunctionType(op->getOperandTypes(), op->getResultTypes()))
        .setPrivate();
  }
  d.replace(func::CallOp::create(d.builder, name, d.type, op->getOperands()).getResult(0));
}

static void dropFlags(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(flags.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(context, arith::IntegerOverflowFlags::none));
  for (const char *flag : {"isExact", "nonNeg"})
    if (isa<arith::ArithDialect>(op->getDialect()))
      op->removeAttr(flag);
}

static void define(Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndexOrFloat())
    return;
  if (isa<arith::DivSIOp>(op))
    return defineDivision(op, /*isSigned=*/true, /*isRemainder=*/false);
  if (isa<arith::DivUIOp>(op))
    return defineDivision(op, /*isSigned=*/false, /*isRemainder=*/false);
  if (isa<arith::RemSIOp>(op))
    return defineDivision(op, /*isSigned=*/true, /*isRemainder=*/true);
  if (isa<arith::RemUIOp>(op))
    return defineDivision(op, /*isSigned=*/false, /*isRemainder=*/true);
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return defineShift(op);
  if (isa<arith::FPToSIOp>(op))
    return defineConversion(op, /*isSigned=*/true);
  if (isa<arith::FPToUIOp>(op))
    return defineConversion(op, /*isSigned=*/false);
  if (isa<arith::MaxNumFOp>(op))
    return defineExtremum<arith::MaximumFOp>(op);
  if (isa<arith::MinNumFOp>(op))
    return defineExtremum<arith::MinimumFOp>(op);
  if (isa<math::ExpOp>(op))
    return callFunction(op, "exp");
  if (isa<math::PowFOp>(op))
    return callFunction(op, "pow");
}

void defineBehaviour(ModuleOp module) {
  std::vector<Operation *> operations; // as they were: replacements hold such operations again
  module.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations) {
    dropFlags(op);
    define(op);
  }
}

} // namespace spindle::hls
