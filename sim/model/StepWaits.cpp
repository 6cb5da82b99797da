#include "sim/model/StepWaits.h"

#include "core/chip/routing/Ports.h"

#include <algorithm>

namespace spindle {

/// `port`: the way of a tile's packets into the mesh, or out of it.
static constexpr const char *kPartNames[] = {"columns", "crossbar", "port", "link", "circuit"};

StepWaits::StepWaits(const Chip &chip, size_t clusters)
    : mesh(chip.mesh), timing(chip), readCycles(clusters), sentFlits(chip.mesh.tiles()),
      flitsBefore(chip.mesh.routers() * kPorts) {}

double StepWaits::busyOnLink(TileId router, uint32_t port) const {
  bool crosses = mesh.chipOf(router) != mesh.chipOf(neighbourOf(mesh, router, port));
  return (crosses ? timing.chipLink : timing.link).busy;
}

void StepWaits::endSlot(const PacketNetwork &network) {
  double onLink = 0, ejected = 0;                                  // cycles
  std::vector<uint64_t> segments(mesh.isBus() ? mesh.tiles() : 0); // flits both ways
  for (TileId router = 0; router < mesh.routers(); ++router)
    for (uint32_t port = 0; port < kPorts; ++port) {
      uint64_t &before = flitsBefore[router * kPorts + port];
      uint64_t flits = network.linkFlits(router, port) - before;
      if (flits == 0)
        continue;
      before += flits;
      if (leadsToTile(mesh, router, port))
        ejected = std::max(ejected, double(flits) * timing.busyEject);
      else if (mesh.isBus())
        segments[mesh.bus().segmentOf(router, neighbourOf(mesh, router, port))] += flits;
      else
        onLink = std::max(onLink, double(flits) * busyOnLink(router, port));
    }
  auto mostOf = [](const std::vector<uint64_t> &of) {
    return of.empty() ? 0.0 : double(*std::max_element(of.begin(), of.end()));
  };
  onLink = std::max(onLink, mostOf(segments) * timing.link.busy);
  const double busy[] = {double(columnCycles), mostOf(readCycles),
                         std::max(mostOf(sentFlits) * timing.busyInject, ejected), onLink,
                         double(circuitCycles)};
  ++slots[static_cast<size_t>(std::max_element(std::begin(busy), std::end(busy)) - busy)];
  std::fill(readCycles.begin(), readCycles.end(), 0);
  std::fill(sentFlits.begin(), sentFlits.end(), 0);
}

std::vector<WaitCount> StepWaits::counts() const {
  std::vector<WaitCount> counts;
  for (size_t part = 0; part < slots.size(); ++part)
    if (slots[part] > 0)
      counts.push_back({kPartNames[part], slots[part]});
  return counts;
}

} // namespace spindle
