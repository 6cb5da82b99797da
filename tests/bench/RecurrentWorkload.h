// Balanced networks of excitatory and inhibitory neurons with random connections, in steps of 0.1
// ms over one second, all spikes recorded (Vogels and Abbott, Journal of Neuroscience 25, 2005).
#pragma once

#include "tests/bench/EmulationWorkload.h"
#include "tests/emulation/NetworkBuilder.h"

namespace spindle::bench {

struct RecurrentSpec {
  int64_t neurons = 0;        // the first four of five are excitatory
  bool conductances = false;  // else synapses are currents
  float excitatoryWeight = 0; // mV, or leak conductances
  float inhibitoryWeight = 0;
  int64_t delay = 1; // steps from a spike to the step whose membranes it moves
  float leakPotential = 0, input = 0;
  int64_t equalSteps = 200; // 20 ms in which f32 and f64 spike alike; the network is chaotic
};

class RecurrentWorkload : public EmulationWorkload {
public:
  explicit RecurrentWorkload(RecurrentSpec network);

  llvm::Expected<Measurement> run(const EngineChoice &choice) const override;
  VectorWork bound(const MachineRates &rates, const Measurement &measured) const override;
  std::vector<Peer> peers() const override;
  llvm::Error write(const std::string &path) const override;

private:
  /// Rows of targets, sources ascending.
  struct Rows {
    std::vector<int64_t> offsets{0};
    std::vector<int32_t> sources;
  };
  Rows randomRows(CounterRandom &random, int64_t first, int64_t end) const;

  RecurrentSpec spec;
  Rows excitatory, inhibitory;
  std::vector<float> membranes; // at the start
};

} // namespace spindle::bench
