#include "hw/hls/dependence/AccessPatterns.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/IntegerSet.h"

#include <numeric>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

AccessPatterns::AccessPatterns(ArrayRef<ArrayAccess> accesses) {
  for (const ArrayAccess &access : accesses)
    patterns.push_back(patternOf(access));
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
