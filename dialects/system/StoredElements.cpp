#include "dialects/system/ArrayUse.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::system {

/// The subscripts of one dimension, where one loop at most decides on them.
static std::optional<SmallVector<int64_t>> subscriptsOf(AffineExpr expression, ValueRange operands,
                                                        llvm::SmallBitVector &taken) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return SmallVector<int64_t>{constant.getValue()};
  std::optional<unsigned> decides;
  for (unsigned n = 0; n < operands.size(); ++n)
    if (expression.isFunctionOfDim(n)) {
      if (decides || taken.test(n))
        return std::nullopt;
      decides = n;
    }
  AffineForOp loop = decides ? getForInductionVarOwner(operands[*decides]) : AffineForOp();
  if (!loop)
    return std::nullopt;
  taken.set(*decides);
  SmallVector<int64_t> subscripts;
  SmallVector<AffineExpr> point(operands.size(), getAffineConstantExpr(0, expression.getContext()));
  for (int64_t n = loop.getConstantLowerBound(); n < loop.getConstantUpperBound();
       n += loop.getStepAsInt()) {
    point[*decides] = getAffineConstantExpr(n, expression.getContext());
    auto subscript = dyn_cast<AffineConstantExpr>(expression.replaceDims(point));
    if (!subscript)
      return std::nullopt;
    subscripts.push_back(subscript.getValue());
  }
  return subscripts;
}

/// Loops with constant bounds alone are around it.
static bool takesPlace(AffineStoreOp store) {
  for (Operation *around = store->getParentOp(); !isa<FuncOp>(around);
       around = around->getParentOp()) {
    auto loop = dyn_cast<AffineForOp>(around);
    std::optional<uint64_t> trips =
        loop && loop.hasConstantBounds() ? getConstantTripCount(loop) : std::nullopt;
    if (!trips || *trips == 0)
      return false;
  }
  return true;
}

static void markStored(AffineStoreOp store, unsigned first, llvm::BitVector &elements) {
  AffineMap map = store.getAffineMap();
  SmallVector<Value> operands(store.getMapOperands());
  canonicalizeMapAndOperands(&map, &operands);
  llvm::SmallBitVector taken(unsigned(operands.size()));
  std::vector<uint64_t> stored = {0};
  for (auto [expression, extent] :
       llvm::drop_begin(llvm::zip(map.getResults(), store.getMemRefType().getShape()), first)) {
    auto subscripts = subscriptsOf(expression, operands, taken);
    if (!subscripts)
      return;
    std::vector<uint64_t> places;
    for (uint64_t place : stored)
      for (int64_t subscript : *subscripts)
        if (subscript >= 0 && subscript < extent)
          places.push_back(place * uint64_t(extent) + uint64_t(subscript));
    stored = std::move(places);
  }
  for (uint64_t element : stored)
    elements.set(unsigned(element));
}

void markStored(FuncOp kernel, unsigned argument, bool byInput, llvm::BitVector &elements) {
  for (Operation *user : kernel.getArgument(argument).getUsers())
    if (auto store = dyn_cast<AffineStoreOp>(user); store && takesPlace(store))
      markStored(store, byInput ? 1 : 0, elements);
}

} // namespace spindle::system
