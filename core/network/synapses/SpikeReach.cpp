#include "core/network/synapses/SpikeReach.h"

namespace spindle {

/// Numbers 0, 1, … by their keys, ascending within each; `visit` calls back with (key, number).
template <typename Visit>
static void sortByKey(size_t keys, std::vector<uint64_t> &offsets, std::vector<uint32_t> &numbers,
                      Visit visit) {
  offsets.assign(keys + 1, 0);
  visit([&](uint32_t key, uint32_t) { ++offsets[key + 1]; });
  for (size_t key = 0; key < keys; ++key)
    offsets[key + 1] += offsets[key];
  numbers.resize(offsets.back());
  std::vector<uint64_t> next(offsets.begin(), offsets.end() - 1);
  visit([&](uint32_t key, uint32_t number) { numbers[next[key]++] = number; });
}

SpikeReach::SpikeReach(const SpikingGraph &graph)
    : count(static_cast<uint32_t>(graph.offsets.size() - 1)) {
  sortByKey(graph.neurons(), offsets, lists, [&](auto add) {
    for (uint32_t list = 0; list < count; ++list)
      for (uint64_t s = graph.offsets[list]; s < graph.offsets[list + 1]; ++s)
        add(graph.sources[s], list);
  });
  if (graph.sharesLists())
    sortByKey(count, memberOffsets, members, [&](auto add) {
      for (NeuronId n = 0; n < graph.neurons(); ++n)
        add(graph.lists[n], n);
    });
}

} // namespace spindle
