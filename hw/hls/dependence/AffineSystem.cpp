#include "hw/hls/dependence/AffineSystem.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/Hashing.h"

#include <limits>
#include <numeric>
#include <unordered_map>
#include <vector>

using namespace mlir;
using namespace mlir::presburger;

namespace spindle::hls {

LinearForm LinearForm::variable(unsigned index) {
  LinearForm form;
  form.coefficients.assign(index + 1, 0);
  form.coefficients[index] = 1;
  return form;
}

bool LinearForm::isConstant() const {
  return llvm::all_of(coefficients, [](int64_t c) { return c == 0; });
}

LinearForm operator+(const LinearForm &a, const LinearForm &b) {
  LinearForm sum = a;
  if (sum.coefficients.size() < b.coefficients.size())
    sum.coefficients.resize(b.coefficients.size(), 0);
  for (size_t v = 0; v < b.coefficients.size(); ++v)
    sum.coefficients[v] += b.coefficients[v];
  sum.constant += b.constant;
  return sum;
}

LinearForm operator*(const LinearForm &a, int64_t factor) {
  LinearForm product = a;
  for (int64_t &c : product.coefficients)
    c *= factor;
  product.constant *= factor;
  return product;
}

LinearForm operator-(const LinearForm &a, const LinearForm &b) { return a + b * -1; }

std::optional<LinearForm> AffineSystem::formOf(AffineExpr expression, ArrayRef<LinearForm> dims,
                                               ArrayRef<LinearForm> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return LinearForm::of(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  std::optional<LinearForm> left = formOf(binary.getLHS(), dims, symbols);
  std::optional<LinearForm> right = formOf(binary.getRHS(), dims, symbols);
  if (!left || !right)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (binary.getKind() == AffineExprKind::Mul && left->isConstant())
    std::swap(left, right);
  if (!right->isConstant())
    return std::nullopt;
  int64_t factor = right->constant;
  if (binary.getKind() == AffineExprKind::Mul)
    return *left * factor;
  if (factor <= 0)
    return std::nullopt;
  // 0 <= left - factor · quotient < factor, for the ceiling with left + factor - 1
  bool isCeiling = binary.getKind() == AffineExprKind::CeilDiv;
  LinearForm dividend = isCeiling ? *left + LinearForm::of(factor - 1) : *left;
  LinearForm quotient = LinearForm::variable(addVariable());
  LinearForm remainder = dividend - quotient * factor;
  addNonNegative(remainder);
  addNonNegative(LinearForm::of(factor - 1) - remainder);
  return binary.getKind() == AffineExprKind::Mod ? remainder : quotient;
}

namespace {

/// No integers make the form zero: its coefficients have a divisor that its constant has not.
bool neverZero(const LinearForm &form) {
  int64_t divisor = 0;
  for (int64_t c : form.coefficients)
    divisor = std::gcd(divisor, c);
  return divisor == 0 ? form.constant != 0 : form.constant % divisor != 0;
}

SmallVector<int64_t> rowOf(const LinearForm &form, unsigned variables) {
  SmallVector<int64_t> row(ArrayRef<int64_t>(form.coefficients));
  row.resize(variables, 0);
  row.push_back(form.constant);
  return row;
}

IntegerPolyhedron polyhedronOf(unsigned variables, ArrayRef<LinearForm> zeros,
                               ArrayRef<LinearForm> nonNegatives) {
  IntegerPolyhedron polyhedron(PresburgerSpace::getSetSpace(variables));
  for (const LinearForm &form : zeros)
    polyhedron.addEquality(rowOf(form, variables));
  for (const LinearForm &form : nonNegatives)
    polyhedron.addInequality(rowOf(form, variables));
  return polyhedron;
}

/// A question: the constraints, and the form to be made small if there is one.
using Key = std::vector<int64_t>;

Key keyOf(unsigned variables, ArrayRef<LinearForm> zeros, ArrayRef<LinearForm> nonNegatives,
          const LinearForm *form) {
  Key key{int64_t(variables), int64_t(zeros.size()), int64_t(nonNegatives.size()), form != nullptr};
  auto add = [&](const LinearForm &each) {
    auto row = rowOf(each, variables);
    key.insert(key.end(), row.begin(), row.end());
  };
  llvm::for_each(zeros, add);
  llvm::for_each(nonNegatives, add);
  if (form)
    add(*form);
  return key;
}

struct HashKey {
  size_t operator()(const Key &key) const {
    return llvm::hash_combine_range(key.begin(), key.end());
  }
};

/// The answers given before: passes ask the same of the same nests again and again. A question has
/// one answer, so they may be forgotten at any time.
std::optional<int64_t> answered(Key key, llvm::function_ref<std::optional<int64_t>()> compute) {
  constexpr size_t most = 1 << 17;
  static thread_local std::unordered_map<Key, std::optional<int64_t>, HashKey> answers;
  if (auto known = answers.find(key); known != answers.end())
    return known->second;
  std::optional<int64_t> answer = compute();
  if (answers.size() == most)
    answers.clear();
  answers.emplace(std::move(key), answer);
  return answer;
}

} // namespace

bool AffineSystem::isEmpty() const {
  if (llvm::any_of(zeros, neverZero))
    return true;
  auto point = answered(keyOf(variables, zeros, nonNegatives, nullptr), [&] {
    IntegerPolyhedron polyhedron = polyhedronOf(variables, zeros, nonNegatives);
    bool isNone = Simplex(polyhedron).isEmpty() || polyhedron.isIntegerEmpty();
    return isNone ? std::nullopt : std::optional<int64_t>(0);
  });
  return !point;
}

std::optional<int64_t> AffineSystem::minimum(const LinearForm &form) const {
  return answered(keyOf(variables, zeros, nonNegatives, &form),
                  [&] { return computeMinimum(form); });
}

std::optional<int64_t> AffineSystem::computeMinimum(const LinearForm &form) const {
  constexpr int64_t unbounded = std::numeric_limits<int64_t>::min();
  if (llvm::any_of(zeros, neverZero))
    return std::nullopt;
  IntegerPolyhedron polyhedron = polyhedronOf(variables, zeros, nonNegatives);
  Simplex simplex(polyhedron);
  if (simplex.isEmpty())
    return std::nullopt;
  SmallVector<DynamicAPInt> objective;
  for (int64_t c : rowOf(form, variables))
    objective.push_back(DynamicAPInt(c));
  MaybeOptimum<Fraction> bound = simplex.computeOptimum(Simplex::Direction::Down, objective);
  if (!bound.isBounded())
    return polyhedron.isIntegerEmpty() ? std::nullopt : std::optional(unbounded);
  int64_t least = int64_t(ceil(bound.getBoundedOptimum()));
  // The rational minimum is an integer one unless the sizes conspire.
  IntegerPolyhedron level = polyhedron;
  level.addEquality(rowOf(form - LinearForm::of(least), variables));
  if (!level.isIntegerEmpty())
    return least;
  return integerMinimum(form);
}

/// With the form as the variable before all others, the smallest point in lexicographic order.
std::optional<int64_t> AffineSystem::integerMinimum(const LinearForm &form) const {
  auto behindValue = [](const LinearForm &constraint) {
    LinearForm moved = constraint;
    moved.coefficients.insert(moved.coefficients.begin(), 0);
    return moved;
  };
  SmallVector<LinearForm> equal{behindValue(form) - LinearForm::variable(0)}, positive;
  for (const LinearForm &zero : zeros)
    equal.push_back(behindValue(zero));
  for (const LinearForm &nonNegative : nonNegatives)
    positive.push_back(behindValue(nonNegative));
  auto smallest = polyhedronOf(variables + 1, equal, positive).findIntegerLexMin();
  return smallest.isBounded() ? std::optional(int64_t(smallest.getBoundedOptimum().front()))
                              : std::nullopt;
}

} // namespace spindle::hls
