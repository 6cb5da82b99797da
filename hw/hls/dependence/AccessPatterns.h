// What accesses have in common: an unrolled body holds hundreds that differ in constants alone.
#pragma once

#include "hw/hls/dependence/Instance.h"

#include <map>
#include <tuple>

namespace spindle::hls {

/// Subscripts of the accesses of one nest, each dimension as a linear part and a constant.
class AccessPatterns {
public:
  explicit AccessPatterns(llvm::ArrayRef<ArrayAccess> accessesOfNest);

  /// Calls `visit` for all pairs of accesses of one array, at least one of them a store, by rising
  /// numbers of the first and the second one. Left out are those that never touch the same word,
  /// whatever iterations they are in: in a dimension their constants differ by no multiple of the
  /// common divisor of all coefficients.
  void forEachPair(llvm::function_ref<void(size_t from, size_t to)> visit) const;

  /// Linear parts and guards of two accesses and the differences of their constants. Pairs that
  /// agree in these meet in the same pairs of iterations.
  using Meeting = std::tuple<unsigned, unsigned, std::vector<int64_t>>;
  Meeting meetingOf(size_t from, size_t to) const;

private:
  struct Pattern {
    unsigned shape; // number of the linear parts and guards
    std::vector<int64_t> constants, divisors;
  };
  /// Accesses of one array of which any two may touch the same word, as far as the common divisors
  /// of all accesses of the array say.
  struct Residue {
    std::vector<size_t> all, stores; // rising numbers
  };
  bool areApart(size_t a, size_t b) const;
  void sortByResidues();
  using Shape = std::vector<const void *>;
  Shape splitSubscripts(mlir::AffineMap map, mlir::ValueRange operands, Pattern &pattern) const;
  Pattern patternOf(const ArrayAccess &access);

  llvm::SmallVector<ArrayAccess> accesses;
  std::vector<Pattern> patterns;
  std::map<Shape, unsigned> shapes;
  std::vector<Residue> residues;
  std::vector<size_t> residueOf; // by access
};

} // namespace spindle::hls
