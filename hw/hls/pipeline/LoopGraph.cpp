#include "hw/hls/pipeline/LoopGraph.h"

#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/loops/analysis/AccessOverlap.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

class Builder {
public:
  Builder(AffineForOp l, const Target &t, const UnitLimits &u) : loop(l), target(t), limits(u) {}

  llvm::Expected<LoopGraph> build() {
    graph.problem.name = "loop";
    graph.problem.clockPeriodNs = target.clockPeriodNs;
    for (mlir::Operation &op : loop.getBody()->without_terminator())
      addVertex(op);
    auto yield = cast<AffineYieldOp>(loop.getBody()->getTerminator());
    for (Value value : yield.getOperands())
      graph.producers.push_back(producerOf(value));
    for (unsigned n = 0; n < graph.vertices.size(); ++n)
      addValues(n);
    addMemory();
    countUnits();
    SPINDLE_RETURN_IF_ERROR(checkLimits());
    SPINDLE_RETURN_IF_ERROR(verify(graph.problem));
    return std::move(graph);
  }

private:
  unsigned resource(const std::string &name) {
    auto [found, isNew] = resources.try_emplace(name, unsigned(graph.problem.resources.size()));
    if (isNew)
      graph.problem.resources.push_back({name, 1});
    return found->second;
  }

  unsigned operatorType(const OperatorType &type) {
    auto &types = graph.problem.operatorTypes;
    auto found = std::find(types.begin(), types.end(), type);
    if (found != types.end())
      return unsigned(found - types.begin());
    types.push_back(type);
    return unsigned(types.size() - 1);
  }

  std::string arrayName(Value array) {
    if (auto argument = dyn_cast<BlockArgument>(array))
      return fmt::format("arg{}", argument.getArgNumber());
    auto [found, isNew] = locals.try_emplace(array, unsigned(locals.size()));
    return fmt::format("local{}", found->second);
  }

  /// What one operation costs; units and ports are added to `uses`.
  OperatorType cost(mlir::Operation &op, std::vector<unsigned> &uses, unsigned &busy) {
    if (Value array = arrayOf(&op)) {
      uses.push_back(resource("ports_" + arrayName(array)));
      if (isStoreAccess(&op))
        return {"store", 1, target.memory.delayInNs, 0};
      return {"load", target.memory.readLatency, target.memory.delayInNs, target.memory.delayOutNs};
    }
    if (op.getNumRegions() > 0)
      return guardedCost(op, uses, busy);
    std::string name = op.getName().stripDialect().str();
    Type type = op.getNumOperands() > 0 ? op.getOperand(0).getType() : op.getResult(0).getType();
    if (const FunctionalUnit *unit = target.unitFor(name, typeName(type))) {
      uses.push_back(resource(unit->name));
      busy = std::max(busy, unit->interval);
      return {unit->name, unit->latency, unit->delayInNs, unit->delayOutNs};
    }
    unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 32;
    double delay = target.logicDelayNs(isa<AffineApplyOp>(op) ? "addi" : name, bits);
    return {fmt::format("{}_{}", name, bits), 0, delay, delay};
  }

  /// A guarded group: everything inside at once, for as long as the longest chain takes.
  OperatorType guardedCost(mlir::Operation &op, std::vector<unsigned> &uses, unsigned &busy) {
    std::vector<unsigned> all;
    llvm::DenseMap<Value, unsigned> ready;
    unsigned latency = 1;
    op.walk<WalkOrder::PreOrder>([&](mlir::Operation *inner) {
      if (inner == &op || inner->getNumRegions() > 0 || isa<AffineYieldOp>(inner))
        return;
      unsigned start = 0;
      for (Value operand : inner->getOperands())
        start = std::max(start, ready.lookup(operand));
      unsigned end = start + std::max(cost(*inner, all, busy).latency, 1u);
      for (Value result : inner->getResults())
        ready[result] = end;
      latency = std::max(latency, end);
    });
    // One instance of each at a time, as often as the group needs it.
    for (unsigned n : all) {
      auto count = unsigned(std::count(all.begin(), all.end(), n));
      busy = std::max(busy, count);
      if (std::find(uses.begin(), uses.end(), n) == uses.end())
        uses.push_back(n);
    }
    return {fmt::format("guarded_{}", latency), latency, 0, 0};
  }

  void addVertex(mlir::Operation &op) {
    Operation vertex;
    OperatorType type = cost(op, vertex.uses, vertex.busy);
    std::string stem = op.getName().stripDialect().str();
    if (Value array = arrayOf(&op))
      stem += "_" + arrayName(array);
    vertex.name = fmt::format("{}_{}", stem, counts[stem]++);
    vertex.type = operatorType(type);
    numbers[&op] = unsigned(graph.vertices.size());
    graph.vertices.push_back({&op, {}});
    graph.problem.operations.push_back(std::move(vertex));
  }

  unsigned producerOf(Value value) {
    if (mlir::Operation *op = value.getDefiningOp(); op && op->getBlock() == loop.getBody())
      return numbers.lookup(op);
    graph.vertices.push_back({nullptr, value});
    Operation vertex;
    vertex.name = fmt::format("pass_{}", counts["pass"]++);
    vertex.type = operatorType({"pass", 0, 0, 0});
    graph.problem.operations.push_back(vertex);
    return unsigned(graph.vertices.size() - 1);
  }

  /// Values of this iteration and of the one before.
  void addValues(unsigned n) {
    llvm::SetVector<Value> used;
    const Vertex &vertex = graph.vertices[n];
    if (vertex.op) {
      used.insert(vertex.op->operand_begin(), vertex.op->operand_end());
      getUsedValuesDefinedAbove(vertex.op->getRegions(), used);
    } else {
      used.insert(vertex.passed);
    }
    for (Value value : used) {
      mlir::Operation *maker = value.getDefiningOp();
      if (maker && maker->getBlock() == loop.getBody())
        addDependence({numbers.lookup(maker), n, 0, std::nullopt});
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0)
        addDependence({graph.producers[argument.getArgNumber() - 1], n, 1, std::nullopt});
    }
  }

  void addMemory() {
    for (const MemoryDependence &dependence : nestDependences(loop)) {
      unsigned from = numberOf(dependence.from), to = numberOf(dependence.to);
      if (from == to && dependence.distance == 0)
        continue;
      // Inside a guarded group nobody knows when: it ends first.
      bool isPlain = graph.vertices[from].op == dependence.from;
      addDependence({from, to, dependence.distance, isPlain ? 1 : latencyOf(graph.problem, from)});
    }
  }

  unsigned numberOf(mlir::Operation *access) {
    return numbers.lookup(loop.getBody()->findAncestorOpInBlock(*access));
  }

  void addDependence(const Dependence &dependence) {
    auto key = std::tuple(dependence.from, dependence.to, dependence.distance, dependence.latency);
    if (known.insert(key).second)
      graph.problem.dependences.push_back(dependence);
  }

  void countUnits() {
    for (auto &[name, number] : resources) {
      Resource &kind = graph.problem.resources[number];
      unsigned users = 0;
      for (const Operation &operation : graph.problem.operations)
        users += unsigned(std::count(operation.uses.begin(), operation.uses.end(), number));
      kind.count = std::max(users, 1u);
      if (name.rfind("ports_", 0) == 0)
        kind.count = target.memory.ports;
      auto limit = limits.find(name);
      if (limit == limits.end())
        limit = limits.find(name.substr(0, name.find('_')));
      if (limit != limits.end())
        kind.count = limit->second;
    }
  }

  llvm::Error checkLimits() {
    for (const auto &[name, count] : limits) {
      bool isKind = std::any_of(target.units.begin(), target.units.end(), [&](const auto &unit) {
        return unit.name == name || unit.name.substr(0, unit.name.find('_')) == name;
      });
      if (!isKind)
        return inputError("", fmt::format("no unit '{}' in target {}, expected a kind such as "
                                          "addf or mulf_f64",
                                          name, target.name));
      if (count == 0)
        return inputError("", fmt::format("0 units of '{}', expected one at least", name));
    }
    return llvm::Error::success();
  }

  AffineForOp loop;
  const Target &target;
  const UnitLimits &limits;
  LoopGraph graph;
  std::map<std::string, unsigned> resources, counts;
  llvm::DenseMap<Value, unsigned> locals;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  std::set<std::tuple<unsigned, unsigned, unsigned, std::optional<unsigned>>> known; // dependences
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
