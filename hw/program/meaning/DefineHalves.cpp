#include "hw/program/meaning/DefineHalves.h"

#include "core/support/SmallFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "fmt/format.h"
#include "llvm/ADT/APFloat.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace spindle::hls {

namespace {

/// What compiled code passes for 16 bits: it extends none, and only the low ones are meant.
using Passed = uint32_t;

template <const SmallFloat &format> float widen(Passed bits) {
  return static_cast<float>(toDouble(format, uint16_t(bits)));
}
template <const SmallFloat &format> uint16_t roundFloat(float value) {
  return toBits(format, value);
}
template <const SmallFloat &format> uint16_t roundDouble(double value) {
  return toBits(format, value);
}

/// As LLVM calls it where it has carried a number of bf16 in f32: the result is in the low bits of
/// a register for floats.
float roundInRegister(float value) {
  return std::bit_cast<float>(uint32_t(roundFloat<kBFloat>(value)));
}

/// Rounded once, which f32 and f64 are too short for.
template <const SmallFloat &format> uint16_t fuse(Passed a, Passed b, Passed c) {
  const llvm::fltSemantics &semantics =
      format == kHalf ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
  auto number = [&](Passed bits) {
    return llvm::APFloat(semantics, llvm::APInt(16, uint16_t(bits)));
  };
  llvm::APFloat result = number(a);
  result.fusedMultiplyAdd(number(b), number(c), llvm::APFloat::rmNearestTiesToEven);
  return uint16_t(result.bitcastToAPInt().getZExtValue());
}

/// The nearest of the numbers about the one that a double leads to; all of them are exact.
template <const SmallFloat &format> uint16_t roundWhole(long double value) {
  uint16_t best = toBits(format, static_cast<double>(value));
  if (std::isinf(toDouble(format, best)) || value == 0)
    return best;
  auto distance = [&](uint16_t bits) { return std::fabs(toDouble(format, bits) - value); };
  for (uint16_t other : {uint16_t(best - 1), uint16_t(best + 1)})
    if (distance(other) < distance(best) ||
        (distance(other) == distance(best) && other % 2 < best % 2))
      best = other;
  return best;
}
template <const SmallFloat &format> uint16_t roundSigned(int64_t value) {
  return roundWhole<format>(value);
}
template <const SmallFloat &format> uint16_t roundUnsigned(uint64_t value) {
  return roundWhole<format>(value);
}

template <typename Function> void *halfFunction(Function *function) {
  return reinterpret_cast<void *>(function);
}

template <const SmallFloat &format>
void addCallees(const std::string &type, std::vector<jit::Callee> &callees) {
  auto add = [&](const char *name, void *function) {
    callees.push_back({fmt::format("spindle_{}_{}", type, name), function});
  };
  add("widen", halfFunction(widen<format>));
  add("from_f32", halfFunction(roundFloat<format>));
  add("from_f64", halfFunction(roundDouble<format>));
  add("from_i64", halfFunction(roundSigned<format>));
  add("fma", halfFunction(fuse<format>));
  add("from_u64", halfFunction(roundUnsigned<format>));
}

bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

class HalfDefinition {
public:
  explicit HalfDefinition(Operation *operation)
      : op(operation), builder(operation->getLoc(), operation) {}

  void define() {
    Type type = op->getResult(0).getType();
    Value result;
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
      result = fromInteger(op->getOperand(0), isa<arith::SIToFPOp>(op), type);
    } else if (isa<arith::TruncFOp>(op)) {
      result = narrow(op->getOperand(0), type);
    } else if (isa<arith::ExtFOp>(op)) {
      result = wide(op->getOperand(0));
      if (!type.isF32())
        result = arith::ExtFOp::create(builder, type, result);
    } else if (auto fused = dyn_cast<math::FmaOp>(op)) {
      Value bits[] = {bitsOf(fused.getA()), bitsOf(fused.getB()), bitsOf(fused.getC())};
      result = fromBits(call(type, "fma", builder.getI16Type(), bits), type);
    } else {
      Operation *copy = builder.clone(*op);
      for (OpOperand &operand : copy->getOpOperands())
        if (isHalf(operand.get().getType())) {
          builder.setInsertionPoint(copy);
          operand.set(wide(operand.get()));
        }
      builder.setInsertionPoint(op);
      result = copy->getResult(0);
      if (isHalf(type)) {
        result.setType(builder.getF32Type());
        result = narrow(result, type);
      }
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

private:
  Value call(Type half, StringRef what, Type to, ValueRange operands) {
    auto module = op->getParentOfType<ModuleOp>();
    std::string name = fmt::format("spindle_{}_{}", half.isF16() ? "f16" : "bf16", what.str());
    if (!module.lookupSymbol(name)) {
      auto body = OpBuilder::atBlockBegin(module.getBody());
      func::FuncOp::create(body, op->getLoc(), name, body.getFunctionType(operands.getTypes(), to))
          .setPrivate();
    }
    return func::CallOp::create(builder, name, to, operands).getResult(0);
  }
  Value bitsOf(Value half) { return arith::BitcastOp::create(builder, builder.getI16Type(), half); }
  Value wide(Value half) {
    return call(half.getType(), "widen", builder.getF32Type(), bitsOf(half));
  }
  Value fromBits(Value bits, Type half) { return arith::BitcastOp::create(builder, half, bits); }
  Value narrow(Value number, Type half) {
    return fromBits(call(half, number.getType().isF32() ? "from_f32" : "from_f64",
                         builder.getI16Type(), number),
                    half);
  }
  Value fromInteger(Value number, bool isSigned, Type half) {
    Type word = builder.getI64Type();
    if (number.getType() != word)
      number = isSigned ? arith::ExtSIOp::create(builder, word, number).getResult()
                        : arith::ExtUIOp::create(builder, word, number).getResult();
    return fromBits(call(half, isSigned ? "from_i64" : "from_u64", builder.getI16Type(), number),
                    half);
  }

  Operation *op;
  ImplicitLocOpBuilder builder;
};

bool computesHalves(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      isa<arith::SelectOp, arith::BitcastOp>(op))
    return false;
  return isHalf(op->getResult(0).getType()) || llvm::any_of(op->getOperandTypes(), isHalf);
}

} // namespace

std::vector<jit::Callee> halfCallees() {
  std::vector<jit::Callee> callees;
  addCallees<kHalf>("f16", callees);
  addCallees<kBFloat>("bf16", callees);
  callees.push_back({"__truncsfbf2", halfFunction(roundInRegister)});
  return callees;
}

void defineHalves(ModuleOp module) {
  std::vector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (computesHalves(op))
      operations.push_back(op);
  });
  for (Operation *op : operations)
    HalfDefinition(op).define();
}

} // namespace spindle::hls
