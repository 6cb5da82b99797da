// How long, how often and by what a network is emulated.
#pragma once

#include "core/network/Samples.h"
#include "core/support/formats/Yaml.h"

#include <optional>

namespace spindle {

/// Compiled: layer by layer where the network allows it, else sample by sample in lanes; the next
/// two ask for one of them.
enum class EmulationEngine { Compiled, Layers, Lanes, Interpreter };
/// What ranks divide among themselves. Automatic: the neurons of networks with feedback where there
/// are fewer samples than ranks, else the samples.
enum class Division { Automatic, Samples, Neurons };

struct EmulationOptions {
  int64_t steps = 64;
  std::optional<double> durationMs; // in place of steps
  double stepMs = 1;                // duration of a step, where the network does not say it
  int64_t trials = 1;               // of a network that drives itself; others take a data set
  int64_t seed = 1;                 // of Poisson encoding and Poisson sources
  int64_t threads = 2;
  int64_t recordSamples = 100;              // whose spikes are kept; counts are kept for all
  std::vector<std::string> recordMembranes; // populations, over the recorded samples
  Division divide = Division::Automatic;
  EmulationEngine engine = EmulationEngine::Compiled;
  InputEncoding encoding = InputEncoding::Direct; // conversion puts it into the network
};

/// Reads the section `emulation`.
void readEmulationOptions(YamlReader &reader, EmulationOptions &options);

/// The same ranges, for options that come from elsewhere.
llvm::Error checkEmulationOptions(const EmulationOptions &options);

} // namespace spindle
