#include "dialects/hls/interpreter/PipelineRun.h"

#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::hls {

namespace {

class Compiler {
public:
  Compiler(PipelineOp body, KernelState &state, const ElementaryFunctions &functions)
      : kernel(state), elementary(functions) {
    code.pipeline = body;
  }

  llvm::Expected<PipelineCode> compile();

private:
  unsigned newSlot(mlir::Value value, int64_t ready);
  PipelineCode::Source sourceOf(mlir::Value value);
  llvm::Error addStep(mlir::Operation *op);
  void addAccess(PipelineCode::Step &step);

  PipelineCode code;
  KernelState &kernel;
  const ElementaryFunctions &elementary;
  llvm::DenseMap<mlir::Value, PipelineCode::Source> sources;
};

unsigned Compiler::newSlot(mlir::Value value, int64_t ready) {
  using Kind = PipelineCode::Source::Kind;
  unsigned slot = code.ready.size();
  mlir::Operation *maker = value.getDefiningOp();
  sources[value] = {Kind::Slot, slot};
  code.ready.push_back(ready);
  code.makers.push_back(maker ? maker->getName().getStringRef().str() : "counter");
  return slot;
}

/// Constants and values from outside are there all the time.
PipelineCode::Source Compiler::sourceOf(mlir::Value value) {
  auto known = sources.find(value);
  if (known != sources.end())
    return known->second;
  PipelineCode::Source source{PipelineCode::Source::Kind::Outside,
                              static_cast<unsigned>(code.outside.size())};
  code.outside.push_back(value);
  return sources[value] = source;
}

static bool isOfStream(mlir::Operation *op) { return llvm::isa<PopOp, PushOp>(op); }

void Compiler::addAccess(PipelineCode::Step &step) {
  auto load = llvm::dyn_cast<LoadOp>(step.op);
  auto store = llvm::dyn_cast<StoreOp>(step.op);
  step.memory = &kernel.memories.at(memoryOf(step.op).getSymName().str());
  step.isStore = bool(store);
  step.readsRegister = load && memoryOf(step.op).getRegisters();
  step.hasAddress = bool(load ? load.getAddress() : store.getAddress());
  step.hasCondition = bool(load ? load.getCondition() : store.getCondition());
  step.bank = static_cast<int64_t>(load ? load.getBank() : store.getBank());
  if (std::optional<uint64_t> port = load ? load.getPort() : store.getPort())
    step.port = static_cast<int64_t>(*port);
}

/// What a unit computes that looks at some bits of its operands, as signed numbers; results that
/// depend on their low bits alone, as products do, need no more.
Function onLowBits(Function whole, llvm::ArrayRef<int64_t> operandBits) {
  return [whole = std::move(whole),
          bits = llvm::SmallVector<int64_t>(operandBits)](const uint64_t *operands) {
    llvm::SmallVector<uint64_t> seen;
    for (auto [position, count] : llvm::enumerate(bits))
      seen.push_back(uint64_t(int64_t(operands[position] << (64 - count)) >> (64 - count)));
    return whole(seen.data());
  };
}

llvm::Error Compiler::addStep(mlir::Operation *op) {
  if (mlir::matchPattern(op, mlir::m_Constant()))
    return llvm::Error::success();
  PipelineCode::Step step;
  step.op = op;
  step.start = startOf(op);
  for (mlir::Value operand : op->getOperands())
    step.operands.push_back(sourceOf(operand));
  if (llvm::isa<LoadOp, StoreOp>(op))
    addAccess(step);
  else if (isOfStream(op))
    step.fifo = &kernel.fifos.at(fifoOf(op).getSymName().str());
  else
    step.function = functionOf(op, elementary);
  if (isOfStream(op)) {
    step.isStore = llvm::isa<PushOp>(op);
    step.hasCondition = bool(conditionOf(op));
  }
  if (!step.memory && !step.fifo && !step.function)
    return checkError(
        "pipeline " + code.pipeline.getName().str(),
        fmt::format("operation '{}' cannot be interpreted", op->getName().getStringRef().str()));
  if (UnitOp unit = unitOf(op)) {
    step.unit = &kernel.units.at(unit.getSymName().str());
    if (unit.getOperandBits())
      step.function = onLowBits(std::move(step.function), *unit.getOperandBits());
  }
  if (op->getNumResults())
    step.result = newSlot(op->getResult(0), step.start + latencyOf(op));
  code.steps.push_back(std::move(step));
  return llvm::Error::success();
}

/// A carried value that hands on another one comes from an iteration further back; one that hands
/// on itself, from before the first.
size_t historyOf(const std::vector<PipelineCode::Source> &yielded) {
  using Kind = PipelineCode::Source::Kind;
  size_t most = 0;
  for (PipelineCode::Source source : yielded) {
    size_t back = 1;
    for (; source.kind == Kind::Carried && back <= yielded.size(); ++back)
      source = yielded[source.index];
    if (source.kind == Kind::Slot)
      most = std::max(most, back);
  }
  return most;
}

llvm::Expected<PipelineCode> Compiler::compile() {
  PipelineOp pipeline = code.pipeline;
  auto interval = static_cast<int64_t>(pipeline.getInterval());
  auto depth = static_cast<int64_t>(pipeline.getDepth());
  if (interval < 1 || depth < 1)
    return checkError(
        "pipeline " + pipeline.getName().str(),
        fmt::format("has interval {} and depth {}, expected at least 1 of both", interval, depth));
  for (mlir::Value counter : pipeline.getCounters())
    newSlot(counter, 0);
  for (mlir::Value carried : pipeline.getCarried())
    code.initial.push_back(sourceOf(carried));
  for (auto [position, argument] : llvm::enumerate(pipeline.getCarriedArguments()))
    sources[argument] = {PipelineCode::Source::Kind::Carried, static_cast<unsigned>(position)};
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator())
    SPINDLE_RETURN_IF_ERROR(addStep(&op));
  for (mlir::Value value :
       llvm::cast<YieldOp>(pipeline.getBody().front().getTerminator()).getValues())
    code.yielded.push_back(sourceOf(value));
  if (mlir::Value condition = pipeline.getCondition())
    code.decision = {sourceOf(condition), pipeline.getConditionCycle()};
  std::stable_sort(code.steps.begin(), code.steps.end(),
                   [](const auto &a, const auto &b) { return a.start < b.start; });
  code.stepOf.assign(code.ready.size(), -1);
  for (auto [place, step] : llvm::enumerate(code.steps)) {
    if (step.op->getNumResults())
      code.stepOf[step.result] = static_cast<int64_t>(place);
    if (step.fifo)
      code.streamSteps.push_back(place);
  }
  code.history = historyOf(code.yielded);
  for (auto [maps, attribute] : {std::pair(&code.lower, pipeline.getLowerBounds()),
                                 std::pair(&code.upper, pipeline.getUpperBounds())})
    for (mlir::Attribute map : attribute)
      maps->push_back(llvm::cast<mlir::AffineMapAttr>(map).getValue());
  return std::move(code);
}

} // namespace

llvm::Expected<PipelineCode> PipelineCode::compile(PipelineOp pipeline, KernelState &kernel,
                                                   const ElementaryFunctions &elementary) {
  return Compiler(pipeline, kernel, elementary).compile();
}

} // namespace spindle::hls
