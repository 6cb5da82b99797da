#include "sim/model/devices/DisturbedNetwork.h"

#include "core/support/CounterRandom.h"

#include <cmath>

namespace spindle {

DisturbedNetwork::DisturbedNetwork(std::unique_ptr<SteppedNetwork> idealNetwork,
                                   const std::vector<std::vector<CrossbarBlock>> &crossbars,
                                   const Device &given, uint64_t seed)
    : network(std::move(idealNetwork)), blocks(crossbars), device(given), noiseSeed(seed) {}

llvm::Error DisturbedNetwork::begin(size_t sample) {
  sampleNow = sample;
  spikes.clear();
  return network->begin(sample);
}

void DisturbedNetwork::addErrors(const CrossbarBlock &block, uint32_t step, NeuronId first,
                                 std::vector<double> &currents) {
  bool isConverted = device.converter.bits > 0;
  sums.assign(block.columns.size(), {});
  for (size_t row = 0; row < block.rows.size(); ++row) {
    double count = spikes[step][block.rows[row]];
    if (count == 0)
      continue;
    for (size_t c = block.offsets[row]; c < block.offsets[row + 1]; ++c) {
      const ReadCell &cell = block.cells[c];
      Sum &sum = sums[cell.column];
      sum.ideal += count * cell.weight;
      sum.error += count * cell.error;
      sum.variance += count * count * cell.readVariance;
    }
  }
  PhiloxKey key{uint32_t(noiseSeed), uint32_t(noiseSeed >> 32)};
  for (uint32_t column = 0; column < block.columns.size(); ++column) {
    const Sum &sum = sums[column];
    double error = sum.error;
    if (sum.variance > 0) {
      // The last word tells readings from cells, whose last word is zero.
      PhiloxCounter words = philox({block.units[column], step, uint32_t(sampleNow), 1}, key);
      error += std::sqrt(sum.variance) * standardNormals(words[0], words[1]).first;
    }
    if (isConverted)
      error = converted(sum.ideal + error, device.converter, block.largest) - sum.ideal;
    currents[block.columns[column] - first] += error;
  }
}

std::vector<NeuronId> DisturbedNetwork::step(size_t population, uint32_t step,
                                             llvm::ArrayRef<float> extra) {
  if (spikes.size() <= step)
    spikes.resize(step + 1, std::vector<uint32_t>(neuronCount(populations())));
  std::vector<float> added = extra;
  if (!blocks[population].empty()) {
    const Population &itself = populations()[population];
    std::vector<double> currents(itself.size);
    for (const CrossbarBlock &block : blocks[population])
      addErrors(block, step, itself.first, currents);
    added.resize(itself.size);
    for (size_t n = 0; n < currents.size(); ++n)
      added[n] += static_cast<float>(currents[n]);
  }
  std::vector<NeuronId> made = network->step(population, step, added);
  for (NeuronId neuron : made)
    ++spikes[step][neuron];
  return made;
}

} // namespace spindle
