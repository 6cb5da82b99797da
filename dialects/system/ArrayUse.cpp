#include "dialects/system/ArrayUse.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::system {

bool isLocalArray(Operation *op) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp, ChannelOp>(op);
}

static bool isKnownArray(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isLocalArray(array.getDefiningOp()) || isa<memref::GetGlobalOp>(array.getDefiningOp());
}

/// Adds what one operation does, without those in it.
static LogicalResult addUse(Operation *op, ArrayUse &use) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (effects)
    effects.getEffects(instances);
  bool isOfArrays = llvm::all_of(instances, [](const MemoryEffects::EffectInstance &instance) {
    return instance.getValue() && isa<MemRefType>(instance.getValue().getType());
  });
  if (!effects || !isOfArrays)
    return op->emitError() << op->getName() << " has no place in a system of kernels: "
                           << "expected loops, conditions and accesses of arrays";
  for (const MemoryEffects::EffectInstance &instance : instances) {
    Value array = instance.getValue();
    if (!isKnownArray(array))
      return op->emitError() << op->getName()
                             << " acts on something that is no array of the function: "
                             << "expected an argument, a local array or a constant one "
                                "(hls-prepare)";
    (isa<MemoryEffects::Write>(instance.getEffect()) ? use.written : use.read).insert(array);
  }
  return success();
}

FailureOr<ArrayUse> useOf(Operation *op) {
  ArrayUse use;
  WalkResult result = op->walk([&](Operation *inner) {
    if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(inner))
      return WalkResult::advance();
    return failed(addUse(inner, use)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() ? FailureOr<ArrayUse>(failure()) : use;
}

ArgumentUse useOf(FuncOp kernel, unsigned argument) {
  Value array = kernel.getArgument(argument);
  ArgumentUse use;
  for (Operation *user : array.getUsers()) {
    use.isRead |= isa<hls::ReadOp>(user);
    use.isWritten |= isa<hls::WriteOp>(user);
  }
  kernel.walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    op.getEffectsOnValue(array, instances);
    for (const MemoryEffects::EffectInstance &instance : instances)
      (isa<MemoryEffects::Write>(instance.getEffect()) ? use.isWritten : use.isRead) = true;
  });
  return use;
}

/// Whether a loop variable takes every subscript of a dimension.
static bool goesThrough(Value subscript, int64_t extent) {
  AffineForOp loop = getForInductionVarOwner(subscript);
  return loop && loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
         loop.getConstantLowerBound() <= 0 && loop.getConstantUpperBound() >= extent;
}

/// Loops alone are around it, and each dimension from `first` on has a loop of its own.
static bool storesAll(AffineStoreOp store, unsigned first) {
  for (Operation *around = store->getParentOp(); !isa<FuncOp>(around);
       around = around->getParentOp()) {
    auto loop = dyn_cast<AffineForOp>(around);
    std::optional<uint64_t> trips = loop ? getConstantTripCount(loop) : std::nullopt;
    if (!trips || *trips == 0)
      return false;
  }
  AffineMap map = store.getAffineMap();
  SmallVector<Value> operands(store.getMapOperands());
  canonicalizeMapAndOperands(&map, &operands);
  llvm::SmallBitVector taken(map.getNumDims());
  for (auto [expression, extent] :
       llvm::drop_begin(llvm::zip(map.getResults(), store.getMemRefType().getShape()), first)) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression); constant && extent == 1)
      continue;
    auto dimension = dyn_cast<AffineDimExpr>(expression);
    if (!dimension || taken.test(dimension.getPosition()) ||
        !goesThrough(operands[dimension.getPosition()], extent))
      return false;
    taken.set(dimension.getPosition());
  }
  return true;
}

/// Whether `load` comes after `store` has stored what it reads.
static bool seesStored(AffineStoreOp store, Operation *load) {
  Operation *root = store;
  while (!isa<FuncOp>(root->getParentOp()))
    root = root->getParentOp();
  Operation *ancestor = root->getBlock()->findAncestorOpInBlock(*load);
  if (ancestor != root)
    return root->isBeforeInBlock(ancestor);
  auto read = dyn_cast<AffineLoadOp>(load);
  Operation *inside = store->getBlock()->findAncestorOpInBlock(*load);
  if (!read || !inside || !store->isBeforeInBlock(inside))
    return false;
  AffineValueMap stored(store.getAffineMap(), store.getMapOperands()),
      loaded(read.getAffineMap(), read.getMapOperands()), difference;
  AffineValueMap::difference(stored, loaded, &difference);
  return llvm::all_of(difference.getAffineMap().getResults(),
                      [](AffineExpr each) { return each == 0; });
}

bool rewritesAll(FuncOp kernel, unsigned argument, bool byInput) {
  Value array = kernel.getArgument(argument);
  SmallVector<Operation *> loads;
  for (Operation *user : array.getUsers())
    if (!isa<AffineStoreOp, memref::StoreOp>(user))
      loads.push_back(user);
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    auto store = dyn_cast<AffineStoreOp>(user);
    return store && storesAll(store, byInput ? 1 : 0) &&
           llvm::all_of(loads, [&](Operation *load) { return seesStored(store, load); });
  });
}

SmallVector<Value> affineSubscripts(Operation *access) {
  AffineMap map;
  SmallVector<Value> operands;
  if (auto load = dyn_cast<AffineLoadOp>(access)) {
    map = load.getAffineMap();
    llvm::append_range(operands, load.getMapOperands());
  } else if (auto store = dyn_cast<AffineStoreOp>(access)) {
    map = store.getAffineMap();
    llvm::append_range(operands, store.getMapOperands());
  } else {
    return {};
  }
  canonicalizeMapAndOperands(&map, &operands);
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expression) -> Value {
    if (auto dimension = dyn_cast<AffineDimExpr>(expression))
      return operands[dimension.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
      return operands[map.getNumDims() + symbol.getPosition()];
    return {};
  });
}

llvm::SmallBitVector dimensionsByInput(FuncOp kernel, unsigned argument, unsigned input) {
  Value array = kernel.getArgument(argument), number = kernel.getArgument(input);
  llvm::SmallBitVector dimensions(unsigned(cast<MemRefType>(array.getType()).getRank()), true);
  for (Operation *user : array.getUsers()) {
    SmallVector<Value> subscripts = affineSubscripts(user);
    subscripts.resize(dimensions.size()); // of other accesses none is known
    for (auto [position, subscript] : llvm::enumerate(subscripts))
      if (subscript != number)
        dimensions.reset(unsigned(position));
  }
  return dimensions;
}

} // namespace spindle::system
