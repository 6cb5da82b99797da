// A finished run as files of SANA-FE, a simulator of neuromorphic chips (Boyle et al., IEEE TCAD
// 2025), version 2.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/network/SpikingGraph.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace spindle {

struct SpikeTrace;

/// What the stages left in a folder. All must be of one network and one chip.
struct MappedRun {
  mlir::ModuleOp snn;
  const SpikeTrace &trace;
  const SpikingGraph &graph;
  const Clustering &clustering;
  const Mapping &mapping;
  const Chip &chip;
};

struct SanafeFiles {
  std::string architecture, network; // YAML
  uint32_t steps = 0;                // that a sample takes there
  std::vector<std::string> notes;    // what SANA-FE counts otherwise, or not at all
};

/// The chip as an architecture, and one recorded sample on it as a network with its mapping: the
/// spikes of inputs are those of the trace, those of all other neurons are computed there. A spike
/// of SANA-FE moves membranes in the step after it; layers of a network whose spikes move them in
/// the same step spike later there, each by one step more than the layer before it. What SANA-FE
/// has no counterpart for is an error: other neurons than IF, LIF and CUBA-LIF, several spikes in a
/// step, ways of different delays, neurons that are divided, tori, faults, multicast.
llvm::Expected<SanafeFiles> exportSanafe(const MappedRun &run, uint32_t sample);

} // namespace spindle
