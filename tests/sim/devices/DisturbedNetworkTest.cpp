// Random networks on crossbars of real cells against an evaluation crossbar by crossbar.
#include "sim/model/devices/DisturbedNetwork.h"

#include "tests/sim/RandomLayers.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;

namespace {

constexpr uint32_t kSteps = 10;

struct PlacedLayers {
  IntegerLayers layers;
  ChipCase made{ChipCase::pricedChip({1, 1}, 4), 1, 1, 4, kSteps};

  explicit PlacedLayers(uint64_t seed) {
    CounterRandom draw(seed);
    layers = randomLayers(draw, false, kSteps);
    for (uint32_t c = 0; c < 4; ++c)
      made.mapping.placements.push_back({0, c});
    uint32_t next = 0; // every crossbar is used
    place(made, layers, [&](size_t, uint32_t) { return next < 4 ? next++ : draw.below(4); }, &draw);
  }
  auto crossbars(const Device &device, uint64_t seed) const {
    return disturbedCrossbars(layers.graph, made.clustering, device, seed);
  }
  std::vector<std::vector<bool>> ideal() const {
    ToyNetwork network(layers);
    run(network);
    return network.made;
  }
  std::vector<std::vector<bool>> disturbed(const Device &device, uint64_t seed,
                                           CounterRandom *order = nullptr) const {
    auto toy = std::make_unique<ToyNetwork>(layers);
    ToyNetwork &inside = *toy;
    auto cells = crossbars(device, seed);
    DisturbedNetwork network(std::move(toy), cells, device, seed);
    for (int round = 0; round < 2; ++round) // the second sample knows nothing of the first
      order ? runApart(network, *order) : run(network);
    return inside.made;
  }

private:
  /// Populations any number of steps behind those before them.
  void runApart(SteppedNetwork &network, CounterRandom &order) const {
    llvm::cantFail(network.begin(0));
    std::vector<uint32_t> steps(layers.graph.populations.size());
    while (steps.back() < kSteps) {
      uint32_t p = order.below(uint32_t(steps.size()));
      uint32_t most = p == 0 ? kSteps : steps[p - 1];
      if (steps[p] < most)
        network.step(p, steps[p]++, {});
    }
  }
  void run(SteppedNetwork &network) const {
    llvm::cantFail(network.begin(0));
    for (uint32_t t = 0; t < kSteps; ++t)
      for (size_t p = 0; p < layers.graph.populations.size(); ++p)
        network.step(p, t, {});
  }
};

/// Whole crossbars read row by row, in the order of the definition; no part of a network is worked
/// as if it were ideal, nothing is corrected.
class CrossbarByCrossbar {
public:
  CrossbarByCrossbar(const PlacedLayers &given, const Device &cells, uint64_t seed)
      : graph(given.layers.graph), units(given.made.clustering.units),
        clusters(given.made.clustering.clusters), device(cells),
        offsets(unitOffsets(graph, units)) {
    for (ClusterId c = 0; c < clusters.size(); ++c)
      program(c, seed);
  }

  std::vector<std::vector<bool>> run(const IntegerLayers &layers) {
    std::vector<std::vector<bool>> spikes(kSteps, std::vector<bool>(graph.neurons()));
    std::vector<double> membranes(graph.neurons());
    for (uint32_t t = 0; t < kSteps; ++t)
      for (NeuronId n = 0; n < graph.neurons(); ++n) { // ascending: drivers come before
        if (n < graph.populations[0].size) {
          spikes[t][n] = layers.inputs[0][t][n];
          continue;
        }
        for (UnitId u = 0; u < units.size(); ++u)
          if (units[u].neuron == n)
            membranes[n] += read(u, spikes[t]);
        spikes[t][n] = membranes[n] >= layers.threshold;
        membranes[n] -= spikes[t][n] ? layers.threshold : 0;
      }
    return spikes;
  }

private:
  struct Programmed {
    std::vector<UnitId> units;
    double largest = 0;
    CellPair cells;
  };

  void program(ClusterId c, uint64_t seed) {
    Programmed made;
    for (UnitId u = 0; u < units.size(); ++u)
      if (units[u].cluster == c)
        made.units.push_back(u);
    CellMatrix weights(uint32_t(clusters[c].axons.size()), uint32_t(made.units.size()));
    for (uint32_t row = 0; row < weights.rows; ++row)
      for (uint32_t column = 0; column < weights.columns; ++column)
        for (uint64_t s = offsets[made.units[column]]; s < offsets[made.units[column] + 1]; ++s)
          if (graph.sources[s] == clusters[c].axons[row].neuron) {
            weights.at(row, column) = double(graph.weights[s]);
            made.largest = std::max(made.largest, std::abs(double(graph.weights[s])));
          }
    made.largest = made.largest > 0 ? made.largest : 1;
    made.cells = programmed(targetsOf(weights, made.largest, device), device, seed, c);
    crossbars.push_back(std::move(made));
  }

  /// Rows that drive no unit of this one's population are not read with it.
  bool isRead(NeuronId row, UnitId reader) const {
    for (UnitId u = 0; u < units.size(); ++u)
      if (units[u].cluster == units[reader].cluster &&
          populationOf(units[u].neuron) == populationOf(units[reader].neuron))
        for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
          if (graph.sources[s] == row)
            return true;
    return false;
  }
  size_t populationOf(NeuronId n) const {
    size_t p = 0;
    while (n >= graph.populations[p].first + graph.populations[p].size)
      ++p;
    return p;
  }

  double read(UnitId u, const std::vector<bool> &spikes) const {
    const Programmed &crossbar = crossbars[units[u].cluster];
    uint32_t column = 0;
    while (crossbar.units[column] != u)
      ++column;
    double current = 0;
    for (uint32_t row = 0; row < clusters[units[u].cluster].axons.size(); ++row) {
      NeuronId neuron = clusters[units[u].cluster].axons[row].neuron;
      if (spikes[neuron] && isRead(neuron, u))
        current +=
            crossbar.cells.positive.at(row, column) - crossbar.cells.negative.at(row, column);
    }
    double sum = current * crossbar.largest / (1 - device.offConductance);
    if (device.converter.bits == 0)
      return sum;
    double most = std::pow(2.0, device.converter.bits - 1) - 1;
    double code = sum / (device.converter.range * crossbar.largest) * most;
    return std::round(std::max(-most, std::min(most, code))) / most * device.converter.range *
           crossbar.largest;
  }

  const SpikingGraph &graph;
  const std::vector<Unit> &units;
  const std::vector<Cluster> &clusters;
  Device device;
  std::vector<uint64_t> offsets;
  std::vector<Programmed> crossbars;
};

Device realCells() {
  Device device;
  device.levels = 33;
  device.offConductance = 0.02;
  device.programmingNoise = 0.15;
  device.stuckOn = 0.01;
  device.stuckOff = 0.05;
  device.drift = {.exponent = 0.03, .deviation = 0.01, .seconds = 1000, .referenceSeconds = 10};
  return device;
}

TEST(DisturbedNetwork, AgreesWithCrossbarsReadOneByOne) {
  int different = 0;
  for (uint64_t seed = 0; seed < 60; ++seed)
    for (uint32_t bits : {0u, 5u}) {
      PlacedLayers placed(seed);
      Device device = realCells();
      device.converter = {bits, 2.7};
      auto spikes = placed.disturbed(device, seed);
      EXPECT_EQ(spikes, CrossbarByCrossbar(placed, device, seed).run(placed.layers)) << seed;
      different += spikes != placed.ideal();
    }
  EXPECT_GT(different, 100); // or nothing was compared
}

TEST(DisturbedNetwork, IdealCellsAreTheNetworkBitForBit) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    PlacedLayers placed(seed);
    Device device;
    device.offConductance = seed % 2 == 0 ? 0 : 1.0 / 7;
    for (const auto &population : placed.crossbars(device, seed))
      for (const CrossbarBlock &block : population)
        for (const ReadCell &cell : block.cells)
          EXPECT_EQ(cell.error, 0);
    EXPECT_EQ(placed.disturbed(device, seed), placed.ideal());
  }
}

/// A step of the converter that is one unit of whole-numbered weights reads every sum exactly.
TEST(DisturbedNetwork, EnoughBitsAreTheNetworkBitForBit) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    PlacedLayers placed(seed);
    for (float &weight : placed.layers.graph.weights) // the same largest one everywhere
      weight = weight < 0 ? -1 : 1;
    Device device;
    device.converter = {8, 127};
    EXPECT_EQ(placed.disturbed(device, seed), placed.ideal());
    device.converter = {2, 1}; // sums beyond one are cut
    EXPECT_NE(placed.disturbed(device, seed), placed.ideal());
  }
}

/// Crossbars are read ahead where the spikes are there: that changes no reading.
TEST(DisturbedNetwork, PopulationsMayBeAnyNumberOfStepsApart) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    PlacedLayers placed(seed);
    Device device = realCells();
    device.readNoise = seed % 2 == 0 ? 0 : 0.1;
    device.converter = {seed % 3 == 0 ? 0u : 5u, 2.7};
    CounterRandom order(seed);
    EXPECT_EQ(placed.disturbed(device, seed, &order), placed.disturbed(device, seed)) << seed;
  }
}

/// Takes what it is given as currents.
class ListeningNetwork final : public SteppedNetwork {
public:
  explicit ListeningNetwork(std::vector<double> &heardCurrents) : heard(heardCurrents) {
    layers = {{"in", PopulationKind::Input, {2}, 0, 2}, {"out", PopulationKind::Neuron, {1}, 2, 1}};
  }
  const std::vector<Population> &populations() const override { return layers; }
  llvm::Error begin(size_t) override { return llvm::Error::success(); }
  std::vector<NeuronId> step(size_t population, uint32_t step,
                             llvm::ArrayRef<float> extra) override {
    if (population == 0) // the second row drives twice, and never in odd steps
      return step % 2 == 0 ? std::vector<NeuronId>{0, 1, 1} : std::vector<NeuronId>{};
    heard.push_back(double(extra[0]));
    return {};
  }
  std::vector<uint32_t> answers(uint32_t) override { return {}; }

private:
  std::vector<double> &heard;
  std::vector<Population> layers;
};

/// Each reading has variance Σ (noise · spikes · largest / (1 − off))² (g₊² + g₋²).
TEST(DisturbedNetwork, ReadNoiseHasItsMeanAndDeviation) {
  SpikingGraph graph;
  graph.populations = {{"in", PopulationKind::Input, {2}, 0, 2},
                       {"out", PopulationKind::Neuron, {1}, 2, 1}};
  graph.spikes = {0, 0, 0};
  graph.offsets = {0, 0, 0, 2};
  graph.sources = {0, 1};
  graph.weights = {2, -1};
  Clustering clustering;
  clustering.units = {{2, 0, kNone}};
  clustering.clusters = {{1, 1, 2, {{0, 1, 0}, {1, 1, 0}}}};
  Device device;
  device.offConductance = 0.5;
  device.readNoise = 0.1;
  auto heardWith = [&](uint64_t seed, size_t sample) {
    std::vector<double> heard;
    auto cells = disturbedCrossbars(graph, clustering, device, seed);
    DisturbedNetwork network(std::make_unique<ListeningNetwork>(heard), cells, device, seed);
    llvm::cantFail(network.begin(sample));
    for (uint32_t t = 0; t < 20'000; ++t)
      for (size_t p : {0, 1})
        network.step(p, t, {});
    return heard;
  };
  std::vector<double> heard = heardWith(4, 0);
  // Conductances: 1 and 1/2 for the first row, 1/2 and 3/4 for the second one.
  double deviation = 0.1 * 2 / 0.5 * std::sqrt(1 + 0.25 + 4 * (0.25 + 0.5625));
  double mean = 0, variance = 0;
  for (size_t t = 0; t < heard.size(); t += 2) {
    mean += heard[t] / 10'000;
    variance += heard[t] * heard[t] / 10'000;
    EXPECT_EQ(heard[t + 1], 0); // silent rows make no noise
  }
  EXPECT_NEAR(mean, 0, 5 * deviation / 100);
  EXPECT_NEAR(std::sqrt(variance), deviation, 5 * deviation / 100 / std::sqrt(2));
  EXPECT_EQ(heard, heardWith(4, 0));
  EXPECT_NE(heard, heardWith(5, 0));
  EXPECT_NE(heard, heardWith(4, 1));
}

/// The currents that wires leave, of one crossbar with one layer: rows near its drivers and its
/// readers lose least.
TEST(DisturbedNetwork, WiresTakeFromFarCellsMost) {
  SpikingGraph graph;
  graph.populations = {{"in", PopulationKind::Input, {8}, 0, 8},
                       {"out", PopulationKind::Neuron, {8}, 8, 8}};
  graph.spikes.resize(16);
  graph.offsets.assign(9, 0);
  Clustering clustering;
  clustering.clusters.resize(1);
  for (NeuronId n = 0; n < 8; ++n) {
    for (NeuronId source = 0; source < 8; ++source) {
      graph.sources.push_back(source);
      graph.weights.push_back(n % 2 == 0 ? 3 : -3);
    }
    graph.offsets.push_back(graph.sources.size());
    clustering.units.push_back({8 + n, 0, kNone});
    clustering.clusters[0].axons.push_back({n, 8, 0});
  }
  Device device;
  device.wires = {1, 1000};
  CrossbarBlock block = disturbedCrossbars(graph, clustering, device, 1)[1].front();
  ASSERT_EQ(block.cells.size(), 64u);
  for (size_t i = 0; i < 64; ++i) {
    auto lost = [&](size_t cell) { return -block.cells[cell].error / block.cells[cell].weight; };
    EXPECT_GT(lost(i), 0);
    EXPECT_LT(lost(i), 0.06);
    if (i >= 8) { // a row nearer to the end of the columns
      EXPECT_LT(lost(i), lost(i - 8));
    }
  }
}

} // namespace
