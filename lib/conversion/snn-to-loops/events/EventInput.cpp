// From spikes in words to events: what a layer is given.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>
#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

/// Tokens that a stream holds: events run ahead of the layer that takes them.
static constexpr int64_t kEventDepth = 16;

SpikeStreams takeInput(ProgramBuilder &program, const std::string &name, const SpikeWords &layout) {
  Value words = program.streamArgument(
      layout.port(name + ".spikes", ArrayRole::Input, name, program.options.steps));
  return {layout, {words}, {}, false, /*isMarked=*/false};
}

namespace {

/// The lowest bit of a word in every cycle, and another word in the cycle after the last one. What
/// decides about the next cycle is short: the rest of the new word and of the one at hand are
/// computed side by side.
class Serializer {
public:
  Serializer(ProgramBuilder &builder, const SpikeStreams &source, const EventNumbers &events,
             const std::string &name, const std::string &tables, Value to)
      : program(builder), spikes(source), layout(source.layout), numbers(events), layer(name),
        stream(to) {
    if (layout.words() > 1)
      bases = program.constants(tables + ".first", {layout.words()}, numbers.bits(), numbers.base);
  }

  void emit(Location location) {
    auto zero = [&](int64_t most) {
      return program.constant(program.integer(unsigned(std::bit_width(uint64_t(most)))), 0);
    };
    Carried first = steps.first();
    first.append({program.constant(program.integer(layout.bits), 0), zero(layout.words()),
                  zero(layout.words()), zero(layout.streams)});
    emitWhile(
        program, location, layer, first,
        [&](const NestPoint &point, ValueRange carried) {
          WordMath math(program, point);
          return math.either(steps.goes(point, carried), math.differs(carried[kPending], 0));
        },
        [&](const NestPoint &point, ValueRange carried) { return next(point, carried); });
  }

private:
  /// What is carried behind step and sample of the next word: bits of the word that are left, the
  /// numbers of this word and of the next one, and the stream of the next one.
  enum : unsigned { kPending = 2, kWord, kNext, kStream };

  Carried next(const NestPoint &point, ValueRange carried) {
    WordMath math(program, point);
    Value isNew = math.equals(carried[kPending], 0);
    auto [bits, rest, word] = wordAndRest(math, isNew, carried);
    Value lowest = math.exclusive(bits, rest);
    Value isEnd =
        math.both(math.equals(word, layout.words() - 1), math.bit(lowest, layout.markAt()));
    math.only(math.differs(bits, 0), [&, &only = lowest](const NestPoint &inside) {
      WordMath there(program, inside);
      there.write(numberOf(there, word, only, isEnd), stream);
    });
    Value isLast = math.equals(spikes.isNumbered ? word : carried[kNext], layout.words() - 1);
    if (spikes.record)
      math.only(isNew, [&, &all = bits](const NestPoint &inside) {
        WordMath there(program, inside);
        there.write(there.exclusive(all, markIf(there, isLast)), spikes.record);
      });
    Value isLastStream = math.equals(carried[kStream], layout.streams - 1);
    Value behind = math.select(isLast, math.constant(word, 0),
                               math.add(carried[kNext], math.constant(word, 1)));
    Value other = math.select(isLastStream, math.constant(carried[kStream], 0),
                              math.add(carried[kStream], math.constant(carried[kStream], 1)));
    Carried made = steps.next(math, carried, math.both(isNew, isLast));
    made.append({rest, word, math.select(isNew, behind, carried[kNext]),
                 math.select(isNew, other, carried[kStream])});
    return made;
  }

  Value markIf(const WordMath &math, Value isLast) {
    return math.select(isLast, math.number(layout.bits, layout.mark()),
                       math.number(layout.bits, 0));
  }

  /// Of the only bit that is set.
  Value numberOf(const WordMath &math, Value word, Value lowest, Value isEnd) {
    unsigned bits = numbers.bits();
    Value position = math.widen(positionOf(math, lowest), bits);
    Value number = position;
    if (bases) {
      Value base =
          memref::LoadOp::create(math.point.builder, math.point.location, bases, math.index(word));
      number = math.add(base, position);
    } else if (numbers.base[0] != 0) {
      number = math.add(math.number(bits, numbers.base[0]), position);
    }
    if (numbers.base.back() + layout.markAt() == numbers.end)
      return number;
    return math.select(isEnd, math.number(bits, numbers.end), number);
  }

  /// The word at hand, a new one where that is empty, it without its lowest bit, and its number.
  std::array<Value, 3> wordAndRest(const WordMath &math, Value isNew, ValueRange carried) {
    auto yield = [&](OpBuilder &builder, Location location, auto wordIn) {
      NestPoint inside{builder, location, {}};
      WordMath there(program, inside);
      auto [word, number] = wordIn(there);
      Value rest = there.both(word, there.subtract(word, there.number(layout.bits, 1)));
      scf::YieldOp::create(builder, location, ValueRange{word, rest, number});
    };
    using Numbered = std::pair<Value, Value>;
    auto branch = scf::IfOp::create(
        math.point.builder, math.point.location, isNew,
        [&](OpBuilder &builder, Location location) {
          yield(builder, location, [&](const WordMath &there) -> Numbered {
            Value token = there.readOneOf(spikes.words, carried[kStream]);
            if (!spikes.isMarked)
              token = there.either(token,
                                   markIf(there, there.equals(carried[kNext], layout.words() - 1)));
            if (!spikes.isNumbered)
              return {token, carried[kNext]};
            unsigned wide = carried[kWord].getType().getIntOrFloatBitWidth();
            return {there.resize(token, layout.bits),
                    there.widen(there.shiftRight(token, layout.bits), wide)};
          });
        },
        [&](OpBuilder &builder, Location location) {
          yield(builder, location,
                [&](const WordMath &) -> Numbered { return {carried[kPending], carried[kWord]}; });
        });
    return {branch.getResult(0), branch.getResult(1), branch.getResult(2)};
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
  const EventNumbers &numbers;
  const std::string &layer;
  Value stream, bases;
  StepCounter steps{program};
};

} // namespace

Value emitEvents(ProgramBuilder &program, Location location, const std::string &layer,
                 const SpikeStreams &spikes, const EventNumbers &numbers,
                 const std::string &source) {
  std::string name = source.empty() ? layer : layer + "." + source;
  Value events = program.stream(name + ".events", kEventDepth, numbers.bits());
  Serializer(program, spikes, numbers, layer, name, events).emit(location);
  return events;
}

} // namespace spindle::snn_to_loops
