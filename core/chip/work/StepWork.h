// What a chip takes whose tiles wait for the slowest of them in every step.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

namespace spindle {

struct SpikeTrace;
struct SpikingGraph;

/// Of the recorded samples of a trace.
struct StepWork {
  double cycles = 0;         // per sample, in the mean: the sum over its steps of the slowest part
  ClusterId slowest = kNone; // that is waited for in most steps; kNone: for the host
  std::vector<double> stepCycles;    // of each step, of one sample after the other
  std::vector<double> clusterCycles; // each cluster's own part, none longer than the whole
};

/// In a step each crossbar updates its columns one after the other, and a spike or sum leaves when
/// its column is done; the host's spikes are there at the start. Whatever comes to a crossbar is
/// worked one after the other, by the prices of CrossbarWork.h, and passes the port of its tile
/// before that. Ports are known before clusters are placed where a tile holds one crossbar; where
/// it holds more, as many targets as can be lie in the sender's tile, and those of the host in its
/// tiles. Each of these three, columns, port (in, out) and crossbar, is done no earlier than the
/// last of its arrivals and what is left from there on; the step is when the slowest of all is. The
/// mesh between the ports takes the time of one link without contention: a bound from below on what
/// the chip simulation takes (sim/model/StepSimulation.h).
///
/// On a chip that prices accesses columns are updated whose neurons are not at rest; which these
/// are is known from `graph`, and without it those that spike count alone (AwakeNeurons.h).
///
/// A unit carries a sum where its crossbar hears a spike in the step, or a sum was carried to it:
/// an upper bound, as there. Refuses a trace, or a graph, of other neurons. O(deliveries + spikes ×
/// log + steps × units).
llvm::Expected<StepWork> stepWork(const Clustering &clustering, const SpikeTrace &trace,
                                  const Chip &chip, const SpikingGraph *graph = nullptr);

} // namespace spindle
