// Whether a pipeline's schedule holds: results there in time, order of accesses kept, nothing used
// twice at once.
#include "dialects/hls/Concurrency.h"
#include "dialects/hls/Hls.h"

#include "mlir/IR/Matchers.h"

#include <map>

namespace spindle::hls {

namespace {

/// A constant is there at any time.
bool isConstant(mlir::Operation *op) { return mlir::matchPattern(op, mlir::m_Constant()); }

mlir::LogicalResult verifyLevels(PipelineOp pipeline) {
  size_t levels = pipeline.getLevels();
  if (static_cast<int64_t>(pipeline.getInterval()) < 1 ||
      static_cast<int64_t>(pipeline.getDepth()) < 1)
    return pipeline.emitOpError("expected an interval and a depth of at least 1 (pipeline_c1)");
  if (pipeline.getLowerBounds().size() != levels || pipeline.getUpperBounds().size() != levels)
    return pipeline.emitOpError("has ")
           << pipeline.getLowerBounds().size() << " lower and " << pipeline.getUpperBounds().size()
           << " upper bounds for " << levels << " levels (pipeline_c2)";
  for (size_t level = 0; level < levels; ++level) {
    unsigned inputs = pipeline.getBoundOperands().size() + level;
    for (mlir::ArrayAttr bounds : {pipeline.getLowerBounds(), pipeline.getUpperBounds()}) {
      mlir::AffineMap map = llvm::cast<mlir::AffineMapAttr>(bounds[level]).getValue();
      if (map.getNumDims() != inputs || map.getNumSymbols())
        return pipeline.emitOpError("bound ")
               << mlir::AffineMapAttr::get(map) << " of level " << level << " takes "
               << map.getNumInputs() << " values, expected " << inputs << " (pipeline_c2)";
    }
  }
  if (levels > 0 && pipeline.getCondition())
    return pipeline.emitOpError("has ")
           << levels << " levels and a condition, expected one of both (pipeline_c8)";
  mlir::Block &body = pipeline.getBody().front();
  if (body.getNumArguments() != levels + pipeline.getCarried().size() ||
      !llvm::all_of(pipeline.getCounters(), [](mlir::Value v) { return v.getType().isIndex(); }))
    return pipeline.emitOpError("has ")
           << body.getNumArguments() << " block arguments, expected " << levels << " counters and "
           << pipeline.getCarried().size() << " carried values (pipeline_c2)";
  return mlir::success();
}

mlir::LogicalResult verifyStarts(PipelineOp pipeline) {
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator()) {
    auto start = op.getAttrOfType<mlir::IntegerAttr>(HlsDialect::startName);
    if (!start || start.getInt() < 0)
      return op.emitOpError("expected a start cycle of at least 0 (pipeline_c3)");
    if (!op.hasAttr(HlsDialect::unitName))
      continue;
    UnitOp unit = unitOf(&op);
    if (!unit)
      return op.emitOpError("names a unit that is not in the kernel (pipeline_c3)");
    llvm::StringRef mnemonic = op.getName().stripDialect();
    bool does = llvm::any_of(unit.getOperations(), [&](mlir::Attribute name) {
      return llvm::cast<mlir::StringAttr>(name).getValue() == mnemonic;
    });
    if (!does || op.getNumOperands() == 0 || op.getOperand(0).getType() != unit.getType())
      return op.emitOpError("does not fit unit ") << unit.getSymName() << " (pipeline_c3)";
  }
  return mlir::success();
}

/// The cycle in which `value` is there, counted from the start of its own iteration; null for what
/// is there all the time.
std::optional<int64_t> readyCycle(mlir::Value value, mlir::Block &body) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return argument.getOwner() == &body ? std::optional<int64_t>(0) : std::nullopt;
  mlir::Operation *op = value.getDefiningOp();
  if (op->getBlock() != &body || isConstant(op))
    return std::nullopt;
  return startOf(op) + latencyOf(op);
}

/// Results are used in the cycle they are there or later, by the next iteration too (pipeline_c4).
mlir::LogicalResult verifyUses(PipelineOp pipeline) {
  mlir::Block &body = pipeline.getBody().front();
  for (mlir::Operation &op : body.without_terminator()) {
    if (isConstant(&op))
      continue;
    for (mlir::Value operand : op.getOperands()) {
      std::optional<int64_t> ready = pipeline.getReadyCycle(operand);
      if (ready && *ready > startOf(&op))
        return op.emitOpError("starts in cycle ")
               << startOf(&op) << ", but its operand is there in cycle " << *ready
               << " (pipeline_c4)";
    }
  }
  return mlir::success();
}

/// The next iteration starts `interval` cycles later, from a register (pipeline_c8).
mlir::LogicalResult verifyCondition(PipelineOp pipeline) {
  if (!pipeline.getCondition())
    return mlir::success();
  int64_t ready = pipeline.getConditionCycle();
  if (ready > static_cast<int64_t>(pipeline.getInterval()) - 1)
    return pipeline.emitOpError("knows in cycle ")
           << ready << " whether there is another iteration, expected cycle "
           << pipeline.getInterval() - 1 << " or earlier (pipeline_c8)";
  return mlir::success();
}

llvm::SmallVector<mlir::Operation *> operationsOf(PipelineOp pipeline) {
  return llvm::map_to_vector(pipeline.getBody().front(), [](mlir::Operation &op) { return &op; });
}

/// Dependences are those of accesses (pipeline_c5).
mlir::LogicalResult verifyAccesses(PipelineOp pipeline) {
  llvm::SmallVector<mlir::Operation *> ops = operationsOf(pipeline);
  auto isAccess = [&](unsigned index) {
    return index < ops.size() && llvm::isa<LoadOp, StoreOp, PopOp, PushOp>(ops[index]);
  };
  for (auto dependence : pipeline.getDependences().getAsRange<DependenceAttr>())
    if (!isAccess(dependence.getFrom()) || !isAccess(dependence.getTo()))
      return pipeline.emitOpError("dependence ")
             << dependence << " names no accesses (pipeline_c5)";
  return mlir::success();
}

/// (pipeline_c5)
mlir::LogicalResult verifyDependences(PipelineOp pipeline) {
  llvm::SmallVector<mlir::Operation *> ops = operationsOf(pipeline);
  for (auto dependence : pipeline.getDependences().getAsRange<DependenceAttr>()) {
    mlir::Operation *from = ops[dependence.getFrom()], *to = ops[dependence.getTo()];
    int64_t least = startOf(from) + orderLatency(from, to) -
                    static_cast<int64_t>(dependence.getDistance() * pipeline.getInterval());
    if (startOf(to) < least) {
      // A note, since remarks print their operation, which verifies the kernel again.
      mlir::InFlightDiagnostic error = to->emitOpError("starts in cycle ")
                                       << startOf(to) << ", expected " << least
                                       << " or later (pipeline_c5)";
      error.attachNote(from->getLoc())
          << "because of this access " << dependence.getDistance() << " iterations before";
      return error;
    }
  }
  return mlir::success();
}

/// (pipeline_c6)
mlir::LogicalResult verifyReservations(PipelineOp pipeline) {
  std::map<std::pair<std::string, int64_t>, mlir::Operation *> table;
  int64_t interval = pipeline.getInterval();
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator()) {
    std::optional<Claim> claim = claimOf(&op);
    if (!claim)
      continue;
    bool repeats = pipeline.repeats();
    for (int64_t cycle = 0; cycle < claim->cycles; ++cycle) {
      int64_t at = startOf(&op) + cycle;
      auto [entry, isFree] = table.try_emplace({claim->what, repeats ? at % interval : at}, &op);
      if (!isFree) {
        mlir::InFlightDiagnostic error = op.emitOpError("takes ")
                                         << claim->what << " in cycle " << at << " modulo "
                                         << interval << ", which is taken (pipeline_c6)";
        error.attachNote(entry->second->getLoc()) << "by this operation";
        return error;
      }
    }
  }
  return mlir::success();
}

/// (pipeline_c7)
mlir::LogicalResult verifyDepth(PipelineOp pipeline) {
  int64_t depth = 1;
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator())
    depth = std::max(depth, startOf(&op) + (op.getNumResults() ? latencyOf(&op) : 0) + 1);
  if (static_cast<int64_t>(pipeline.getDepth()) != depth)
    return pipeline.emitOpError("has depth ")
           << pipeline.getDepth() << ", expected " << depth << " (pipeline_c7)";
  return mlir::success();
}

mlir::LogicalResult verifyAccess(mlir::Operation *access, int64_t bank, std::optional<int64_t> port,
                                 mlir::Type element, mlir::Value address, const char *labels[2]) {
  MemoryOp memory = memoryOf(access);
  if (!memory)
    return access->emitOpError("names a memory that is not in the kernel (") << labels[0] << ")";
  if (memory.getElement() != element)
    return access->emitOpError("has type ")
           << element << ", expected " << memory.getElement() << " (" << labels[0] << ")";
  if (!address && memory.getBankWords() != 1)
    return access->emitOpError("has no address for a bank of ")
           << memory.getBankWords() << " words (" << labels[0] << ")";
  bool mayLackPort = !access->hasAttr(HlsDialect::startName);
  bool isPortFine = memory.getRegisters() || (mayLackPort && !port)
                        ? !port
                        : port && *port >= 0 && *port < static_cast<int64_t>(memory.getPorts());
  if (memory.getDistributed() && port) // the last one writes
    isPortFine &=
        (*port + 1 == static_cast<int64_t>(memory.getPorts())) == llvm::isa<StoreOp>(access);
  if (bank < 0 || bank >= memory.getBanks() || !isPortFine)
    return access->emitOpError("uses bank ")
           << bank << " port " << (port ? std::to_string(*port) : "none") << " of a memory with "
           << memory.getBanks() << " banks and "
           << (memory.getRegisters() ? 0 : static_cast<int64_t>(memory.getPorts())) << " ports ("
           << labels[1] << ")";
  return mlir::success();
}

} // namespace

mlir::LogicalResult PipelineOp::verifyRegions() {
  if (mlir::failed(verifyLevels(*this)) || mlir::failed(verifyAccesses(*this)))
    return mlir::failure();
  if (!isScheduled())
    return mlir::success();
  for (auto check : {verifyStarts, verifyUses, verifyDependences, verifyReservations, verifyDepth,
                     verifyCondition})
    if (mlir::failed(check(*this)))
      return mlir::failure();
  return mlir::success();
}

std::optional<int64_t> PipelineOp::getReadyCycle(mlir::Value value) {
  mlir::Block &body = getBody().front();
  auto next = llvm::cast<YieldOp>(body.getTerminator()).getValues();
  int64_t earlier = 0; // cycles by which the source's iteration started before
  for (size_t turn = 0; turn <= next.size(); ++turn) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != &body || argument.getArgNumber() < getLevels())
      break;
    value = next[argument.getArgNumber() - getLevels()];
    earlier += static_cast<int64_t>(getInterval());
  }
  std::optional<int64_t> ready = readyCycle(value, body);
  return ready ? std::optional(*ready - earlier) : std::nullopt;
}

int64_t PipelineOp::getConditionCycle() {
  return std::max<int64_t>(0, getReadyCycle(getCondition()).value_or(0));
}

mlir::LogicalResult LoadOp::verify() {
  const char *labels[] = {"load_c1", "load_c2"};
  return verifyAccess(*this, getBank(), getPort(), getResult().getType(), getAddress(), labels);
}

mlir::LogicalResult StoreOp::verify() {
  const char *labels[] = {"store_c1", "store_c2"};
  MemoryOp memory = memoryOf(*this);
  if (memory && memory.getRegisters() && memory.getInitial())
    return emitOpError("writes the constants of @") << memory.getSymName() << " (store_c3)";
  return verifyAccess(*this, getBank(), getPort(), getValue().getType(), getAddress(), labels);
}

mlir::LogicalResult YieldOp::verify() {
  auto pipeline = llvm::cast<PipelineOp>((*this)->getParentOp());
  mlir::TypeRange types = pipeline.getCarried().getTypes();
  if (mlir::TypeRange(getValues()) != types)
    return emitOpError("carries ") << getValues().size() << " values, expected those of the "
                                   << types.size() << " carried arguments (yield_c1)";
  return mlir::success();
}

} // namespace spindle::hls
