// Which spikes of a network with cycles are read one step later. Private to this folder.
#pragma once

#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace spindle {

using NodeLists = std::vector<std::vector<size_t>>; // nodes by number, of every node

/// What every node leads to, and which nodes are populations, which make spikes.
struct NirWiring {
  NodeLists successors;
  std::vector<bool> spiking;
  size_t input = 0;
};

/// One population sees another one directly or through nodes that make no spikes.
struct NirDelays {
  std::vector<std::set<size_t>> late;          // of every population: those it sees one step later
  std::map<size_t, std::vector<bool>> reaches; // of those: the nodes that their spikes pass
};

/// An edge of a cycle without a population: none of its nodes can be first in a step.
std::optional<std::pair<size_t, size_t>> findSilentCycle(const NirWiring &wiring);

/// Populations are taken by their distance from the input; what one sees of another one is late
/// where it would close a cycle with what was taken before. It says nothing about the nodes
/// between, so a network means the same whether they are shared or not. An error if more than
/// 20,000 pairs of populations see each other within cycles.
llvm::Expected<NirDelays> findDelays(const NirWiring &wiring, const std::string &path);

} // namespace spindle
