#include "hw/system/AccessTimes.h"

#include "dialects/hls/interpreter/Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

namespace spindle::hls {

namespace {

using Known = std::optional<uint64_t>; // none: data

/// What addresses and conditions of a pipeline are made of.
struct Slice {
  struct Source {
    enum class Kind { Slot, Outside, Data } kind;
    unsigned index = 0;
  };
  struct Step {
    Function function; // null: the result is data
    std::vector<Source> operands;
    bool isConjunction = false, isChoice = false;
  };
  struct Access {
    int64_t start; // cycle of the iteration
    bool isWrite;
    std::optional<Source> address, condition;
    int64_t firstWord, bankWords; // of its bank
    std::vector<WordTimes> *words, *anywhere;
  };
  std::vector<Step> steps; // their results are the slots after the counters
  std::vector<Access> accesses;
  std::vector<mlir::Value> outside;
};

class Tracer {
public:
  Tracer(KernelOp of, const std::map<uint32_t, int64_t> &values, uint64_t most)
      : kernel(of), stepsLeft(most) {
    for (auto [value, index] :
         llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex()))
      if (auto known = values.find(uint32_t(index)); known != values.end())
        outside[value] = uint64_t(known->second);
  }

  std::optional<AccessTimes> trace();

private:
  std::optional<int64_t> run(TasksOp tasks, int64_t start);
  std::optional<int64_t> run(RepeatOp repeat, int64_t start);
  std::optional<int64_t> run(PipelineOp pipeline, int64_t start);
  Known valueOutside(mlir::Value value);
  std::optional<llvm::SmallVector<int64_t>> valuesOf(mlir::ValueRange operands);
  const Slice &sliceOf(PipelineOp pipeline);
  void compute(const Slice &slice, const std::vector<Known> &fromOutside,
               std::vector<Known> &slots) const;

  KernelOp kernel;
  uint64_t stepsLeft;
  llvm::DenseMap<mlir::Value, Known> outside; // counters of repeats, arguments
  llvm::DenseMap<mlir::Operation *, Slice> slices;
  std::map<uint32_t, std::vector<WordTimes>> words, anywhere; // anywhere: accesses of every word
};

/// The slice of a pipeline, and where its values come from.
class Slicer {
public:
  Slicer(PipelineOp of, std::map<uint32_t, std::vector<WordTimes>> &words,
         std::map<uint32_t, std::vector<WordTimes>> &anywhere)
      : pipeline(of) {
    for (auto [level, counter] : llvm::enumerate(pipeline.getCounters()))
      sources[counter] = {Slice::Source::Kind::Slot, unsigned(level)};
    for (mlir::Value carried : pipeline.getCarriedArguments())
      sources[carried] = {Slice::Source::Kind::Data};
    for (mlir::Operation &op : pipeline.getBody().front())
      if (llvm::isa<LoadOp, StoreOp>(op) && memoryOf(&op).getArgument())
        add(&op, words, anywhere);
  }

  Slice slice;

private:
  void add(mlir::Operation *op, std::map<uint32_t, std::vector<WordTimes>> &words,
           std::map<uint32_t, std::vector<WordTimes>> &anywhere) {
    auto load = llvm::dyn_cast<LoadOp>(op);
    auto store = llvm::dyn_cast<StoreOp>(op);
    MemoryOp memory = memoryOf(op);
    auto argument = uint32_t(*memory.getArgument());
    mlir::Value address = load ? load.getAddress() : store.getAddress(),
                condition = load ? load.getCondition() : store.getCondition();
    Slice::Access access{startOf(op), bool(store),           {},      {},
                         0,           memory.getBankWords(), nullptr, nullptr};
    access.firstWord = int64_t(load ? load.getBank() : store.getBank()) * access.bankWords;
    access.words = &words[argument];
    access.anywhere = &anywhere[argument];
    access.words->resize(size_t(memory.getBanks() * access.bankWords));
    access.anywhere->resize(1);
    if (address)
      access.address = sourceOf(address);
    if (condition)
      access.condition = sourceOf(condition);
    slice.accesses.push_back(std::move(access));
  }

  Slice::Source sourceOf(mlir::Value value) {
    if (auto known = sources.find(value); known != sources.end())
      return known->second;
    mlir::Operation *op = value.getDefiningOp();
    Slice::Source source;
    if (!op || op->getParentOp() != pipeline || mlir::matchPattern(op, mlir::m_Constant())) {
      source = {Slice::Source::Kind::Outside, unsigned(slice.outside.size())};
      slice.outside.push_back(value);
    } else if (Function function = llvm::isa<LoadOp, PopOp>(op) ? Function() : functionOf(op, {})) {
      Slice::Step step{std::move(function), {}};
      step.isConjunction = llvm::isa<mlir::arith::AndIOp>(op);
      step.isChoice = llvm::isa<mlir::arith::SelectOp>(op);
      for (mlir::Value operand : op->getOperands())
        step.operands.push_back(sourceOf(operand));
      source = {Slice::Source::Kind::Slot, unsigned(pipeline.getLevels() + slice.steps.size())};
      slice.steps.push_back(std::move(step));
    } else {
      source = {Slice::Source::Kind::Data};
    }
    return sources[value] = source;
  }

  PipelineOp pipeline;
  llvm::DenseMap<mlir::Value, Slice::Source> sources;
};

const Slice &Tracer::sliceOf(PipelineOp pipeline) {
  auto known = slices.find(pipeline);
  if (known == slices.end())
    known = slices.try_emplace(pipeline, Slicer(pipeline, words, anywhere).slice).first;
  return known->second;
}

/// Counters of repeats, arguments, constants, and casts of these; registers are data.
Known Tracer::valueOutside(mlir::Value value) {
  if (auto known = outside.find(value); known != outside.end())
    return known->second;
  mlir::Operation *op = value.getDefiningOp();
  mlir::Attribute constant;
  if (!op || llvm::isa<HeldOp>(op))
    return std::nullopt;
  if (mlir::matchPattern(op, mlir::m_Constant(&constant))) {
    auto integer = llvm::dyn_cast<mlir::IntegerAttr>(constant);
    return integer ? Known(integer.getValue().getZExtValue()) : std::nullopt;
  }
  Function function = op->getNumOperands() == 1 ? functionOf(op, {}) : Function();
  Known operand = function ? valueOutside(op->getOperand(0)) : std::nullopt;
  return operand ? Known(function(&*operand)) : std::nullopt;
}

std::optional<llvm::SmallVector<int64_t>> Tracer::valuesOf(mlir::ValueRange operands) {
  llvm::SmallVector<int64_t> values;
  for (mlir::Value operand : operands) {
    Known value = valueOutside(operand);
    if (!value)
      return std::nullopt;
    values.push_back(int64_t(*value));
  }
  return values;
}

void Tracer::compute(const Slice &slice, const std::vector<Known> &fromOutside,
                     std::vector<Known> &slots) const {
  auto valueOf = [&](const Slice::Source &source) -> Known {
    return source.kind == Slice::Source::Kind::Slot      ? slots[source.index]
           : source.kind == Slice::Source::Kind::Outside ? fromOutside[source.index]
                                                         : std::nullopt;
  };
  llvm::SmallVector<uint64_t> operands;
  size_t slot = slots.size() - slice.steps.size();
  for (const Slice::Step &step : slice.steps) {
    operands.clear();
    bool isKnown = true, isZero = false;
    for (const Slice::Source &source : step.operands) {
      Known value = valueOf(source);
      isKnown &= value.has_value();
      isZero |= value == Known(0);
      operands.push_back(value.value_or(0));
    }
    Known result;
    if (isKnown)
      result = step.function(operands.data());
    else if (step.isConjunction && isZero)
      result = 0;
    else if (step.isChoice)
      if (Known chooses = valueOf(step.operands[0]))
        result = valueOf(step.operands[*chooses ? 1 : 2]);
    slots[slot++] = result;
  }
}

/// Counters of a nest from one iteration to the next, bubbles included.
class Nest {
public:
  Nest(PipelineOp of, llvm::ArrayRef<int64_t> bounds) : pipeline(of), values(bounds) {
    operands = values.size();
    values.resize(operands + pipeline.getLevels());
    ends.resize(pipeline.getLevels());
    uppers.resize(pipeline.getLevels());
    for (size_t level = 0; level < ends.size(); ++level)
      enter(level);
  }
  int64_t counter(size_t level) const { return values[operands + level]; }
  bool isBubble() const {
    for (size_t level = 0; level < ends.size(); ++level)
      if (counter(level) >= uppers[level])
        return true;
    return false;
  }
  /// False after the last one.
  bool advance() {
    size_t level = ends.size();
    while (level > 0 && counter(level - 1) + 1 >= ends[level - 1])
      --level;
    if (level == 0)
      return false;
    ++values[operands + level - 1];
    for (; level < ends.size(); ++level)
      enter(level);
    return true;
  }

private:
  void enter(size_t level) {
    auto known = llvm::ArrayRef<int64_t>(values).take_front(operands + level);
    int64_t first = INT64_MIN, end = INT64_MAX;
    for (mlir::AffineExpr bound : mapOf(pipeline.getLowerBounds()[level]).getResults())
      first = std::max(first, valueOf(bound, known));
    for (mlir::AffineExpr bound : mapOf(pipeline.getUpperBounds()[level]).getResults())
      end = std::min(end, valueOf(bound, known));
    values[operands + level] = first;
    uppers[level] = end;
    ends[level] = std::max(end, first + std::max<int64_t>(pipeline.getAtLeast()[level], 1));
  }
  static mlir::AffineMap mapOf(mlir::Attribute attribute) {
    return llvm::cast<mlir::AffineMapAttr>(attribute).getValue();
  }

  PipelineOp pipeline;
  llvm::SmallVector<int64_t> values; // bound operands, then counters
  size_t operands;
  llvm::SmallVector<int64_t> ends, uppers; // per level, with bubbles and without
};

/// The first iteration begins a cycle after the start; the end is when the last one ends.
std::optional<int64_t> Tracer::run(PipelineOp pipeline, int64_t start) {
  auto bounds = valuesOf(pipeline.getBoundOperands());
  if (!bounds || pipeline.getCondition())
    return std::nullopt;
  const Slice &slice = sliceOf(pipeline);
  std::vector<Known> fromOutside;
  for (mlir::Value value : slice.outside)
    fromOutside.push_back(valueOutside(value));
  unsigned levels = pipeline.getLevels();
  std::vector<Known> slots(levels + slice.steps.size());
  uint64_t effort = 1 + slice.steps.size() + slice.accesses.size();
  Nest nest(pipeline, *bounds);
  int64_t issue = start + 1;
  auto valueOf = [&](const Slice::Source &source) -> Known {
    return source.kind == Slice::Source::Kind::Slot      ? slots[source.index]
           : source.kind == Slice::Source::Kind::Outside ? fromOutside[source.index]
                                                         : std::nullopt;
  };
  for (;; issue += int64_t(pipeline.getInterval())) {
    if (stepsLeft < effort)
      return std::nullopt;
    stepsLeft -= effort;
    if (!nest.isBubble()) {
      for (unsigned level = 0; level < levels; ++level)
        slots[level] = uint64_t(nest.counter(level));
      compute(slice, fromOutside, slots);
      for (const Slice::Access &access : slice.accesses) {
        if (access.condition && valueOf(*access.condition) == Known(0))
          continue;
        Known address = access.address ? valueOf(*access.address) : Known(0);
        WordTimes &word = address && *address < uint64_t(access.bankWords)
                              ? (*access.words)[size_t(access.firstWord) + *address]
                              : access.anywhere->front();
        word.add(issue + access.start, access.isWrite);
      }
    }
    if (!nest.advance())
      return issue + int64_t(pipeline.getDepth()) - 1;
  }
}

/// A turn begins a cycle after the end of the one before.
std::optional<int64_t> Tracer::run(RepeatOp repeat, int64_t start) {
  auto operands = valuesOf(repeat.getBoundOperands());
  if (!operands || repeat.getCondition())
    return std::nullopt;
  int64_t first = INT64_MIN, end = INT64_MAX;
  for (mlir::AffineExpr bound : repeat.getLowerBound().getResults())
    first = std::max(first, valueOf(bound, *operands));
  for (mlir::AffineExpr bound : repeat.getUpperBound().getResults())
    end = std::min(end, valueOf(bound, *operands));
  for (int64_t value = first; value < end; ++value) {
    outside[repeat.getCounter()] = uint64_t(value);
    std::optional<int64_t> turn = run(repeat.getTasks(), start + 1);
    if (!turn)
      return std::nullopt;
    start = *turn;
  }
  return start;
}

std::optional<int64_t> Tracer::run(TasksOp tasks, int64_t start) {
  llvm::StringMap<int64_t> ends;
  int64_t last = start;
  for (mlir::Operation &task : tasks.getBody().front()) {
    int64_t from = start;
    for (llvm::StringRef name : predecessorsOf(&task))
      from = std::max(from, ends.lookup(name));
    auto repeat = llvm::dyn_cast<RepeatOp>(task);
    std::optional<int64_t> end =
        repeat ? run(repeat, from) : run(llvm::cast<PipelineOp>(task), from);
    if (!end)
      return std::nullopt;
    ends[nameOf(&task)] = *end;
    last = std::max(last, *end);
  }
  return last;
}

std::optional<AccessTimes> Tracer::trace() {
  if (!kernel.getOps<FifoOp>().empty()) // tasks wait for each other's tokens
    return std::nullopt;
  std::optional<int64_t> end = run(kernel.getTasks(), 0);
  if (!end)
    return std::nullopt;
  for (auto &[argument, all] : words)
    for (WordTimes &word : all) {
      const WordTimes &every = anywhere[argument].front();
      word.firstRead = std::min(word.firstRead, every.firstRead);
      word.lastRead = std::max(word.lastRead, every.lastRead);
      word.firstWrite = std::min(word.firstWrite, every.firstWrite);
      word.lastWrite = std::max(word.lastWrite, every.lastWrite);
    }
  return AccessTimes{std::move(words), uint64_t(std::max<int64_t>(*end, 1))};
}

} // namespace

std::optional<AccessTimes> accessTimes(KernelOp kernel, const std::map<uint32_t, int64_t> &scalars,
                                       uint64_t mostSteps) {
  return Tracer(kernel, scalars, mostSteps).trace();
}

} // namespace spindle::hls
