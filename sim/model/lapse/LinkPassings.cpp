#include "sim/model/lapse/LinkPassings.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace spindle {

LinkPassings::LinkPassings(const PacketNetwork &network, size_t count,
                           llvm::ArrayRef<LapseLink> links, const Mesh &mesh)
    : begins(count + 1) {
  llvm::ArrayRef<LinkFlit> flits = network.watchedFlits();
  for (const LinkFlit &flit : flits)
    begins[flit.packet + 1] += flit.head;
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  all.resize(begins.back());
  std::vector<size_t> next = begins;
  for (const LinkFlit &flit : flits)
    if (flit.head)
      all[next[flit.packet]++] = {flit.link, flit.cycle, flit.cycle};
  if (!llvm::all_of(flits, [](const LinkFlit &flit) { return flit.head; }))
    takeTails(flits);
  for (PacketId id = 0; id < count; ++id)
    llvm::sort(of(id), [&](const WayHop &a, const WayHop &b) {
      // On a bus a head passes all segments at once.
      auto hops = [&](const WayHop &hop) {
        return mesh.hops(network.packets()[id].source, links[hop.link].to);
      };
      return a.headCycle != b.headCycle ? a.headCycle < b.headCycle : hops(a) < hops(b);
    });
}

void LinkPassings::takeTails(llvm::ArrayRef<LinkFlit> flits) {
  for (PacketId id = 0; id + 1 < begins.size(); ++id)
    std::ranges::sort(of(id), {}, &WayHop::link);
  for (const LinkFlit &flit : flits)
    if (flit.tail)
      std::ranges::lower_bound(all.begin() + int64_t(begins[flit.packet]),
                               all.begin() + int64_t(begins[flit.packet + 1]), flit.link, {},
                               &WayHop::link)
          ->tailCycle = flit.cycle;
}

} // namespace spindle
