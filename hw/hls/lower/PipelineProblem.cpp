#include "hw/hls/lower/PipelineProblem.h"

#include "dialects/hls/Concurrency.h"
#include "dialects/location/Location.h"
#include "hw/hls/body/BodyProblem.h"

#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

/// For delays: what one LUT of RAM holds.
constexpr int64_t kFifoWords = 32;

class ProblemBuilder {
public:
  ProblemBuilder(PipelineOp body, const Target &hardware, const IndexRanges &known,
                 const UnitLimits &limits)
      : pipeline(body), target(hardware),
        ranges(known), rules{hardware, [&known](mlir::Value index) { return known.widthOf(index); },
                             true,
                             [&known](mlir::Value value) { return known.signedBitsOf(value); }},
        made(body.getName().str(), hardware, limits) {}

  llvm::Expected<PipelineProblem> build();

private:
  llvm::Error add(mlir::Operation *op);
  void addAccess(mlir::Operation *op, const std::string &name);
  void addToken(mlir::Operation *op, const std::string &name);
  void connect();
  void endOnData();

  PipelineOp pipeline;
  const Target &target;
  const IndexRanges &ranges;
  CostRules rules;
  BodyProblem made;
  PipelineProblem result;
};

void ProblemBuilder::addAccess(mlir::Operation *op, const std::string &name) {
  MemoryOp memory = memoryOf(op);
  bool isStore = llvm::isa<StoreOp>(op), isRegister = memory.getRegisters();
  bool isDistributed = memory.getDistributed();
  BlockMemory hardware = target.memory;
  hardware.readLatency = memory.getReadLatency();
  if (isDistributed && !isStore) {
    hardware.delayInNs = target.lutRamDelayNs(memory.getBankWords());
    hardware.delayOutNs = hardware.readLatency > 0 ? 0 : hardware.delayInNs;
  }
  unsigned id = made.add(op, name, accessCost(isStore, isRegister, hardware));
  if (isRegister)
    return;
  std::string bank = fmt::format("{} bank {}", memory.getSymName().str(),
                                 op->getAttrOfType<mlir::IntegerAttr>("bank").getInt());
  unsigned taken = !isDistributed ? made.resource(bank, memory.getPorts())
                   : isStore      ? made.resource(bank + " write", 1)
                                  : made.resource(bank + " read", memory.getPorts() - 1);
  made.problem.operations[id].uses.push_back(taken);
}

/// A FIFO is LUT RAM; one token comes and one goes in a cycle.
void ProblemBuilder::addToken(mlir::Operation *op, const std::string &name) {
  bool isPush = llvm::isa<PushOp>(op);
  double delay = isPush ? target.logicDelayNs("select", 1)
                        : std::min(target.lutRamDelayNs(kFifoWords), target.clockPeriodNs);
  unsigned id = made.add(op, name, {isPush ? "push" : "pop", isPush, delay, isPush ? 0 : delay});
  made.problem.operations[id].uses.push_back(made.resource(claimOf(op)->what, 1));
}

llvm::Error ProblemBuilder::add(mlir::Operation *op) {
  std::string name =
      fmt::format("{}_{}", op->getName().stripDialect().str(), made.problem.operations.size());
  const FunctionalUnit *unit = nullptr;
  if (llvm::isa<LoadOp, StoreOp>(op)) {
    addAccess(op, name);
  } else if (llvm::isa<PopOp, PushOp>(op)) {
    addToken(op, name);
  } else {
    SPINDLE_ASSIGN(unit, unitNeededBy(op, target, ranges));
    unsigned id = made.add(op, name, costOf(op, rules));
    if (unit) {
      made.useUnit(id, *unit);
      result.unitResources[unit->name] = made.problem.operations[id].uses.front();
    }
  }
  result.operations.push_back(op);
  result.units.push_back(unit);
  return llvm::Error::success();
}

void ProblemBuilder::connect() {
  auto next = llvm::cast<YieldOp>(pipeline.getBody().front().getTerminator()).getValues();
  auto carried = pipeline.getBody().getArguments().drop_front(pipeline.getLevels());
  for (auto [argument, value] : llvm::zip(carried, next))
    made.carry(argument, value);
  for (mlir::Operation *op : result.operations)
    for (mlir::Value operand : op->getOperands()) // the head of a FIFO is there in any case
      made.connect(operand, *made.idOf(op), 0, llvm::isa<PopOp>(op));
}

/// An iteration begins in the cycle after the one before knows that there is another: two
/// operations more, the register after the condition, and a beginning before everything else.
void ProblemBuilder::endOnData() {
  Problem &problem = made.problem;
  unsigned mine = problem.operations.size();
  double delay = target.logicDelayNs("andi", 1);
  unsigned decision = made.add(nullptr, "next_iteration", {"register", 1, delay, 0});
  unsigned beginning = made.add(nullptr, "iteration", {"iteration", 0, 0, 0});
  made.connect(pipeline.getCondition(), decision);
  std::vector<bool> isFirst(mine, true);
  for (const Dependence &dependence : problem.dependences)
    if (dependence.distance == 0 && dependence.to < mine)
      isFirst[dependence.to] = false;
  for (unsigned id = 0; id < mine; ++id)
    if (isFirst[id])
      made.order(beginning, id, 0, 0);
  problem.dependences.push_back({decision, beginning, 1, std::nullopt});
}

llvm::Expected<PipelineProblem> ProblemBuilder::build() {
  std::vector<mlir::Operation *> all;
  for (mlir::Operation &op : pipeline.getBody().front()) {
    all.push_back(&op);
    if (!llvm::isa<YieldOp>(op) && !mlir::matchPattern(&op, mlir::m_Constant()))
      SPINDLE_RETURN_IF_ERROR(add(&op));
  }
  connect();
  for (mlir::Attribute attribute : pipeline.getDependences()) {
    auto dependence = llvm::cast<DependenceAttr>(attribute);
    mlir::Operation *from = all[dependence.getFrom()], *to = all[dependence.getTo()];
    made.order(*made.idOf(from), *made.idOf(to), dependence.getDistance(), orderLatency(from, to));
  }
  if (pipeline.getCondition())
    endOnData();
  result.problem = std::move(made.problem);
  return std::move(result);
}

} // namespace

llvm::Expected<const FunctionalUnit *> unitNeededBy(mlir::Operation *op, const Target &target,
                                                    const IndexRanges &ranges) {
  auto signedBits = [&ranges](mlir::Value value) { return ranges.signedBitsOf(value); };
  const FunctionalUnit *unit = unitFor(op, target, signedBits);
  if (!unit && needsUnit(op) && !isShiftedSum(op, target, signedBits))
    return inputError(placeOf(op),
                      fmt::format("target '{}' has no unit for '{}' of {}", target.name,
                                  op->getName().stripDialect().str(), unitType(op)));
  return unit;
}

llvm::Expected<PipelineProblem> problemOf(PipelineOp pipeline, const Target &target,
                                          const IndexRanges &ranges, const UnitLimits &limits) {
  return ProblemBuilder(pipeline, target, ranges, limits).build();
}

} // namespace spindle::hls
