#include "lib/conversion/snn-to-loops/events/Crossings.h"

#include "dialects/hls/Hls.h"
#include "lib/conversion/snn-to-loops/events/EventSource.h"

#include "fmt/format.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

/// Numbers run ahead of the process that takes them.
static constexpr int64_t kNumbersAhead = 16;
/// Words that are on their way from one process to the next.
static constexpr int64_t kWordsAhead = 8;

static Value zeroOf(ProgramBuilder &program, int64_t most) {
  return program.constant(program.integer(std::max(1u, unsigned(std::bit_width(uint64_t(most))))),
                          0);
}

namespace {

/// Takes the words of a group in an iteration, or a word that has its number with it.
class Fork {
public:
  Fork(ProgramBuilder &builder, const SpikeStreams &source, MutableArrayRef<SpikeStreams> readers)
      : program(builder), spikes(source), copies(readers), steps(builder) {}

  void emit(Location location, const std::string &layer) {
    Carried first = steps.first();
    if (hasGroups())
      first.push_back(zeroOf(program, spikes.layout.groups - 1));
    emitWhile(
        program, location, layer, first,
        [&](const NestPoint &point, ValueRange carried) { return steps.goes(point, carried); },
        [&](const NestPoint &point, ValueRange carried) { return next(point, carried); });
  }

private:
  bool hasGroups() const { return !spikes.isNumbered && spikes.layout.groups > 1; }

  Carried next(const NestPoint &point, ValueRange carried) {
    WordMath math(program, point);
    Value last;
    for (auto [number, stream] : llvm::enumerate(spikes.words)) {
      last = math.read(stream);
      for (SpikeStreams &copy : copies)
        math.write(last, copy.words[number]);
    }
    Value isOver = math.number(1, 1);
    if (spikes.isNumbered)
      isOver = endsStep(math, last);
    else if (hasGroups())
      isOver = math.equals(carried[2], spikes.layout.groups - 1);
    Carried made = steps.next(math, carried, isOver);
    if (hasGroups())
      made.push_back(math.select(isOver, math.constant(carried[2], 0),
                                 math.add(carried[2], math.constant(carried[2], 1))));
    return made;
  }

  /// The last word of a step has the mark.
  Value endsStep(const WordMath &math, Value token) const {
    Value isMarked = math.bit(token, spikes.layout.markAt());
    if (spikes.layout.words() == 1)
      return isMarked;
    Value number = math.shiftRight(token, spikes.layout.bits);
    return math.both(isMarked, math.equals(number, spikes.layout.words() - 1));
  }

  ProgramBuilder &program;
  const SpikeStreams &spikes;
  MutableArrayRef<SpikeStreams> copies;
  StepCounter steps;
};

} // namespace

SmallVector<SpikeStreams> emitFork(ProgramBuilder &program, Location location,
                                   const std::string &layer, const SpikeStreams &spikes,
                                   ArrayRef<int64_t> stepsAhead, size_t recorder) {
  SmallVector<SpikeStreams> copies;
  for (auto [number, ahead] : llvm::enumerate(stepsAhead)) {
    SpikeStreams copy = spikes;
    copy.record = number == recorder ? spikes.record : Value();
    for (auto [stream, words] : llvm::enumerate(copy.words)) {
      unsigned bits = cast<hls::StreamType>(words.getType()).getElement().getIntOrFloatBitWidth();
      int64_t perStep = spikes.isNumbered ? spikes.layout.words() : spikes.layout.groups;
      std::string name = fmt::format("{}.to{}", layer, number + 1);
      if (copy.words.size() > 1)
        name += fmt::format("_{}", stream);
      words = program.streamToLayer(name, ahead * perStep + kWordsAhead,
                                    program.options.steps * perStep, bits);
    }
    copies.push_back(std::move(copy));
  }
  Fork(program, spikes, copies).emit(location, layer);
  return copies;
}

void emitDrain(ProgramBuilder &program, Location location, const std::string &layer,
               const SpikeStreams &spikes) {
  EventNumbers numbers =
      EventSource::of(spikes.layout, [](int64_t element) { return element; }).numbers;
  Value events = emitEvents(program, location, layer, spikes, numbers, "unread");
  StepCounter steps(program);
  emitWhile(
      program, location, layer, steps.first(),
      [&](const NestPoint &point, ValueRange carried) { return steps.goes(point, carried); },
      [&](const NestPoint &point, ValueRange carried) {
        WordMath math(program, point);
        return steps.next(math, carried, math.equals(math.read(events), numbers.end));
      });
}

Value emitMerge(ProgramBuilder &program, Location location, const std::string &layer,
                ArrayRef<Value> events, int64_t end) {
  auto token = cast<IntegerType>(cast<hls::StreamType>(events.front().getType()).getElement());
  Value merged = program.stream(layer + ".merged", kNumbersAhead, token.getWidth());
  auto lastSource = int64_t(events.size()) - 1;
  StepCounter steps(program);
  Carried first = steps.first();
  first.push_back(zeroOf(program, lastSource));
  emitWhile(
      program, location, layer, first,
      [&](const NestPoint &point, ValueRange carried) { return steps.goes(point, carried); },
      [&](const NestPoint &point, ValueRange carried) {
        WordMath math(program, point);
        Value source = carried[2], event = math.readOneOf(events, source);
        Value isEnd = math.equals(event, end), isLast = math.equals(source, lastSource);
        Value isNumber = math.differs(event, end);
        math.only(math.either(isNumber, isLast),
                  [&](const NestPoint &inside) { WordMath(program, inside).write(event, merged); });
        Carried made = steps.next(math, carried, math.both(isEnd, isLast));
        Value behind = math.select(isLast, math.constant(source, 0),
                                   math.add(source, math.constant(source, 1)));
        made.push_back(math.select(isEnd, behind, source));
        return made;
      });
  return merged;
}

Value emitDelay(ProgramBuilder &program, Location location, const std::string &layer,
                const std::string &name, Value events, int64_t end, int64_t delay) {
  auto token = cast<IntegerType>(cast<hls::StreamType>(events.getType()).getElement());
  Value late = program.stream(name, kNumbersAhead, token.getWidth());
  int64_t steps = program.options.steps;
  delay = std::min(delay, steps);
  StepCounter turns(program, steps + delay); // the first ones are silent, the last ones left out
  emitWhile(
      program, location, layer, turns.first(),
      [&](const NestPoint &point, ValueRange carried) { return turns.goes(point, carried); },
      [&](const NestPoint &point, ValueRange carried) {
        WordMath math(program, point);
        Value turn = carried[0];
        auto isBefore = [&](int64_t bound) {
          return math.compare(arith::CmpIPredicate::ult, turn, math.constant(turn, bound));
        };
        Value isRead = math.exclusive(isBefore(delay), math.number(1, 1));
        Value event =
            math.select(isRead, math.readIf(isRead, events), math.number(token.getWidth(), end));
        math.only(isBefore(steps),
                  [&](const NestPoint &inside) { WordMath(program, inside).write(event, late); });
        return turns.next(math, carried, math.equals(event, end));
      });
  return late;
}

} // namespace spindle::snn_to_loops
