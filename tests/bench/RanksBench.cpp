// A balanced network of which every rank draws its own neurons' synapses only: time, spikes and
// peak memory of each rank. mpirun -n 2 build/release/bin/ranks-bench [NEURONS [DELAY]]
#include "lib/emulation/ranks/DivideNeurons.h"
#include "lib/emulation/ranks/RestrictNetwork.h"
#include "lib/emulation/ranks/ShareMessages.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cmath>
#include <sys/resource.h>

using namespace spindle;

namespace {

constexpr double kProbability = 0.02;
constexpr int64_t kSteps = 10000;

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

/// Adds the current from neurons [first, end) to those of the range. Each neuron has random numbers
/// of its own, so that its synapses do not depend on the ranks.
mlir::Value receive(test::NetworkBuilder &network, const NeuronRange &range, int64_t neurons,
                    int64_t delay, int64_t first, int64_t end, float weight) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> sources;
  double scale = 1 / std::log1p(-kProbability);
  for (int64_t target = range.first; target < range.first + range.count; ++target) {
    CounterRandom random(uint64_t(2 * target + (first > 0)));
    for (int64_t source = first;; ++source) {
      source += int64_t(std::log(1 - random.uniform()) * scale);
      if (source >= end)
        break;
      sources.push_back(int32_t(source));
    }
    offsets.push_back(int64_t(sources.size()));
  }
  network.feedback("cells", {neurons}, delay).sparse({range.count}, offsets, sources, weight);
  return network.last();
}

/// The balanced network of currents (RecurrentWorkload), weights × 4000 / neurons.
mlir::ModuleOp build(test::NetworkBuilder &network, const NeuronRange &range, int64_t neurons,
                     int64_t delay) {
  float share = 4000.0f / float(neurons);
  int64_t split = neurons * 4 / 5;
  mlir::Value inhibition = receive(network, range, neurons, delay, split, neurons, -9.0f * share);
  receive(network, range, neurons, delay, 0, split, 1.62f * share);
  std::vector<float> membranes;
  for (int64_t n = range.first; n < range.first + range.count; ++n)
    membranes.push_back(-60 + 10 * float(CounterRandom(uint64_t(n) + (1 << 30)).uniform()));
  network.population(
      "dual_cuba_lif",
      fmt::format(
          "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: -50.0>, v_reset = "
          "array<f32: -60.0>, v_leak = array<f32: -49.0>, tau = array<f32: 200.0>, tau_exc "
          "= array<f32: 50.0>, tau_inh = array<f32: 100.0>, refractory = array<i64: 50>, "
          "discretization = #snn<discretization exact>, initial_membrane = array<f32: {:.9e}>",
          fmt::join(membranes, ", ")),
      inhibition);
  if (range.count < neurons)
    network.gather(range.first, {neurons}, "cells");
  network.sparse({1}, {0, 1}, {0}, 1).integrator().decode();
  return network.finish();
}

llvm::Error measure(Ranks &ranks, int64_t neurons, int64_t delay) {
  double before = peakMegabytes();
  test::NetworkBuilder builder({1});
  mlir::ModuleOp module =
      build(builder, neuronRange(neurons, ranks.rank(), ranks.size()), neurons, delay);
  SPINDLE_ASSIGN(Network part, readNetwork(module, NetworkExtent::Part));
  double network = peakMegabytes();
  EmulationOptions options;
  options.steps = kSteps;
  options.recordSamples = 1;
  llvm::Expected<Share> share =
      emulatePart(ranks, part, test::randomSamples(1, {1}, 1, 1), options, {});
  fmt::print("rank {} of {}: peak {:.0f} MiB, {:.0f} of them with the network, {:.0f} before it\n",
             ranks.rank(), ranks.size(), peakMegabytes(), network, before);
  if (ranks.rank() > 0) {
    ranks.send(0, ranks::packAnswer(std::move(share)));
    return llvm::Error::success();
  }
  SPINDLE_ASSIGN(Share total, joinShares(ranks, std::move(share)));
  uint64_t sum = 0; // of all spikes, in order
  for (const Spike &spike : total.recorded.front())
    sum = sum * 31 + spike.step * 7 + spike.neuron;
  fmt::print("{} neurons, delay {}, {} ranks: {:.3f} s, compiled in {:.2f} s, {} spikes ({:x}), "
             "{:.3g} synaptic events\n",
             neurons, delay, ranks.size(), total.seconds, total.compileSeconds,
             total.recorded.front().size(), sum, double(total.synapticEvents));
  return llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  std::unique_ptr<Ranks> ranks = llvm::cantFail(joinRanks(argc, argv));
  int64_t neurons = argc > 1 ? std::atoll(argv[1]) : 40000;
  int64_t delay = argc > 2 ? std::atoll(argv[2]) : 1;
  if (llvm::Error error = measure(*ranks, neurons, delay)) {
    fmt::print(stderr, "{}\n", toText(std::move(error)));
    return 2;
  }
  return 0;
}
