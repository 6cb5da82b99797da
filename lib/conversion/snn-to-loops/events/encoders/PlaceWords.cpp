#include "lib/conversion/snn-to-loops/events/encoders/PlaceWords.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

/// Words run ahead of events: a step has many that are empty.
static constexpr int64_t kWordsAhead = 64;

KeptValues::KeptValues(ProgramBuilder &program, const std::string &layer, const SpikeWords &places,
                       const ValueWords &ports, ArrayRef<Value> streams)
    : words(ports), from(streams.begin(), streams.end()) {
  unsigned bits = ports.parts.front().port.valueBits;
  kept = program.local(layer + ".given", {places.perWord, places.groups}, bits);
  program.separate(kept, 0);
}

SmallVector<Value> KeptValues::take(const WordMath &math, Value isFirst, AffineExpr place) const {
  const NestPoint &point = math.point;
  SmallVector<Value> found;
  for (auto [part, stream] : llvm::zip(words.parts, from)) {
    Value word = math.readIf(isFirst, stream);
    unsigned bits = part.port.valueBits;
    for (int64_t number = 0; number < part.port.perWord; ++number) {
      AffineExpr at = point.builder.getAffineConstantExpr(part.firstLane + number);
      Value fresh = math.resize(math.shiftRight(word, number * bits), bits);
      Value value = math.select(isFirst, fresh, point.load(kept, {at, place}));
      point.store(value, kept, {at, place});
      found.push_back(value);
    }
  }
  return found;
}

unsigned placeBits(const SpikeWords &words) {
  return unsigned(std::bit_width(uint64_t(words.groups - 1)));
}

SpikeStreams emitPlaces(ProgramBuilder &program, Location location, const std::string &layer,
                        const SpikeWords &words, function_ref<Value(const PlaceWord &)> wordOf) {
  int64_t steps = program.options.steps;
  unsigned bits = words.bits + placeBits(words);
  Value stream = program.streamToLayer(layer + ".words", kWordsAhead, steps * words.groups, bits);
  SpikeStreams spikes{words, {stream}, {}, true};
  Value record;
  if (program.options.recordsSpikes)
    record = program.streamArgument(words.port(layer + ".spikes", ArrayRole::Spikes, layer, steps));
  auto emitOne = [&](const NestPoint &point) {
    WordMath math(program, point);
    Value step = point.counters[1], number = point.counters[2];
    auto is = [&](Value counter, int64_t value) {
      return math.compare(arith::CmpIPredicate::eq, counter, program.position(value));
    };
    Value word = wordOf({math, point.dimension(2), is(step, 0), step});
    Value isLast = is(number, words.groups - 1);
    if (words.markAt() < words.perWord) { // the last place has fewer elements
      Value there = math.number(words.bits, words.mark() - 1);
      word = math.select(isLast, math.both(word, there), word);
    }
    if (record)
      math.write(word, record);
    word = math.either(word, math.select(isLast, math.number(words.bits, words.mark()),
                                         math.number(words.bits, 0)));
    math.only(math.differs(word, 0), [&](const NestPoint &inside) {
      WordMath there(program, inside);
      Value place = arith::IndexCastOp::create(inside.builder, inside.location,
                                               program.integer(bits), number);
      there.write(there.either(there.shiftLeft(place, words.bits), there.widen(word, bits)),
                  spikes.words[0]);
    });
  };
  emitForSamples(program, location, {steps, words.groups}, emitOne, layer);
  return spikes;
}

} // namespace spindle::snn_to_loops
