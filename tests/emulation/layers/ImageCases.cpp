#include "tests/emulation/layers/LayerCases.h"

namespace spindle::test {

namespace {

/// The same of a convolution, and neurons that spike in some steps.
void integerConvolution(NetworkBuilder &n, Shape weight, bool bias, const ConvOptions &options) {
  auto draw = [&](int64_t count) {
    std::vector<float> values;
    while (int64_t(values.size()) < count)
      values.push_back(float(n.random.below(256)) - 128);
    return values;
  };
  n.conv(weight, draw(weight[0] * weight[1] * weight[2] * weight[3]),
         bias ? draw(weight[0]) : std::vector<float>(), "", options);
  n.integrateAndFire(snn::Reset::Subtract, {300}, {0}, {0.5f});
}

} // namespace

std::vector<LayersNetworkCase> imageCases() {
  return {
      {"BusyImages",
       {3, 13, 12},
       [](NetworkBuilder &n) {
         n.poisson(0.4f).conv(17, 3, 4, true, padded({1, 1, 2, 0}));
         fire(n);
         n.flatten().dense(4);
         fire(n);
         n.decode();
       }},
      {"LeNet",
       {1, 12, 13},
       [](NetworkBuilder &n) {
         n.poisson().conv(6, 5, 5, true, padded({2, 2, 2, 2}));
         leak(n, true);
         n.pool({2, 2}, {2, 2}).conv(16, 3, 3, false);
         fire(n);
         n.sumPool({2, 3}, {1, 1}).flatten().dense(20);
         fire(n);
         n.decode();
       }},
      {"BytesOfPooledSpikes", // with windows that are powers of two, and others
       {2, 33, 31},
       [](NetworkBuilder &n) {
         n.poisson(0.6f);
         integerConvolution(n, {5, 2, 3, 3}, true, padded({1, 1, 1, 1}));
         n.pool({2, 2}, {2, 2});
         integerConvolution(n, {37, 5, 3, 2}, true, {{1, 1}, {0, 0, 0, 0}, {2, 1}, 1});
         n.sumPool({2, 1}, {1, 1});
         integerConvolution(n, {70, 37, 2, 3}, false, {{1, 2}, {0, 0, 0, 0}, {1, 1}, 1});
         n.sumPool({1, 1}, {1, 1});
         integerConvolution(n, {9, 70, 1, 1}, false, {});
         n.pool({3, 1}, {1, 1});
         integerConvolution(n, {20, 9, 2, 2}, false, {{1, 1}, {0, 0, 0, 0}, {1, 2}, 1});
         n.flatten().dense(4).integrator().decode();
       }},
      {"PooledImages", // of words of 8 to 64 bits, lines that fill vectors and others
       {1, 20, 37},
       [](NetworkBuilder &n) {
         n.poisson(0.5f).conv(8, 1, 2);
         fire(n);
         n.pool({1, 2}, {1, 1}).conv(13, 2, 3, true, {{1, 1}, {0, 0, 0, 0}, {2, 1}, 1});
         leak(n, false);
         n.sumPool({3, 2}, {1, 2}).conv(20, 3, 3, false);
         fire(n);
         n.pool({2, 2}, {1, 1}).conv(50, 3, 1, true, {{1, 3}, {0, 0, 0, 0}, {1, 1}, 1});
         leak(n, true);
         n.pool({2, 1}, {2, 1}).conv(70, 1, 2);
         fire(n);
         n.sumPool({1, 1}, {1, 1}).conv(3, 1, 1);
         fire(n);
         n.flatten().dense(4);
         fire(n);
         n.decode();
       }},
      {"ManyFilters",
       {2, 5, 7},
       [](NetworkBuilder &n) {
         n.regular().conv(70, 3, 2, true, padded({0, 1, 2, 0}));
         leak(n, false);
         n.conv(33, 2, 3, true, padded({1, 1, 1, 1}, {2, 1}));
         leak(n, true);
         n.conv(9, 1, 1).integrateAndFire(snn::Reset::Zero, {0.7f}, {0.1f}, {0});
         n.flatten().dense(3).population("li", "tau = array<f32: 4.0>");
         n.decode();
       }},
      {"PaddingBeyondTheKernel",
       {1, 4, 3},
       [](NetworkBuilder &n) {
         n.latency(5).conv(3, 2, 2, true, padded({3, 0, 1, 4}));
         fire(n);
         n.flatten().dense(4);
         fire(n);
         n.decode();
       }},
      {"StridesAndPaddingOfPooledSpikes",
       {2, 9, 11},
       [](NetworkBuilder &n) {
         n.poisson().pool({2, 1}, {1, 1}).conv(5, 3, 2, true, {{2, 1}, {1, 2, 0, 1}, {1, 2}, 1});
         fire(n);
         n.conv(40, 2, 3, false, {{1, 3}, {1, 1, 1, 1}, {2, 1}, 1});
         leak(n, true);
         n.sumPool({2, 2}, {1, 1}).conv(17, 1, 2);
         fire(n);
         n.flatten().dense(4);
         fire(n);
         n.decode();
       }},
      {"ConstantCurrentBehindAConvolution",
       {3, 6, 5},
       [](NetworkBuilder &n) {
         n.conv(7, 3, 3).relu().direct();
         fire(n);
         n.pool({2, 2}, {1, 1}).conv(11, 2, 2);
         fire(n);
         n.flatten().dense(4).integrator().decode();
       }},
      {"MaximumPooling",
       {2, 11, 13},
       [](NetworkBuilder &n) {
         n.poisson().maxPool({2, 2}, {2, 2}).conv(12, 3, 3, true, padded({1, 1, 1, 1}));
         fire(n);
         n.maxPool({3, 2}, {1, 2}, {2, 1, 0, 1}).flatten().dense(4);
         fire(n);
         n.decode();
       }},
      {"MaximumPoolingOfSeveralSpikesAndOfCurrents",
       {2, 8, 21},
       [](NetworkBuilder &n) {
         n.poisson().conv(3, 3, 3, true, padded({1, 1, 1, 1}));
         n.population(
             "if",
             "reset = #snn<reset subtract>, threshold = array<f32: 0.2>, max_spikes = 3 : i64");
         mlir::Value spikes = n.maxPool({2, 2}, {1, 1}).last();
         n.from(spikes).conv(3, 1, 1).population("rectifier", "maximum = array<f32: 0.7>");
         n.maxPool({2, 3}, {1, 1}, {1, 1, 0, 1}).add(spikes);
         fire(n);
         n.flatten().dense(4).integrator().decode();
       }},
      {"ResidualSums", // of convolutions, of one with the spikes scaled, of a constant current
       {3, 9, 9},
       [](NetworkBuilder &n) {
         mlir::Value constant = n.conv(8, 3, 3, true, padded({1, 1, 1, 1})).relu().direct().last();
         fire(n);
         mlir::Value spikes = n.last();
         mlir::Value shortcut = n.conv(8, 1, 1).last();
         n.from(spikes).conv(8, 3, 3, true, padded({1, 1, 1, 1})).add(shortcut);
         leak(n, true);
         n.add(constant);
         fire(n);
         mlir::Value second = n.last();
         mlir::Value scaled = n.scale(false, false).last();
         n.from(second).conv(8, 3, 3, false, padded({1, 1, 1, 1})).scale(true).add(scaled);
         fire(n);
         n.flatten().dense(4).integrator().decode();
       }},
      {"Concatenation",
       {2, 6, 7},
       [](NetworkBuilder &n) {
         mlir::Value constant = n.direct().last();
         fire(n);
         mlir::Value spikes = n.last();
         n.conv(9, 3, 3, true, padded({1, 1, 1, 1}));
         mlir::Value current = n.last();
         fire(n);
         n.concat(spikes, 0).conv(5, 1, 1).concat(current, 0).concat(constant, 0, true);
         leak(n, true);
         n.concat(n.last(), 1).concat(n.last(), 2).flatten().dense(4);
         fire(n);
         n.decode();
       }},
      {"Depthwise", // and pointwise
       {9, 17, 19},
       [](NetworkBuilder &n) {
         n.poisson(0.5f).conv(9, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 9});
         leak(n, true);
         n.conv(20, 1, 1, false);
         fire(n);
         n.conv(40, 3, 3, false, {{2, 2}, {1, 1, 1, 1}, {1, 1}, 20});
         fire(n);
         n.flatten().dense(4).integrator().decode();
       }},
      {"Groups",
       {6, 12, 23},
       [](NetworkBuilder &n) {
         n.poisson().conv(9, 2, 3, true, {{1, 1}, {0, 2, 1, 0}, {2, 1}, 3});
         fire(n);
         n.pool({2, 2}, {1, 1}).conv(24, 3, 3, true, {{1, 2}, {1, 1, 1, 1}, {1, 2}, 3});
         fire(n);
         n.flatten().dense(4).integrator().decode();
       }},
      {"PaddedPooling",
       {2, 10, 11},
       [](NetworkBuilder &n) {
         n.poisson().pool({3, 3}, {2, 1}, {1, 2, 2, 0}, false).conv(7, 3, 3);
         fire(n);
         n.pool({2, 2}, {1, 1}, {1, 1, 1, 1}).sumPool({3, 2}, {2, 2}, {0, 1, 2, 1});
         fire(n);
         n.flatten().dense(4).integrator().decode();
       }},
  };
}

} // namespace spindle::test
