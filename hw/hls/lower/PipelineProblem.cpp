#include "hw/hls/lower/PipelineProblem.h"

#include "dialects/location/Location.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

#include <bit>

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

std::string nameOfType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Bit operations on floating-point numbers, and choices between them.
bool isWiring(mlir::Operation *op) {
  return llvm::isa<arith::NegFOp, arith::SelectOp, arith::BitcastOp, mlir::math::AbsFOp,
                   mlir::math::CopySignOp>(op);
}

bool isConversion(mlir::Operation *op) {
  return llvm::isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
                   arith::ExtFOp, arith::TruncFOp>(op);
}

/// Adders on the longest way through an expression, products with constants as shifted sums.
unsigned adderLevels(mlir::AffineExpr expression) {
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  if (!binary)
    return 0;
  unsigned inside = std::max(adderLevels(binary.getLHS()), adderLevels(binary.getRHS()));
  auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() == mlir::AffineExprKind::Add)
    return inside + 1;
  if (!constant || std::has_single_bit(static_cast<uint64_t>(std::abs(constant.getValue()))))
    return inside;
  unsigned terms = std::popcount(static_cast<uint64_t>(std::abs(constant.getValue())));
  bool divides = binary.getKind() != mlir::AffineExprKind::Mul;
  return inside + (divides ? 8 : std::bit_width(terms - 1));
}

class ProblemBuilder {
public:
  ProblemBuilder(PipelineOp body, const Target &hardware, const IndexRanges &indices,
                 const UnitLimits &allowed)
      : pipeline(body), target(hardware), ranges(indices), limits(allowed) {}

  llvm::Expected<PipelineProblem> build();

private:
  unsigned typeOf(OperatorType type);
  unsigned resource(const std::string &name, unsigned count);
  llvm::Error add(mlir::Operation *op);
  OperatorType logic(mlir::Operation *op) const;
  void connect(mlir::Operation *op);
  void endOnData();
  void connectValue(mlir::Value value, unsigned distance, unsigned to);

  PipelineOp pipeline;
  const Target &target;
  const IndexRanges &ranges;
  const UnitLimits &limits;
  PipelineProblem result;
  std::map<std::string, unsigned> types, resources;
  llvm::DenseMap<mlir::Operation *, unsigned> ids;
  std::map<std::string, unsigned> demand; // operations by unit
};

unsigned ProblemBuilder::typeOf(OperatorType type) {
  auto [entry, isNew] = types.try_emplace(
      fmt::format("{} {} {} {}", type.name, type.latency, type.delayInNs, type.delayOutNs),
      result.problem.operatorTypes.size());
  if (isNew)
    result.problem.operatorTypes.push_back(std::move(type));
  return entry->second;
}

unsigned ProblemBuilder::resource(const std::string &name, unsigned count) {
  auto [entry, isNew] = resources.try_emplace(name, result.problem.resources.size());
  if (isNew)
    result.problem.resources.push_back({name, count});
  return entry->second;
}

OperatorType ProblemBuilder::logic(mlir::Operation *op) const {
  std::string mnemonic = op->getName().stripDialect().str();
  mlir::Value widest = op->getNumOperands() ? op->getOperand(0) : op->getResult(0);
  unsigned width = widest.getType().isIndex() ? ranges.widthOf(widest)
                                              : widest.getType().getIntOrFloatBitWidth();
  double delay = target.logicDelayNs(mnemonic, width);
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
    delay = adderLevels(apply.getAffineMap().getResult(0)) *
            target.logicDelayNs("addi", ranges.widthOf(apply.getResult()));
  delay = std::min(delay, target.clockPeriodNs);
  return {mnemonic, 0, delay, delay};
}

llvm::Error ProblemBuilder::add(mlir::Operation *op) {
  Operation operation{
      fmt::format("{}_{}", op->getName().stripDialect().str(), result.problem.operations.size()),
      0,
      {}};
  const FunctionalUnit *unit = nullptr;
  if (llvm::isa<LoadOp, StoreOp>(op)) {
    MemoryOp memory = memoryOf(op);
    bool isRegister = memory.getRegisters(), isLoad = llvm::isa<LoadOp>(op);
    bool isDistributed = memory.getDistributed();
    unsigned latency = isLoad ? latencyOf(op) : 1;
    double in = isRegister ? 0 : target.memory.delayInNs;
    double out = isRegister || !isLoad ? 0 : target.memory.delayOutNs;
    if (isDistributed && isLoad) {
      in = target.lutRamDelayNs(memory.getBankWords());
      out = latency > 0 ? 0 : in;
    }
    const char *kind = isRegister ? "register" : isDistributed ? "LUT RAM" : "memory";
    operation.type =
        typeOf({fmt::format("{} {}", isLoad ? "load" : "store", kind), latency, in, out});
    std::string bank = fmt::format("{} bank {}", memory.getSymName().str(),
                                   op->getAttrOfType<mlir::IntegerAttr>("bank").getInt());
    if (isDistributed)
      operation.uses.push_back(
          resource(bank + (isLoad ? " read" : " write"), isLoad ? memory.getPorts() - 1 : 1));
    else if (!isRegister)
      operation.uses.push_back(resource(bank, memory.getPorts()));
  } else {
    SPINDLE_ASSIGN(unit, unitNeededBy(op, target));
    if (!unit) {
      operation.type = typeOf(logic(op));
    } else {
      double share =
          std::min(target.logicDelayNs("multiplexer", 1) + unit->delayInNs, target.clockPeriodNs);
      operation.type = typeOf({unit->name, unit->latency, share, unit->delayOutNs});
      auto limit = limits.find(unit->name);
      unsigned count = limit == limits.end() ? 0 : limit->second;
      unsigned id = resource(unit->name, count);
      result.unitResources[unit->name] = id;
      if (limit == limits.end())
        ++result.problem.resources[id].count;
      operation.uses.push_back(id);
      operation.busy = unit->interval;
    }
  }
  ids[op] = result.problem.operations.size();
  result.problem.operations.push_back(std::move(operation));
  result.operations.push_back(op);
  result.units.push_back(unit);
  return llvm::Error::success();
}

/// The dependence on whatever makes `value`, `distance` iterations before.
void ProblemBuilder::connectValue(mlir::Value value, unsigned distance, unsigned to) {
  mlir::Block &body = pipeline.getBody().front();
  auto next = llvm::cast<YieldOp>(body.getTerminator()).getValues();
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    unsigned levels = pipeline.getLevels();
    if (argument.getOwner() != &body || argument.getArgNumber() < levels || distance > next.size())
      return;
    return connectValue(next[argument.getArgNumber() - levels], distance + 1, to);
  }
  auto maker = ids.find(value.getDefiningOp());
  if (maker != ids.end())
    result.problem.dependences.push_back({maker->second, to, distance, std::nullopt});
}

void ProblemBuilder::connect(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    connectValue(operand, 0, ids.at(op));
}

/// An iteration begins in the cycle after the one before knows that there is another: two
/// operations more, the register behind the condition, and a beginning before everything else.
void ProblemBuilder::endOnData() {
  mlir::Value condition = pipeline.getCondition();
  Problem &problem = result.problem;
  unsigned mine = problem.operations.size(), decision = mine, beginning = mine + 1;
  double delay = target.logicDelayNs("andi", 1);
  problem.operations.push_back({"next_iteration", typeOf({"register", 1, delay, 0}), {}});
  problem.operations.push_back({"iteration", typeOf({"iteration", 0, 0, 0}), {}});
  connectValue(condition, 0, decision);
  std::vector<bool> isFirst(mine, true);
  for (const Dependence &dependence : problem.dependences)
    if (dependence.distance == 0 && dependence.to < mine)
      isFirst[dependence.to] = false;
  for (unsigned id = 0; id < mine; ++id)
    if (isFirst[id])
      problem.dependences.push_back({beginning, id, 0, 0});
  problem.dependences.push_back({decision, beginning, 1, std::nullopt});
}

llvm::Expected<PipelineProblem> ProblemBuilder::build() {
  result.problem.name = pipeline.getName().str();
  result.problem.clockPeriodNs = target.clockPeriodNs;
  std::vector<mlir::Operation *> all;
  for (mlir::Operation &op : pipeline.getBody().front()) {
    all.push_back(&op);
    if (!llvm::isa<YieldOp>(op) && !mlir::matchPattern(&op, mlir::m_Constant()))
      SPINDLE_RETURN_IF_ERROR(add(&op));
  }
  for (mlir::Operation *op : result.operations)
    connect(op);
  for (mlir::Attribute attribute : pipeline.getDependences()) {
    auto dependence = llvm::cast<DependenceAttr>(attribute);
    mlir::Operation *from = all[dependence.getFrom()], *to = all[dependence.getTo()];
    result.problem.dependences.push_back(
        {ids.at(from), ids.at(to), dependence.getDistance(), orderLatency(from, to)});
  }
  if (pipeline.getCondition())
    endOnData();
  return std::move(result);
}

} // namespace

llvm::Expected<const FunctionalUnit *> unitNeededBy(mlir::Operation *op, const Target &target) {
  bool isArithmetic = llvm::isa<arith::ArithDialect, mlir::math::MathDialect>(op->getDialect());
  if (!isArithmetic || isWiring(op) || op->getNumResults() != 1)
    return nullptr;
  mlir::Type operand = op->getOperand(0).getType(), made = op->getResult(0).getType();
  bool isFloat = llvm::isa<mlir::FloatType>(operand) || llvm::isa<mlir::FloatType>(made);
  bool isLarge =
      llvm::isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          op) &&
      !operand.isIndex();
  if (!isFloat && !isLarge)
    return nullptr;
  std::string mnemonic = op->getName().stripDialect().str(), type = nameOfType(operand);
  if (isConversion(op))
    type += "_" + nameOfType(made);
  const FunctionalUnit *unit = target.unitFor(mnemonic, type);
  if (!unit)
    return inputError(placeOf(op), fmt::format("target '{}' has no unit for '{}' of {}",
                                               target.name, mnemonic, type));
  return unit;
}

llvm::Expected<PipelineProblem> problemOf(PipelineOp pipeline, const Target &target,
                                          const IndexRanges &ranges, const UnitLimits &limits) {
  return ProblemBuilder(pipeline, target, ranges, limits).build();
}

} // namespace spindle::hls
