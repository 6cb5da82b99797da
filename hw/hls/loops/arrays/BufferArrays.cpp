// Local copies of the part of an array that a loop works on.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/dependence/Independence.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/AccessOverlap.h"
#include "hw/hls/loops/analysis/LoopSelection.h"

#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSBUFFERARRAYS
#include "hw/hls/Passes.h.inc"

namespace {

/// The elements of one array that a loop touches: per dimension `base` of what does not change
/// inside, plus lowest to highest.
class Footprint {
public:
  Footprint(AffineForOp l, Value a) : loop(l), array(a) {}

  /// False where an access is not affine or the bases of two accesses differ.
  bool collect() {
    bool isKnown = true;
    loop.walk([&](Operation *op) {
      if (arrayOf(op) != array)
        return;
      isKnown &= isa<AffineLoadOp, AffineStoreOp>(op);
      accesses.push_back(op);
      isWritten |= isStoreAccess(op);
    });
    if (!isKnown)
      return false;
    for (Operation *access : accesses)
      if (!addAccess(*subscriptsOf(access)))
        return false;
    return true;
  }

  uint64_t elements() const {
    uint64_t count = 1;
    for (IntegerRange range : ranges)
      count = llvm::SaturatingMultiply(count, uint64_t(range.most - range.least + 1));
    return count;
  }

  void replace() {
    OpBuilder builder(loop);
    auto type = cast<MemRefType>(array.getType());
    SmallVector<int64_t> shape;
    for (IntegerRange range : ranges)
      shape.push_back(range.most - range.least + 1);
    auto function = loop->getParentOfType<func::FuncOp>();
    OpBuilder first = OpBuilder::atBlockBegin(&function.front());
    Value buffer = memref::AllocOp::create(first, loop.getLoc(),
                                           MemRefType::get(shape, type.getElementType()));
    copy(builder, buffer, shape, /*isIn=*/true);
    for (Operation *access : accesses)
      redirect(access, buffer);
    if (isWritten) {
      builder.setInsertionPointAfter(loop);
      copy(builder, buffer, shape, /*isIn=*/false);
    }
  }

private:
  bool isInside(Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument && loop->isAncestor(argument.getOwner()->getParentOp());
  }

  /// Splits subscripts into what changes inside the loop and what does not.
  bool addAccess(const AffineValueMap &subscripts) {
    AffineMap map = subscripts.getAffineMap();
    MLIRContext *context = map.getContext();
    AffineExpr zero = getAffineConstantExpr(0, context);
    SmallVector<AffineExpr> dims, symbols, innerResults, outerResults;
    for (unsigned d = 0; d < map.getNumDims(); ++d)
      dims.push_back(isInside(subscripts.getOperand(d)) ? getAffineDimExpr(d, context) : zero);
    symbols.assign(map.getNumSymbols(), zero);
    for (AffineExpr result : map.getResults()) {
      AffineExpr inner = result.replaceDimsAndSymbols(dims, symbols);
      AffineExpr outer = simplifyAffineExpr(result - inner, map.getNumDims(), map.getNumSymbols());
      for (unsigned d = 0; d < map.getNumDims(); ++d)
        if (isInside(subscripts.getOperand(d)) && outer.isFunctionOfDim(d))
          return false;
      innerResults.push_back(inner);
      outerResults.push_back(outer);
    }
    AffineValueMap outer(
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), outerResults, context),
        subscripts.getOperands());
    if (ranges.empty())
      base = outer;
    else if (!isEqual(base, outer))
      return false;
    for (auto [d, inner] : llvm::enumerate(innerResults)) {
      IntegerRange range = integerRangeOf(inner, map.getNumDims(), subscripts.getOperands());
      if (!range.isKnown())
        return false;
      if (ranges.size() <= d)
        ranges.push_back(range);
      ranges[d] = hull(ranges[d], range);
    }
    return true;
  }

  static bool isEqual(const AffineValueMap &a, const AffineValueMap &b) {
    AffineValueMap difference;
    AffineValueMap::difference(a, b, &difference);
    return llvm::all_of(difference.getAffineMap().getResults(), [](AffineExpr result) {
      auto constant = dyn_cast<AffineConstantExpr>(result);
      return constant && constant.getValue() == 0;
    });
  }

  /// A nest over the buffer that copies elements inside the array.
  void copy(OpBuilder builder, Value buffer, ArrayRef<int64_t> shape, bool isIn) {
    Location loc = loop.getLoc();
    SmallVector<Value> ivs;
    for (int64_t extent : shape) {
      auto inner = AffineForOp::create(builder, loc, 0, extent);
      ivs.push_back(inner.getInductionVar());
      builder.setInsertionPoint(inner.getBody()->getTerminator());
    }
    auto rank = unsigned(shape.size());
    AffineMap outer = base.getAffineMap();
    SmallVector<Value> operands(ivs);
    llvm::append_range(operands, base.getOperands());
    SmallVector<AffineExpr> place, conditions;
    auto extents = cast<MemRefType>(array.getType()).getShape();
    for (unsigned d = 0; d < rank; ++d) {
      AffineExpr index = outer.getResult(d).shiftDims(outer.getNumDims(), rank) +
                         builder.getAffineDimExpr(d) + ranges[d].least;
      place.push_back(index);
      conditions.push_back(index);
      conditions.push_back(extents[d] - 1 - index);
    }
    unsigned dims = rank + outer.getNumDims(), symbols = outer.getNumSymbols();
    if (!conditions.empty()) { // those that always hold are dropped later
      IntegerSet inRange =
          IntegerSet::get(dims, symbols, conditions, SmallVector<bool>(conditions.size(), false));
      auto branch = AffineIfOp::create(builder, loc, inRange, operands, /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.getThenBlock()->getTerminator());
    }
    AffineMap map = AffineMap::get(dims, symbols, place, builder.getContext());
    AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, builder.getContext());
    if (isIn) {
      Value value = AffineLoadOp::create(builder, loc, array, map, operands);
      AffineStoreOp::create(builder, loc, value, buffer, identity, ivs);
    } else {
      Value value = AffineLoadOp::create(builder, loc, buffer, identity, ivs);
      AffineStoreOp::create(builder, loc, value, array, map, operands);
    }
  }

  void redirect(Operation *access, Value buffer) {
    AffineValueMap inside;
    AffineValueMap::difference(*subscriptsOf(access), base, &inside);
    SmallVector<AffineExpr> results;
    for (auto [result, range] : llvm::zip(inside.getAffineMap().getResults(), ranges))
      results.push_back(result - range.least);
    AffineMap map =
        AffineMap::get(inside.getNumDims(), inside.getNumSymbols(), results, access->getContext());
    OpBuilder builder(access);
    if (auto load = dyn_cast<AffineLoadOp>(access)) {
      Value value =
          AffineLoadOp::create(builder, access->getLoc(), buffer, map, inside.getOperands());
      load.getResult().replaceAllUsesWith(value);
    } else {
      AffineStoreOp::create(builder, access->getLoc(),
                            cast<AffineStoreOp>(access).getValueToStore(), buffer, map,
                            inside.getOperands());
    }
    access->erase();
  }

  AffineForOp loop;
  Value array;
  SmallVector<Operation *> accesses;
  SmallVector<IntegerRange> ranges;
  AffineValueMap base;
  bool isWritten = false;
};

struct BufferArrays : LoopPass<impl::HlsBufferArraysBase<BufferArrays>> {
  using LoopPass::LoopPass;

  void buffer(AffineForOp loop, uint64_t mostElements) {
    llvm::SetVector<Value> arrays;
    loop.walk([&](Operation *op) {
      if (Value array = arrayOf(op);
          array && !loop->isAncestor(array.getParentRegion()->getParentOp()))
        arrays.insert(array);
    });
    for (Value array : arrays) {
      auto type = cast<MemRefType>(array.getType());
      Footprint region(loop, array);
      if (type.getRank() == 0 || !region.collect())
        continue;
      if (mostElements != 0 && region.elements() > mostElements)
        continue;
      region.replace();
      for (Operation *around = loop; around; around = around->getParentOp())
        dropIndependence(around); // whole regions are written back
      ++buffered;
    }
  }

  bool isLocal() const override { return true; }

  void runOnLoops() override {
    FailureOr<SmallVector<SelectedLoop>> selected =
        selectLoops(getOperation(), HlsDialect::bufferName, loops);
    if (failed(selected))
      return signalPassFailure();
    simplifyIndices(getOperation());
    for (const SelectedLoop &entry : *selected)
      buffer(entry.loop, entry.factor);
    simplifyIndices(getOperation());
  }
};
} // namespace

} // namespace spindle::hls
