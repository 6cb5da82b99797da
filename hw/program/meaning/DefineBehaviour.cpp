#include "hw/program/meaning/DefineBehaviour.h"

#include "hw/program/MathSymbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

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

/// To a signed integer of 32 bits, or of 64 where the result needs them, of which the low bits are
/// taken; what that cannot hold becomes its least one
/// (hw/rtl/conversion/spindle_float_to_integer.sv).
static void defineConversion(Operation *op, bool isSigned) {
  Definition d(op);
  Value number = op->getOperand(0);
  auto from = cast<FloatType>(number.getType());
  int core = d.width() <= (isSigned ? 32 : 31) ? 32 : 64;
  Type coreType = d.builder.getIntegerType(core);
  Value zero = d.constant(from, 0), end = d.constant(from, std::ldexp(1.0, core - 1));
  Value isHigh = d.compare(arith::CmpFPredicate::OGE, number, end);
  auto guarded = [&](Value fits) { return d.select(fits, number, zero); };
  Value fits = arith::AndIOp::create(
      d.builder, d.compare(arith::CmpFPredicate::OLT, number, end),
      d.compare(arith::CmpFPredicate::OGE, number, d.constant(from, -std::ldexp(1.0, core - 1))));
  Value least = arith::ConstantOp::create(
      d.builder, d.builder.getIntegerAttr(coreType, APInt::getSignedMinValue(core)));
  Value result = d.select(
      fits, arith::FPToSIOp::create(d.builder, coreType, guarded(fits)).getResult(), least);
  if (!isSigned && d.width() == 64) {
    Value isUpper = arith::AndIOp::create(
        d.builder, isHigh,
        d.compare(arith::CmpFPredicate::OLT, number, d.constant(from, std::ldexp(1.0, 64))));
    result = d.select(isUpper,
                      arith::FPToUIOp::create(d.builder, coreType, guarded(isUpper)).getResult(),
                      result);
  }
  if (d.width() < unsigned(core))
    result = arith::TruncIOp::create(d.builder, d.type, result);
  d.replace(result);
}

/// The second operand where it is beyond the first, or the first is NaN.
static void defineExtremum(Operation *op, arith::CmpFPredicate beyond) {
  Definition d(op);
  Value a = op->getOperand(0), b = op->getOperand(1);
  Value takesB = arith::OrIOp::create(d.builder, d.compare(beyond, b, a),
                                      d.compare(arith::CmpFPredicate::UNO, a, a));
  d.replace(d.select(takesB, b, a));
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
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    op->removeAttr("isExact");
}

/// Of a divisor or distance that the program states, most programs' way: nothing is open.
static bool isDefined(Operation *op) {
  APInt second;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&second)))
    return false;
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return second.ult(second.getBitWidth());
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return !second.isZero();
  if (isa<arith::DivSIOp, arith::RemSIOp>(op))
    return !second.isZero() && !second.isAllOnes();
  return false;
}

static void define(Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndexOrFloat())
    return;
  if (op->getNumOperands() == 2 && isDefined(op))
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
    return defineExtremum(op, arith::CmpFPredicate::OGT);
  if (isa<arith::MinNumFOp>(op))
    return defineExtremum(op, arith::CmpFPredicate::OLT);
  if (isa<math::ExpOp>(op))
    return callFunction(op, "exp");
  if (isa<math::LogOp>(op))
    return callFunction(op, "log");
  if (isa<math::Exp2Op>(op))
    return callFunction(op, "exp2");
  if (isa<math::Log2Op>(op))
    return callFunction(op, "log2");
  if (isa<math::SinOp>(op))
    return callFunction(op, "sin");
  if (isa<math::CosOp>(op))
    return callFunction(op, "cos");
  if (isa<math::TanhOp>(op))
    return callFunction(op, "tanh");
  if (isa<math::ErfOp>(op))
    return callFunction(op, "erf");
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
