// The answer of the network from the spikes of the last layer, in words.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "dialects/hls/Hls.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// The words of a step, each of which is recorded, as it is or without the mark of its end.
static SmallVector<Value> takeWords(ProgramBuilder &program, const NestPoint &point,
                                    const SpikeStreams &spikes, ArrayRef<Value> records) {
  WordMath math(program, point);
  const SpikeWords &layout = spikes.layout;
  SmallVector<Value> words;
  for (auto [stream, from] : llvm::enumerate(spikes.words)) {
    words.push_back(
        hls::ReadOp::create(point.builder, point.location, program.integer(layout.bits), from));
    if (stream + 1 == spikes.words.size())
      words.back() = math.exclusive(words.back(), math.number(layout.bits, layout.mark()));
    if (!records.empty())
      math.write(words.back(), records[stream]);
  }
  return words;
}

/// Counts add up spikes; of first spikes the earliest has the largest value.
llvm::Error emitEventAnswer(ProgramBuilder &program, snn::DecodeOp op, const SpikeStreams &spikes,
                            const std::string &layer) {
  const SpikeWords &layout = spikes.layout;
  if (layout.groups > 1 || layout.stride > 1)
    return layerError(op, fmt::format("reads {} neurons in {} words, expected a dense layer with a "
                                      "lane for each of its neurons at the end (style event)",
                                      layout.elements, layout.words()));
  bool counts = op.getDecoding() == snn::Decoding::Count;
  int64_t steps = program.options.steps, classes = layout.elements;
  unsigned bits = bitsFor(steps);
  ValuePorts answer(program,
                    ValueWords::of(layout, classes, bits, "answer", ArrayRole::Answer, ""));
  SmallVector<Value> records;
  for (int64_t stream = 0; !layer.empty() && stream < layout.streams; ++stream)
    records.push_back(program.streamArgument(
        layout.port(layer + ".spikes", ArrayRole::Spikes, layer, steps, stream)));
  Value values = program.local("answer.values", {classes}, bits);
  program.separate(values, 0);
  Location location = op.getLoc();
  auto at = [&](int64_t number) { return program.body.getAffineConstantExpr(number); };
  emitForSamples(program, location, steps, [&](const NestPoint &point) {
    WordMath math(program, point);
    SmallVector<Value> words = takeWords(program, point, spikes, records), sums;
    Value step = arith::IndexCastOp::create(point.builder, location, program.integer(bits),
                                            point.counters.back());
    Value left = math.subtract(math.number(bits, steps), step);
    Value isFirst = math.equals(step, 0);
    for (int64_t number = 0; number < classes; ++number) {
      Value spike = math.bit(words[size_t(number / layout.perWord)], number % layout.perWord);
      Value old = math.select(isFirst, math.number(bits, 0), point.load(values, {at(number)}));
      sums.push_back(counts ? math.add(old, math.widen(spike, bits))
                            : math.select(math.both(spike, math.equals(old, 0)), left, old));
      point.store(sums.back(), values, {at(number)});
    }
    math.only(math.equals(step, steps - 1),
              [&](const NestPoint &inside) { answer.write(WordMath(program, inside), sums); });
  });
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
