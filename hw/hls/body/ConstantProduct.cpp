#include "hw/hls/body/ConstantProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace spindle::hls {

/// Of the two odd digits the one that leaves a multiple of four: ...01 = ...00 + 1, ...11 = ...00 +
/// 100 - 1.
llvm::SmallVector<SignedDigit> signedDigits(int64_t factor, unsigned bits) {
  llvm::SmallVector<SignedDigit> digits;
  for (unsigned shift = 0; factor != 0 && shift < bits; ++shift) {
    bool isOdd = factor & 1, isNegative = (factor & 3) == 3;
    if (isOdd) // -2^(bits-1) is 2^(bits-1)
      digits.push_back({shift, isNegative && shift + 1 < bits});
    factor = (factor >> 1) + (isOdd && isNegative);
  }
  return digits;
}

ShiftedSum::ShiftedSum(llvm::ArrayRef<SignedDigit> digits) {
  if (digits.empty())
    return;
  bool isNegative = llvm::all_of(digits, [](const SignedDigit &d) { return d.isNegative; });
  adders = unsigned(digits.size()) - 1 + isNegative;
  levels = llvm::Log2_64_Ceil(digits.size()) + isNegative;
}

std::optional<ConstantProduct> constantProduct(mlir::Operation *op) {
  auto product = llvm::dyn_cast<mlir::arith::MulIOp>(op);
  if (!product || !product.getType().isIntOrIndex())
    return std::nullopt;
  unsigned bits = product.getType().isIndex() ? 64 : product.getType().getIntOrFloatBitWidth();
  llvm::APInt factor;
  if (bits > 64)
    return std::nullopt;
  if (mlir::matchPattern(product.getRhs(), mlir::m_ConstantInt(&factor)))
    return ConstantProduct{product.getLhs(), factor.getSExtValue(), bits};
  if (mlir::matchPattern(product.getLhs(), mlir::m_ConstantInt(&factor)))
    return ConstantProduct{product.getRhs(), factor.getSExtValue(), bits};
  return std::nullopt;
}

double delayNs(const ShiftedSum &sum, unsigned bits, const Target &target) {
  return sum.levels * target.logicDelayNs("addi", bits);
}

bool isCheaperThan(const FunctionalUnit &multiplier, const ConstantProduct &product,
                   const Target &target) {
  ShiftedSum sum(signedDigits(product.factor, product.bits));
  int64_t luts = int64_t(sum.adders) * product.bits;
  return luts <= multiplier.area.lut + multiplier.area.dsp * target.dspLuts() &&
         delayNs(sum, product.bits, target) <= target.clockPeriodNs / 2;
}

} // namespace spindle::hls
