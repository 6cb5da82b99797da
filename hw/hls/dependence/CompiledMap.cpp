#include "hw/hls/dependence/CompiledMap.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// Adds factor · expression to the coefficients of the dims; false for divisions and products.
bool addLinear(AffineExpr expression, int64_t factor, MutableArrayRef<int64_t> coefficients,
               int64_t &constant) {
  if (auto number = dyn_cast<AffineConstantExpr>(expression)) {
    constant += factor * number.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    coefficients[dim.getPosition()] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, coefficients, constant) &&
           addLinear(binary.getRHS(), factor, coefficients, constant);
  auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && number &&
         addLinear(binary.getLHS(), factor * number.getValue(), coefficients, constant);
}

int64_t evaluateExpression(AffineExpr expression, ArrayRef<int64_t> values) {
  if (auto number = dyn_cast<AffineConstantExpr>(expression))
    return number.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return values[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t left = evaluateExpression(binary.getLHS(), values);
  int64_t right = evaluateExpression(binary.getRHS(), values);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return llvm::mod(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

/// Whether all divisors are positive constants.
bool isEvaluable(AffineExpr expression) {
  bool evaluable = true;
  expression.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary || binary.getKind() == AffineExprKind::Add ||
        binary.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    evaluable = evaluable && divisor && divisor.getValue() > 0;
  });
  return evaluable;
}

} // namespace

std::optional<CompiledMap> CompiledMap::compile(AffineMap map, ValueRange operands,
                                                ArrayRef<Value> variables) {
  SmallVector<Value> inputs(operands);
  auto isVariable = [&](Value input) { return llvm::is_contained(variables, input); };
  if (!llvm::all_of(inputs, isVariable))
    affine::fullyComposeAffineMapAndOperands(&map, &inputs);
  SmallVector<AffineExpr> replacements;
  for (Value input : inputs) {
    IntegerAttr number;
    auto place = llvm::find(variables, input);
    if (place != variables.end())
      replacements.push_back(
          getAffineDimExpr(unsigned(place - variables.begin()), map.getContext()));
    else if (matchPattern(input, m_Constant(&number)))
      replacements.push_back(getAffineConstantExpr(number.getInt(), map.getContext()));
    else
      return std::nullopt;
  }
  ArrayRef<AffineExpr> all(replacements);
  CompiledMap compiled;
  for (AffineExpr result : map.getResults()) {
    AffineExpr expression = result.replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                                         all.drop_front(map.getNumDims()));
    if (!isEvaluable(expression))
      return std::nullopt;
    Result made;
    made.coefficients.assign(variables.size(), 0);
    if (!addLinear(expression, 1, made.coefficients, made.constant))
      made.expression = expression;
    compiled.results.push_back(std::move(made));
  }
  return compiled;
}

void CompiledMap::flatten(ArrayRef<int64_t> shape) {
  if (results.empty() || llvm::any_of(results, [](const Result &r) { return bool(r.expression); }))
    return;
  Result place = std::move(results.front());
  for (auto [size, index] : llvm::drop_begin(llvm::zip(shape, results))) {
    place.constant = place.constant * size + index.constant;
    for (auto [sum, coefficient] : llvm::zip(place.coefficients, index.coefficients))
      sum = sum * size + coefficient;
  }
  results.assign(1, std::move(place));
}

int64_t CompiledMap::evaluate(unsigned index, ArrayRef<int64_t> values) const {
  const Result &result = results[index];
  if (result.expression)
    return evaluateExpression(result.expression, values);
  int64_t sum = result.constant;
  for (size_t v = 0; v < values.size(); ++v)
    sum += result.coefficients[v] * values[v];
  return sum;
}

int64_t CompiledMap::smallest(ArrayRef<int64_t> values) const {
  int64_t least = evaluate(0, values);
  for (unsigned r = 1; r < size(); ++r)
    least = std::min(least, evaluate(r, values));
  return least;
}

int64_t CompiledMap::largest(ArrayRef<int64_t> values) const {
  int64_t most = evaluate(0, values);
  for (unsigned r = 1; r < size(); ++r)
    most = std::max(most, evaluate(r, values));
  return most;
}

} // namespace spindle::hls
