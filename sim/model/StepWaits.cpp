#include "sim/model/StepWaits.h"

#include "core/chip/routing/Ports.h"

#include <algorithm>

namespace spindle {

/// `port`: the way of a tile's packets into the mesh, or out of it.
static constexpr const char *kPartNames[] = {"columns", "crossbar", "port", "link", "circuit"};

StepWaits::StepWaits(const Chip &chip, size_t clusters)
    : mesh(chip.mesh), timing(chip.router), readCycles(clusters), sentFlits(chip.mesh.tiles()),
      flitsBefore(chip.mesh.tiles() * kPorts) {}

void StepWaits::endSlot(const PacketNetwork &network) {
  double onLink = 0, ejected = 0; // cycles
  for (TileId tile = 0; tile < mesh.tiles(); ++tile)
    for (uint32_t port = 0; port < kPorts; ++port) {
      uint64_t &before = flitsBefore[tile * kPorts + port];
      uint64_t flits = network.linkFlits(tile, port) - before;
      if (flits == 0)
        continue;
      before += flits;
      bool crosses = mesh.chipOf(tile) != mesh.chipOf(neighbourOf(mesh, tile, port));
      double busy =
          port == kLocal ? timing.busyEject : (crosses ? timing.chipLink : timing.link).busy;
      double &most = port == kLocal ? ejected : onLink;
      most = std::max(most, double(flits) * busy);
    }
  auto mostOf = [](const std::vector<uint64_t> &of) {
    return of.empty() ? 0.0 : double(*std::max_element(of.begin(), of.end()));
  };
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
