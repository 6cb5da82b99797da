#include "dialects/hls/interpreter/PipelineRun.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::hls {

using Source = PipelineCode::Source;

PipelineRun::PipelineRun(const PipelineCode &compiled, std::vector<uint64_t> values,
                         std::vector<int64_t> bounds, int64_t startCycle)
    : code(compiled), outside(std::move(values)), counters(std::move(bounds)),
      operands(counters.size()), nextIssue(startCycle + 1) {
  size_t levels = code.lower.size();
  counters.resize(operands + levels);
  ends.resize(levels);
  uppers.resize(levels);
  for (size_t level = 0; level < levels; ++level)
    enter(level);
}

/// Sets the counter of a level to its first value.
void PipelineRun::enter(size_t level) {
  auto known = llvm::ArrayRef<int64_t>(counters).take_front(operands + level);
  int64_t first = INT64_MIN, end = INT64_MAX;
  for (mlir::AffineExpr bound : code.lower[level].getResults())
    first = std::max(first, valueOf(bound, known));
  for (mlir::AffineExpr bound : code.upper[level].getResults())
    end = std::min(end, valueOf(bound, known));
  PipelineOp pipeline = code.pipeline;
  counters[operands + level] = first;
  uppers[level] = end;
  ends[level] = std::max(end, first + std::max<int64_t>(pipeline.getAtLeast()[level], 1));
}

/// To the next iteration; false after the last one.
bool PipelineRun::advance() {
  size_t level = ends.size();
  while (level > 0 && counters[operands + level - 1] + 1 >= ends[level - 1])
    --level;
  if (level == 0)
    return false;
  ++counters[operands + level - 1];
  for (; level < ends.size(); ++level)
    enter(level);
  return true;
}

PipelineRun::Frame PipelineRun::makeFrame(int64_t cycle) const {
  Frame frame{cycle, std::vector<uint64_t>(code.ready.size()), {}, false};
  for (size_t level = 0; level < ends.size(); ++level) {
    frame.slots[level] = static_cast<uint64_t>(counters[operands + level]);
    frame.isBubble |= counters[operands + level] >= uppers[level];
  }
  for (size_t position = 0; position < code.yielded.size(); ++position) {
    const Source &before = code.yielded[position];
    bool isFirst = frames.empty();
    Carried carried{-1, 0};
    if (isFirst)
      carried.value = outside[code.initial[position].index];
    else if (before.kind == Source::Kind::Outside)
      carried.value = outside[before.index];
    else if (before.kind == Source::Kind::Carried)
      carried = frames.back().carried[before.index];
    else
      carried = {firstFrame + static_cast<int64_t>(frames.size()) - 1, before.index};
    frame.carried.push_back(carried);
  }
  return frame;
}

/// A value that is there when the iteration begins, before it has begun.
llvm::Expected<uint64_t> PipelineRun::foresee(const Source &source, const Frame &frame,
                                              int64_t cycle) {
  if (source.kind != Source::Kind::Slot || code.stepOf[source.index] < 0) {
    uint64_t value = 0;
    if (!fetch(source, frame, cycle, value))
      return tooEarly(source, frame, "hls.pop", cycle);
    return value;
  }
  const PipelineCode::Step &step = code.steps[static_cast<size_t>(code.stepOf[source.index])];
  if (step.start > 0 || step.unit)
    return checkError(place(), fmt::format("operation 'hls.pop' depends on '{}', which is there in "
                                           "cycle {} of the iteration",
                                           code.makers[source.index], code.ready[source.index]));
  if (step.fifo)
    return step.fifo->hasToken() ? step.fifo->head() : 0;
  if (step.memory)
    return step.memory->load({step.op, step.bank, -1, 0, false});
  llvm::SmallVector<uint64_t, 8> values;
  for (const Source &operand : step.operands) {
    SPINDLE_ASSIGN(uint64_t value, foresee(operand, frame, cycle));
    values.push_back(value);
  }
  return step.function(values.data());
}

/// The tokens that it takes are there, and room for those that it may put anywhere.
llvm::Expected<PipelineRun::Lack> PipelineRun::lackOf(const Frame &frame, int64_t cycle) {
  for (size_t place : code.streamSteps) {
    const PipelineCode::Step &step = code.steps[place];
    if (step.isStore ? step.fifo->hasRoom() : step.fifo->hasToken())
      continue;
    if (step.isStore)
      return Lack::Room;
    if (!step.hasCondition)
      return Lack::Token;
    SPINDLE_ASSIGN(uint64_t takes, foresee(step.operands.back(), frame, cycle));
    if (takes & 1)
      return Lack::Token;
  }
  return Lack::Nothing;
}

/// Begins an iteration, or leaves a bubble where it has to wait.
llvm::Error PipelineRun::issue(int64_t cycle) {
  PipelineOp pipeline = code.pipeline;
  nextIssue = cycle + static_cast<int64_t>(pipeline.getInterval());
  Frame frame = makeFrame(cycle);
  SPINDLE_ASSIGN(Lack lack, lackOf(frame, cycle));
  if (lack != Lack::Nothing) {
    ++(lack == Lack::Token ? used.withoutToken : used.withoutRoom);
    return llvm::Error::success();
  }
  ++used.iterations;
  frames.push_back(std::move(frame));
  if (!code.decision && !advance())
    done = cycle + static_cast<int64_t>(pipeline.getDepth()) - 1;
  return llvm::Error::success();
}

llvm::Error PipelineRun::step(int64_t cycle) {
  if (!done && cycle == nextIssue)
    SPINDLE_RETURN_IF_ERROR(issue(cycle));
  for (size_t position = finished; position < frames.size(); ++position) {
    Frame &frame = frames[position];
    while (frame.next < code.steps.size() && frame.issue + code.steps[frame.next].start == cycle)
      SPINDLE_RETURN_IF_ERROR(execute(code.steps[frame.next++], frame, cycle));
  }
  if (code.decision && !done && !frames.empty() &&
      cycle == frames.back().issue + code.decision->cycle)
    SPINDLE_RETURN_IF_ERROR(decide(cycle));
  while (finished < frames.size() && frames[finished].next == code.steps.size())
    ++finished;
  while (finished > code.history + 1) {
    frames.pop_front();
    ++firstFrame;
    --finished;
  }
  return llvm::Error::success();
}

/// Whether the iteration that began last is the last one.
llvm::Error PipelineRun::decide(int64_t cycle) {
  PipelineOp pipeline = code.pipeline;
  const Frame &last = frames.back();
  uint64_t goesOn = 0;
  if (!fetch(code.decision->condition, last, cycle, goesOn))
    return tooEarly(code.decision->condition, last, "hls.yield", cycle);
  if (!(goesOn & 1))
    done = last.issue + static_cast<int64_t>(pipeline.getDepth()) - 1;
  return llvm::Error::success();
}

std::string PipelineRun::place() const {
  PipelineOp pipeline = code.pipeline;
  return "pipeline " + pipeline.getName().str();
}

/// The iteration that makes what a source of another one names, and in which slot.
const PipelineRun::Frame &PipelineRun::makerOf(const Source &source, const Frame &frame,
                                               uint64_t &slot) const {
  slot = source.index;
  if (source.kind != Source::Kind::Carried)
    return frame;
  const Carried &carried = frame.carried[source.index];
  slot = carried.value;
  return frames[static_cast<size_t>(carried.iteration - firstFrame)];
}

/// False where it is not there yet.
bool PipelineRun::fetch(const Source &source, const Frame &frame, int64_t cycle,
                        uint64_t &value) const {
  if (source.kind == Source::Kind::Outside) {
    value = outside[source.index];
    return true;
  }
  if (source.kind == Source::Kind::Carried && frame.carried[source.index].iteration < 0) {
    value = frame.carried[source.index].value;
    return true;
  }
  uint64_t slot;
  const Frame &maker = makerOf(source, frame, slot);
  value = maker.slots[slot];
  return maker.issue + code.ready[slot] <= cycle;
}

llvm::Error PipelineRun::tooEarly(const Source &source, const Frame &frame, llvm::StringRef user,
                                  int64_t cycle) const {
  uint64_t slot;
  const Frame &maker = makerOf(source, frame, slot);
  return checkError(place(), fmt::format("operation '{}' uses the result of '{}' in cycle {}, "
                                         "there in cycle {}",
                                         user.str(), code.makers[slot], cycle,
                                         maker.issue + code.ready[slot]));
}

llvm::Error PipelineRun::takeUnit(const PipelineCode::Step &step, int64_t cycle) {
  UnitState &unit = *step.unit;
  if (cycle < unit.freeFrom)
    return checkError(place(),
                      fmt::format("operation '{}' takes unit {} in cycle {}, which '{}' "
                                  "has until cycle {}",
                                  step.op->getName().getStringRef().str(), unit.name, cycle,
                                  unit.user->getName().getStringRef().str(), unit.freeFrom - 1));
  unit.freeFrom = cycle + unit.interval;
  unit.user = step.op;
  return llvm::Error::success();
}

llvm::Error PipelineRun::access(const PipelineCode::Step &step, Frame &frame,
                                llvm::ArrayRef<uint64_t> values, int64_t cycle) {
  bool acts = !step.hasCondition || values.back();
  if (!acts) {
    if (!step.isStore)
      frame.slots[step.result] = step.memory->undefinedValue();
    return llvm::Error::success();
  }
  if (frame.isBubble && !step.readsRegister)
    return checkError(place(), fmt::format("operation '{}' acts in a bubble in cycle {}",
                                           step.op->getName().getStringRef().str(), cycle));
  int64_t word = step.hasAddress ? static_cast<int64_t>(values[step.isStore ? 1 : 0]) : 0;
  Access access{step.op, step.bank, step.port, word, step.isStore};
  SPINDLE_RETURN_IF_ERROR(step.memory->claim(access, cycle));
  if (step.isStore)
    step.memory->store(access, values.front());
  else
    frame.slots[step.result] = step.memory->load(access);
  return llvm::Error::success();
}

llvm::Error PipelineRun::moveToken(const PipelineCode::Step &step, Frame &frame,
                                   llvm::ArrayRef<uint64_t> values, int64_t cycle) {
  bool acts = !step.hasCondition || (values.back() & 1);
  if (!acts)
    return llvm::Error::success();
  if (frame.isBubble)
    return checkError(place(), fmt::format("operation '{}' acts in a bubble in cycle {}",
                                           step.op->getName().getStringRef().str(), cycle));
  if (step.isStore) {
    step.fifo->push(values.front());
    return llvm::Error::success();
  }
  if (!step.fifo->hasToken())
    return checkError(place(), fmt::format("operation 'hls.pop' finds @{} empty in cycle {}",
                                           step.fifo->name, cycle));
  frame.slots[step.result] = step.fifo->head();
  step.fifo->pop();
  return llvm::Error::success();
}

llvm::Error PipelineRun::execute(const PipelineCode::Step &step, Frame &frame, int64_t cycle) {
  if (done && cycle > *done)
    return checkError(place(), fmt::format("operation '{}' starts in cycle {}, after the end of "
                                           "the pipeline in cycle {}",
                                           step.op->getName().getStringRef().str(), cycle, *done));
  llvm::SmallVector<uint64_t, 8> values;
  for (const Source &source : step.operands) {
    uint64_t value = 0;
    if (!fetch(source, frame, cycle, value))
      return tooEarly(source, frame, step.op->getName().getStringRef(), cycle);
    values.push_back(value);
  }
  if (step.unit)
    SPINDLE_RETURN_IF_ERROR(takeUnit(step, cycle));
  if (step.memory)
    return access(step, frame, values, cycle);
  if (step.fifo)
    return moveToken(step, frame, values, cycle);
  frame.slots[step.result] = step.function(values.data());
  return llvm::Error::success();
}

} // namespace spindle::hls
