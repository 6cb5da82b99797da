#include "lib/frontend/mlir/MlirLifter.h"

#include "lib/frontend/mlir/MlirModel.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <map>

using namespace mlir;

namespace spindle {

static const std::map<std::string, LiftRule> &allRules() {
  static const std::map<std::string, LiftRule> rules = [] {
    std::map<std::string, LiftRule> collected;
    for (auto table : {arithRules, tensorRules, linalgElementwiseRules, linalgSumRules, tosaRules})
      for (LiftRule &entry : table())
        collected.emplace(entry.operation, entry);
    return collected;
  }();
  return rules;
}

/// What can stand instead of an unsupported operation: the others of its dialect, else all
/// dialects.
static std::string supportedBeside(Operation *op) {
  std::vector<std::string> names;
  std::string dialect = op->getName().getDialectNamespace().str() + ".";
  for (const auto &[name, entry] : allRules())
    if (StringRef(name).starts_with(dialect))
      names.push_back(name.substr(dialect.size()));
  if (names.empty())
    return "expected operations of arith, math, tensor, linalg or tosa";
  return fmt::format("supported of this dialect: {}", fmt::join(names, ", "));
}

llvm::Expected<Tensor> MlirLifter::lookup(Value value) const {
  auto found = values.find(value);
  if (found == values.end())
    return refuse("reads the index of an element, expected tensors and numbers");
  return found->second;
}

llvm::Expected<Shape> MlirLifter::shapeOf(Type type, bool isActivation) const {
  SPINDLE_ASSIGN(Shape shape, staticShape(type, builder.presentPlace()));
  if (isActivation && !shape.empty() && shape[0] == builder.batch)
    shape[0] = 1;
  return shape;
}

void MlirLifter::enter(Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  builder.enter(placeOf(op->getLoc(), path), op->getLoc(),
                name ? name.getName().getValue() : StringRef());
}

llvm::Expected<Tensor> MlirLifter::liftOperation(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return liftCall(call);
  std::string name = op->getName().getStringRef().str();
  auto found = allRules().find(name);
  if (found == allRules().end()) {
    return refuse(fmt::format("operation '{}' is not supported; {}", name, supportedBeside(op)));
  }
  if (op->getNumResults() != 1)
    return refuse(fmt::format("'{}' has {} results, expected one", name, op->getNumResults()));
  return found->second.lift(*this, op);
}

llvm::Error MlirLifter::liftBody(Block &block) {
  for (Operation &op : block.without_terminator()) {
    enter(&op);
    SPINDLE_ASSIGN(Tensor result, liftOperation(&op));
    bind(op.getResult(0), std::move(result));
  }
  enter(block.getTerminator());
  return llvm::Error::success();
}

llvm::Expected<Tensor> MlirLifter::lift(func::FuncOp function,
                                        const std::vector<Tensor> &arguments) {
  if (!function.getBody().hasOneBlock() || function.getNumResults() != 1)
    return refuse(fmt::format("function '{}' has {} blocks and {} results, expected one of each",
                              function.getSymName().str(), function.getBody().getBlocks().size(),
                              function.getNumResults()));
  Block &body = function.getBody().front();
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    bind(argument, value);
  SPINDLE_RETURN_IF_ERROR(liftBody(body));
  return lookup(body.getTerminator()->getOperand(0));
}

llvm::Expected<Tensor> MlirLifter::liftCall(func::CallOp call) {
  auto callee = call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal() || call.getNumResults() != 1)
    return refuse(
        fmt::format("call of '{}', which has no body or not one result", call.getCallee().str()));
  constexpr int deepest = 64;
  if (depth == deepest)
    return refuse(fmt::format("calls are nested more than {} deep", deepest));
  std::vector<Tensor> arguments;
  for (Value operand : call.getOperands()) {
    SPINDLE_ASSIGN(Tensor value, lookup(operand));
    arguments.push_back(std::move(value));
  }
  ++depth;
  llvm::Expected<Tensor> result = lift(callee, arguments);
  --depth;
  return result;
}

} // namespace spindle
