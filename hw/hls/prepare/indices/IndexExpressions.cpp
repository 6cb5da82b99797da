#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::hls {

AffineExpr IndexExpressions::operand(Value value, bool isSymbol) {
  SmallVector<Value> &list = isSymbol ? symbols : dims;
  auto *found = llvm::find(list, value);
  unsigned position = found - list.begin();
  if (found == list.end())
    list.push_back(value);
  return isSymbol ? getAffineSymbolExpr(position, context) : getAffineDimExpr(position, context);
}

bool IndexExpressions::fits(AffineExpr expression, Type type) const {
  if (type.isIndex())
    return true;
  IntegerRange range = integerRangeOf(expression, dims, symbols);
  unsigned width = type.getIntOrFloatBitWidth();
  return range.isKnown() &&
         (width >= 64 || range.within(llvm::minIntN(width), llvm::maxIntN(width)));
}

static bool cannotWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

std::optional<AffineExpr> IndexExpressions::ofBinary(Operation *op) {
  std::optional<AffineExpr> left = of(op->getOperand(0)), right = of(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  auto number = dyn_cast<AffineConstantExpr>(*right);
  int64_t constant = number ? number.getValue() : 0;
  bool isNatural = integerRangeOf(*left, dims, symbols).least >= 0;
  if (isa<arith::AddIOp>(op))
    return *left + *right;
  if (isa<arith::SubIOp>(op))
    return *left - *right;
  if (isa<arith::MulIOp>(op) && (number || isa<AffineConstantExpr>(*left)))
    return number ? *left * constant : *right * cast<AffineConstantExpr>(*left).getValue();
  if (isa<arith::ShLIOp>(op) && number && constant >= 0 && constant < 62)
    return *left * (int64_t(1) << constant);
  if (isa<arith::ShRSIOp>(op) && number && constant >= 0 && constant < 62)
    return left->floorDiv(int64_t(1) << constant);
  if (isa<arith::AndIOp>(op) && number && constant > 0 && llvm::isMask_64(constant) &&
      constant < INT64_MAX)
    return *left % (constant + 1);
  if (constant < 1)
    return std::nullopt;
  if (isa<arith::FloorDivSIOp>(op) || (isNatural && isa<arith::DivSIOp, arith::DivUIOp>(op)))
    return left->floorDiv(constant);
  if (isa<arith::CeilDivSIOp>(op))
    return left->ceilDiv(constant);
  if (isNatural && isa<arith::RemSIOp, arith::RemUIOp>(op))
    return *left % constant;
  return std::nullopt;
}

std::optional<AffineExpr> IndexExpressions::ofMap(AffineMap map, ValueRange operands,
                                                  unsigned result) {
  SmallVector<AffineExpr> replacements;
  for (Value operand : operands) {
    std::optional<AffineExpr> expression = of(operand);
    if (!expression)
      return std::nullopt;
    replacements.push_back(*expression);
  }
  ArrayRef<AffineExpr> all = replacements;
  AffineExpr made = map.getResult(result).replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                                                all.drop_front(map.getNumDims()));
  return made.isPureAffine() ? std::optional(made) : std::nullopt;
}

std::optional<AffineExpr> IndexExpressions::ofOperation(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofMap(apply.getAffineMap(), apply.getMapOperands(), 0);
  std::optional<AffineExpr> expression;
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    expression = of(op->getOperand(0));
  else if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op) &&
           integerRangeOf(op->getOperand(0)).least >= 0)
    expression = of(op->getOperand(0));
  else if (op->getNumOperands() == 2)
    expression = ofBinary(op);
  bool isExact = expression && (fits(*expression, op->getResult(0).getType()) || cannotWrap(op));
  return isExact ? expression : std::nullopt;
}

std::optional<AffineExpr> IndexExpressions::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<AffineExpr> expression = find(value);
  known[value] = expression;
  return expression;
}

std::optional<AffineExpr> IndexExpressions::find(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  Operation *op = value.getDefiningOp();
  if (op && op->getNumResults() == 1 &&
      isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()))
    if (std::optional<AffineExpr> expression = ofOperation(op))
      return expression;
  if (!value.getType().isIndex())
    return std::nullopt;
  if (affine::isValidSymbol(value))
    return operand(value, /*isSymbol=*/true);
  if (affine::isAffineForInductionVar(value))
    return operand(value, /*isSymbol=*/false);
  return std::nullopt;
}

std::optional<SmallVector<AffineExpr>> IndexExpressions::extremum(Value value, bool isMinimum) {
  Operation *op = value.getDefiningOp();
  SmallVector<AffineExpr> parts;
  auto append = [&parts](std::optional<SmallVector<AffineExpr>> more) {
    if (more)
      parts.append(*more);
    return more.has_value();
  };
  if (op && (isMinimum ? isa<arith::MinSIOp>(op) : isa<arith::MaxSIOp>(op))) {
    for (Value part : op->getOperands())
      if (!append(extremum(part, isMinimum)))
        return std::nullopt;
    return parts;
  }
  if (op && isa<arith::IndexCastOp>(op) && // keeps the order of numbers
      op->getResult(0).getType().isIndex() && append(extremum(op->getOperand(0), isMinimum)))
    return parts;
  if (op && (isMinimum ? isa<affine::AffineMinOp>(op) : isa<affine::AffineMaxOp>(op))) {
    auto map = cast<AffineMapAttr>(op->getAttr("map")).getValue();
    for (unsigned result = 0; result < map.getNumResults(); ++result) {
      std::optional<AffineExpr> part = ofMap(map, op->getOperands(), result);
      if (!part)
        return std::nullopt;
      parts.push_back(*part);
    }
    return parts;
  }
  std::optional<AffineExpr> expression = of(value);
  if (!expression)
    return std::nullopt;
  return SmallVector<AffineExpr>{*expression};
}

std::optional<SmallVector<AffineExpr>> IndexExpressions::minimumOf(Value value) {
  return extremum(value, true);
}
std::optional<SmallVector<AffineExpr>> IndexExpressions::maximumOf(Value value) {
  return extremum(value, false);
}

bool IndexExpressions::dividesLarge(AffineExpr expression) const {
  auto isLarge = [&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    bool is = symbol && !integerRangeOf(symbols[symbol.getPosition()]).within(INT32_MIN, INT32_MAX);
    return is ? WalkResult::interrupt() : WalkResult::advance();
  };
  return expression
      .walk([&](AffineExpr part) {
        auto divisor = isa<AffineBinaryOpExpr>(part)
                           ? dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS())
                           : AffineConstantExpr();
        bool divides = divisor && (part.getKind() == AffineExprKind::FloorDiv ||
                                   part.getKind() == AffineExprKind::CeilDiv ||
                                   (part.getKind() == AffineExprKind::Mod &&
                                    !llvm::isPowerOf2_64(uint64_t(divisor.getValue()))));
        return divides && part.walk(isLarge).wasInterrupted() ? WalkResult::interrupt()
                                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<Value> IndexExpressions::operands() const {
  SmallVector<Value> all = dims;
  all.append(symbols);
  return all;
}

std::pair<AffineMap, SmallVector<Value>> IndexExpressions::map(ArrayRef<AffineExpr> results) const {
  AffineMap map = AffineMap::get(dims.size(), symbols.size(), results, context);
  SmallVector<Value> values = operands();
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  affine::canonicalizeMapAndOperands(&map, &values);
  return {simplifyAffineMap(map), values};
}

} // namespace spindle::hls
