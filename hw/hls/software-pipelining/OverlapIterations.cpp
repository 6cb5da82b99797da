#include "hw/hls/software-pipelining/OverlapIterations.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

/// A value of the body that vertices read: in the pass of its iteration or in later ones.
struct Chain {
  Value source;           // result of an operation, or carried value
  unsigned vertex;        // that makes it
  unsigned distance;      // 1 for carried values: made in the iteration before
  Value init;             // of a carried value before the first iteration
  unsigned passes = 0;    // between being made and the last use
  unsigned firstSlot = 0; // of the iteration arguments that hold it
};

/// Which value a chain had so many passes ago.
using Lookup = llvm::function_ref<Value(unsigned chain, unsigned passes)>;

class Pipeline {
public:
  Pipeline(AffineForOp l, const LoopGraph &g, const Schedule &s)
      : loop(l), graph(g), schedule(s), stages(stagesOf(s)) {
    findChains();
    findOrder();
  }

  /// Prologue, kernel and epilogue where the builder stands; the results of the loop.
  SmallVector<Value> emit(OpBuilder &b) {
    builder = &b;
    emitPrologue();
    AffineForOp kernel = emitKernel();
    return emitEpilogue(kernel);
  }

private:
  unsigned stage(unsigned vertex) const { return schedule.start[vertex] / schedule.interval; }

  /// Passes between the making of a chain's value and its use in a vertex.
  unsigned passesTo(const Chain &chain, unsigned user) const {
    return stage(user) + chain.distance - stage(chain.vertex);
  }

  llvm::SetVector<Value> readBy(unsigned n) const {
    llvm::SetVector<Value> used;
    const Vertex &vertex = graph.vertices[n];
    if (!vertex.op) {
      used.insert(vertex.passed);
      return used;
    }
    used.insert(vertex.op->operand_begin(), vertex.op->operand_end());
    getUsedValuesDefinedAbove(vertex.op->getRegions(), used);
    return used;
  }

  void findChains() {
    for (auto [n, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      addChain({argument, graph.producers[n], 1, loop.getInits()[n]});
    for (unsigned n = 0; n < graph.vertices.size(); ++n)
      if (mlir::Operation *op = graph.vertices[n].op)
        for (Value result : op->getResults())
          addChain({result, n, 0, {}});
    for (unsigned n = 0; n < graph.vertices.size(); ++n)
      for (Value value : readBy(n))
        if (auto found = chainOf.find(value); found != chainOf.end()) {
          Chain &chain = chains[found->second];
          chain.passes = std::max(chain.passes, passesTo(chain, n));
        }
    unsigned slots = 0;
    for (Chain &chain : chains) {
      if (chain.distance == 1) // the result of the loop, should it be ready in the kernel
        chain.passes = std::max(chain.passes, 1u);
      chain.firstSlot = slots;
      slots += chain.passes;
    }
  }

  void addChain(Chain chain) {
    chainOf[chain.source] = unsigned(chains.size());
    chains.push_back(chain);
  }

  /// Vertices of one pass: those that another one in the same pass waits for come first, then by
  /// cycle.
  void findOrder() {
    auto count = unsigned(graph.vertices.size());
    std::vector<std::vector<unsigned>> followers(count);
    std::vector<unsigned> waits(count, 0);
    for (const Dependence &dependence : graph.problem.dependences)
      if (dependence.from != dependence.to &&
          stage(dependence.to) + dependence.distance == stage(dependence.from)) {
        followers[dependence.from].push_back(dependence.to);
        ++waits[dependence.to];
      }
    auto key = [&](unsigned n) { return std::pair(schedule.start[n] % schedule.interval, n); };
    std::vector<unsigned> ready;
    for (unsigned n = 0; n < count; ++n)
      if (waits[n] == 0)
        ready.push_back(n);
    while (!ready.empty()) {
      auto next = std::min_element(ready.begin(), ready.end(),
                                   [&](unsigned a, unsigned b) { return key(a) < key(b); });
      unsigned n = *next;
      ready.erase(next);
      order.push_back(n);
      for (unsigned follower : followers[n])
        if (--waits[follower] == 0)
          ready.push_back(follower);
    }
  }

  /// One vertex, in the iteration `index + offset`; its values go to `made`.
  void emitVertex(unsigned n, AffineMap map, ValueRange operands,
                  llvm::DenseMap<unsigned, Value> &made, Lookup lookup) {
    IRMapping mapping;
    const Vertex &vertex = graph.vertices[n];
    for (Value value : readBy(n)) {
      if (value == loop.getInductionVar())
        mapping.map(value, AffineApplyOp::create(*builder, loop.getLoc(), map, operands));
      if (auto found = chainOf.find(value); found != chainOf.end())
        mapping.map(value, lookup(found->second, passesTo(chains[found->second], n)));
    }
    Value passed = vertex.op ? Value() : mapping.lookupOrDefault(vertex.passed);
    if (vertex.op)
      builder->clone(*vertex.op, mapping);
    auto yield = cast<AffineYieldOp>(loop.getBody()->getTerminator());
    for (auto [c, chain] : llvm::enumerate(chains)) {
      if (chain.vertex != n)
        continue;
      Value source = chain.distance == 1 ? yield.getOperand(unsigned(c)) : chain.source;
      made[unsigned(c)] = vertex.op ? mapping.lookupOrDefault(source) : passed;
    }
  }

  AffineMap shifted(AffineMap map, int64_t by) {
    return AffineMap::get(map.getNumDims(), map.getNumSymbols(), map.getResult(0) + by);
  }

  /// Passes 0 to stages - 2: stage s from pass s on.
  void emitPrologue() {
    prologue.resize(stages - 1);
    for (unsigned pass = 0; pass + 1 < stages; ++pass)
      for (unsigned n : order)
        if (stage(n) <= pass)
          emitVertex(
              n, shifted(loop.getLowerBoundMap(), int64_t(pass) - stage(n)),
              loop.getLowerBoundOperands(), prologue[pass],
              [&](unsigned c, unsigned passes) { return before(c, int64_t(pass) - passes); });
  }

  /// The value made in a pass of the prologue; before the first iteration the initial one.
  Value before(unsigned c, int64_t pass) {
    const Chain &chain = chains[c];
    if (pass >= int64_t(stage(chain.vertex)))
      return prologue[size_t(pass)].lookup(c);
    if (chain.init)
      return chain.init;
    auto [found, isNew] = zeros.try_emplace(chain.source.getType());
    if (isNew)
      found->second = arith::ConstantOp::create(*builder, loop.getLoc(),
                                                builder->getZeroAttr(chain.source.getType()));
    return found->second;
  }

  AffineForOp emitKernel() {
    SmallVector<Value> inits;
    for (auto [c, chain] : llvm::enumerate(chains))
      for (unsigned back = 1; back <= chain.passes; ++back)
        inits.push_back(before(unsigned(c), int64_t(stages) - 1 - back));
    auto kernel = AffineForOp::create(*builder, loop.getLoc(), loop.getLowerBoundOperands(),
                                      shifted(loop.getLowerBoundMap(), int64_t(stages) - 1),
                                      loop.getUpperBoundOperands(), loop.getUpperBoundMap(),
                                      /*step=*/1, inits);
    kernel->setAttr(HlsDialect::intervalName, builder->getI64IntegerAttr(schedule.interval));
    OpBuilder::InsertionGuard guard(*builder);
    if (inits.empty())
      builder->setInsertionPoint(kernel.getBody()->getTerminator());
    else
      builder->setInsertionPointToEnd(kernel.getBody());
    llvm::DenseMap<unsigned, Value> made;
    AffineExpr index = builder->getAffineDimExpr(0);
    auto slot = [&](unsigned c, unsigned back) -> Value {
      return kernel.getRegionIterArgs()[chains[c].firstSlot + back - 1];
    };
    for (unsigned n : order)
      emitVertex(n, AffineMap::get(1, 0, index - int64_t(stage(n))), kernel.getInductionVar(), made,
                 [&](unsigned c, unsigned passes) {
                   return passes == 0 ? made.lookup(c) : slot(c, passes);
                 });
    SmallVector<Value> yielded;
    for (auto [c, chain] : llvm::enumerate(chains))
      for (unsigned back = 1; back <= chain.passes; ++back)
        yielded.push_back(back == 1 ? made.lookup(unsigned(c)) : slot(unsigned(c), back - 1));
    if (!inits.empty())
      AffineYieldOp::create(*builder, loop.getLoc(), yielded);
    return kernel;
  }

  /// stages - 1 passes after the last iteration's first stage.
  SmallVector<Value> emitEpilogue(AffineForOp kernel) {
    std::vector<llvm::DenseMap<unsigned, Value>> made(stages - 1);
    auto at = [&](unsigned c, int64_t pass) -> Value { // counted from the end of the kernel
      if (pass >= 0)
        return made[size_t(pass)].lookup(c);
      return kernel.getResult(chains[c].firstSlot + unsigned(-pass) - 1);
    };
    for (unsigned pass = 0; pass + 1 < stages; ++pass)
      for (unsigned n : order)
        if (stage(n) > pass)
          emitVertex(n, shifted(loop.getUpperBoundMap(), int64_t(pass) - stage(n)),
                     loop.getUpperBoundOperands(), made[pass],
                     [&](unsigned c, unsigned passes) { return at(c, int64_t(pass) - passes); });
    SmallVector<Value> results;
    for (unsigned n = 0; n < loop.getNumIterOperands(); ++n)
      results.push_back(at(n, int64_t(stage(chains[n].vertex)) - 1));
    return results;
  }

  AffineForOp loop;
  const LoopGraph &graph;
  const Schedule &schedule;
  unsigned stages;
  OpBuilder *builder = nullptr;
  SmallVector<Chain> chains; // carried values first, in their order
  llvm::DenseMap<Value, unsigned> chainOf;
  std::vector<unsigned> order;
  std::vector<llvm::DenseMap<unsigned, Value>> prologue;
  llvm::DenseMap<Type, Value> zeros;
};
} // namespace

unsigned stagesOf(const Schedule &schedule) {
  unsigned last = 0;
  for (unsigned start : schedule.start)
    last = std::max(last, start);
  return last / schedule.interval + 1;
}

bool overlapIterations(AffineForOp loop, const LoopGraph &graph, const Schedule &schedule) {
  unsigned stages = stagesOf(schedule);
  std::optional<uint64_t> trip = getConstantTripCount(loop);
  if (stages < 2 || (trip && *trip < stages))
    return false;
  OpBuilder builder(loop);
  Pipeline pipeline(loop, graph, schedule);
  if (trip) {
    loop->replaceAllUsesWith(pipeline.emit(builder));
    loop.erase();
    return true;
  }
  // if (upper >= stages) pipelined else as it was; the lower bound is 0.
  AffineMap upper = loop.getUpperBoundMap();
  IntegerSet enough = IntegerSet::get(upper.getNumDims(), upper.getNumSymbols(),
                                      {upper.getResult(0) - int64_t(stages)}, {false});
  auto branch = AffineIfOp::create(builder, loop.getLoc(), loop.getResultTypes(), enough,
                                   loop.getUpperBoundOperands(), /*withElseRegion=*/true);
  bool hasResults = loop.getNumResults() > 0;
  Block *pipelined = branch.getThenBlock(), *kept = branch.getElseBlock();
  if (hasResults)
    builder.setInsertionPointToEnd(pipelined);
  else
    builder.setInsertionPoint(pipelined->getTerminator());
  SmallVector<Value> results = pipeline.emit(builder);
  if (hasResults)
    AffineYieldOp::create(builder, loop.getLoc(), results);
  loop->replaceAllUsesWith(branch.getResults());
  loop->moveBefore(kept, hasResults ? kept->end() : kept->getTerminator()->getIterator());
  if (hasResults) {
    builder.setInsertionPointToEnd(kept);
    AffineYieldOp::create(builder, loop.getLoc(), loop.getResults());
  }
  return true;
}

} // namespace spindle::hls
