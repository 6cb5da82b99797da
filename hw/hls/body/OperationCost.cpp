#include "hw/hls/body/OperationCost.h"

#include "dialects/hls/Hls.h"
#include "hw/hls/body/ConstantProduct.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>

namespace spindle::hls {

namespace arith = mlir::arith;

/// As MLIR prints it; asked for every operation again and again.
static std::string textOf(mlir::Type type) {
  if (type.isF32())
    return "f32";
  if (type.isF64())
    return "f64";
  if (type.isSignlessInteger())
    return fmt::format("i{}", type.getIntOrFloatBitWidth());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Bit operations on floating-point numbers, and choices between them.
static bool isWiring(mlir::Operation *op) {
  return llvm::isa<arith::NegFOp, arith::SelectOp, arith::BitcastOp, mlir::math::AbsFOp,
                   mlir::math::CopySignOp>(op);
}

static bool isConversion(mlir::Operation *op) {
  return llvm::isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
                   arith::ExtFOp, arith::TruncFOp>(op);
}

bool needsUnit(mlir::Operation *op) {
  if (llvm::isa<MultiplyPairOp>(op))
    return true;
  bool isArithmetic =
      llvm::isa_and_nonnull<arith::ArithDialect, mlir::math::MathDialect>(op->getDialect());
  if (!isArithmetic || isWiring(op) || op->getNumOperands() == 0 || op->getNumResults() != 1)
    return false;
  mlir::Type operand = op->getOperand(0).getType(), made = op->getResult(0).getType();
  if (llvm::isa<mlir::FloatType>(operand) || llvm::isa<mlir::FloatType>(made))
    return true;
  return llvm::isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
             op) &&
         !operand.isIndex();
}

std::string unitType(mlir::Operation *op) {
  std::string type = textOf(op->getOperand(0).getType());
  return isConversion(op) ? type + "_" + textOf(op->getResult(0).getType()) : type;
}

/// The signed bits of the factors of products; empty for all else.
static std::vector<int64_t> factorBits(mlir::Operation *op, const SignedBits &signedBits) {
  std::vector<int64_t> bits;
  if (signedBits && llvm::isa<arith::MulIOp, MultiplyPairOp>(op))
    for (mlir::Value factor : op->getOperands())
      bits.push_back(signedBits(factor));
  return bits;
}

/// Also of products that are made without it.
static const FunctionalUnit *anyUnitFor(mlir::Operation *op, const Target &target,
                                        const SignedBits &signedBits) {
  return target.unitFor(op->getName().stripDialect().str(), unitType(op),
                        factorBits(op, signedBits));
}

bool isShiftedSum(mlir::Operation *op, const Target &target, const SignedBits &signedBits) {
  std::optional<ConstantProduct> product = constantProduct(op);
  if (!product)
    return false;
  const FunctionalUnit *unit = anyUnitFor(op, target, signedBits);
  return !unit || isCheaperThan(*unit, *product, target);
}

const FunctionalUnit *unitFor(mlir::Operation *op, const Target &target,
                              const SignedBits &signedBits) {
  if (!needsUnit(op) || isShiftedSum(op, target, signedBits))
    return nullptr;
  return anyUnitFor(op, target, signedBits);
}

void orderOperands(mlir::Operation *op, const FunctionalUnit &unit, const SignedBits &signedBits) {
  if (unit.fits(factorBits(op, signedBits)))
    return;
  mlir::Value first = op->getOperand(0);
  op->setOperand(0, op->getOperand(1));
  op->setOperand(1, first);
}

/// Adders on the longest way through an expression, products with constants as shifted sums.
static unsigned adderLevels(mlir::AffineExpr expression) {
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  if (!binary)
    return 0;
  unsigned inside = std::max(adderLevels(binary.getLHS()), adderLevels(binary.getRHS()));
  auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() == mlir::AffineExprKind::Add)
    return inside + 1;
  if (!constant || std::has_single_bit(static_cast<uint64_t>(std::abs(constant.getValue()))))
    return inside;
  bool divides = binary.getKind() != mlir::AffineExprKind::Mul;
  return inside + (divides ? 8 : ShiftedSum(signedDigits(constant.getValue())).levels);
}

/// A shift by a constant only renames wires.
static bool isFixedShift(mlir::Operation *op) {
  return llvm::isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op) &&
         mlir::matchPattern(op->getOperand(1), mlir::m_Constant());
}

OperatorType costOf(mlir::Operation *op, const CostRules &rules) {
  const Target &target = rules.target;
  std::string mnemonic = op->getName().stripDialect().str();
  if (const FunctionalUnit *unit = unitFor(op, target, rules.signedBits)) {
    double share = rules.sharesUnits ? target.logicDelayNs("multiplexer", 1) : 0;
    return {unit->name, unit->latency, std::min(share + unit->delayInNs, target.clockPeriodNs),
            unit->delayOutNs};
  }
  if (op->getNumOperands() + op->getNumResults() == 0)
    return {mnemonic, 0, 0, 0};
  auto bitsOf = [&](mlir::Value value) {
    mlir::Type type = value.getType();
    return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : rules.indexBits(value);
  };
  unsigned bits = bitsOf(op->getNumOperands() ? op->getOperand(0) : op->getResult(0));
  double delay = target.logicDelayNs(mnemonic, bits);
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
    delay = adderLevels(apply.getAffineMap().getResult(0)) *
            target.logicDelayNs("addi", bitsOf(apply.getResult()));
  else if (isFixedShift(op))
    delay = 0;
  else if (std::optional<ConstantProduct> product = constantProduct(op))
    delay = delayNs(ShiftedSum(signedDigits(product->factor, product->bits)), bits, target);
  delay = std::min(delay, target.clockPeriodNs);
  return {fmt::format("{}_{}", mnemonic, bits), 0, delay, delay};
}

OperatorType accessCost(bool isStore, bool isRegister, const BlockMemory &memory) {
  std::string name = isStore ? "store" : "load";
  if (isRegister)
    return {name + "_register", isStore ? 1u : 0u, 0, 0};
  return {name, isStore ? 1u : memory.readLatency, memory.delayInNs,
          isStore ? 0 : memory.delayOutNs};
}

} // namespace spindle::hls
