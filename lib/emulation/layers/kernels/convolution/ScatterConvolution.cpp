// Convolutions event by event: each adds the filters' weights to the sums of the pixels it reaches.
// The channels of a pixel stand together; sums lie in a frame with room for what falls outside.
#include "lib/emulation/layers/kernels/convolution/Convolution.h"

#include <algorithm>

namespace spindle::layers {

namespace {

/// Where in the frame the first weight adds the event of each pixel.
std::vector<uint32_t> places(const Convolution &conv) {
  std::vector<uint32_t> result;
  for (int64_t y = 0; y < conv.rows.input; ++y)
    for (int64_t x = 0; x < conv.columns.input; ++x) {
      int64_t row = y + conv.rows.before - conv.rows.first();
      int64_t column = x + conv.columns.before - conv.columns.first();
      result.push_back(uint32_t((row * conv.columns.extent() + column) * conv.block));
    }
  return result;
}

/// Where a tap of the kernel adds an event, from where the first one does.
int64_t placeOf(const Convolution &conv, int64_t i, int64_t j) {
  int64_t line = conv.columns.extent();
  return -(i * conv.rows.dilation * line + j * conv.columns.dilation) * conv.block;
}

/// Adds the events of a channel, whose weights stay in registers.
void addChannel(StageKernel &k, const Convolution &conv, const Events &events, Number begin,
                Number end, Array weights, Array frame) {
  Numbers weightOf;
  for (int64_t tap = 0; tap < conv.taps(); ++tap)
    weightOf.push_back((weights + tap * conv.block).aligned(conv.block));
  k.loop({begin, end}, [&](Number e) {
    Array first = frame + events.entry(e);
    for (int64_t tap = 0; tap < conv.taps(); ++tap) {
      int64_t i = tap / conv.columns.kernel, j = tap % conv.columns.kernel;
      Array sum = first + placeOf(conv, i, j);
      sum.storeAligned(sum.aligned(conv.block) + weightOf[size_t(tap)]);
    }
  });
}

} // namespace

EventList addScatterConvolution(PlanBuilder &b, const Convolution &conv, const Signal &input,
                                const Signal &output) {
  EventList events = addEventList(b, input, size_t(conv.channels), places(conv));
  int64_t line = conv.columns.extent();
  size_t frame = b.addFloats(Unit::Thread, size_t(conv.rows.extent() * line * conv.block));

  // Two pixels of few filters fill a vector, where lines have no pixel left over.
  int64_t wide = conv.columns.output % 2 == 0 ? std::max<int64_t>(conv.block, kVector) : conv.block;
  std::vector<float> bias = packBias(conv);
  if (wide > conv.block) {
    bias.resize(size_t(wide));
    std::copy_n(bias.begin(), conv.block, bias.begin() + conv.block);
  }

  int64_t origin = -(conv.rows.first() * line + conv.columns.first()) * conv.block,
          filter = conv.taps() * conv.block, width = conv.columns.output * conv.block;

  StageKernel k(b, Work::Rows);
  EventRows lists = k.eventRows(events);
  Array weights = k.floats(b.addParameter(packWeights(conv))),
        biases = k.floats(b.addParameter(bias)), sums = k.floats(frame), inside = sums + origin;
  RowArray rows = k.floatRows(output.buffer);
  k.forRows([&](Number r) {
    Events ofRow = lists[r];
    Array row = rows[r];
    k.loop(conv.blocks, [&](Number n) {
      Array block = weights + n * (conv.channels * filter);
      k.reduce(conv.channels, k.number(0), [&](Number c, Number begin) {
        Number end = ofRow.ends[c];
        addChannel(k, conv, ofRow, begin, end, block + c * filter, sums);
        return end;
      });
      Number biasOf = (biases + n * wide).aligned(wide, conv.block);
      Array blockTo = row + n * (conv.pixels() * conv.block);
      k.loop(conv.rows.output, [&](Number y) {
        Array lineFrom = inside + y * (line * conv.block), lineTo = blockTo + y * width;
        k.loop({width, wide}, [&](Number x) {
          Array from = lineFrom + x;
          Number sum = from.aligned(wide, conv.block);
          from.storeAligned(sum.like(0), conv.block);
          (lineTo + x).storeAligned(conv.bias.empty() ? sum : sum + biasOf, conv.block);
        });
      });
    });
  });
  b.addStage(std::move(k));
  return events;
}

} // namespace spindle::layers
