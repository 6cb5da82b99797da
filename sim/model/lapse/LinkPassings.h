// The links that each packet has passed.
#pragma once

#include "core/chip/lapse/TimeLapse.h"
#include "sim/model/router/PacketNetwork.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

/// Of the first `count` packets of a network, from the flits that it has kept of watched links; of
/// each packet in the order of time, so that every link begins where the packet has come.
class LinkPassings {
public:
  /// `links`: those that are watched.
  LinkPassings(const PacketNetwork &network, size_t count, llvm::ArrayRef<LapseLink> links,
               const Mesh &mesh);

  llvm::ArrayRef<WayHop> of(PacketId id) const {
    return llvm::ArrayRef(all).slice(begins[id], begins[id + 1] - begins[id]);
  }

private:
  void takeTails(llvm::ArrayRef<LinkFlit> flits);
  llvm::MutableArrayRef<WayHop> of(PacketId id) {
    return llvm::MutableArrayRef(all).slice(begins[id], begins[id + 1] - begins[id]);
  }

  std::vector<WayHop> all;
  std::vector<size_t> begins; // per packet, and the end
};

} // namespace spindle
