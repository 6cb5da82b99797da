// Values handed on where that is faster than memory, and sums put into memory where that is.
#include "hw/hls/loops/ForwardInBody.h"
#include "hw/hls/loops/IndexRange.h"
#include "hw/hls/loops/Passes.h"

#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSFORWARDRESULTS
#include "hw/hls/loops/Passes.h.inc"

namespace {

constexpr int64_t mostWords = 1 << 16; // of a local array for a carried value

/// A word for each iteration of the loops around a place.
struct WordPerIteration {
  SmallVector<int64_t> shape;
  SmallVector<Value> indices;
  SmallVector<AffineExpr> subscripts;

  static std::optional<WordPerIteration> around(AffineForOp loop) {
    WordPerIteration word;
    int64_t words = 1;
    for (AffineForOp outer : loopsAround(loop)) {
      std::optional<IndexRange> range = rangeOf(outer.getInductionVar());
      if (!range || range->highest < range->lowest)
        return std::nullopt;
      word.shape.push_back(range->highest - range->lowest + 1);
      words *= word.shape.back();
      if (words > mostWords)
        return std::nullopt;
      word.subscripts.push_back(getAffineDimExpr(unsigned(word.indices.size()), loop.getContext()) -
                                range->lowest);
      word.indices.push_back(outer.getInductionVar());
    }
    return word;
  }

  AffineMap map(MLIRContext *context) const {
    return AffineMap::get(unsigned(indices.size()), 0, subscripts, context);
  }
};

struct ForwardResults : impl::HlsForwardResultsBase<ForwardResults> {
  using HlsForwardResultsBase::HlsForwardResultsBase;

  void runOnOperation() override {
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) { loops.push_back(loop); });
    for (AffineForOp loop : loops)
      if (loop->getNumResults() > 0)
        putIntoMemory(loop);
    getOperation().walk([&](AffineForOp loop) {
      if (perfectNest(loop).size() == 1)
        forwarded += forwardInBody(*loop.getBody());
    });
  }

  /// Carried values of a loop inside another one, which interchange could move.
  void putIntoMemory(AffineForOp loop) {
    auto parent = dyn_cast<AffineForOp>(loop->getParentOp());
    std::optional<WordPerIteration> word = WordPerIteration::around(loop);
    auto isNumber = [](Type type) { return type.isIntOrFloat(); };
    if (!parent || parent->getNumResults() > 0 || !word ||
        !llvm::all_of(loop->getResultTypes(), isNumber))
      return;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    AffineMap map = word->map(loop.getContext());
    auto plain = AffineForOp::create(builder, loc, loop.getLowerBoundOperands(),
                                     loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                                     loop.getUpperBoundMap(), loop.getStepAsInt());
    plain->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    auto yield = cast<AffineYieldOp>(loop.getBody()->getTerminator());
    OpBuilder atEntry = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    OpBuilder inBody = OpBuilder::atBlockBegin(plain.getBody());
    SmallVector<Value> starts, arrays;
    for (Value initial : loop.getInits()) {
      Value array =
          memref::AllocOp::create(atEntry, loc, MemRefType::get(word->shape, initial.getType()));
      builder.setInsertionPoint(plain);
      AffineStoreOp::create(builder, loc, initial, array, map, word->indices);
      starts.push_back(AffineLoadOp::create(inBody, loc, array, map, word->indices));
      arrays.push_back(array);
    }
    SmallVector<Value> arguments{plain.getInductionVar()};
    llvm::append_range(arguments, starts);
    Block *body = plain.getBody();
    body->getTerminator()->erase();
    for (auto [old, now] : llvm::zip(loop.getBody()->getArguments(), arguments))
      old.replaceAllUsesWith(now);
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    builder.setInsertionPoint(yield);
    for (auto [next, array] : llvm::zip(yield.getOperands(), arrays))
      AffineStoreOp::create(builder, loc, next, array, map, word->indices);
    AffineYieldOp::create(builder, loc);
    yield.erase();
    builder.setInsertionPointAfter(plain);
    for (auto [result, array] : llvm::zip(loop->getResults(), arrays))
      result.replaceAllUsesWith(
          AffineLoadOp::create(builder, loc, array, map, word->indices).getResult());
    loop.erase();
    stored += unsigned(arrays.size());
  }
};
} // namespace

} // namespace spindle::hls
