// A network as its file describes it: checked, parameters drawn, times in steps.
#pragma once

#include "core/network/Samples.h"
#include "core/network/synapses/SynapseKind.h"
#include "dialects/snn/Snn.h"
#include "lib/frontend/network/Connectivity.h"
#include "lib/frontend/network/Values.h"

#include <map>

namespace spindle::network {

/// A population of neurons; `parameters` are attributes of the operation `snn.KIND`.
struct Neurons {
  std::string kind;
  std::map<std::string, std::vector<float>> parameters;
  std::vector<int64_t> refractory{0}; // steps
  int64_t maxSpikes = 1;
  bool resetBySubtraction = false;
  snn::Discretization discretization = snn::Discretization::Euler;
  std::vector<float> current; // constant, of neurons that do not leak; else part of v_leak
  bool spikes = true;
  int receptors = 1; // 2: excitatory, inhibitory
  bool takesConductances = false;
};

/// The samples of a data set.
struct SampleSource {
  InputEncoding encoding = InputEncoding::Direct;
  double maximum = 1; // the value that stands for one spike per step
  int64_t window = 0; // of latency: steps
};

struct PoissonSource {
  std::vector<float> probability; // per step; one for all, or one each
};

/// Spikes that the file lists.
struct SpikeSource {
  std::vector<int64_t> neurons, steps;
  std::string place; // where the file has the times
};

/// The name of what makes the listed spikes of a population.
inline std::string timesOf(const std::string &population) { return population + ".times"; }

struct Population {
  std::string name;
  std::vector<int64_t> shape;
  std::variant<Neurons, SampleSource, PoissonSource, SpikeSource> contents;

  int64_t size() const;
  /// Refuses a list of numbers that is neither one for all, nor one per channel or per neuron.
  bool checkCount(YamlReader &reader, const std::string &key, size_t count) const;
  const Neurons *neurons() const { return std::get_if<Neurons>(&contents); }
};

struct Projection {
  std::string name, place;       // unique; where the file has it
  size_t source = 0, target = 0; // populations
  Ends ends;
  int receptor = 0;
  Rule rule;
  Values weight;
  int64_t delay = 1; // steps from a spike to the step whose membranes it moves; the shortest
  Values delays;     // of each synapse, in steps, where they differ: listed or drawn; normal ones
                     // are drawn again until they lie from 1 to `kMostDelay`
  std::optional<SynapseKind> kind = {}; // of synapses, where it is given
};

/// Most steps of a delay where synapses differ: each step has its sums.
constexpr int64_t kMostDelay = 1024;

struct Description {
  std::string path; // of the file, beside which others are looked for
  double dtMs = 0;
  uint64_t seed = 1;
  std::vector<Population> populations;
  std::vector<Projection> projections;
  std::optional<size_t> output; // the population that answers the labels of the samples

  std::optional<size_t> samples() const; // the population that is a data set
};

/// Reads and checks a file. `seed` takes the place of the file's.
llvm::Expected<Description> readDescription(const std::string &path, std::optional<int64_t> seed);

/// The parts of it. Errors are left in the reader.
void readPopulation(YamlReader &reader, Description &description, Population &population);
void readNeurons(YamlReader &reader, const Description &description, Population &population);
void readProjections(YamlReader &reader, Description &description);

} // namespace spindle::network
