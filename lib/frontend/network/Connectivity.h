// Who is connected to whom: rows of targets, each a pure function of seed, projection and target.
#pragma once

#include "core/network/RandomRows.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace spindle::network {

/// The rules by which a projection connects.
struct AllToAll {};
struct OneToOne {}; // the first to the first, …
struct WithProbability {
  double probability = 0;
};
struct FanIn { // sources of each target, without repetition
  int64_t count = 0;
};
struct FanOut { // targets of each source, without repetition
  int64_t count = 0;
};
struct Pairs { // neurons within their populations
  std::vector<int64_t> sources, targets;
};
using Rule = std::variant<AllToAll, OneToOne, WithProbability, FanIn, FanOut, Pairs>;

using Range = IndexRange;

/// Which neurons a projection joins.
struct Ends {
  Range sources, targets;
  int64_t targetCount = 0; // of the whole population
  bool avoidsSelf = false; // source n and target n are one neuron, and not connected
};

/// Synapses in compressed rows, a row for each neuron of the target population, sources ascending.
struct Rows {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> sources;
  std::vector<uint32_t> pairs; // of listed pairs: the number of each synapse in the list

  bool operator==(const Rows &) const = default;
};

/// Makes the synapses of a projection called `name`. Time and memory grow with the synapses, not
/// with the pairs of neurons: distances between connected pairs are geometric, so that no number is
/// drawn for a pair that is not connected. Counts of fan-in and fan-out are at most those of the
/// candidates.
Rows connect(const Rule &rule, const Ends &ends, uint64_t seed, const std::string &name);

/// The rule of projections whose rows are drawn target by target; none for the others.
std::optional<RandomRows> randomRows(const Rule &rule, const Ends &ends, uint64_t seed,
                                     const std::string &name);

/// How many synapses a rule makes, or is expected to make.
double expectedSynapses(const Rule &rule, const Ends &ends);

} // namespace spindle::network
