#include "sim/model/devices/DisturbedCrossbars.h"

#include "sim/model/devices/WireDrop.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace spindle {

namespace {

/// A whole crossbar: all its units beside its axons.
struct WholeCrossbar {
  std::vector<UnitId> units;
  std::vector<NeuronId> axons;
  CellMatrix weights;
  double largest = 1;

  uint32_t rowOf(NeuronId neuron) const {
    return static_cast<uint32_t>(std::lower_bound(axons.begin(), axons.end(), neuron) -
                                 axons.begin());
  }
};

/// What disturbed cells make of a weight, by cell.
struct CellErrors {
  CellMatrix errors, readVariances;
};

} // namespace

static std::vector<WholeCrossbar> crossbarsOf(const SpikingGraph &graph,
                                              const Clustering &clustering,
                                              const std::vector<uint64_t> &offsets) {
  std::vector<WholeCrossbar> crossbars(clustering.clusters.size());
  for (UnitId u = 0; u < clustering.units.size(); ++u)
    crossbars[clustering.units[u].cluster].units.push_back(u);
  for (ClusterId c = 0; c < crossbars.size(); ++c) {
    WholeCrossbar &crossbar = crossbars[c];
    for (const Axon &axon : clustering.clusters[c].axons)
      crossbar.axons.push_back(axon.neuron);
    crossbar.weights = CellMatrix(static_cast<uint32_t>(crossbar.axons.size()),
                                  static_cast<uint32_t>(crossbar.units.size()));
    for (uint32_t column = 0; column < crossbar.units.size(); ++column) {
      UnitId unit = crossbar.units[column];
      for (uint64_t s = offsets[unit]; s < offsets[unit + 1]; ++s)
        crossbar.weights.at(crossbar.rowOf(graph.sources[s]), column) += double(graph.weights[s]);
    }
    double largest = 0;
    for (double weight : crossbar.weights.values)
      largest = std::max(largest, std::abs(weight));
    crossbar.largest = largest > 0 ? largest : 1;
  }
  return crossbars;
}

static CellErrors errorsOf(const WholeCrossbar &crossbar, const Device &device, uint64_t seed,
                           ClusterId cluster) {
  CellPair targets = targetsOf(crossbar.weights, crossbar.largest, device);
  CellPair cells = programmed(targets, device, seed, cluster);
  double weightOfOn = crossbar.largest / (1 - device.offConductance);
  CellErrors made;
  if (device.readNoise > 0) {
    made.readVariances = CellMatrix(crossbar.weights.rows, crossbar.weights.columns);
    double share = device.readNoise * weightOfOn;
    for (size_t i = 0; i < made.readVariances.values.size(); ++i) {
      double positive = share * cells.positive.values[i],
             negative = share * cells.negative.values[i];
      made.readVariances.values[i] = positive * positive + negative * negative;
    }
  }
  if (device.wires.segmentOhm > 0)
    for (CellMatrix *array : {&cells.positive, &cells.negative})
      *array = transferOf(*array, device.wires.segmentOhm / device.wires.onOhm);
  made.errors = CellMatrix(crossbar.weights.rows, crossbar.weights.columns);
  for (size_t i = 0; i < made.errors.values.size(); ++i)
    made.errors.values[i] = weightOfOn * ((cells.positive.values[i] - targets.positive.values[i]) -
                                          (cells.negative.values[i] - targets.negative.values[i]));
  return made;
}

/// The columns of one population, with the rows that drive it.
static CrossbarBlock blockOf(const WholeCrossbar &crossbar, const CellErrors &made,
                             const std::vector<uint32_t> &columns, const SpikingGraph &graph,
                             const std::vector<Unit> &units, const std::vector<uint64_t> &offsets) {
  const bool isNoisy = !made.readVariances.values.empty();
  CrossbarBlock block;
  block.largest = crossbar.largest;
  for (uint32_t column : columns) {
    UnitId unit = crossbar.units[column];
    block.units.push_back(unit);
    block.columns.push_back(units[unit].neuron);
    block.rows.insert(block.rows.end(), graph.sources.begin() + int64_t(offsets[unit]),
                      graph.sources.begin() + int64_t(offsets[unit + 1]));
  }
  std::sort(block.rows.begin(), block.rows.end());
  block.rows.erase(std::unique(block.rows.begin(), block.rows.end()), block.rows.end());
  for (NeuronId neuron : block.rows) {
    block.offsets.push_back(block.cells.size());
    uint32_t row = crossbar.rowOf(neuron);
    for (uint32_t c = 0; c < columns.size(); ++c) {
      ReadCell cell{crossbar.weights.at(row, columns[c]), made.errors.at(row, columns[c])};
      double variance = isNoisy ? made.readVariances.at(row, columns[c]) : 0;
      if (cell.weight == 0 && cell.error == 0 && variance == 0)
        continue;
      block.cells.push_back(cell);
      block.columnOf.push_back(c);
      if (isNoisy)
        block.readVariances.push_back(variance);
    }
  }
  block.offsets.push_back(block.cells.size());
  return block;
}

std::vector<std::vector<CrossbarBlock>> disturbedCrossbars(const SpikingGraph &graph,
                                                           const Clustering &clustering,
                                                           const Device &device, uint64_t seed) {
  std::vector<size_t> populationOf;
  for (size_t p = 0; p < graph.populations.size(); ++p)
    populationOf.resize(populationOf.size() + graph.populations[p].size, p);
  std::vector<uint64_t> offsets = unitOffsets(graph, clustering.units);
  std::vector<WholeCrossbar> crossbars = crossbarsOf(graph, clustering, offsets);
  std::vector<std::vector<CrossbarBlock>> blocks(graph.populations.size());
  for (ClusterId c = 0; c < crossbars.size(); ++c) {
    const WholeCrossbar &crossbar = crossbars[c];
    CellErrors made = errorsOf(crossbar, device, seed, c);
    std::map<size_t, std::vector<uint32_t>> columnsOf; // by population
    for (uint32_t column = 0; column < crossbar.units.size(); ++column)
      columnsOf[populationOf[clustering.units[crossbar.units[column]].neuron]].push_back(column);
    for (const auto &[population, columns] : columnsOf)
      blocks[population].push_back(
          blockOf(crossbar, made, columns, graph, clustering.units, offsets));
  }
  return blocks;
}

double converted(double sum, const Adc &converter, double largest) {
  if (converter.bits == 0)
    return sum;
  double most = double((uint64_t(1) << (converter.bits - 1)) - 1);
  double step = converter.range * largest / most;
  return std::clamp(std::nearbyint(sum / step), -most, most) * step;
}

} // namespace spindle
