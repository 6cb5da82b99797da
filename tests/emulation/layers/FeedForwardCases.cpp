#include "tests/emulation/layers/LayerCases.h"

namespace spindle::test {

namespace {

/// Integer weights up to `most` by amount: sums of 8 and 16 bits, and such that only floats hold.
void integers(NetworkBuilder &n, int64_t outputs, int32_t most, bool bias) {
  auto draw = [&](size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = float(int32_t(n.random.below(uint32_t(2 * most + 1))) - most);
    return values;
  };
  n.dense(outputs, draw(size_t(outputs * snn::sizeOf(n.last()))),
          bias ? draw(size_t(outputs)) : std::vector<float>(), "");
  n.population(
      "lif",
      "reset = #snn<reset subtract>, tau = array<f32: 9.0>, r = array<f32: 9.0>, threshold = "
      "array<f32: " +
          std::to_string(2 * most) + ".0>");
}

} // namespace

std::vector<LayersNetworkCase> feedForwardCases() {
  return {
      {"DensePanels",
       {37},
       [](NetworkBuilder &n) {
         n.poisson().dense(301);
         leak(n, true);
         n.dense(128, false, 0.3f);
         fire(n);
         n.dense(5).integrator().decode();
       }},
      {"TensorsBehindSpikes",
       {37},
       [](NetworkBuilder &n) {
         n.poisson().dense(61);
         fire(n);
         n.count(3).dense(40).clampedRelu(2, 255).dense(21).quantize(0.5f, -9, 9).dense(7).relu();
         n.dense(5);
       }},
      {"BusyInputs", // most of them spike: 0.75 and, behind weights all positive, more
       {200},
       [](NetworkBuilder &n) {
         n.poisson(0.5f).dense(210, randomFloats(n.random, 200 * 210, 0, 1), {}, "");
         fire(n);
         n.dense(165, randomFloats(n.random, 210 * 165, -0.1f, 1), randomFloats(n.random, 165), "");
         fire(n);
         n.dense(5).integrator().decode();
       }},
      {"EqualLayers", // in all but their weights
       {40},
       [](NetworkBuilder &n) {
         n.poisson();
         for (int layer = 0; layer < 5; ++layer) {
           n.dense(40, false, 0.5f);
           fire(n);
         }
         n.dense(5).integrator().decode();
       }},
      {"IntegerWeights",
       {35},
       [](NetworkBuilder &n) {
         n.poisson();
         integers(n, 300, 127, true);
         integers(n, 256, 128, false);
         integers(n, 130, 300, true);
         integers(n, 64, 3000, false);
         integers(n, 5, 7, true);
         n.decode();
       }},
      {"SeveralSpikesPerStep",
       {9},
       [](NetworkBuilder &n) {
         n.dense(40, true, 2).direct();
         n.population(
             "if",
             "reset = #snn<reset subtract>, threshold = array<f32: 0.4>, max_spikes = 4 : i64");
         n.dense(17);
         n.population(
             "lif", "reset = #snn<reset zero>, threshold = array<f32: 0.3>, tau = array<f32: 3.0>, "
                    "refractory = array<i64: 2>");
         n.dense(6);
         fire(n);
         n.decode();
       }},
      {"Rectifiers",
       {12},
       [](NetworkBuilder &n) {
         n.regular().dense(19).population("rectifier", "maximum = array<f32: 0.7>").dense(4);
         fire(n);
         n.decode();
       }},
      {"SparseAndDelayed",
       {3, 5, 5},
       [](NetworkBuilder &n) {
         n.poisson().delay({3}).sparse({30}, 0.2);
         fire(n);
         mlir::Value first = n.last();
         mlir::Value skipped = n.dense(11).last();
         n.from(first).delay({0}).sparse({25}, 0.1, false);
         leak(n, true);
         n.sparse({11}, 0.3).add(skipped);
         fire(n);
         n.delay({1}).dense(4).integrator().decode();
       }},
      {"DelaysThatDiffer",
       {3, 5, 6},
       [](NetworkBuilder &n) {
         std::vector<int64_t> each(90);
         for (size_t k = 0; k < each.size(); ++k)
           each[k] = int64_t(k % 7);
         n.poisson().delay({3, 0, 200}).conv(3, 3, 3, true, padded({1, 1, 1, 1})).delay(each);
         fire(n);
         n.delay({0, 1, 0}).flatten().dense(4).integrator().decode();
       }},
      {"OtherOrders",
       {3, 6, 5},
       [](NetworkBuilder &n) {
         mlir::Value spikes = n.poisson().transpose({1, 2, 0}).last();
         mlir::Value image = n.conv(2, 2, 2).last();
         n.from(spikes).flatten().dense(16).reshape({2, 4, 2});
         n.population("dual_cuba_lif",
                      "reset = #snn<reset zero>, threshold = array<f32: 0.2>, tau = array<f32: "
                      "5.0>, tau_exc "
                      "= array<f32: 2.0>, tau_inh = array<f32: 3.0>",
                      image);
         n.conv(4, 2, 1).transpose({2, 0, 1}).reshape({8, 3}).integrator().decode();
       }},
      {"SynapticCurrents",
       {14},
       [](NetworkBuilder &n) {
         n.poisson().dense(21);
         n.population("cuba_lif",
                      "reset = #snn<reset zero>, threshold = array<f32: 0.1>, tau = array<f32: "
                      "3.0>, tau_syn = array<f32: 2.0>");
         mlir::Value spikes = n.last();
         mlir::Value inhibitory = n.dense(8).last();
         n.from(spikes).dense(8);
         n.population("dual_cuba_lif",
                      "reset = #snn<reset zero>, threshold = array<f32: 0.2>, tau = array<f32: "
                      "5.0>, tau_exc "
                      "= array<f32: 2.0>, tau_inh = array<f32: 3.0>",
                      inhibitory);
         n.decode();
       }},
  };
}

} // namespace spindle::test
