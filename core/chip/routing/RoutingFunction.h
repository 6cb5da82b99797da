// Where a head flit may go next: output ports, and the virtual channels behind them.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/Ports.h"
#include "core/chip/routing/UpDownTable.h"

#include <optional>
#include <vector>

namespace spindle {

/// The virtual channels first … last behind an output. Of several options the free ones with the
/// highest priority are asked for.
struct RouteOption {
  uint8_t port, first, last, priority;
  bool operator==(const RouteOption &) const = default;
};

struct RouteSet {
  RouteOption options[3] = {};
  uint8_t count = 0;

  void add(uint32_t port, uint32_t first, uint32_t last, uint32_t priority = 0) {
    options[count++] = {static_cast<uint8_t>(port), static_cast<uint8_t>(first),
                        static_cast<uint8_t>(last), static_cast<uint8_t>(priority)};
  }
  const RouteOption *begin() const { return options; }
  const RouteOption *end() const { return options + count; }
};

/// A routing of a mesh. The seven are those of `Routing`:
///  - xy, yx: dimension order; on a torus, packets that cross the end of a row or column use the
///    upper half of the channels all along it, the others the lower half (Dally & Seitz 1987);
///  - west_first: west before anything else, then any shortest way (Glass & Ni 1992);
///  - odd_even: no turn from east in even columns, none to west in odd ones (Chiu 2000);
///  - min_adaptive: any shortest way in the upper channels; channel 0 (on a torus, 0 and 1) goes
///    xy, is taken where no other is free, and is never left (Duato 1993);
///  - planar_adaptive: along x in the upper third of the channels, or along y in the first third
///    while the target lies east, in the second while it lies west (Chien & Kim 1992);
///  - up_down: a shortest way that goes up, towards the root of a tree, before it goes down
///    (UpDownTable.h), whatever links are left.
/// In a tree there is one way, up to the router above both ends and down again, and on a bus one
/// along it; the routing is xy there. Options on dead links, and to dead tiles, are left out. The
/// two before the last adapt with AdaptiveOptions::All alone. BookSim keeps its options in a set
/// that is ordered by priority, so that the second of equal ones is lost, and packets go along x
/// first.
class RoutingFunction {
public:
  RoutingFunction(const Mesh &chipMesh, Routing routing, uint32_t virtualChannels,
                  AdaptiveOptions adaptiveOptions = AdaptiveOptions::First);
  RoutingFunction(const Mesh &chipMesh, const Router &router, uint32_t virtualChannels);
  RoutingFunction(const Mesh &chipMesh, const Router &router)
      : RoutingFunction(chipMesh, router, router.virtualChannels) {}

  /// The options of a head that came into `tile` by virtual channel `channel` of `input`; never
  /// empty, but where a fault is in the way. At the target all channels of the tile's own port.
  RouteSet operator()(TileId tile, TileId target, uint32_t input, uint32_t channel) const;

private:
  RouteSet anyOptions(TileId tile, TileId target, uint32_t input, uint32_t channel) const;
  /// Of a tree or a bus, towards a router that is not here.
  uint32_t onlyPort(TileId tile, TileId target) const;
  /// The port of the shortest way along a dimension, kLocal where there is nothing left to go.
  uint32_t towards(uint32_t dimension, TileId tile, TileId target) const;
  void addDimensionOrder(RouteSet &set, uint32_t port, TileId tile, TileId target, uint32_t input,
                         uint32_t channel) const;
  /// Whether the way through `port` crosses the end of its row or column, as BookSim says it.
  bool usesUpperHalf(uint32_t port, TileId tile, TileId target) const;

  Mesh mesh;
  Routing kind;
  uint32_t channels;
  bool keepsAll;                  // of several options with the same priority
  std::vector<uint16_t> xs, ys;   // coordinates per router; of a tree, on its level …
  std::vector<uint8_t> levels;    // … which is this; empty: no tree
  std::vector<uint8_t> deadPorts; // per router, bits; empty: none
  std::optional<UpDownTable> upDown;
};

} // namespace spindle
