// Integer points between affine constraints: is there one, and how small can a form become?
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace spindle::hls {

/// constant + Σ coefficients[v] · v over the variables of a system; those beyond the end count 0.
struct LinearForm {
  llvm::SmallVector<int64_t, 8> coefficients;
  int64_t constant = 0;

  static LinearForm of(int64_t constant) { return {{}, constant}; }
  static LinearForm variable(unsigned index);
  bool isConstant() const;
};

LinearForm operator+(const LinearForm &a, const LinearForm &b);
LinearForm operator-(const LinearForm &a, const LinearForm &b);
LinearForm operator*(const LinearForm &a, int64_t factor);

class AffineSystem {
public:
  unsigned addVariable() { return variables++; }
  void addZero(LinearForm form) { zeros.push_back(std::move(form)); }
  void addNonNegative(LinearForm form) { nonNegatives.push_back(std::move(form)); }

  /// An expression over forms; a division or remainder gets a variable for its quotient. None for
  /// products of variables and divisors that are not positive constants.
  std::optional<LinearForm> formOf(mlir::AffineExpr expression, llvm::ArrayRef<LinearForm> dims,
                                   llvm::ArrayRef<LinearForm> symbols);

  /// Whether there are neither variables nor constraints.
  bool isPlain() const { return variables == 0; }

  /// Whether no integers fulfil the constraints.
  bool isEmpty() const;

  /// The smallest value of `form` over the integers that fulfil the constraints. None where there
  /// are none; the smallest int64_t where it has no bound.
  std::optional<int64_t> minimum(const LinearForm &form) const;

private:
  std::optional<int64_t> computeMinimum(const LinearForm &form) const;
  std::optional<int64_t> integerMinimum(const LinearForm &form) const;

  unsigned variables = 0;
  llvm::SmallVector<LinearForm> zeros, nonNegatives;
};

} // namespace spindle::hls
