// What is simulated: a kernel, or the kernel behind its bus.
#pragma once

#include "hw/cosim/Cosim.h"
#include "hw/cosim/TestBench.h"

#include <set>

namespace spindle::hls {

struct Circuit {
  KernelInterface kernel; // as the test bench sees it
  BenchDesign design;
  std::optional<TaskGraph> system;     // whose managers are watched
  std::optional<uint64_t> cycles;      // of a run, where known; behind a bus, at least
  uint64_t mostCycles = 0;             // of a run
  std::vector<uint64_t> stallPercents; // of the first run, then of the others, again and again
  std::set<uint32_t> inMemory = {};    // arguments that are streams, and lie behind channels
};

bool hasStreams(const KernelInterface &kernel);

Circuit plainCircuit(const std::string &folder, const KernelInterface &kernel,
                     const std::optional<TaskGraph> &system, const CosimOptions &options);

/// Elements cross the bus in row-major order, whatever banks they lie in, and moving them takes
/// cycles that nobody predicts. Errors: axi.json that does not have what the kernel needs.
llvm::Expected<Circuit> busCircuit(const std::string &folder, KernelInterface kernel,
                                   const BusInterface &bus, const CosimOptions &options);

} // namespace spindle::hls
