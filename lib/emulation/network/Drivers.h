// Which neurons drive which, by what operations say: lists that the elements of a signal share.
#pragma once

#include "core/network/synapses/SynapseKind.h"
#include "lib/emulation/network/Network.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace spindle {

/// Ascending lists of neurons, none twice.
class SourceLists {
public:
  uint32_t size() const { return static_cast<uint32_t>(offsets.size() - 1); }
  std::span<const NeuronId> operator[](uint32_t list) const {
    return {neurons.data() + offsets[list], neurons.data() + offsets[list + 1]};
  }

  /// The list of these neurons, in any order; equal ones get one number.
  uint32_t listOf(std::vector<NeuronId> &members);

private:
  std::vector<uint64_t> offsets{0};
  std::vector<NeuronId> neurons;
  std::unordered_multimap<uint64_t, uint32_t> byHash;
};

/// Which neurons contribute to each element of a signal, and by what kind of synapses populations
/// do. The spikes of a population itself need no lists.
struct Drivers {
  std::shared_ptr<SourceLists> lists; // none: element e is neuron first + e
  std::vector<uint32_t> listOf;       // per element
  NeuronId first = 0;
  std::map<size_t, SynapseKind> kinds; // by population

  bool isNothing() const { return kinds.empty(); }
  void addTo(std::vector<NeuronId> &members, int64_t element) const {
    if (!lists) {
      members.push_back(first + NeuronId(element));
      return;
    }
    auto own = (*lists)[listOf[size_t(element)]];
    members.insert(members.end(), own.begin(), own.end());
  }
};

/// Calls `use` with every population, in program order, and what drives it: for every neuron the
/// neurons that `composeSynapses` finds. Time and memory grow with the lists, of which a
/// convolution has one for each place and group of channels, and a dense layer one; a sum of two
/// ways makes a list for every neuron where one of them joins neurons one to one.
void forEachDrive(const Network &network,
                  llvm::function_ref<void(const NetworkOp &, const Drivers &)> use);

} // namespace spindle
