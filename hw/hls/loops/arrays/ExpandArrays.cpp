// An array that every iteration writes anew gets words of its own for each iteration, so that the
// parts of the iteration can run as loops of their own.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"

#include "hw/hls/dependence/Instance.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSEXPANDARRAYS
#include "hw/hls/Passes.h.inc"

namespace {

/// The numbers that a subscript takes while the loops inside an iteration run.
struct Span {
  int64_t lowest, highest;
};

bool hasIterations(AffineForOp loop) {
  return loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
         loop.getConstantLowerBound() < loop.getConstantUpperBound();
}

Span spanOf(AffineForOp loop) {
  return {loop.getConstantLowerBound(), loop.getConstantUpperBound() - 1};
}

/// What a store is sure to write in one iteration of its first `shared` loops: along a dimension
/// either every number of a span, or what its subscript says.
using Coverage = SmallVector<std::optional<Span>>;

std::optional<Coverage> coverageOf(AffineStoreOp store, unsigned shared) {
  SmallVector<AffineForOp> loops = loopsAround(store);
  if (store->getParentOp() != loops.back().getOperation())
    return std::nullopt; // under a guard
  ArrayRef<AffineForOp> own = ArrayRef(loops).drop_front(shared);
  if (!llvm::all_of(own, hasIterations))
    return std::nullopt;
  AffineValueMap map;
  MemRefAccess(store).getAccessMap(&map);
  Coverage coverage;
  llvm::SmallPtrSet<Operation *, 4> spanned;
  for (AffineExpr subscript : map.getAffineMap().getResults()) {
    SmallVector<AffineForOp> used;
    for (auto [position, operand] : llvm::enumerate(map.getOperands()))
      if (AffineForOp loop = getForInductionVarOwner(operand);
          loop && llvm::is_contained(own, loop) && subscript.isFunctionOfDim(unsigned(position)))
        used.push_back(loop);
    if (used.empty()) {
      coverage.push_back(std::nullopt);
      continue;
    }
    AffineExpr offset = subscript;
    for (auto [position, operand] : llvm::enumerate(map.getOperands()))
      if (operand == used.front().getInductionVar())
        offset = simplifyAffineExpr(
            subscript - getAffineDimExpr(unsigned(position), subscript.getContext()),
            map.getNumDims(), map.getNumSymbols());
    auto constant = dyn_cast<AffineConstantExpr>(offset);
    if (used.size() > 1 || !constant || !spanned.insert(used.front()).second)
      return std::nullopt;
    Span span = spanOf(used.front());
    coverage.push_back(Span{span.lowest + constant.getValue(), span.highest + constant.getValue()});
  }
  return coverage;
}

/// Whether a form can be a number outside of a span.
bool canLeave(const InstanceSystem &system, const LinearForm &form, const Span &span) {
  InstanceSystem below = system, above = system;
  below.addNonNegative(LinearForm::of(span.lowest - 1) - form);
  above.addNonNegative(form - LinearForm::of(span.highest + 1));
  return !below.isEmpty() || !above.isEmpty();
}

unsigned sharedLoops(Operation *a, Operation *b) {
  SmallVector<AffineForOp> around = loopsAround(a), other = loopsAround(b);
  unsigned shared = 0;
  while (shared < std::min(around.size(), other.size()) && around[shared] == other[shared])
    ++shared;
  return shared;
}

/// Whether the store writes, in the same iteration of the loops around both and earlier, every word
/// that the load reads.
bool precedes(AffineStoreOp store, const ArrayAccess &load) {
  unsigned shared = sharedLoops(store, load.op);
  Block *body = loopsAround(store)[shared - 1].getBody();
  Operation *first = body->findAncestorOpInBlock(*store),
            *then = body->findAncestorOpInBlock(*load.op);
  std::optional<Coverage> coverage = coverageOf(store, shared);
  if (!coverage || !first->isBeforeInBlock(then))
    return false;
  InstanceSystem system;
  Instance reading = system.add(load.op), writing = system.add(store, &reading, shared);
  auto read = system.subscripts(load, reading);
  auto written = system.subscripts({store, load.array, true}, writing);
  if (!read || !written)
    return false;
  for (auto [span, here, there] : llvm::zip(*coverage, *read, *written))
    if (span ? canLeave(system, here, *span) : canLeave(system, here - there, {0, 0}))
      return false;
  return true;
}

/// An array, the nest of loops around all its accesses in one statement of the function, and those.
struct Candidate {
  Value array;
  SmallVector<AffineForOp> loops;
  SmallVector<ArrayAccess> accesses;
  bool isSeenOutside;
  Coverage box; // what the last iteration leaves in the array
};

/// The loops around all accesses, where they hold several loops with accesses: a single one needs
/// no words of its own, its iterations are those of a nest.
bool findLoops(Candidate &candidate) {
  candidate.loops = loopsAround(candidate.accesses.front().op);
  for (const ArrayAccess &access : candidate.accesses)
    candidate.loops.resize(std::min<size_t>(candidate.loops.size(),
                                            sharedLoops(candidate.accesses.front().op, access.op)));
  if (candidate.loops.empty())
    return false;
  llvm::SmallPtrSet<Operation *, 4> parts;
  for (const ArrayAccess &access : candidate.accesses)
    if (Operation *part = candidate.loops.back().getBody()->findAncestorOpInBlock(*access.op);
        isa<AffineForOp>(part))
      parts.insert(part);
  return parts.size() > 1 && llvm::all_of(candidate.loops, [](AffineForOp loop) {
           return hasIterations(loop) && loop.getNumIterOperands() == 0;
         });
}

bool isCovered(const Candidate &candidate, const ArrayAccess &load) {
  return llvm::any_of(candidate.accesses, [&](const ArrayAccess &access) {
    return access.isStore && precedes(cast<AffineStoreOp>(access.op), load);
  });
}

bool isInside(const ArrayAccess &access, const Coverage &box) {
  InstanceSystem system;
  auto subscripts = system.subscripts(access, system.add(access.op));
  return subscripts && llvm::all_of(llvm::zip(*subscripts, box), [&](auto pair) {
           return !canLeave(system, std::get<0>(pair), *std::get<1>(pair));
         });
}

/// A store that writes in every iteration whatever any store writes: the last one's words are what
/// the array holds after the loops.
bool findBox(Candidate &candidate) {
  for (const ArrayAccess &access : candidate.accesses) {
    if (!access.isStore)
      continue;
    auto store = cast<AffineStoreOp>(access.op);
    std::optional<Coverage> box = coverageOf(store, unsigned(candidate.loops.size()));
    if (!box)
      continue;
    AffineValueMap map;
    MemRefAccess(store).getAccessMap(&map);
    for (auto [span, subscript] : llvm::zip(*box, map.getAffineMap().getResults()))
      if (auto constant = dyn_cast<AffineConstantExpr>(subscript))
        span = Span{constant.getValue(), constant.getValue()};
    if (llvm::any_of(*box, [](const std::optional<Span> &span) { return !span; }))
      continue;
    if (llvm::all_of(candidate.accesses, [&](const ArrayAccess &other) {
          return !other.isStore || isInside(other, *box);
        })) {
      candidate.box = *box;
      return true;
    }
  }
  return false;
}

bool isScalarAccess(Operation *op) { return isa<AffineLoadOp, AffineStoreOp>(op); }

struct ExpandArrays : LoopPass<impl::HlsExpandArraysBase<ExpandArrays>> {
  using LoopPass::LoopPass;

  void runOnLoops() override {
    SmallVector<Value> arrays;
    for (Value argument : getOperation().getArguments())
      if (isa<MemRefType>(argument.getType()))
        arrays.push_back(argument);
    getOperation().walk([&](memref::AllocOp alloc) { arrays.push_back(alloc); });
    for (Value array : arrays)
      if (cast<MemRefType>(array.getType()).getRank() > 0 &&
          llvm::all_of(array.getUsers(), isScalarAccess))
        for (Candidate &candidate : candidatesOf(array))
          if (mayExpand(candidate))
            expand(candidate);
  }

  /// One for each loop of the function that touches the array.
  SmallVector<Candidate> candidatesOf(Value array) {
    llvm::MapVector<Operation *, SmallVector<ArrayAccess>> statements;
    Block &body = getOperation().getBody().front();
    for (Operation &statement : body)
      for (const ArrayAccess &access : accessesIn(&statement))
        if (access.array == array)
          statements[&statement].push_back(access);
    SmallVector<Candidate> candidates;
    for (auto &[statement, accesses] : statements)
      candidates.push_back(
          {array, {}, accesses, statements.size() > 1 || isa<BlockArgument>(array), {}});
    return candidates;
  }

  bool mayExpand(Candidate &candidate) {
    bool isRead =
        llvm::any_of(candidate.accesses, [](const ArrayAccess &access) { return !access.isStore; });
    if (!isRead || !findLoops(candidate) || wordsOf(candidate) > mostWords)
      return false;
    bool isWrittenAnew = llvm::all_of(candidate.accesses, [&](const ArrayAccess &access) {
      return access.isStore || isCovered(candidate, access);
    });
    return isWrittenAnew && (!candidate.isSeenOutside || findBox(candidate));
  }

  static SmallVector<int64_t> shapeOf(const Candidate &candidate) {
    SmallVector<int64_t> shape;
    for (AffineForOp loop : candidate.loops)
      shape.push_back(loop.getConstantUpperBound() - loop.getConstantLowerBound());
    llvm::append_range(shape, cast<MemRefType>(candidate.array.getType()).getShape());
    return shape;
  }

  static int64_t wordsOf(const Candidate &candidate) {
    int64_t words = 1;
    for (int64_t extent : shapeOf(candidate))
      if (__builtin_mul_overflow(words, extent, &words))
        return INT64_MAX;
    return words;
  }

  void expand(const Candidate &candidate) {
    OpBuilder builder = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    Type element = cast<MemRefType>(candidate.array.getType()).getElementType();
    Value wide = memref::AllocOp::create(builder, candidate.array.getLoc(),
                                         MemRefType::get(shapeOf(candidate), element));
    for (const ArrayAccess &access : candidate.accesses)
      redirect(candidate, access, wide);
    if (candidate.isSeenOutside)
      copyLast(candidate, wide);
    else
      candidate.array.getDefiningOp()->erase();
    ++expanded;
  }

  static void redirect(const Candidate &candidate, const ArrayAccess &access, Value wide) {
    AffineValueMap map;
    MemRefAccess(access.op).getAccessMap(&map);
    unsigned depth = unsigned(candidate.loops.size());
    OpBuilder builder(access.op);
    SmallVector<AffineExpr> subscripts;
    SmallVector<Value> operands;
    for (auto [n, loop] : llvm::enumerate(candidate.loops)) {
      AffineForOp around = loop;
      subscripts.push_back(builder.getAffineDimExpr(unsigned(n)) - around.getConstantLowerBound());
      operands.push_back(around.getInductionVar());
    }
    for (AffineExpr subscript : map.getAffineMap().getResults())
      subscripts.push_back(subscript.shiftDims(map.getNumDims(), depth));
    llvm::append_range(operands, map.getOperands());
    AffineMap wider = AffineMap::get(map.getNumDims() + depth, map.getNumSymbols(), subscripts,
                                     builder.getContext());
    fullyComposeAffineMapAndOperands(&wider, &operands);
    canonicalizeMapAndOperands(&wider, &operands);
    if (auto store = dyn_cast<AffineStoreOp>(access.op))
      AffineStoreOp::create(builder, store.getLoc(), store.getValueToStore(), wide, wider,
                            operands);
    else
      access.op->getResult(0).replaceAllUsesWith(
          AffineLoadOp::create(builder, access.op->getLoc(), wide, wider, operands).getResult());
    access.op->erase();
  }

  /// After the loops: what the last iteration has left.
  static void copyLast(const Candidate &candidate, Value wide) {
    AffineForOp outermost = candidate.loops.front();
    OpBuilder builder(outermost->getContext());
    builder.setInsertionPointAfter(outermost);
    Location loc = outermost.getLoc();
    SmallVector<Value> indices;
    for (const std::optional<Span> &span : candidate.box) {
      auto loop = AffineForOp::create(builder, loc, span->lowest, span->highest + 1);
      indices.push_back(loop.getInductionVar());
      builder.setInsertionPointToStart(loop.getBody());
    }
    SmallVector<AffineExpr> last;
    for (AffineForOp loop : candidate.loops)
      last.push_back(builder.getAffineConstantExpr(loop.getConstantUpperBound() -
                                                   loop.getConstantLowerBound() - 1));
    for (unsigned n = 0; n < indices.size(); ++n)
      last.push_back(builder.getAffineDimExpr(n));
    AffineMap map = AffineMap::get(unsigned(indices.size()), 0, last, builder.getContext());
    Value word = AffineLoadOp::create(builder, loc, wide, map, indices);
    AffineStoreOp::create(builder, loc, word, candidate.array, indices);
  }
};
} // namespace

} // namespace spindle::hls
