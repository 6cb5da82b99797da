// The class of a sample: the place of its largest answer, the first of equals.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "dialects/hls/Hls.h"

using namespace mlir;

namespace spindle::snn_to_loops {

AnswerPorts::AnswerPorts(ProgramBuilder &builder, ValueWords ports, AnswerKind answers)
    : program(builder), words(std::move(ports)), kind(answers) {
  constexpr int64_t kAhead = 2; // the class takes an answer in each cycle
  for (const ValueWords::Part &part : words.parts)
    streams.push_back(program.options.classifies
                          ? program.stream(part.port.name, kAhead, part.port.bits)
                          : program.streamArgument(part.port));
}

void AnswerPorts::write(const WordMath &math, ArrayRef<Value> values) const {
  for (auto [part, stream] : llvm::zip(words.parts, streams))
    math.write(math.joined(values.slice(size_t(part.firstLane), size_t(part.port.perWord))),
               stream);
}

namespace {

/// An answer and its number.
struct Candidate {
  Value value, number;
};

/// The first one unless the second is larger.
Candidate largerOf(const WordMath &math, const Candidate &first, const Candidate &second) {
  Value keeps = math.isAtLeast(first.value, second.value);
  return {math.select(keeps, first.value, second.value),
          math.select(keeps, first.number, second.number)};
}

/// A tree of comparisons.
Candidate largestOf(const WordMath &math, ArrayRef<Candidate> all) {
  if (all.size() == 1)
    return all.front();
  size_t half = all.size() / 2;
  return largerOf(math, largestOf(math, all.take_front(half)),
                  largestOf(math, all.drop_front(half)));
}

} // namespace

void AnswerPorts::finish(Location location, const std::string &layer) const {
  if (!program.options.classifies)
    return;
  const HardwareArray &like = words.parts.front().port;
  int64_t groups = like.shape[1];
  unsigned valueBits = like.valueBits, bits = bitsFor(std::max<int64_t>(1, like.elements - 1));
  HardwareArray port{"class", ArrayRole::Class, layer, {1, 1}, bits, 1, 1, {0}};
  port.valueBits = bits;
  port.answer = kind;
  Value out = program.streamArgument(port);
  Value bestValue = program.local("class.answer", {1}, valueBits);
  Value bestNumber = program.local("class.number", {1}, bits);
  program.separate(bestValue, 0);
  program.separate(bestNumber, 0);
  emitForSamples(program, location, groups, [&](const NestPoint &point) {
    WordMath math(program, point);
    auto is = [&](int64_t group) {
      return math.compare(arith::CmpIPredicate::eq, point.counters[1], program.position(group));
    };
    SmallVector<Candidate> found;
    for (auto [part, stream] : llvm::zip(words.parts, streams)) {
      Value token =
          hls::ReadOp::create(point.builder, location, program.integer(part.port.bits), stream);
      for (int64_t lane = 0; lane < part.port.perWord; ++lane) {
        Value value = math.resize(math.shiftRight(token, lane * int64_t(valueBits)), valueBits);
        Value number = math.number(bits, 0);
        for (int64_t group = 0; group < groups; ++group) {
          int64_t element = part.port.first[size_t(group)] + lane * part.port.stride;
          bool isThere = element < like.elements;
          auto choose = [&](Value into, int64_t here) {
            Value constant = math.constant(into, here);
            return groups == 1 ? constant : math.select(is(group), constant, into);
          };
          if (isThere)
            number = choose(number, element);
          else // never the largest: the first one of a group is there
            value = choose(value, -(int64_t(1) << (valueBits - 1)));
        }
        found.push_back({value, number});
      }
    }
    Candidate best = largestOf(math, found);
    SmallVector<AffineExpr> at{point.builder.getAffineConstantExpr(0)};
    if (groups > 1) {
      Candidate before{point.load(bestValue, at), point.load(bestNumber, at)};
      Candidate both = largerOf(math, before, best);
      best = {math.select(is(0), best.value, both.value),
              math.select(is(0), best.number, both.number)};
      point.store(best.value, bestValue, at);
      point.store(best.number, bestNumber, at);
    }
    math.only(is(groups - 1),
              [&](const NestPoint &inside) { WordMath(program, inside).write(best.number, out); });
  });
}

} // namespace spindle::snn_to_loops
