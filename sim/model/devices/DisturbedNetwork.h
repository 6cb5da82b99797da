// A network whose crossbars are made of real cells.
#pragma once

#include "core/network/SteppedNetwork.h"
#include "sim/model/devices/DisturbedCrossbars.h"

#include <memory>

namespace spindle {

/// Works as the network inside it does, with the currents added that crossbars, read as the device
/// has it, give beyond the exact ones. What they read is a sum for each crossbar and unit: rows'
/// weights and errors times their spikes, read noise, and then the converter, in which a column
/// whose rows are all silent is zero. Parts of divided neurons are converted each by itself.
/// Where there is no difference nothing is added, bit for bit. A crossbar is read at once for the
/// steps that those who drive it have made, 64 at most: whoever works population by population
/// passes its cells through the caches that much less often.
class DisturbedNetwork final : public SteppedNetwork {
public:
  /// `crossbars` (disturbedCrossbars) outlive this; noise of readings depends on seed, sample, step
  /// and unit alone.
  DisturbedNetwork(std::unique_ptr<SteppedNetwork> ideal,
                   const std::vector<std::vector<CrossbarBlock>> &crossbars, const Device &device,
                   uint64_t seed);

  const std::vector<Population> &populations() const override { return network->populations(); }
  llvm::Error begin(size_t sample) override;
  std::vector<NeuronId> step(size_t population, uint32_t step,
                             llvm::ArrayRef<float> extra) override;
  std::vector<uint32_t> answers(uint32_t steps) override { return network->answers(steps); }

private:
  struct Sum {
    double ideal = 0, error = 0;
  };
  /// Of a population: who drives its crossbars, the steps it has made, and the errors of its
  /// currents in the steps from `errorsFrom` on that are read already.
  struct Progress {
    std::vector<size_t> drivers;
    uint32_t steps = 0, errorsFrom = 0;
    std::vector<std::vector<double>> errors;
  };

  void readCrossbars(size_t population, uint32_t step);
  void addErrors(const CrossbarBlock &block, uint32_t step, NeuronId first,
                 std::vector<double> &currents);

  std::unique_ptr<SteppedNetwork> network;
  const std::vector<std::vector<CrossbarBlock>> &blocks; // by population
  Device device;
  uint64_t noiseSeed;
  size_t sampleNow = 0;
  std::vector<Progress> progress;            // by population
  std::vector<std::vector<uint32_t>> spikes; // by step and neuron
  std::vector<Sum> sums;                     // by column of a block …
  std::vector<double> variances;             // … if readings are noisy
};

} // namespace spindle
