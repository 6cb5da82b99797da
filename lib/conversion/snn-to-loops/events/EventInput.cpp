// From spikes in words to events: what a layer is given.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

/// Tokens that streams hold: words run ahead of events, and events of the layer that takes them.
static constexpr int64_t kWordDepth = 16, kEventDepth = 16;

SpikeStreams emitInput(ProgramBuilder &program, Location location, const std::string &name,
                       const SpikeWords &layout) {
  int64_t steps = program.options.steps;
  Value array = program.argument(layout.port(name + ".spikes", ArrayRole::Input, name, steps, 0));
  SpikeStreams spikes{layout, {program.stream(name + ".words", kWordDepth, layout.bits)}};
  OpBuilder::InsertionGuard guard(program.body);
  auto outer = affine::AffineForOp::create(program.body, location, 0, steps);
  program.body.setInsertionPointToStart(outer.getBody());
  auto inner = affine::AffineForOp::create(program.body, location, 0, layout.groups);
  program.body.setInsertionPointToStart(inner.getBody());
  NestPoint point{program.body, location, {outer.getInductionVar(), inner.getInductionVar()}};
  Value word = point.load(array, {point.dimension(0), point.dimension(1)});
  WordMath(program, point).write(word, spikes.words[0]);
  return spikes;
}

namespace {

/// A word in every cycle in which the one before is empty, and its lowest bit in every cycle.
class Serializer {
public:
  Serializer(ProgramBuilder &builder, const SpikeStreams &source, Value to)
      : program(builder), spikes(source), layout(source.layout), events(to) {}

  void emit(Location location) {
    auto number = [&](unsigned bits) { return program.constant(program.integer(bits), 0); };
    Value first[] = {number(layout.bits), number(layout.eventBits()),
                     number(std::bit_width(uint64_t(layout.streams))),
                     number(std::bit_width(uint64_t(program.options.steps)))};
    emitWhile(
        program, location, first,
        [&](const NestPoint &point, ValueRange carried) {
          return WordMath(program, point).differs(carried[kStep], program.options.steps);
        },
        [&](const NestPoint &point, ValueRange carried) { return next(point, carried); });
  }

private:
  /// What is carried: bits of the word that are left, the first element of the word, its stream,
  /// and steps that are over.
  enum : unsigned { kPending, kFirst, kStream, kStep };

  Carried next(const NestPoint &point, ValueRange carried) {
    WordMath math(program, point);
    Value isLast = math.equals(carried[kFirst], layout.lastFirst());
    Value word = refilled(math, carried, isLast);
    Value rest = math.both(word, math.subtract(word, math.number(layout.bits, 1)));
    Value lowest = math.exclusive(word, rest);
    math.only(math.differs(word, 0), [&](const NestPoint &inside) {
      WordMath there(program, inside);
      there.write(
          there.add(carried[kFirst], there.widen(positionOf(there, lowest), layout.eventBits())),
          events);
    });
    Value isDone = math.equals(rest, 0);
    Value ends = math.both(isDone, isLast);
    Value isLastStream = math.equals(carried[kStream], layout.streams - 1);
    Value stream = math.select(isLastStream, math.constant(carried[kStream], 0),
                               math.add(carried[kStream], math.constant(carried[kStream], 1)));
    Value step = math.add(carried[kStep], math.constant(carried[kStep], 1));
    return {
        rest,
        math.select(ends, math.constant(carried[kFirst], 0),
                    math.select(isDone, nextFirst(math, carried, isLastStream), carried[kFirst])),
        math.select(isDone, stream, carried[kStream]), math.select(ends, step, carried[kStep])};
  }

  /// The bits that are left, or those of the next word; the end of the step is in the last one.
  Value refilled(const WordMath &math, ValueRange carried, Value isLast) {
    Value isEmpty = math.equals(carried[kPending], 0);
    Value mark =
        math.number(layout.bits, int64_t(uint64_t(1) << (layout.end() - layout.lastFirst())));
    Value none = math.number(layout.bits, 0);
    Value word =
        math.either(carried[kPending], math.select(math.both(isEmpty, isLast), mark, none));
    for (auto [number, stream] : llvm::enumerate(spikes.words)) {
      Value reads = layout.streams == 1
                        ? isEmpty
                        : math.both(isEmpty, math.equals(carried[kStream], int64_t(number)));
      word = math.either(word, math.readIf(reads, stream));
    }
    return word;
  }

  Value nextFirst(const WordMath &math, ValueRange carried, Value isLastStream) {
    unsigned bits = layout.eventBits();
    int64_t behind = layout.lanes - (layout.streams - 1) * int64_t(layout.bits);
    Value distance = layout.streams == 1 ? math.number(bits, layout.lanes)
                                         : math.select(isLastStream, math.number(bits, behind),
                                                       math.number(bits, layout.bits));
    return math.add(carried[kFirst], distance);
  }

  /// Of the only bit that is set: digit d is one where it is among those with this digit.
  Value positionOf(const WordMath &math, Value only) {
    unsigned digits = std::max(1, int(std::bit_width(layout.bits - 1)));
    Value position;
    for (unsigned digit = 0; digit < digits; ++digit) {
      uint64_t mask = 0;
      for (unsigned bit = 0; bit < layout.bits; ++bit)
        mask |= uint64_t(bit >> digit & 1) << bit;
      Value isOne = math.differs(math.both(only, math.number(layout.bits, int64_t(mask))), 0);
      Value term = math.shiftLeft(math.widen(isOne, digits), digit);
      position = position ? math.either(position, term) : term;
    }
    return position;
  }

  ProgramBuilder &program;
  const SpikeStreams &spikes;
  const SpikeWords &layout;
  Value events;
};

} // namespace

Value emitEvents(ProgramBuilder &program, Location location, const std::string &name,
                 const SpikeStreams &spikes) {
  Value events = program.stream(name + ".events", kEventDepth, spikes.layout.eventBits());
  Serializer(program, spikes, events).emit(location);
  return events;
}

} // namespace spindle::snn_to_loops
