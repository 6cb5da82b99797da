// Dense layers with weights of 8 bits: two of them in a number of 16 are added at once.
#include "lib/emulation/layers/kernels/synapses/DenseLayer.h"

namespace spindle::layers {

/// Rows of lanes for each input, panel by panel.
static std::vector<int16_t> pack(const DenseLayer &layer, const Panels &panels) {
  constexpr size_t kShortLanes = kByteWidth / 2;
  std::vector<int16_t> packed;
  for (size_t p = 0; p < panels.count; ++p)
    for (size_t i = 0; i < layer.inputs; ++i)
      for (size_t lane = 0; lane < kShortLanes; ++lane) {
        size_t low = panels.first + p * kByteWidth + lane;
        packed.push_back(int16_t(256 * int32_t(layer.weight(low + kShortLanes, i)) +
                                 int32_t(layer.weight(low, i)) + 128));
      }
  return packed;
}

/// Lane j of a vector holds x = 256 · h + (l + 128), h and l the weights of two outputs. Σx and
/// Σ(x >> 8) = Σh are added modulo 2^16; then Σl = Σx − 256 · Σh − 128 · events. Both sums fit into
/// 16 bits, so that it does not matter what was lost on the way.
void addBytePanels(PlanBuilder &b, const DenseLayer &layer, const EventList &events, size_t out,
                   const Panels &panels) {
  constexpr int64_t kPairs = int64_t(kByteWidth / 2);
  StageKernel k(b, Work::Rows);
  EventRows lists = k.eventRows(events);
  Array weights = k.array(b.addParameter(pack(layer, panels)), k.integer(16)),
        biases = k.floats(b.addParameter(packBias(layer, panels)));
  RowArray columns = k.floatRows(out) + int64_t(panels.first);
  Number zeros(k, k.lanesOf(k.integer(16), kPairs), int64_t(0));
  auto biased = [&](Number sum, Number bias) {
    return layer.bias.empty() ? sum.toFloat() : sum.toFloat() + bias;
  };
  k.loop(int64_t(panels.count), [&](Number p) {
    Array panel = weights + p * (int64_t(layer.inputs) * kPairs);
    Number lows = p * kByteWidth, highs = lows + kPairs;
    Number lowBias = (biases + lows).aligned(kPairs), highBias = (biases + highs).aligned(kPairs);
    k.forRows([&](Number r) {
      Events list = lists[r];
      Number end = list.end();
      Numbers sums = k.reduce(end, Numbers{zeros, zeros}, [&](Number e, Numbers sofar) {
        Number weight = (panel + list.entry(e) * kPairs).aligned(kPairs);
        return Numbers{sofar[0] + weight, sofar[1] + weight.signedShift(8)};
      });
      Number low = sums[0] - (sums[1] << 8) - (end.resized(16) * 128).spread(kPairs);
      Array row = columns[r];
      (row + lows).storeAligned(biased(low, lowBias));
      (row + highs).storeAligned(biased(sums[1], highBias));
    });
  });
  b.addStage(std::move(k));
}

} // namespace spindle::layers
