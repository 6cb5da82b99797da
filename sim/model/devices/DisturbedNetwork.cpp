#include "sim/model/devices/DisturbedNetwork.h"

#include "core/support/CounterRandom.h"

#include <cmath>
#include <set>

namespace spindle {

/// Steps that are read at once: their errors are kept until they are used.
static constexpr uint32_t kMostAhead = 64;

static size_t populationOf(const std::vector<Population> &populations, NeuronId neuron) {
  size_t p = 0;
  while (neuron >= populations[p].first + populations[p].size)
    ++p;
  return p;
}

DisturbedNetwork::DisturbedNetwork(std::unique_ptr<SteppedNetwork> idealNetwork,
                                   const std::vector<std::vector<CrossbarBlock>> &crossbars,
                                   const Device &given, uint64_t seed)
    : network(std::move(idealNetwork)), blocks(crossbars), device(given), noiseSeed(seed),
      progress(crossbars.size()) {
  for (size_t p = 0; p < blocks.size(); ++p) {
    std::set<size_t> drivers;
    for (const CrossbarBlock &block : blocks[p])
      for (NeuronId row : block.rows)
        drivers.insert(populationOf(populations(), row));
    progress[p].drivers.assign(drivers.begin(), drivers.end());
  }
}

llvm::Error DisturbedNetwork::begin(size_t sample) {
  sampleNow = sample;
  spikes.clear();
  for (Progress &each : progress)
    each = {std::move(each.drivers), 0, 0, {}};
  return network->begin(sample);
}

void DisturbedNetwork::addErrors(const CrossbarBlock &block, uint32_t step, NeuronId first,
                                 std::vector<double> &currents) {
  const bool isConverted = device.converter.bits > 0, isNoisy = !block.readVariances.empty();
  sums.assign(block.columns.size(), {});
  variances.assign(block.columns.size(), 0);
  for (size_t row = 0; row < block.rows.size(); ++row) {
    const double count = spikes[step][block.rows[row]];
    if (count == 0)
      continue;
    const size_t begin = block.offsets[row], end = block.offsets[row + 1];
    for (size_t c = begin; c < end; ++c) {
      Sum &sum = sums[block.columnOf[c]];
      sum.ideal += count * block.cells[c].weight;
      sum.error += count * block.cells[c].error;
    }
    for (size_t c = begin; isNoisy && c < end; ++c)
      variances[block.columnOf[c]] += count * count * block.readVariances[c];
  }
  PhiloxKey key{uint32_t(noiseSeed), uint32_t(noiseSeed >> 32)};
  for (uint32_t column = 0; column < block.columns.size(); ++column) {
    const Sum &sum = sums[column];
    double error = sum.error;
    if (variances[column] > 0) {
      // The last word tells readings from cells, whose last word is zero.
      PhiloxCounter words = philox({block.units[column], step, uint32_t(sampleNow), 1}, key);
      error += std::sqrt(variances[column]) * standardNormals(words[0], words[1]).first;
    }
    if (isConverted)
      error = converted(sum.ideal + error, device.converter, block.largest) - sum.ideal;
    currents[block.columns[column] - first] += error;
  }
}

/// Reads the crossbars of a population in this step and in those that its drivers are ahead.
void DisturbedNetwork::readCrossbars(size_t population, uint32_t step) {
  Progress &itself = progress[population];
  const Population &neurons = populations()[population];
  uint32_t end = step + kMostAhead;
  for (size_t driver : itself.drivers)
    end = std::min(end, progress[driver].steps);
  itself.errorsFrom = step;
  itself.errors.assign(end - step, std::vector<double>(neurons.size));
  for (const CrossbarBlock &block : blocks[population])
    for (uint32_t t = step; t < end; ++t)
      addErrors(block, t, neurons.first, itself.errors[t - step]);
}

std::vector<NeuronId> DisturbedNetwork::step(size_t population, uint32_t step,
                                             llvm::ArrayRef<float> extra) {
  Progress &itself = progress[population];
  std::vector<float> added = extra;
  if (!itself.drivers.empty()) {
    if (step >= itself.errorsFrom + itself.errors.size())
      readCrossbars(population, step);
    const std::vector<double> &errors = itself.errors[step - itself.errorsFrom];
    added.resize(errors.size());
    for (size_t n = 0; n < errors.size(); ++n)
      added[n] += static_cast<float>(errors[n]);
    if (step + 1 == itself.errorsFrom + itself.errors.size()) { // their last one
      itself.errorsFrom = step + 1;
      itself.errors.clear();
    }
  }
  std::vector<NeuronId> made = network->step(population, step, added);
  if (spikes.size() <= step)
    spikes.resize(step + 1, std::vector<uint32_t>(neuronCount(populations())));
  for (NeuronId neuron : made)
    ++spikes[step][neuron];
  itself.steps = step + 1;
  return made;
}

} // namespace spindle
