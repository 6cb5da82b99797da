// What a co-simulation found: cosim.json (docs/formats/cosim.md).
#pragma once

#include "core/kernel/TaskGraph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// Samples of a network as one stream (`cosim --images`).
struct ImageTimes {
  std::vector<uint64_t> latencies; // first word in to the answer out, of each sample alone
  std::vector<uint64_t> intervals; // in a stream, from an answer to the next one
  double meanInterval() const;     // 0 of a single sample
  bool operator==(const ImageTimes &) const = default;
};

/// What processes and streams did while all samples went through in a stream, as was foreseen.
struct StreamUse {
  struct Task {
    std::string name; // of the kernel (schedule.json)
    uint64_t iterations = 0;
    uint64_t withoutToken = 0, withoutRoom = 0; // cycles in which none began for want of one
    bool operator==(const Task &) const = default;
  };
  struct Fifo {
    std::string name;
    uint64_t depth = 0, most = 0; // tokens
    double mean = 0;
    std::string from = {}, to = {}; // tasks; empty: a port
    bool operator==(const Fifo &) const = default;
  };
  uint64_t cycles = 0; // of the whole run
  std::vector<Task> tasks;
  std::vector<Fifo> fifos;
  bool operator==(const StreamUse &) const = default;
};

/// The kernel behind its bus (`synth --bus`).
struct BusResult {
  std::string top;
  std::optional<uint64_t> cycles; // of the first run, arrays moved in and out; no stalls
  uint32_t runs = 0;              // compared
  uint64_t mismatches = 0;        // over all runs
  double buildSeconds = 0, simulationSeconds = 0;
  std::optional<ImageTimes> images = std::nullopt; // as of the circuit alone
  /// Cycles of the memory behind channels, from an address to its first word; none without them.
  std::optional<uint64_t> memoryLatency = std::nullopt;
  /// With samples in such a memory: of the run of all samples. Answers leave in bursts of many.
  std::optional<uint64_t> allSamples = std::nullopt;
  std::vector<uint64_t> runCycles = {}; // of every compared run; not in the file
  /// Of every compared run and argument, as of the circuit alone; not in the file.
  std::vector<std::vector<std::vector<uint64_t>>> streamCycles = {};
  bool operator==(const BusResult &) const = default;
};

struct CosimResult {
  std::string top;
  std::optional<uint64_t> cycles; // start to done of the first run; none when it came to no end
  std::optional<uint64_t> predictedCycles;
  uint32_t runs = 0; // compared
  uint64_t seed = 1;
  uint64_t mismatches = 0;           // elements and results that differ, over all runs
  std::vector<std::string> problems; // one line each; none: the kernel is right
  double buildSeconds = 0, simulationSeconds = 0;
  std::optional<BusResult> bus = std::nullopt;
  std::string inputs = "uniform";       // how they were drawn; file: given
  bool isReassociated = false;          // equal results are then expected of exact sums only
  std::vector<uint64_t> runCycles = {}; // of every compared run, where they differ
  std::vector<TaskSpan> tasks = {};     // of a system, in the first run; by start, then by task
  std::optional<ImageTimes> images = std::nullopt;
  std::optional<StreamUse> use = std::nullopt;
  /// Of every compared run and argument, when each token of a stream moved, in cycles from the
  /// start on; not in the file.
  std::vector<std::vector<std::vector<uint64_t>>> streamCycles = {};
  /// Of every compared run and watched FIFO, the most tokens and their sum over all cycles; not in
  /// the file.
  std::vector<std::vector<std::vector<uint64_t>>> fills = {};
  bool operator==(const CosimResult &) const = default;
};

llvm::Error writeCosimResult(const std::string &path, const CosimResult &result);
llvm::Expected<CosimResult> readCosimResult(const std::string &path);

} // namespace spindle::hls
