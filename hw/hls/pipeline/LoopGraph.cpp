#include "hw/hls/pipeline/LoopGraph.h"

#include "hw/hls/body/BodyProblem.h"
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/loops/analysis/AccessOverlap.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

constexpr unsigned kIndexBits = 32;

class Builder {
public:
  Builder(AffineForOp l, const Target &t, const UnitLimits &limits)
      : loop(l), target(t), rules{t, [](Value) { return kIndexBits; }, false,
                                  [](Value v) { return signedBitsFor(integerRangeOf(v)); }},
        body("loop", t, limits) {}

  llvm::Expected<LoopGraph> build() {
    for (mlir::Operation &op : loop.getBody()->without_terminator())
      addVertex(op);
    auto yield = cast<AffineYieldOp>(loop.getBody()->getTerminator());
    for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), yield.getOperands())) {
      graph.producers.push_back(producerOf(value));
      body.carry(argument, graph.producers.back());
    }
    for (unsigned n = 0; n < graph.vertices.size(); ++n)
      connectValues(n);
    orderAccesses();
    removeRepeated();
    graph.problem = std::move(body.problem);
    SPINDLE_RETURN_IF_ERROR(verify(graph.problem));
    return std::move(graph);
  }

private:
  std::string arrayName(Value array) {
    if (auto argument = dyn_cast<BlockArgument>(array))
      return fmt::format("arg{}", argument.getArgNumber());
    auto [found, isNew] = locals.try_emplace(array, unsigned(locals.size()));
    return fmt::format("local{}", found->second);
  }

  OperatorType cost(mlir::Operation &op) const {
    if (arrayOf(&op))
      return accessCost(isStoreAccess(&op), /*isRegister=*/false, target.memory);
    return op.getNumRegions() > 0 ? guardedCost(op) : costOf(&op, rules);
  }

  /// A guarded group: everything inside at once, for as long as the longest chain takes.
  OperatorType guardedCost(mlir::Operation &op) const {
    llvm::DenseMap<Value, unsigned> ready;
    unsigned latency = 1;
    op.walk<WalkOrder::PreOrder>([&](mlir::Operation *inner) {
      if (inner == &op || inner->getNumRegions() > 0 || isa<AffineYieldOp>(inner))
        return;
      unsigned start = 0;
      for (Value operand : inner->getOperands())
        start = std::max(start, ready.lookup(operand));
      unsigned end = start + std::max(cost(*inner).latency, 1u);
      for (Value result : inner->getResults())
        ready[result] = end;
      latency = std::max(latency, end);
    });
    return {fmt::format("guarded_{}", latency), latency, 0, 0};
  }

  /// Of units and ports that an operation needs several times (a group does), it has one for as
  /// many cycles.
  void occupy(mlir::Operation &op, unsigned vertex) {
    llvm::MapVector<std::pair<Value, const FunctionalUnit *>, unsigned> needs;
    op.walk<WalkOrder::PreOrder>([&](mlir::Operation *inner) {
      if (Value array = arrayOf(inner))
        ++needs[{array, nullptr}];
      else if (const FunctionalUnit *unit = unitFor(inner, target, rules.signedBits))
        ++needs[{Value(), unit}];
    });
    for (auto &[need, times] : needs) {
      auto [array, unit] = need;
      if (unit)
        body.useUnit(vertex, *unit);
      ProblemOperation &operation = body.problem.operations[vertex];
      if (array)
        operation.uses.push_back(body.resource("ports_" + arrayName(array), target.memory.ports));
      operation.busy = std::max(operation.busy, times);
    }
  }

  void addVertex(mlir::Operation &op) {
    std::string stem = op.getName().stripDialect().str();
    if (Value array = arrayOf(&op))
      stem += "_" + arrayName(array);
    unsigned vertex = body.add(&op, fmt::format("{}_{}", stem, counts[stem]++), cost(op));
    graph.vertices.push_back({&op, {}});
    occupy(op, vertex);
  }

  unsigned producerOf(Value value) {
    if (mlir::Operation *op = value.getDefiningOp(); op && op->getBlock() == loop.getBody())
      return *body.idOf(op);
    graph.vertices.push_back({nullptr, value});
    return body.add(nullptr, fmt::format("pass_{}", counts["pass"]++), {"pass", 0, 0, 0});
  }

  /// Values of this iteration and of the one before.
  void connectValues(unsigned n) {
    llvm::SetVector<Value> used;
    const Vertex &vertex = graph.vertices[n];
    if (vertex.op) {
      used.insert(vertex.op->operand_begin(), vertex.op->operand_end());
      getUsedValuesDefinedAbove(vertex.op->getRegions(), used);
    } else {
      used.insert(vertex.passed);
    }
    for (Value value : used)
      body.connect(value, n);
  }

  void orderAccesses() {
    for (const MemoryDependence &dependence : nestDependences(loop)) {
      unsigned from = *body.idOf(dependence.from), to = *body.idOf(dependence.to);
      if (from == to && dependence.distance == 0)
        continue;
      // Inside a guarded group nobody knows when: it ends first.
      bool isPlain = graph.vertices[from].op == dependence.from;
      body.order(from, to, dependence.distance, isPlain ? 1 : latencyOf(body.problem, from));
    }
  }

  void removeRepeated() {
    std::set<std::tuple<unsigned, unsigned, unsigned, std::optional<unsigned>>> known;
    llvm::erase_if(body.problem.dependences, [&](const Dependence &d) {
      return !known.emplace(d.from, d.to, d.distance, d.latency).second;
    });
  }

  AffineForOp loop;
  const Target &target;
  CostRules rules;
  BodyProblem body;
  LoopGraph graph;
  std::map<std::string, unsigned> counts;
  llvm::DenseMap<Value, unsigned> locals;
};
} // namespace

LogicalResult normaliseForPipeline(AffineForOp loop) {
  if (failed(normalizeAffineFor(loop)) || loop.getUpperBoundMap().getNumResults() != 1)
    return failure();
  for (mlir::Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    if (op.hasTrait<OpTrait::ConstantLike>())
      op.moveBefore(loop);
  return success();
}

llvm::Expected<LoopGraph> buildLoopGraph(AffineForOp loop, const Target &target,
                                         const UnitLimits &limits) {
  return Builder(loop, target, limits).build();
}

} // namespace spindle::hls
