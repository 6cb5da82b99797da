#include "lib/frontend/nir/NirDelays.h"

#include "core/support/Error.h"
#include "core/support/StrongComponents.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

static constexpr size_t mostPairs = 20000;

namespace {

using Components = std::vector<uint32_t>; // by node: equal for nodes that reach each other

/// Of the graph, or only of what makes no spikes.
Components components(const NirWiring &wiring, bool silentOnly) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (size_t from = 0; from < wiring.successors.size(); ++from)
    for (size_t to : wiring.successors[from])
      if (!silentOnly || (!wiring.spiking[from] && !wiring.spiking[to]))
        arcs.push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(to)});
  return strongComponents(static_cast<uint32_t>(wiring.successors.size()), arcs);
}

/// The number of edges from the input to every node; of those that it does not reach, the most.
std::vector<size_t> distances(const NirWiring &wiring) {
  size_t count = wiring.successors.size();
  std::vector<size_t> distance(count, count), reached{wiring.input};
  distance[wiring.input] = 0;
  for (size_t i = 0; i < reached.size(); ++i)
    for (size_t to : wiring.successors[reached[i]])
      if (distance[to] == count) {
        distance[to] = distance[reached[i]] + 1;
        reached.push_back(to);
      }
  return distance;
}

std::vector<size_t> populationsByDistance(const NirWiring &wiring) {
  std::vector<size_t> populations, distance = distances(wiring);
  for (size_t node = 0; node < wiring.spiking.size(); ++node)
    if (wiring.spiking[node])
      populations.push_back(node);
  std::sort(populations.begin(), populations.end(), [&](size_t a, size_t b) {
    return std::make_pair(distance[a], a) < std::make_pair(distance[b], b);
  });
  return populations;
}

/// The nodes of its cycles that the spikes of a population pass, and the populations they end at.
std::vector<bool> follow(const NirWiring &wiring, const Components &component, size_t population) {
  std::vector<bool> seen(wiring.successors.size());
  std::vector<size_t> open{population};
  while (!open.empty()) {
    size_t node = open.back();
    open.pop_back();
    for (size_t to : wiring.successors[node])
      if (!seen[to] && component[to] == component[population]) {
        seen[to] = true;
        if (!wiring.spiking[to])
          open.push_back(to);
      }
  }
  return seen;
}

bool leadsTo(const std::map<size_t, std::vector<size_t>> &kept, size_t from, size_t to) {
  std::set<size_t> seen;
  std::vector<size_t> open{from};
  while (!open.empty()) {
    size_t node = open.back();
    open.pop_back();
    if (node == to)
      return true;
    auto next = kept.find(node);
    if (seen.insert(node).second && next != kept.end())
      open.insert(open.end(), next->second.begin(), next->second.end());
  }
  return false;
}

} // namespace

std::optional<std::pair<size_t, size_t>> findSilentCycle(const NirWiring &wiring) {
  Components component = components(wiring, true);
  for (size_t from = 0; from < component.size(); ++from)
    for (size_t to : wiring.successors[from])
      if (component[from] == component[to] && !wiring.spiking[from])
        return std::make_pair(from, to);
  return std::nullopt;
}

llvm::Expected<NirDelays> findDelays(const NirWiring &wiring, const std::string &path) {
  Components component = components(wiring, false);
  std::vector<size_t> populations = populationsByDistance(wiring);
  NirDelays delays{std::vector<std::set<size_t>>(wiring.successors.size()), {}};
  std::map<size_t, std::vector<size_t>> kept; // what populations lead to in the same step
  size_t pairs = 0;
  for (size_t from : populations) {
    std::vector<bool> passed = follow(wiring, component, from);
    bool isLate = false;
    for (size_t to : populations) {
      if (!passed[to])
        continue;
      if (++pairs > mostPairs)
        return inputError(path,
                          fmt::format("more than {} pairs of populations see each other within "
                                      "cycles; join populations to larger ones",
                                      mostPairs));
      if (leadsTo(kept, to, from)) {
        delays.late[to].insert(from);
        isLate = true;
      } else {
        kept[from].push_back(to);
      }
    }
    if (isLate)
      delays.reaches[from] = std::move(passed);
  }
  return delays;
}

} // namespace spindle
