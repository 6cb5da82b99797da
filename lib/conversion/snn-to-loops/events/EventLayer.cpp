// A layer that takes events: each adds a row of weights to the sums of all lanes; at the end of a
// step the neurons spike and are reset.
#include "lib/conversion/snn-to-loops/events/synapses/Synapses.h"

#include "dialects/hls/Hls.h"

#include <bit>
#include <optional>

using namespace mlir;

namespace spindle::snn_to_loops {

/// A step's spikes are a few words, which the reader takes while the next step is summed up.
static constexpr int64_t kSpikeDepth = 4;

namespace {

class EventLayer {
public:
  EventLayer(ProgramBuilder &builder, Synapses &weights, EventNeurons &cells, Value stream,
             const HardwareLayer &described)
      : program(builder), synapses(weights), neurons(cells), events(stream), layer(described),
        groups(weights.grid.groups), eventBits(weights.eventBits()), steps(builder) {}

  SpikeStreams emit(Location location);

private:
  /// What is carried: step and sample, the group in its turn, the event of all groups, and the part
  /// of the end of a step that is next (of membranes that leak).
  struct State {
    ValueRange position;
    Value group, event, part;
  };
  State stateOf(ValueRange carried) const;
  bool hasGroups() const { return groups > 1; }
  bool repeatsEvents() const { return hasGroups() || neurons.leaks(); }
  Carried next(const NestPoint &point, const State &state);
  Value eventOf(const WordMath &math, const State &state) const;
  void declareOutputs();
  void send(const WordMath &math, ArrayRef<Value> spikes, Value group, Value isLastGroup);
  Value onlyNeurons(const WordMath &math, Value word, int64_t stream, Value group) const;
  Value inGrid(const WordMath &math, Value found, int64_t lane, Value group) const;

  ProgramBuilder &program;
  Synapses &synapses;
  EventNeurons &neurons;
  Value events;
  const HardwareLayer &layer;
  int64_t groups;
  unsigned eventBits;
  StepCounter steps;
  SmallVector<Value> words;
  std::optional<AnswerPorts> answer; // of neurons whose membranes are read
};

EventLayer::State EventLayer::stateOf(ValueRange carried) const {
  size_t n = 2;
  State state;
  state.position = carried.take_front(n);
  if (hasGroups())
    state.group = carried[n++];
  if (repeatsEvents())
    state.event = carried[n++];
  if (neurons.leaks())
    state.part = carried[n];
  return state;
}

/// A new event where all groups are done with the one at hand.
Value EventLayer::eventOf(const WordMath &math, const State &state) const {
  if (!repeatsEvents())
    return hls::ReadOp::create(math.point.builder, math.point.location, program.integer(eventBits),
                               events);
  Value isNew;
  for (Value counter : {state.group, state.part})
    if (counter) {
      Value isZero = math.equals(counter, 0);
      isNew = isNew ? math.both(isNew, isZero) : isZero;
    }
  return math.select(isNew, math.readIf(isNew, events), state.event);
}

/// Nothing in the groups in which a stream has no neurons.
Value EventLayer::onlyNeurons(const WordMath &math, Value word, int64_t stream, Value group) const {
  const SpikeWords &layout = synapses.words;
  for (int64_t number = 0; number < groups; ++number)
    if (layout.first[size_t(number * layout.streams + stream)] >= layout.elements)
      word = group ? math.select(math.equals(group, number), math.number(layout.bits, 0), word)
                   : math.number(layout.bits, 0);
  return word;
}

/// What a lane finds, or zero in a group in which it has no neuron while others have one.
Value EventLayer::inGrid(const WordMath &math, Value found, int64_t lane, Value group) const {
  const SpikeWords &layout = synapses.words;
  for (int64_t number = 0; group && number < groups; ++number) {
    bool isShared = layout.first[size_t(number * layout.streams + lane / layout.perWord)] <
                    layout.elements; // else onlyNeurons leaves out the whole word
    if (synapses.grid.at(lane, number) < 0 && (answer || isShared))
      found = math.select(math.equals(group, number), math.constant(found, 0), found);
  }
  return found;
}

/// The spikes of a group as words; on the last one the end of the step.
void EventLayer::send(const WordMath &math, ArrayRef<Value> spikes, Value group,
                      Value isLastGroup) {
  const SpikeWords &layout = synapses.words;
  Value none = math.number(layout.bits, 0);
  for (int64_t stream = 0; stream < layout.streams; ++stream) {
    Value word = none;
    for (int64_t bit = 0; bit < layout.perWord; ++bit)
      if (auto lane = size_t(stream * layout.perWord + bit); lane < spikes.size())
        word = math.either(word, math.shiftLeft(math.widen(spikes[lane], layout.bits), bit));
    word = onlyNeurons(math, word, stream, group);
    if (stream + 1 == layout.streams) {
      Value mark = math.number(layout.bits, layout.mark());
      word = math.either(word, isLastGroup ? math.select(isLastGroup, mark, none) : mark);
    }
    math.write(word, words[size_t(stream)]);
  }
}

Carried EventLayer::next(const NestPoint &point, const State &state) {
  WordMath math(program, point);
  Value event = eventOf(math, state);
  Value isStepEnd = math.equals(event, synapses.end()), isEnd = isStepEnd;
  Value isStart, isSum, isDone, isLastGroup;
  if (state.part) {
    isEnd = math.both(isStepEnd, math.equals(state.part, neurons.spikePart()));
    if (neurons.hasCurrent())
      isSum = math.both(isStepEnd, math.equals(state.part, 0));
    isStart = math.equals(state.part, neurons.parts() - 1);
    isDone = math.either(math.exclusive(isStepEnd, math.number(1, 1)), isStart);
  }
  if (state.group)
    isLastGroup = math.equals(state.group, groups - 1);
  Value isLastStep = steps.isLastStep(math, state.position);
  Value isFresh = math.both(isStart ? isStart : isStepEnd, isLastStep);

  synapses.take(math, event, state.group, isStepEnd);
  SmallVector<Value> found; // spikes or membranes
  for (int64_t lane = 0; lane < synapses.grid.lanes; ++lane) {
    Value isKept = synapses.isReached(lane);
    if (isKept)
      isKept = math.either(isKept, isStepEnd);
    Value update = neurons.update({math, lane, synapses.group(lane), isEnd, isStart, isFresh,
                                   isKept, synapses.weight(math, lane), isSum});
    found.push_back(inGrid(math, update, lane, state.group));
  }
  math.only(answer ? math.both(isEnd, isLastStep) : isEnd, [&](const NestPoint &inside) {
    WordMath there(program, inside);
    answer ? answer->write(there, found) : send(there, found, state.group, isLastGroup);
  });

  auto advance = [&](Value counter) { return math.add(counter, math.constant(counter, 1)); };
  Value isOver = isStepEnd;
  if (isLastGroup)
    isOver = math.both(isOver, isLastGroup);
  if (isStart)
    isOver = math.both(isOver, isStart);
  Carried made = steps.next(math, state.position, isOver);
  if (state.group) {
    Value zero = math.constant(state.group, 0);
    Value isLast = isLastGroup;
    if (!synapses.isForEachGroup) // groups have a turn at the end of a step alone
      isLast = math.either(isLast, math.exclusive(isStepEnd, math.number(1, 1)));
    Value other = math.select(isLast, zero, advance(state.group));
    made.push_back(isDone ? math.select(isDone, other, state.group) : other);
  }
  if (repeatsEvents())
    made.push_back(event);
  if (state.part)
    made.push_back(math.select(isDone, math.constant(state.part, 0), advance(state.part)));
  return made;
}

void EventLayer::declareOutputs() {
  if (!neurons.spikes()) {
    answer.emplace(program,
                   ValueWords::of(synapses.words, synapses.grid.lanes, layer.membraneBits, "answer",
                                  ArrayRole::Answer, layer.name),
                   AnswerKind::Membranes);
    return;
  }
  for (int64_t stream = 0; stream < synapses.words.streams; ++stream) {
    std::string number = synapses.words.streams == 1 ? "" : std::to_string(stream);
    words.push_back(program.streamToLayer(layer.name + ".words" + number, kSpikeDepth,
                                          program.options.steps * groups, synapses.words.bits));
  }
}

SpikeStreams EventLayer::emit(Location location) {
  declareOutputs();
  auto zero = [&](unsigned bits) { return program.constant(program.integer(bits), 0); };
  Carried first = steps.first();
  if (hasGroups())
    first.push_back(zero(std::bit_width(uint64_t(groups - 1))));
  if (repeatsEvents())
    first.push_back(zero(eventBits));
  if (neurons.leaks())
    first.push_back(zero(2));
  emitWhile(
      program, location, layer.name, first,
      [&](const NestPoint &point, ValueRange carried) { return steps.goes(point, carried); },
      [&](const NestPoint &point, ValueRange carried) { return next(point, stateOf(carried)); });
  if (answer)
    answer->finish(location, layer.name);
  return {synapses.words, words, {}};
}

} // namespace

SpikeStreams emitEventLayer(ProgramBuilder &program, Location location, Synapses &synapses,
                            EventNeurons &neurons, Value events, const HardwareLayer &layer) {
  return EventLayer(program, synapses, neurons, events, layer).emit(location);
}

} // namespace spindle::snn_to_loops
