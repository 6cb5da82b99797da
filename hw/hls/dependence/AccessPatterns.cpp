#include "hw/hls/dependence/AccessPatterns.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

AccessPatterns::AccessPatterns(ArrayRef<ArrayAccess> accessesOfNest)
    : accesses(accessesOfNest), residueOf(accessesOfNest.size()) {
  for (const ArrayAccess &access : accesses)
    patterns.push_back(patternOf(access));
  sortByResidues();
}

AccessPatterns::Shape AccessPatterns::splitSubscripts(AffineMap map, ValueRange operands,
                                                      Pattern &pattern) const {
  Shape shape;
  for (AffineExpr subscript : map.getResults()) {
    SmallVector<int64_t> flat;
    bool isLinear = succeeded(getFlattenedAffineExpr(subscript, map.getNumDims(),
                                                     map.getNumSymbols(), &flat)) &&
                    flat.size() == map.getNumInputs() + 1; // no quotients
    int64_t divisor = isLinear ? 0 : 1;
    for (size_t n = 0; isLinear && n + 1 < flat.size(); ++n)
      divisor = std::gcd(divisor, flat[n]);
    int64_t constant = isLinear ? flat.back() : 0;
    pattern.constants.push_back(constant);
    pattern.divisors.push_back(divisor);
    shape.push_back(simplifyAffineExpr(subscript - constant, map.getNumDims(), map.getNumSymbols())
                        .getAsOpaquePointer());
  }
  for (Value operand : operands)
    shape.push_back(operand.getAsOpaquePointer());
  return shape;
}

AccessPatterns::Pattern AccessPatterns::patternOf(const ArrayAccess &access) {
  Pattern pattern{0, {}, {}};
  Shape shape;
  if (auto load = dyn_cast<AffineReadOpInterface>(access.op))
    shape = splitSubscripts(load.getAffineMap(), load.getMapOperands(), pattern);
  else if (auto store = dyn_cast<AffineWriteOpInterface>(access.op))
    shape = splitSubscripts(store.getAffineMap(), store.getMapOperands(), pattern);
  else
    shape.push_back(access.op);
  for (const Guard &guard : guardsAround(access.op)) {
    AffineIfOp condition = guard.op;
    shape.push_back(condition.getIntegerSet().getAsOpaquePointer());
    for (Value operand : condition.getOperands())
      shape.push_back(operand.getAsOpaquePointer());
    shape.push_back(reinterpret_cast<const void *>(uintptr_t(guard.inElse ? 2 : 1)));
  }
  pattern.shape = shapes.try_emplace(shape, unsigned(shapes.size())).first->second;
  return pattern;
}

/// Constants modulo the common divisor of all coefficients in a dimension, of all accesses: where
/// they differ, two accesses are apart.
void AccessPatterns::sortByResidues() {
  llvm::DenseMap<Value, std::vector<int64_t>> divisors;
  for (auto [number, access] : llvm::enumerate(accesses)) {
    const Pattern &pattern = patterns[number];
    auto [common, isNew] = divisors.try_emplace(access.array, pattern.divisors);
    if (isNew)
      continue;
    common->second.resize(std::min(common->second.size(), pattern.divisors.size()));
    for (size_t d = 0; d < common->second.size(); ++d)
      common->second[d] = std::gcd(common->second[d], pattern.divisors[d]);
  }
  std::map<std::pair<const void *, std::vector<int64_t>>, size_t> numbers; // looked up only
  for (auto [number, access] : llvm::enumerate(accesses)) {
    const std::vector<int64_t> &common = divisors[access.array];
    std::vector<int64_t> rest(patterns[number].constants);
    rest.resize(common.size());
    for (size_t d = 0; d < common.size(); ++d)
      if (common[d] != 0)
        rest[d] = llvm::mod(rest[d], common[d]);
    auto [place, isNew] =
        numbers.try_emplace({access.array.getAsOpaquePointer(), std::move(rest)}, residues.size());
    if (isNew)
      residues.emplace_back();
    residueOf[number] = place->second;
    residues[place->second].all.push_back(number);
    if (access.isStore)
      residues[place->second].stores.push_back(number);
  }
}

void AccessPatterns::forEachPair(llvm::function_ref<void(size_t, size_t)> visit) const {
  for (size_t from = 0; from < accesses.size(); ++from) {
    const Residue &residue = residues[residueOf[from]];
    for (size_t to : accesses[from].isStore ? residue.all : residue.stores)
      if (!areApart(from, to))
        visit(from, to);
  }
}

/// Says no where that is not known.
bool AccessPatterns::areApart(size_t a, size_t b) const {
  const Pattern &one = patterns[a], &other = patterns[b];
  for (size_t d = 0; d < std::min(one.constants.size(), other.constants.size()); ++d) {
    int64_t divisor = std::gcd(one.divisors[d], other.divisors[d]);
    int64_t difference = one.constants[d] - other.constants[d];
    if (divisor == 0 ? difference != 0 : difference % divisor != 0)
      return true;
  }
  return false;
}

AccessPatterns::Meeting AccessPatterns::meetingOf(size_t from, size_t to) const {
  const Pattern &one = patterns[from], &other = patterns[to];
  std::vector<int64_t> differences;
  for (size_t d = 0; d < std::min(one.constants.size(), other.constants.size()); ++d)
    differences.push_back(one.constants[d] - other.constants[d]);
  return {one.shape, other.shape, differences};
}

} // namespace spindle::hls
