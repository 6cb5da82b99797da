// One workload of `spindle_bench emulation`: a network and its input, run by our engines and by
// other simulators on the same work, beside the time that this machine needs at least.
#pragma once

#include "core/network/SpikeTrace.h"
#include "lib/emulation/runtime/EmulationOptions.h"
#include "tests/bench/MachineRates.h"

#include <functional>
#include <memory>

namespace spindle::bench {

/// One run. Synaptic events are spikes × fan-out, linear chains (pooling) composed.
struct Measurement {
  double seconds = 0;        // simulation only
  double compileSeconds = 0; // before it
  uint64_t synapticEvents = 0;
  std::vector<Population> populations;
  std::vector<uint64_t> spikes; // per population, over all samples
  std::vector<Spike> recorded;  // of the first sample
  bool fixedPoint = false;
};

/// Another simulator: a script in tests/bench/peers that reads the workload's file.
struct Peer {
  std::string engine;
  std::string script;
  int64_t equalSteps = 0; // at the start, in which it makes our spikes when it computes in f64
};

/// How our own engines are to run it.
struct EngineChoice {
  EmulationEngine engine = EmulationEngine::Compiled;
  bool fixedPoint = false; // weights of 8 bits, membranes and sums of 16
  int64_t threads = 1;
  bool oneSample = false; // as many steps of the first one in place of the steps of all
};

class EmulationWorkload {
public:
  virtual ~EmulationWorkload() = default;
  virtual llvm::Expected<Measurement> run(const EngineChoice &choice) const = 0;
  virtual bool runsInFixedPoint() const { return false; }
  virtual bool hasSamples() const { return false; }
  /// The least work for the spikes of a run, in whole vectors.
  virtual VectorWork bound(const MachineRates &rates, const Measurement &measured) const = 0;
  virtual std::vector<Peer> peers() const = 0;
  /// The file that the peers read.
  virtual llvm::Error write(const std::string &path) const = 0;
};

struct WorkloadEntry {
  std::string name;
  std::function<std::unique_ptr<EmulationWorkload>()> make; // draws weights and connections
  bool isForTests = false;                                  // runs only when asked for
};

std::vector<WorkloadEntry> emulationWorkloads();

} // namespace spindle::bench
