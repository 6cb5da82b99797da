// An architecture as a chip file. Private to this folder.
#pragma once

#include "core/network/synapses/SynapseKind.h"
#include "lib/frontend/sanafe/Architecture.h"
#include "lib/frontend/sanafe/MappedNetwork.h"

namespace spindle::sanafe {

/// What neurons of a chip with one kind of core cost.
struct UsedUnits {
  const CoreKind *core = nullptr;
  const HardwareUnit *synapse = nullptr, *dendrite = nullptr, *soma = nullptr;
  /// Where synapses are of several units, the one of each kind, or null; `synapse` is the first.
  std::array<const HardwareUnit *, std::size(kSynapseKinds)> kinds = {};
};

/// Where the neurons of a network are.
struct UsedCores {
  UsedUnits units;
  /// Per group: of its synapses, unknown where all are of one unit.
  std::vector<SynapseKind> kinds;
  std::vector<uint32_t> inputTiles; // ascending, of SANA-FE's numbers
  uint32_t tilesOfInputsAlone = 0;
};

/// Tile t of an architecture, in the order of ours.
inline uint32_t ourTile(const Architecture &architecture, uint32_t tile) {
  return tile % architecture.height * architecture.width + tile / architecture.height;
}

/// The units that the neurons of the network use: an error where two that cost differently are, but
/// for up to four units of synapses, of which each group uses one: these are kinds of synapses.
/// Without a network the first ones of the first core.
llvm::Expected<UsedCores> usedCores(const Architecture &architecture, const MappedNetwork *network,
                                    std::vector<std::string> &notes);

/// The number of a core of a tile among those that are no hosts; an error for a core that is not
/// there.
uint32_t crossbarOf(const Architecture &architecture, uint32_t tile, uint32_t core);

/// The soma of a neuron, or an error.
llvm::Expected<const HardwareUnit *> somaOf(const Architecture &architecture,
                                            const MappedNetwork &network, const NeuronGroup &group,
                                            const MappedNeuron &neuron);

/// Notes say what is rounded, or an average.
std::string chipText(const Architecture &architecture, const UsedCores &used,
                     std::vector<std::string> &notes);

} // namespace spindle::sanafe
