// What accesses have in common: an unrolled body holds hundreds that differ in constants alone.
#pragma once

#include "hw/hls/dependence/Instance.h"

#include <map>
#include <tuple>

namespace spindle::hls {

/// Subscripts of the accesses of one nest, each dimension as a linear part and a constant.
class AccessPatterns {
public:
  explicit AccessPatterns(llvm::ArrayRef<ArrayAccess> accesses);

  /// Whether two accesses of one array never touch the same word, whatever iterations they are in:
  /// in a dimension their constants differ by no multiple of the common divisor of all
  /// coefficients. Says no where that is not known.
  bool areApart(size_t a, size_t b) const;

  /// Linear parts and guards of two accesses and the differences of their constants. Pairs that
  /// agree in these meet in the same pairs of iterations.
  using Meeting = std::tuple<unsigned, unsigned, std::vector<int64_t>>;
  Meeting meetingOf(size_t from, size_t to) const;

private:
  struct Pattern {
    unsigned shape; // number of the linear parts and guards
    std::vector<int64_t> constants, divisors;
  };
  using Shape = std::vector<const void *>;
  Shape splitSubscripts(mlir::AffineMap map, mlir::ValueRange operands, Pattern &pattern) const;
  Pattern patternOf(const ArrayAccess &access);

  std::vector<Pattern> patterns;
  std::map<Shape, unsigned> shapes;
};

} // namespace spindle::hls
