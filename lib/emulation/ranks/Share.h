// What one rank does of an emulation: all of it, where there is one rank.
#pragma once

#include "core/network/MembraneTrace.h"
#include "core/network/Population.h"
#include "core/network/Samples.h"
#include "lib/emulation/network/Network.h"
#include "lib/emulation/runtime/Batches.h"
#include "lib/emulation/runtime/EmulationOptions.h"
#include "lib/emulation/runtime/Tally.h"

namespace spindle {

class Ranks;

struct Share {
  Tally tally{0, 0, 0};
  std::vector<std::vector<Spike>> recorded; // of the first of its samples
  MembraneTrace membranes;                  // of the same samples
  std::string engine;
  uint32_t threads = 0;
  double compileSeconds = 0, seconds = 0; // preparing the engine, and the emulation proper
  std::string refusal;                    // why the neurons cannot be divided; nothing is done then
  uint64_t synapses = 0, synapticEvents = 0; // filled in by those who divide
};

/// `count` samples from the first of a set on, of which the first `recorded` are recorded.
/// `firstSample` is the number of the set's first sample among all, which random numbers follow.
struct ShareRange {
  uint64_t firstSample = 0;
  size_t count = 0, recorded = 0;
};

/// Emulates a range. Errors: samples that do not fit the network, negative values before encoders
/// of rates or times, membranes of a population that has none. Progress counts samples, or steps of
/// a single one. A part of a network needs the ranks that hold the others, which call this at the
/// same time and give the same error, if any.
llvm::Expected<Share> emulateShare(const Network &network, const Samples &samples,
                                   const EmulationOptions &options, const ShareRange &range,
                                   const Progress &progress, Ranks *ranks = nullptr);

} // namespace spindle
