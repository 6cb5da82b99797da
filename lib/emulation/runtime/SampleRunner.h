// The engines behind one function: emulate some samples and book what they did.
#pragma once

#include "core/network/MembraneTrace.h"
#include "core/network/Population.h"
#include "lib/emulation/network/InputMapping.h"
#include "lib/emulation/runtime/Batches.h"
#include "lib/emulation/runtime/EmulationOptions.h"
#include "lib/emulation/runtime/StepProgress.h"
#include "lib/emulation/runtime/Tally.h"

#include <functional>
#include <memory>
#include <optional>

namespace spindle {

class Ranks;

/// What all threads read, and the recordings, of which each sample is written by one thread.
struct EmulationTask {
  const Network &network;
  const Samples &samples;
  const InputMapping &mapping;
  const EmulationOptions &options;
  uint64_t firstSample; // number of the first one among all, where these are a part of them
  std::vector<std::vector<Spike>> &recorded;
  MembraneTrace &membranes;
  StepProgress &progress; // told of steps when they are done
  Ranks *ranks = nullptr; // that hold the other parts of the network, where it is one
};

/// Belongs to one thread.
struct SampleRunner {
  /// Emulates `count` samples from `first` on.
  std::function<llvm::Error(size_t first, size_t count, Tally &tally)> run;
  /// When there are no samples left: helps other threads with theirs until all are done. May be
  /// empty.
  std::function<void(Tally &tally)> help = {};
};

struct EngineInstance {
  BatchSizes batches;
  std::function<SampleRunner()> makeRunner; // one per thread
  size_t parts = 1;                         // of a sample, which as many threads can work
};

/// Prepares an engine for the task, which must outlive it.
llvm::Expected<EngineInstance> makeLanesEngine(const EmulationTask &task);
/// Nothing where the task needs what the layerwise schedule does not know; `reason` says what.
llvm::Expected<std::optional<EngineInstance>> makeLayersEngine(const EmulationTask &task,
                                                               std::string &reason);
llvm::Expected<EngineInstance> makeInterpreterEngine(const EmulationTask &task);

} // namespace spindle
