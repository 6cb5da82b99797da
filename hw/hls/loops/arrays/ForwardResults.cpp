// Values handed on where that is faster than memory, and sums put into memory where that is.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/arrays/ForwardInBody.h"

#include "hw/hls/dependence/Independence.h"
#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSFORWARDRESULTS
#include "hw/hls/Passes.h.inc"

namespace {

constexpr int64_t mostWords = 1 << 16; // of a local array for a carried value

/// Where a carried value lives between iterations.
struct Place {
  Value array;
  AffineMap map;
  SmallVector<Value> indices;

  Value load(OpBuilder &builder, Location loc) const {
    return AffineLoadOp::create(builder, loc, array, map, indices);
  }
  void store(OpBuilder &builder, Location loc, Value value) const {
    AffineStoreOp::create(builder, loc, value, array, map, indices);
  }
};

/// A word for each iteration of the loops around a place.
struct WordPerIteration {
  SmallVector<int64_t> shape;
  SmallVector<Value> indices;
  SmallVector<AffineExpr> subscripts;

  static std::optional<WordPerIteration> around(AffineForOp loop) {
    WordPerIteration word;
    int64_t words = 1;
    for (AffineForOp outer : loopsAround(loop)) {
      IntegerRange range = integerRangeOf(outer.getInductionVar());
      if (!range.isKnown())
        return std::nullopt;
      word.shape.push_back(range.most - range.least + 1);
      words *= word.shape.back();
      if (words > mostWords)
        return std::nullopt;
      word.subscripts.push_back(getAffineDimExpr(unsigned(word.indices.size()), loop.getContext()) -
                                range.least);
      word.indices.push_back(outer.getInductionVar());
    }
    return word;
  }

  Place allocate(OpBuilder &builder, Location loc, Type type) const {
    Value array = memref::AllocOp::create(builder, loc, MemRefType::get(shape, type));
    AffineMap map = AffineMap::get(unsigned(indices.size()), 0, subscripts, builder.getContext());
    return {array, map, indices};
  }
};

bool touches(Operation *op, Value array) {
  return llvm::any_of(accessesIn(op),
                      [&](const ArrayAccess &access) { return access.array == array; });
}

/// The word that a carried value is loaded from before the loop and stored to after it, if nobody
/// else touches its array in between.
std::optional<Place> ownWord(AffineForOp loop, unsigned number) {
  auto load = loop.getInits()[number].getDefiningOp<AffineLoadOp>();
  Value result = loop->getResult(number);
  if (!load || load->getBlock() != loop->getBlock() || !result.hasOneUse())
    return std::nullopt;
  auto store = dyn_cast<AffineStoreOp>(*result.user_begin());
  if (!store || store.getValueToStore() != result || store->getBlock() != loop->getBlock() ||
      MemRefAccess(load) != MemRefAccess(store))
    return std::nullopt;
  for (Operation *op = load->getNextNode(); op != store; op = op->getNextNode())
    if (touches(op, load.getMemRef()))
      return std::nullopt;
  return Place{load.getMemRef(), load.getAffineMap(), load.getMapOperands()};
}

/// The store that a later load reads, if nothing in between may write the array.
AffineStoreOp storeBefore(AffineLoadOp load) {
  for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    auto store = dyn_cast<AffineStoreOp>(op);
    if (store && store.getMemRef() == load.getMemRef())
      return store.getAffineMap() == load.getAffineMap() &&
                     llvm::equal(store.getMapOperands(), load.getMapOperands())
                 ? store
                 : AffineStoreOp();
    if (op->getNumRegions() > 0 || llvm::any_of(accessesIn(op), [&](const ArrayAccess &access) {
          return access.isStore && access.array == load.getMemRef();
        }))
      return {};
  }
  return {};
}

/// Words that statements beside loops read right after they are written: before fission parts the
/// statements, of which one would wait for the other (adi).
unsigned forwardBesideLoops(Block &block) {
  unsigned count = 0;
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto load = dyn_cast<AffineLoadOp>(op))
      if (AffineStoreOp store = storeBefore(load)) {
        load.getResult().replaceAllUsesWith(store.getValueToStore());
        load.erase();
        ++count;
      }
  return count;
}

struct ForwardResults : LoopPass<impl::HlsForwardResultsBase<ForwardResults>> {
  using LoopPass::LoopPass;

  void runOnLoops() override {
    SmallVector<AffineForOp> loops;
    // Outer loops first: the word of a sum is also that of the inner loops it is carried through.
    getOperation().walk<WalkOrder::PreOrder>([&](AffineForOp loop) { loops.push_back(loop); });
    for (AffineForOp loop : loops)
      if (loop->getNumResults() > 0)
        putIntoMemory(loop);
    getOperation().walk([&](AffineForOp loop) {
      forwarded += perfectNest(loop).size() == 1 ? forwardInBody(*loop.getBody())
                                                 : forwardBesideLoops(*loop.getBody());
    });
    Block &body = getOperation().getBody().front();
    if (body.getOps<AffineForOp>().empty()) // unrolled completely: one iteration
      forwarded += forwardInBody(body);
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
    auto plain = AffineForOp::create(builder, loc, loop.getLowerBoundOperands(),
                                     loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                                     loop.getUpperBoundMap(), loop.getStepAsInt());
    plain->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    dropIndependence(plain); // what it carries will be in memory
    auto yield = cast<AffineYieldOp>(loop.getBody()->getTerminator());
    OpBuilder atEntry = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    OpBuilder inBody = OpBuilder::atBlockBegin(plain.getBody());
    SmallVector<Value> arguments{plain.getInductionVar()};
    SmallVector<Place> places;
    for (auto [number, initial] : llvm::enumerate(loop.getInits())) {
      std::optional<Place> own = ownWord(loop, unsigned(number));
      places.push_back(own ? *own : word->allocate(atEntry, loc, initial.getType()));
      builder.setInsertionPoint(plain);
      if (own)
        loop->getResult(unsigned(number)).user_begin()->erase();
      else
        places.back().store(builder, loc, initial);
      arguments.push_back(places.back().load(inBody, loc));
    }
    Block *body = plain.getBody();
    body->getTerminator()->erase();
    for (auto [old, now] : llvm::zip(loop.getBody()->getArguments(), arguments))
      old.replaceAllUsesWith(now);
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    builder.setInsertionPoint(yield);
    for (auto [next, place] : llvm::zip(yield.getOperands(), places))
      place.store(builder, loc, next);
    AffineYieldOp::create(builder, loc);
    yield.erase();
    builder.setInsertionPointAfter(plain);
    for (auto [result, place] : llvm::zip(loop->getResults(), places))
      if (!result.use_empty())
        result.replaceAllUsesWith(place.load(builder, loc));
    SmallVector<Value> inits(loop.getInits());
    loop.erase();
    for (Value init : inits)
      if (auto load = init.getDefiningOp<AffineLoadOp>(); load && init.use_empty())
        load.erase();
    stored += unsigned(places.size());
  }
};
} // namespace

} // namespace spindle::hls
