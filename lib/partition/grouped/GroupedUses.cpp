// Limits of a core for groups of units: words of synapse memory and axons.
#include "lib/partition/grouped/GroupedUnits.h"
#include "lib/partition/limits/CoreUses.h"

#include <algorithm>

namespace spindle {

/// An eighth of the columns at most, and of the words.
uint32_t GroupedUnits::mostOf(const Block &block) const {
  uint64_t most = crossbar.columns / 8;
  const CoreLimits &core = crossbar.core;
  if (core.limits(core.synapseWords))
    most = std::min(most, core.most(core.synapseWords) / 8 /
                              std::max<uint64_t>(1, wordsOf(crossbar, block.end - block.begin)));
  return uint32_t(std::max<uint64_t>(1, most));
}

/// Of the sources of a block, ascending.
std::vector<uint32_t> GroupedUnits::sourcePopulations(const Block &block) const {
  std::vector<uint32_t> found;
  for (uint64_t s = block.begin; s < block.end; ++s)
    if (uint32_t own = populationOf[network.sources[s]]; found.empty() || found.back() != own)
      found.push_back(own);
  return found;
}

/// Words of the units of a group; axons of the neurons in its nets, or of their populations.
void GroupedUnits::fillUses() {
  const CoreLimits &core = crossbar.core;
  std::vector<uint32_t> blockOf = blockOfVertex();
  if (core.limits(core.synapseWords)) {
    SharedUse &use = graph.uses.emplace_back();
    use.limit = core.most(core.synapseWords);
    for (VertexId v = 0; v < graph.vertices(); ++v) {
      const Block &block = blocks[blockOf[v]];
      use.sizes.push_back(graph.columns[v] * wordsOf(crossbar, block.end - block.begin));
      use.items.members.push_back(v);
      use.items.close();
    }
  }
  if (!core.limits(core.axons))
    return;
  SharedUse &use = graph.uses.emplace_back();
  use.limit = core.most(core.axons);
  if (core.axonsPer == AxonsPer::Source) {
    use.items = graph.pins;
    use.sizes.assign(graph.width.begin(), graph.width.end());
    return;
  }
  use.sizes.assign(network.populations.size(), 1);
  for (uint32_t b : blockOf) {
    std::vector<uint32_t> from = sourcePopulations(blocks[b]);
    use.items.members.insert(use.items.members.end(), from.begin(), from.end());
    use.items.close();
  }
}

llvm::Error GroupedUnits::checkFit(const Chip &chip) const {
  for (const Block &block : blocks) {
    uint64_t synapses = block.end - block.begin;
    uint64_t axons = chip.crossbar.core.axonsPer == AxonsPer::Source
                         ? synapses
                         : sourcePopulations(block).size();
    SPINDLE_RETURN_IF_ERROR(
        checkColumnFits(chip, network.populations[block.population].name, synapses, axons));
  }
  return llvm::Error::success();
}

} // namespace spindle
