// From spikes in words to events: what a layer is given.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
  WordMath math(program, point);
  Value word = point.load(array, {point.dimension(0), point.dimension(1)});
  Value isLast = math.compare(arith::CmpIPredicate::eq, inner.getInductionVar(),
                              program.position(layout.groups - 1));
  Value mark =
      math.select(isLast, math.number(layout.bits, layout.mark()), math.number(layout.bits, 0));
  math.write(math.either(word, mark), spikes.words[0]);
  return spikes;
}

namespace {

/// The lowest bit of a word in every cycle, and another word in the cycle after the last one. What
/// decides about the next cycle is short: the rest of the new word and of the one at hand are
/// computed side by side.
class Serializer {
public:
  Serializer(ProgramBuilder &builder, const SpikeStreams &source, Value to)
      : program(builder), spikes(source), layout(source.layout), events(to) {}

  void emit(Location location) {
    auto zero = [&](unsigned bits) { return program.constant(program.integer(bits), 0); };
    unsigned number = layout.eventBits();
    Value first[] = {zero(layout.bits), zero(number), zero(number),
                     zero(std::bit_width(uint64_t(layout.streams))),
                     zero(std::bit_width(uint64_t(program.options.steps)))};
    emitWhile(
        program, location, first,
        [&](const NestPoint &point, ValueRange carried) {
          WordMath math(program, point);
          return math.either(math.differs(carried[kStep], program.options.steps),
                             math.differs(carried[kPending], 0));
        },
        [&](const NestPoint &point, ValueRange carried) { return next(point, carried); });
  }

private:
  /// What is carried: bits of the word that are left, the first elements of this word and of the
  /// next one, the stream of the next one, and steps of which all words are read.
  enum : unsigned { kPending, kFirst, kNextFirst, kStream, kStep };

  Carried next(const NestPoint &point, ValueRange carried) {
    WordMath math(program, point);
    Value isNew = math.equals(carried[kPending], 0);
    auto [word, rest] = wordAndRest(math, isNew, carried);
    Value lowest = math.exclusive(word, rest);
    Value first = math.select(isNew, carried[kNextFirst], carried[kFirst]);
    math.only(math.differs(word, 0), [&](const NestPoint &inside) {
      WordMath there(program, inside);
      Value position = there.widen(positionOf(there, lowest), layout.eventBits());
      there.write(there.add(first, position), events);
    });
    Value isLast = math.equals(carried[kNextFirst], layout.lastFirst());
    Value isLastStream = math.equals(carried[kStream], layout.streams - 1);
    Value behind = math.select(isLast, math.constant(first, 0),
                               math.add(carried[kNextFirst], distance(math, isLastStream)));
    Value stream = math.select(isLastStream, math.constant(carried[kStream], 0),
                               math.add(carried[kStream], math.constant(carried[kStream], 1)));
    Value step = math.add(carried[kStep], math.constant(carried[kStep], 1));
    return {rest, first, math.select(isNew, behind, carried[kNextFirst]),
            math.select(isNew, stream, carried[kStream]),
            math.select(math.both(isNew, isLast), step, carried[kStep])};
  }

  /// The word at hand, a new one where that is empty, and it without its lowest bit.
  std::pair<Value, Value> wordAndRest(const WordMath &math, Value isNew, ValueRange carried) {
    auto yield = [&](OpBuilder &builder, Location location, auto wordIn) {
      NestPoint inside{builder, location, {}};
      WordMath there(program, inside);
      Value word = wordIn(there);
      Value rest = there.both(word, there.subtract(word, there.number(layout.bits, 1)));
      scf::YieldOp::create(builder, location, ValueRange{word, rest});
    };
    auto branch = scf::IfOp::create(
        math.point.builder, math.point.location, isNew,
        [&](OpBuilder &builder, Location location) {
          yield(builder, location,
                [&](const WordMath &there) { return readFrom(there, 0, carried[kStream]); });
        },
        [&](OpBuilder &builder, Location location) {
          yield(builder, location, [&](const WordMath &) { return Value(carried[kPending]); });
        });
    return {branch.getResult(0), branch.getResult(1)};
  }

  /// The next word of the stream with that number, which is `stream` or a later one.
  Value readFrom(const WordMath &math, size_t stream, Value number) {
    auto read = [&](OpBuilder &builder, Location location) -> Value {
      return hls::ReadOp::create(builder, location, program.integer(layout.bits),
                                 spikes.words[stream]);
    };
    if (stream + 1 == spikes.words.size())
      return read(math.point.builder, math.point.location);
    auto branch = scf::IfOp::create(
        math.point.builder, math.point.location, math.equals(number, int64_t(stream)),
        [&](OpBuilder &builder, Location location) {
          scf::YieldOp::create(builder, location, read(builder, location));
        },
        [&](OpBuilder &builder, Location location) {
          NestPoint inside{builder, location, {}};
          scf::YieldOp::create(builder, location,
                               readFrom(WordMath(program, inside), stream + 1, number));
        });
    return branch.getResult(0);
  }

  /// From the first element of a word to that of the next one.
  Value distance(const WordMath &math, Value isLastStream) {
    unsigned bits = layout.eventBits();
    int64_t behind = layout.lanes - (layout.streams - 1) * int64_t(layout.bits);
    if (layout.streams == 1)
      return math.number(bits, layout.lanes);
    return math.select(isLastStream, math.number(bits, behind), math.number(bits, layout.bits));
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
