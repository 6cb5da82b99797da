#include "tests/bench/LayeredWorkload.h"

#include "core/support/formats/Npz.h"
#include "lib/conversion/fixed-point/FixedPointNetwork.h"
#include "lib/emulation/Emulation.h"

#include "fmt/format.h"

#include <cmath>
#include <numbers>

namespace spindle::bench {

using Kind = LayerSpec::Kind;
constexpr float kTauLeak = 20;

/// Normal numbers by Box and Muller.
static std::vector<float> normalFloats(CounterRandom &random, size_t count, double mean,
                                       double deviation) {
  std::vector<float> values(count);
  for (float &value : values) {
    double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    double angle = 2 * std::numbers::pi * random.uniform();
    value = float(mean + deviation * radius * std::cos(angle));
  }
  return values;
}

static int64_t product(const test::Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

static test::Shape shapeAfter(const LayerSpec &layer, const test::Shape &shape) {
  if (layer.kind == Kind::Dense)
    return {layer.outputs};
  if (layer.kind == Kind::Pool)
    return {shape[0], shape[1] / layer.kernel, shape[2] / layer.kernel};
  auto extent = [&](int64_t in) { return in + 2 * layer.padding - layer.kernel + 1; };
  return {layer.outputs, extent(shape[1]), extent(shape[2])};
}

static test::Shape weightShape(const LayerSpec &layer, const test::Shape &in) {
  if (layer.kind == Kind::Dense)
    return {layer.outputs, product(in)};
  return {layer.outputs, in[0], layer.kernel, layer.kernel};
}

LayeredWorkload::LayeredWorkload(test::Shape input, std::vector<LayerSpec> layerSpecs,
                                 size_t sampleCount, int64_t stepCount)
    : layers(std::move(layerSpecs)), steps(stepCount), shapes{input} {
  samples = test::randomSamples(1, input, sampleCount, uint32_t(layers.back().outputs));
  CounterRandom sparse(2), random(1);
  for (float &value : samples.values)
    value = sparse.uniform() < 0.3 ? value : 0;
  for (const LayerSpec &layer : layers) {
    size_t count =
        layer.kind == Kind::Pool ? 0 : size_t(product(weightShape(layer, shapes.back())));
    weights.push_back(normalFloats(random, count, layer.mean, layer.deviation));
    shapes.push_back(shapeAfter(layer, shapes.back()));
  }
}

static void leak(test::NetworkBuilder &network) {
  float rate = 1 - std::exp(-1 / kTauLeak); // v ← v · (1 − rate) + input
  network.population(
      "lif",
      fmt::format("reset = #snn<reset zero>, threshold = array<f32: 1.0>, tau = array<f32: "
                  "{:.1f}>, r = array<f32: {:.9g}>, discretization = #snn<discretization exact>",
                  kTauLeak, 1 / rate));
}

void LayeredWorkload::build(test::NetworkBuilder &network) const {
  network.poisson();
  for (size_t l = 0; l < layers.size(); ++l) {
    const LayerSpec &layer = layers[l];
    int64_t p = layer.padding;
    if (layer.kind == Kind::Pool) {
      network.pool({layer.kernel, layer.kernel}, {layer.kernel, layer.kernel});
      continue;
    }
    if (layer.kind == Kind::Convolution)
      network.conv(weightShape(layer, shapes[l]), weights[l], {}, "",
                   {{1, 1}, {p, p, p, p}, {1, 1}, 1});
    else
      (shapes[l].size() > 1 ? network.flatten() : network).dense(layer.outputs, weights[l], {}, "");
    leak(network);
  }
  network.decode();
}

llvm::Expected<Measurement> LayeredWorkload::run(const EngineChoice &choice) const {
  test::NetworkBuilder network(shapes[0]);
  build(network);
  EmulationOptions options;
  options.steps = steps;
  options.threads = choice.threads;
  options.recordSamples = choice.oneSample ? 0 : 1;
  options.engine = choice.engine;
  mlir::ModuleOp module = network.finish();
  if (choice.fixedPoint) {
    FixedPointOptions formats;
    formats.membraneBits = 16;
    SPINDLE_RETURN_IF_ERROR(toFixedPoint(module, formats));
  }
  Samples first = samples;
  if (choice.oneSample) {
    options.steps *= int64_t(samples.labels.size());
    first.labels.resize(1);
    first.values.resize(samples.values.size() / samples.labels.size());
  }
  SPINDLE_ASSIGN(EmulationResult result, emulate(module, first, options));
  return Measurement{result.summary.seconds,
                     result.compileSeconds,
                     result.summary.synapticEvents,
                     result.summary.populations,
                     result.summary.spikes,
                     choice.oneSample ? std::vector<Spike>() : result.trace.recorded.front(),
                     choice.fixedPoint};
}

/// What a layer of spikes costs with a list of events: a row of weights added for each of them.
/// What reads a pooling of them multiplies: a convolution over all inputs, a dense layer over those
/// that are not zero, taking spikes of a window as independent.
VectorWork LayeredWorkload::bound(const MachineRates &rates, const Measurement &measured) const {
  VectorWork work;
  double rows = double(samples.labels.size()) * double(steps);
  size_t population = 0;
  int64_t window = 1;
  for (size_t l = 0; l < layers.size(); ++l) {
    const LayerSpec &layer = layers[l];
    if (layer.kind == Kind::Pool) {
      window = layer.kernel;
      continue;
    }
    double spikes = double(measured.spikes[population]);
    double density = spikes / rows / double(measured.populations[population].size);
    auto inputs = double(product(shapes[l]));
    bool inBytes = measured.fixedPoint && layer.kind == Kind::Dense && window == 1;
    auto lanes = double(rates.lanes * (inBytes ? 4 : 1));
    double vectors = std::ceil(double(layer.outputs) / lanes);
    auto taps = double(layer.kernel * layer.kernel);
    if (layer.kind == Kind::Convolution && window > 1)
      work.products += rows * vectors * taps * double(shapes[l][0]) *
                       double(shapes[l + 1][1] * shapes[l + 1][2]);
    else if (layer.kind == Kind::Convolution)
      work.additions += spikes * taps * vectors;
    else if (window > 1)
      work.products += rows * inputs * vectors * (1 - std::pow(1 - density, window * window));
    else
      work.additions += spikes * vectors;
    ++population;
    window = 1;
  }
  return work;
}

std::vector<Peer> LayeredWorkload::peers() const {
  return {{"pytorch", "pytorch_layers.py"}, {"brian2", "brian2_layers.py"}};
}

llvm::Error LayeredWorkload::write(const std::string &path) const {
  test::Shape inputShape = shapes[0];
  inputShape.insert(inputShape.begin(), int64_t(samples.labels.size()));
  std::vector<NpzMember> members = {
      {"input", makeNpy(inputShape, samples.values)},
      {"steps", makeNpy({}, std::vector<int64_t>{steps})},
      {"decay", makeNpy({}, std::vector<double>{std::exp(-1. / kTauLeak)})}};
  for (size_t l = 0; l < layers.size(); ++l) {
    const LayerSpec &layer = layers[l];
    if (layer.kind == Kind::Pool) {
      members.push_back(
          {fmt::format("{}_pool", l), makeNpy({}, std::vector<int64_t>{layer.kernel})});
      continue;
    }
    const char *kind = layer.kind == Kind::Dense ? "dense" : "convolution";
    members.push_back(
        {fmt::format("{}_{}", l, kind), makeNpy(weightShape(layer, shapes[l]), weights[l])});
    if (layer.padding > 0)
      members.push_back(
          {fmt::format("{}_padding", l), makeNpy({}, std::vector<int64_t>{layer.padding})});
  }
  return writeNpz(path, members);
}

} // namespace spindle::bench
