// Membrane potentials of chosen populations, step by step.
#pragma once

#include "core/network/Population.h"
#include "core/support/Error.h"

namespace spindle {

/// A population as it stands in the network, and its membranes at the end of every step.
struct MembraneRecording {
  Population population;
  std::vector<float> values; // samples × steps × neurons

  bool operator==(const MembraneRecording &) const = default;
};

struct MembraneTrace {
  uint32_t samples = 0; // recorded
  uint32_t steps = 0;   // of every sample
  double stepMs = 1.0;  // duration of a step in ms
  std::vector<MembraneRecording> recordings;

  bool operator==(const MembraneTrace &) const = default;
};

/// As many values as samples × steps × neurons.
llvm::Error verify(const MembraneTrace &trace);

/// HDF5 in the layout of SONATA's frame-oriented reports (docs/formats/membranes.md).
llvm::Error writeMembraneTrace(const std::string &path, const MembraneTrace &trace);
/// The membranes of one population, of which a file knows name and size alone. Errors: the file has
/// none of it.
llvm::Expected<MembraneTrace> readMembranes(const std::string &path, const std::string &population);

} // namespace spindle
