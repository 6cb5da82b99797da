// The answer of the network from the spikes of the last layer, in words.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "dialects/hls/Hls.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

class Answer {
public:
  Answer(ProgramBuilder &builder, const SpikeStreams &source, bool areCounted,
         const std::string &layer, bool isRecorded)
      : program(builder), spikes(source), layout(source.layout), counts(areCounted),
        steps(builder.options.steps), bits(bitsFor(steps)),
        lanes(layout.groups > 1 ? lanesOf(layout) : layout.elements),
        answer(builder, ValueWords::of(layout, lanes, bits, "answer", ArrayRole::Answer, ""),
               areCounted ? AnswerKind::Counts : AnswerKind::FirstSpikes) {
    for (int64_t stream = 0; isRecorded && stream < layout.streams; ++stream)
      records.push_back(program.streamArgument(
          layout.port(layer + ".spikes", ArrayRole::Spikes, layer, steps, stream)));
    values = program.local("answer.values", {lanes, layout.groups}, bits);
    program.separate(values, 0);
    if (layout.groups == 1)
      program.separate(values, 1);
  }

  void emit(Location location, const std::string &layer) {
    emitForSamples(program, location, {steps, layout.groups},
                   [&](const NestPoint &point) { take(point); });
    answer.finish(location, layer);
  }

private:
  /// Those of the first group, which is full.
  static int64_t lanesOf(const SpikeWords &layout) {
    return layout.first[size_t(layout.streams)] - layout.first.front();
  }

  /// The words of a group, each of which is recorded, as it is or without the mark of the end of a
  /// step.
  SmallVector<Value> takeWords(const WordMath &math, Value isLast) {
    SmallVector<Value> words;
    for (auto [stream, from] : llvm::enumerate(spikes.words)) {
      Value word = hls::ReadOp::create(math.point.builder, math.point.location,
                                       program.integer(layout.bits), from);
      if (stream + 1 == spikes.words.size())
        word = math.exclusive(word, math.select(isLast, math.number(layout.bits, layout.mark()),
                                                math.number(layout.bits, 0)));
      if (!records.empty())
        math.write(word, records[stream]);
      words.push_back(word);
    }
    return words;
  }

  void take(const NestPoint &point) {
    WordMath math(program, point);
    auto is = [&](Value counter, int64_t value) {
      return math.compare(arith::CmpIPredicate::eq, counter, program.position(value));
    };
    Value stepIndex = point.counters[1];
    SmallVector<Value> words = takeWords(math, is(point.counters[2], layout.groups - 1)), sums;
    Value step =
        arith::IndexCastOp::create(point.builder, point.location, program.integer(bits), stepIndex);
    Value left = math.subtract(math.number(bits, steps), step), isFirst = is(stepIndex, 0);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      AffineExpr group = point.dimension(2);
      if (layout.groups == 1)
        group = point.builder.getAffineConstantExpr(0);
      SmallVector<AffineExpr> at{point.builder.getAffineConstantExpr(lane), group};
      Value spike = math.bit(words[size_t(lane / layout.perWord)], lane % layout.perWord);
      Value old = math.select(isFirst, math.number(bits, 0), point.load(values, at));
      sums.push_back(counts ? math.add(old, math.widen(spike, bits))
                            : math.select(math.both(spike, math.equals(old, 0)), left, old));
      point.store(sums.back(), values, at);
    }
    math.only(is(stepIndex, steps - 1),
              [&](const NestPoint &inside) { answer.write(WordMath(program, inside), sums); });
  }

  ProgramBuilder &program;
  const SpikeStreams &spikes;
  const SpikeWords &layout;
  bool counts;
  int64_t steps;
  unsigned bits;
  int64_t lanes;
  AnswerPorts answer;
  SmallVector<Value> records;
  Value values;
};

} // namespace

/// Counts add up spikes; of first spikes the earliest has the largest value.
llvm::Error emitEventAnswer(ProgramBuilder &program, snn::DecodeOp op, const SpikeStreams &spikes,
                            const std::string &layer, bool isRecorded) {
  if (spikes.layout.stride > 1 || (spikes.isNumbered && spikes.layout.groups > 1))
    return layerError(op, fmt::format("reads {} neurons of an image or of an encoder, expected a "
                                      "dense layer at the end (style event)",
                                      spikes.layout.elements));
  Answer(program, spikes, op.getDecoding() == snn::Decoding::Count, layer, isRecorded)
      .emit(op.getLoc(), layer);
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
