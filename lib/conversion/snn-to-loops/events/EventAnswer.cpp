// The answer of the network from the spikes of the last layer, in words.
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// Without the mark of the end of the step.
static void record(ProgramBuilder &program, const NestPoint &point, const SpikeStreams &spikes,
                   ArrayRef<Value> words) {
  if (!spikes.record)
    return;
  WordMath math(program, point);
  const SpikeWords &layout = spikes.layout;
  for (auto [stream, word] : llvm::enumerate(words)) {
    Value bits = word;
    if (stream + 1 == words.size())
      bits = math.exclusive(word, math.number(layout.bits, layout.mark()));
    point.store(bits, spikes.record,
                {point.dimension(0), program.body.getAffineConstantExpr(int64_t(stream))});
  }
}

/// Counts add up spikes; of first spikes the earliest has the largest value.
llvm::Error emitEventAnswer(ProgramBuilder &program, snn::DecodeOp op, const SpikeStreams &spikes) {
  const SpikeWords &layout = spikes.layout;
  if (layout.groups > 1 || layout.stride > 1)
    return layerError(op, fmt::format("reads {} neurons in {} words, expected a dense layer with a "
                                      "lane for each of its neurons at the end (style event)",
                                      layout.elements, layout.words()));
  bool counts = op.getDecoding() == snn::Decoding::Count;
  int64_t steps = program.options.steps, classes = layout.elements;
  unsigned bits = bitsFor(steps);
  Value answer = program.argument({"answer", ArrayRole::Answer, "", {classes}, bits});
  Value values = program.local("answer.values", {classes}, bits);
  program.separate(values, 0);
  Location location = op.getLoc();
  auto at = [&](int64_t number) { return program.body.getAffineConstantExpr(number); };
  NestPoint outside{program.body, location, {}};
  for (int64_t number = 0; number < classes; ++number)
    outside.store(program.constant(program.integer(bits), 0), values, {at(number)});
  {
    OpBuilder::InsertionGuard guard(program.body);
    auto loop = affine::AffineForOp::create(program.body, location, 0, steps);
    program.body.setInsertionPointToStart(loop.getBody());
    NestPoint point{program.body, location, {loop.getInductionVar()}};
    WordMath math(program, point);
    Value left = arith::SubIOp::create(program.body, location, math.number(bits, steps),
                                       arith::IndexCastOp::create(program.body, location,
                                                                  program.integer(bits),
                                                                  loop.getInductionVar()));
    SmallVector<Value> words;
    for (Value stream : spikes.words)
      words.push_back(
          hls::ReadOp::create(program.body, location, program.integer(layout.bits), stream));
    record(program, point, spikes, words);
    for (int64_t number = 0; number < classes; ++number) {
      Value spike = math.bit(words[size_t(number / layout.perWord)], number % layout.perWord);
      Value old = point.load(values, {at(number)});
      Value isNew = math.equals(old, 0);
      Value next = counts ? math.add(old, math.widen(spike, bits))
                          : math.select(math.both(spike, isNew), left, old);
      point.store(next, values, {at(number)});
    }
  }
  for (int64_t number = 0; number < classes; ++number)
    outside.store(outside.load(values, {at(number)}), answer, {at(number)});
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
