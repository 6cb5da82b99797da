#include "hw/hls/loops/analysis/EstimateNest.h"

#include "hw/hls/body/BodyProblem.h"
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"
#include "hw/hls/loops/arrays/ArrayPartition.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "fmt/format.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

constexpr uint64_t unknownIterations = 1'000'000'000;

struct Edge {
  unsigned from, to;
  double cycles;
  unsigned distance;
};

/// The innermost body, and its dependences in parts of cycles.
struct BodyGraph {
  Problem problem;
  SmallVector<Operation *> operations;
  std::vector<Edge> edges;
};

ArrayAttr partitionOf(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument)
    return array.getDefiningOp()->getAttrOfType<ArrayAttr>(HlsDialect::partitionName);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function ? function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                         HlsDialect::partitionName)
                  : ArrayAttr();
}

bool isRegister(Value array) {
  return isComplete(partitionOf(array), cast<MemRefType>(array.getType()));
}

CostRules rulesOf(const Target &target) {
  return {target, [](Value) { return 64u; }, false,
          [](Value value) { return signedBitsFor(integerRangeOf(value)); }};
}

OperatorType estimateCost(Operation *op, const CostRules &rules) {
  if (std::optional<ArrayAccess> access = accessOf(op))
    return accessCost(access->isStore, isRegister(access->array), rules.target.memory);
  return costOf(op, rules);
}

/// Cycles from the operands of an operation to its result; combinational ones take a part.
double cyclesOf(const OperatorType &type, const Target &target) {
  return type.latency > 0 ? type.latency : type.delayInNs / target.clockPeriodNs;
}

BodyGraph graphOf(ArrayRef<AffineForOp> nest, const LoopCosts &costs) {
  BodyGraph graph;
  BodyProblem body("nest", costs.target, costs.units);
  CostRules rules = rulesOf(costs.target);
  AffineForOp innermost = nest.back();
  innermost.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned id = body.add(op, "", estimateCost(op, rules));
    if (const FunctionalUnit *unit = unitFor(op, costs.target, rules.signedBits))
      body.useUnit(id, *unit);
    graph.operations.push_back(op);
  });
  for (auto [carried, next] : llvm::zip(innermost.getRegionIterArgs(),
                                        innermost.getBody()->getTerminator()->getOperands()))
    body.carry(carried, next);
  for (auto [id, op] : llvm::enumerate(graph.operations)) {
    for (Value operand : op->getOperands())
      body.connect(operand, id);
    if (op->hasTrait<OpTrait::IsTerminator>() && op->getParentOp() != innermost)
      body.order(id, *body.idOf(op->getParentOp()), 0, 0);
  }
  for (const MemoryDependence &dependence : nestDependences(nest.front())) {
    ArrayAccess from = *accessOf(dependence.from);
    body.order(*body.idOf(from.op), *body.idOf(dependence.to), dependence.distance,
               orderLatency(!from.isStore, isRegister(from.array)));
  }
  graph.problem = std::move(body.problem);
  for (const Dependence &d : graph.problem.dependences) {
    const OperatorType &type = graph.problem.operatorTypes[graph.problem.operations[d.from].type];
    double cycles = d.latency ? *d.latency : cyclesOf(type, costs.target);
    graph.edges.push_back({d.from, d.to, cycles, d.distance});
  }
  return graph;
}

/// Earliest starts under an interval. Where some operation would have to wait for itself they have
/// no end; then the slowest operation of a circle is named.
struct Starts {
  std::vector<double> start;
  std::optional<unsigned> slowest;
};

/// `last` is the edge that moved each operation last. An operation that waits for itself along
/// them, if there is one: then the edges of its circle take longer than the interval allows.
std::optional<unsigned> operationOnCircle(const std::vector<const Edge *> &last) {
  std::vector<unsigned> seen(last.size(), 0); // the walk that came by, from 1
  for (unsigned first = 0; first < last.size(); ++first) {
    unsigned at = first;
    while (last[at] && seen[at] == 0) {
      seen[at] = first + 1;
      at = last[at]->from;
    }
    if (last[at] && seen[at] == first + 1)
      return at;
  }
  return std::nullopt;
}

unsigned slowestOfCircle(const std::vector<const Edge *> &last, unsigned operation) {
  const Edge *slowest = last[operation];
  for (unsigned at = slowest->from; at != operation; at = last[at]->from)
    if (last[at]->cycles > slowest->cycles)
      slowest = last[at];
  return slowest->from;
}

Starts startsOf(const BodyGraph &graph, unsigned interval) {
  Starts starts{std::vector<double>(graph.operations.size(), 0), std::nullopt};
  std::vector<const Edge *> last(graph.operations.size(), nullptr);
  for (size_t round = 0; !starts.slowest; ++round) {
    bool hasMoved = false;
    for (const Edge &edge : graph.edges) {
      double earliest = starts.start[edge.from] + edge.cycles - double(interval) * edge.distance;
      if (earliest <= starts.start[edge.to] + 1e-6)
        continue;
      starts.start[edge.to] = earliest;
      last[edge.to] = &edge;
      hasMoved = true;
    }
    if (!hasMoved)
      return starts;
    // Often at first, as circles mostly show at once; at the latest with as many rounds as
    // operations.
    if (round < 4 || std::has_single_bit(round) || round >= graph.operations.size())
      if (std::optional<unsigned> circle = operationOnCircle(last))
        starts.slowest = slowestOfCircle(last, *circle);
  }
  return starts;
}

std::string nameOf(Operation *op) { return op->getName().stripDialect().str(); }

void estimateRecurrence(const BodyGraph &graph, NestEstimate &estimate) {
  double all = 0;
  for (const Edge &edge : graph.edges)
    all += edge.cycles;
  unsigned low = 1, high = unsigned(std::ceil(all)) + 1;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    Starts starts = startsOf(graph, middle);
    if (!starts.slowest) {
      high = middle;
      continue;
    }
    low = middle + 1;
    estimate.limit = "recurrence of " + nameOf(graph.operations[*starts.slowest]);
  }
  estimate.recurrence = low;
  for (double start : startsOf(graph, low).start)
    estimate.depth = std::max(estimate.depth, unsigned(std::ceil(start)) + 1);
}

/// The banks whose ports an access takes: all that it may reach.
SmallVector<int64_t> banksTaken(Operation *op, Value array) {
  if (auto bank = op->getAttrOfType<IntegerAttr>(HlsDialect::bankName))
    return {bank.getInt()};
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
  if (auto partition = readPartition(partitionOf(array), shape))
    return banksReached(*partition, op);
  return {0};
}

/// Accesses of one iteration by array and bank; of two branches the busier one counts.
using Traffic = llvm::MapVector<std::pair<Value, int64_t>, unsigned>;

Traffic trafficOf(Block &block) {
  Traffic traffic;
  for (Operation &op : block) {
    if (std::optional<ArrayAccess> access = accessOf(&op); access && !isRegister(access->array))
      for (int64_t bank : banksTaken(&op, access->array))
        ++traffic[{access->array, bank}];
    Traffic branches;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        for (auto &[place, count] : trafficOf(inner))
          branches[place] = std::max(branches[place], count);
    for (auto &[place, count] : branches)
      traffic[place] += count;
  }
  return traffic;
}

std::string arrayName(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array))
    return "argument " + std::to_string(argument.getArgNumber());
  return "a local array";
}

/// How long operations of each kind of unit keep one in an iteration.
void estimateUnits(const Problem &problem, NestEstimate &estimate) {
  for (auto [number, unit] : llvm::enumerate(problem.resources)) {
    unsigned users = 0, cycles = 0;
    for (const ProblemOperation &operation : problem.operations)
      if (llvm::is_contained(operation.uses, number)) {
        ++users;
        cycles += operation.busy;
      }
    unsigned count = std::min(unit.count, users);
    estimate.demand((cycles + count - 1) / count, "units of " + unit.name);
  }
}

void estimatePorts(AffineForOp innermost, const LoopCosts &costs, NestEstimate &estimate) {
  unsigned ports = costs.target.memory.ports;
  for (auto &[place, count] : trafficOf(*innermost.getBody()))
    estimate.demand((count + ports - 1) / ports, "ports of " + arrayName(place.first));
}

} // namespace

void NestEstimate::demand(unsigned interval, const std::string &cause) {
  if (interval <= ports)
    return;
  ports = interval;
  if (interval > recurrence)
    limit = cause;
}

NestEstimate estimateNest(AffineForOp outermost, const LoopCosts &costs) {
  NestEstimate estimate;
  SmallVector<AffineForOp> nest = perfectNest(outermost);
  if (nest.empty())
    return estimate;
  std::optional<NestRuns> runs = countIterations(outermost);
  estimate.iterations = runs ? runs->iterations : unknownIterations;
  estimate.runs = runs ? runs->runs : 1;
  BodyGraph graph = graphOf(nest, costs);
  estimateRecurrence(graph, estimate);
  estimatePorts(nest.back(), costs, estimate);
  estimateUnits(graph.problem, estimate);
  return estimate;
}

uint64_t estimateCycles(Operation *op, const LoopCosts &costs) {
  constexpr uint64_t handshake = 2; // cycles between the end of a pipeline and the next start
  auto loop = dyn_cast<AffineForOp>(op);
  if (loop && !perfectNest(loop).empty()) {
    NestEstimate estimate = estimateNest(loop, costs);
    return estimate.cycles() + estimate.runs * handshake;
  }
  uint64_t cycles = 0;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      cycles += estimateCycles(&inner, costs);
  OperatorType type = estimateCost(op, rulesOf(costs.target));
  double latency = op->getNumResults() > 0 ? cyclesOf(type, costs.target) : 0;
  if (latency > 0)
    cycles += uint64_t(std::ceil(latency)) * executionsOf(op).value_or(unknownIterations);
  return cycles;
}

namespace {

bool isAroundLoop(Operation &op) {
  return op.walk([](AffineForOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

} // namespace

uint64_t estimateStraight(Block &block, const LoopCosts &costs) {
  CostRules rules = rulesOf(costs.target);
  llvm::DenseMap<Operation *, double> ends;
  double longest = 0;
  uint64_t busiest = 0;
  Traffic traffic;
  for (Operation &op : block) {
    if (isAroundLoop(op))
      continue;
    double start = 0;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          start = std::max(start, ends.lookup(block.findAncestorOpInBlock(*maker)));
    });
    double cycles = 0;
    op.walk([&](Operation *inner) {
      cycles = std::max(cycles, cyclesOf(estimateCost(inner, rules), costs.target));
      if (std::optional<ArrayAccess> access = accessOf(inner); access && !isRegister(access->array))
        for (int64_t bank : banksTaken(inner, access->array))
          busiest = std::max<uint64_t>(busiest, ++traffic[{access->array, bank}]);
    });
    ends[&op] = start + cycles;
    longest = std::max(longest, start + cycles);
  }
  uint64_t ports = costs.target.memory.ports;
  return std::max(uint64_t(std::ceil(longest)), (busiest + ports - 1) / ports);
}

namespace {

uint64_t estimateBlock(Block &block, const LoopCosts &costs) {
  uint64_t cycles = 0, runs = executionsOf(block.getTerminator()).value_or(unknownIterations);
  for (Operation &op : block)
    if (auto loop = dyn_cast<AffineForOp>(op))
      cycles += perfectNest(loop).empty() ? estimateBlock(*loop.getBody(), costs)
                                          : estimateCycles(loop, costs);
  return cycles + runs * estimateStraight(block, costs);
}

} // namespace

uint64_t estimateFunction(func::FuncOp function, const LoopCosts &costs) {
  uint64_t cycles = 0;
  for (Block &block : function.getBody())
    cycles += estimateBlock(block, costs);
  return cycles;
}

std::vector<NamedEstimate> estimateNests(func::FuncOp function, const LoopCosts &costs) {
  std::vector<NamedEstimate> estimates;
  function.walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (perfectNest(loop).empty())
      return WalkResult::advance();
    estimates.push_back({loop, estimateNest(loop, costs)});
    return WalkResult::skip();
  });
  return estimates;
}

std::string describe(const NestEstimate &estimate) {
  return fmt::format("{} iterations in {} run{}, interval {} ({}), {} cycles", estimate.iterations,
                     estimate.runs, estimate.runs == 1 ? "" : "s", estimate.interval(),
                     estimate.limit, estimate.cycles());
}

} // namespace spindle::hls
