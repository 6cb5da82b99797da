// Whom the spikes of a neuron reach.
#pragma once

#include "core/network/SpikingGraph.h"

namespace spindle {

/// The synapses of a graph by their sources. Of a graph with shared lists a spike reaches lists,
/// and with each of them its members; of another each neuron is a list of its own, with its number.
/// Memory goes with the lists, not with the synapses.
class SpikeReach {
public:
  /// Of no graph: spikes reach nobody.
  SpikeReach() = default;
  explicit SpikeReach(const SpikingGraph &graph);

  /// Once for each synapse between the source and one of their members, ascending.
  std::span<const uint32_t> listsOf(NeuronId source) const {
    if (offsets.empty())
      return {};
    return {lists.data() + offsets[source], lists.data() + offsets[source + 1]};
  }
  /// Lists.
  uint32_t size() const { return count; }
  template <typename Visit> void visitMembers(uint32_t list, Visit visit) const {
    if (members.empty())
      return visit(NeuronId(list));
    for (uint64_t m = memberOffsets[list]; m < memberOffsets[list + 1]; ++m)
      visit(members[m]);
  }

private:
  uint32_t count = 0;
  std::vector<uint64_t> offsets; // per source, then the end
  std::vector<uint32_t> lists;
  std::vector<uint64_t> memberOffsets; // per list, then the end; where lists are shared
  std::vector<NeuronId> members;
};

} // namespace spindle
