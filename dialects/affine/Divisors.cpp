#include "dialects/affine/Divisors.h"

#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace spindle {

static WalkResult interruptIf(bool isRefused) {
  return isRefused ? WalkResult::interrupt() : WalkResult::advance();
}

std::string textOf(AffineExpr expression) {
  std::string text;
  llvm::raw_string_ostream(text) << expression;
  return text;
}

LogicalResult checkDivisions(AffineExpr expression,
                             llvm::function_ref<LogicalResult(AffineBinaryOpExpr)> check) {
  WalkResult result = expression.walk([&](AffineExpr part) {
    bool divides = part.getKind() == AffineExprKind::Mod ||
                   part.getKind() == AffineExprKind::FloorDiv ||
                   part.getKind() == AffineExprKind::CeilDiv;
    return interruptIf(divides && failed(check(cast<AffineBinaryOpExpr>(part))));
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkWrittenExpressions(Operation *op,
                                      llvm::function_ref<LogicalResult(AffineExpr)> check) {
  auto isWrong = [&](AffineExpr expression) { return failed(check(expression)); };
  auto ofMap = [&](AffineMapAttr map) {
    return interruptIf(llvm::any_of(map.getValue().getResults(), isWrong));
  };
  auto ofSet = [&](IntegerSetAttr set) {
    return interruptIf(llvm::any_of(set.getValue().getConstraints(), isWrong));
  };
  auto isRefused = [&](auto element) { return element.walk(ofMap, ofSet).wasInterrupted(); };
  if (isRefused(op->getAttrDictionary()) || llvm::any_of(op->getResultTypes(), isRefused))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isRefused))
        return failure();
  return success();
}

static LogicalResult checkConstantDivisors(Operation *op) {
  auto ofDivision = [op](AffineBinaryOpExpr division) -> LogicalResult {
    auto divisor = dyn_cast<AffineConstantExpr>(division.getRHS());
    if (!divisor || divisor.getValue() >= 1)
      return success();
    return op->emitError() << "'" << textOf(division) << "' divides by " << divisor.getValue()
                           << ", expected a positive divisor: correct it";
  };
  return checkWrittenExpressions(
      op, [&](AffineExpr expression) { return checkDivisions(expression, ofDivision); });
}

LogicalResult checkConstantDivisors(ModuleOp module) {
  return failure(module
                     .walk<WalkOrder::PreOrder>([](Operation *op) {
                       return interruptIf(failed(checkConstantDivisors(op)));
                     })
                     .wasInterrupted());
}

OwningOpRef<ModuleOp> parseWithDivisors(MLIRContext &context, StringRef text, StringRef path) {
  ParserConfig unverified(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, unverified, path);
  if (module && (failed(checkConstantDivisors(*module)) || failed(verify(*module))))
    return {};
  return module;
}

} // namespace spindle
