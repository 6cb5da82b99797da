// Products with constants as sums of shifts: what they are made of, what they take, and whether
// that is less than a multiplier.
#pragma once

#include "hw/hls/Target.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace spindle::hls {

/// 2^shift, added or subtracted.
struct SignedDigit {
  unsigned shift;
  bool isNegative;
  bool operator==(const SignedDigit &) const = default;
};

/// The digits of a factor in canonical signed-digit form (Reitwiesner 1960), the lowest first: no
/// two of them are neighbours, and no sum of powers of two with signs has fewer. They add up to the
/// factor modulo 2^bits; digits from 2^bits on are left out.
llvm::SmallVector<SignedDigit> signedDigits(int64_t factor, unsigned bits = 64);

/// A balanced tree of sums and differences: one for each digit but the first, and one more where
/// all digits are negative, from 0.
struct ShiftedSum {
  unsigned adders = 0; // and subtracters
  unsigned levels = 0; // of them, on the longest way

  explicit ShiftedSum(llvm::ArrayRef<SignedDigit> digits);
};

/// The sum itself, from whoever can add: `shifted` makes x · 2^n, `added` and `subtracted` combine
/// two of them, `zero` makes 0.
template <typename Term, typename Operations>
Term sumOfShifts(llvm::ArrayRef<SignedDigit> digits, const Operations &operations) {
  llvm::SmallVector<std::pair<Term, bool>> terms; // and whether they are negative
  for (const SignedDigit &digit : digits)
    terms.emplace_back(operations.shifted(digit.shift), digit.isNegative);
  if (terms.empty())
    return operations.zero();
  while (terms.size() > 1) {
    llvm::SmallVector<std::pair<Term, bool>> level;
    for (size_t n = 0; n + 1 < terms.size(); n += 2) {
      auto [a, aNegative] = terms[n];
      auto [b, bNegative] = terms[n + 1];
      if (aNegative == bNegative)
        level.emplace_back(operations.added(a, b), aNegative);
      else
        level.emplace_back(aNegative ? operations.subtracted(b, a) : operations.subtracted(a, b),
                           false);
    }
    if (terms.size() % 2)
      level.push_back(terms.back());
    terms = std::move(level);
  }
  auto [sum, isNegative] = terms.front();
  return isNegative ? operations.subtracted(operations.zero(), sum) : sum;
}

/// A product of integers with a constant.
struct ConstantProduct {
  mlir::Value operand;
  int64_t factor;
  unsigned bits; // of the product; 64 of an index
};

/// Of an `arith.muli` of at most 64 bits, the constant on either side.
std::optional<ConstantProduct> constantProduct(mlir::Operation *op);

/// From the operand to the product.
double delayNs(const ShiftedSum &sum, unsigned bits, const Target &target);

/// Whether the adders take fewer LUTs than the multiplier with its DSP blocks stands for
/// (`Target::dspLuts`), and at most half of a cycle, so that what comes before and after has the
/// other half.
bool isCheaperThan(const FunctionalUnit &multiplier, const ConstantProduct &product,
                   const Target &target);

} // namespace spindle::hls
