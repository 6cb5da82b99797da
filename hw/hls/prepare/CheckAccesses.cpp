// Affine accesses that leave their array: what is known before the kernel runs is refused here.
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DynamicAPInt.h"

using namespace mlir;
using presburger::BoundType;

namespace spindle::hls {

/// The iterations in which an operation runs; nothing where data or arguments decide about them.
static std::optional<affine::FlatAffineValueConstraints> iterationsOf(Operation *access) {
  SmallVector<Operation *> around;
  Operation *inner = access;
  for (Operation *op = access->getParentOp(); !isa<func::FuncOp>(op); op = op->getParentOp()) {
    if (!isa<affine::AffineForOp, affine::AffineIfOp>(op))
      return std::nullopt;
    bool isElse = isa<affine::AffineIfOp>(op) && inner->getParentRegion() == &op->getRegion(1);
    if (isElse)
      return std::nullopt;
    around.insert(around.begin(), op);
    inner = op;
  }
  affine::FlatAffineValueConstraints iterations;
  if (failed(affine::getIndexSet(around, &iterations)) || iterations.getNumSymbolVars() > 0)
    return std::nullopt;
  return iterations;
}

static std::string exactText(const llvm::DynamicAPInt &number) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << number;
  return text;
}

/// Between which numbers a subscript runs in these iterations, where one of them lies outside. As
/// texts: multiples of a loop variable may need more than 64 bits.
static std::optional<std::pair<std::string, std::string>>
rangeOutside(affine::FlatAffineValueConstraints iterations, AffineMap map, ValueRange operands,
             unsigned position, int64_t extent) {
  affine::AffineValueMap subscript(map.getSubMap({position}), operands);
  for (Value operand : subscript.getOperands())
    if (!iterations.containsVar(operand))
      return std::nullopt;
  if (failed(iterations.composeMap(&subscript)))
    return std::nullopt;
  auto goesBeyond = [&](BoundType side, int64_t bound) {
    affine::FlatAffineValueConstraints beyond = iterations;
    beyond.addBound(side, 0, bound);
    return !beyond.isIntegerEmpty();
  };
  if (!goesBeyond(BoundType::LB, extent) && !goesBeyond(BoundType::UB, -1))
    return std::nullopt;
  std::optional<llvm::DynamicAPInt> least = iterations.getConstantBound(BoundType::LB, 0);
  std::optional<llvm::DynamicAPInt> most = iterations.getConstantBound(BoundType::UB, 0);
  if (!least || !most)
    return std::nullopt;
  return std::pair(exactText(*least), exactText(*most));
}

static std::string nameOfArray(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array))
    return "arg" + std::to_string(argument.getArgNumber());
  if (auto global = array.getDefiningOp<memref::GetGlobalOp>())
    return "@" + global.getName().str();
  return "a local array";
}

static LogicalResult checkAccess(Operation *op, Value array, AffineMap map, ValueRange operands) {
  std::optional<affine::FlatAffineValueConstraints> iterations = iterationsOf(op);
  if (!iterations)
    return success();
  for (auto [dimension, extent] : llvm::enumerate(cast<MemRefType>(array.getType()).getShape())) {
    auto range = rangeOutside(*iterations, map, operands, unsigned(dimension), extent);
    if (!range)
      continue;
    return op->emitError() << (isa<affine::AffineLoadOp>(op) ? "reads " : "writes ")
                           << nameOfArray(array) << " at index " << range->first << " to "
                           << range->second << " of dimension " << dimension << ", expected "
                           << (extent > 0 ? "0 to " + std::to_string(extent - 1) : "none")
                           << ": correct the loops, or enlarge the array";
  }
  return success();
}

LogicalResult checkAccesses(func::FuncOp top) {
  WalkResult result = top.walk([](Operation *op) {
    LogicalResult checked = success();
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      checked = checkAccess(op, load.getMemRef(), load.getAffineMap(), load.getMapOperands());
    else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
      checked = checkAccess(op, store.getMemRef(), store.getAffineMap(), store.getMapOperands());
    return failed(checked) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace spindle::hls
