// The law of BusTransfers.h once more, cycle by cycle and with sets, as it is written there. Shares
// no code with it.
#pragma once

#include "sim/model/router/ClockedNetwork.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace spindle {

struct SteppedBusPacket {
  TileId source;
  std::vector<TileId> targets;
  uint32_t flits;
  uint64_t madeCycle;
  uint64_t injectedCycle = 0;
  std::vector<uint64_t> headCycles = {}; // at each target
};

class SteppedBus {
public:
  SteppedBus(const Mesh &mesh, const Router &busRouter) : router(busRouter) {
    for (uint32_t y = 0; y < mesh.rows; ++y)
      for (uint32_t x = 0; x < mesh.columns; ++x)
        order.push_back(y * mesh.columns + (y % 2 ? mesh.columns - 1 - x : x));
  }

  /// Sends all of them; they are made in ascending order.
  void run() {
    std::vector<std::vector<uint32_t>> queues(order.size());
    for (uint32_t id = static_cast<uint32_t>(packets.size()); id-- > 0;)
      queues[packets[id].source].push_back(id); // the first at the back
    std::vector<uint64_t> interfaceFree(order.size());
    size_t left = packets.size();
    auto isReady = [&](TileId tile) {
      return !queues[tile].empty() && packets[queues[tile].back()].madeCycle <= cycle &&
             interfaceFree[tile] <= cycle;
    };
    auto sendFrom = [&](TileId tile) {
      uint32_t id = queues[tile].back();
      std::optional<uint32_t> lane = freeLane(id);
      if (!lane)
        return false;
      transfer(id, *lane);
      interfaceFree[tile] = cycle + packets[id].flits * router.linkIntervalCycles;
      queues[tile].pop_back();
      --left;
      return true;
    };
    for (;; ++cycle) {
      if (left == 0) // sendFrom counts
        break;
      if (claim && sendFrom(packets[claim->packet].source))
        claim.reset();
      for (uint32_t k = 0, begin = turn; k < order.size(); ++k) {
        TileId tile = order[(begin + k) % order.size()];
        if (!isReady(tile) || (claim && claim->packet == queues[tile].back()) || sendFrom(tile) ||
            claim)
          continue;
        claim = Claim{queues[tile].back(), laneFreeFirst(queues[tile].back())};
        turn = static_cast<uint32_t>((begin + k + 1) % order.size());
      }
    }
  }

  uint32_t wires(uint32_t segments) const {
    uint32_t cycles = 0;
    for (int64_t rest = segments; rest > 0; ++cycles)
      rest -= router.bus.segmentsPerCycle ? router.bus.segmentsPerCycle : rest;
    return cycles;
  }
  uint32_t place(TileId tile) const {
    return static_cast<uint32_t>(std::ranges::find(order, tile) - order.begin());
  }

  std::vector<TileId> order; // along the bus
  std::vector<SteppedBusPacket> packets;
  std::map<std::pair<TileId, TileId>, uint64_t> linkFlits; // from a tile to its neighbour
  std::map<TileId, uint64_t> receivedFlits;
  /// (from, to, cycle, packet, lane, head, tail)
  using Passing = std::tuple<TileId, TileId, uint64_t, uint32_t, uint32_t, bool, bool>;
  std::set<Passing> passings;

private:
  struct Claim {
    uint32_t packet, lane;
  };

  std::set<uint32_t> segmentsOf(uint32_t id) const {
    std::set<uint32_t> segments;
    for (TileId target : packets[id].targets) {
      auto [first, last] = std::minmax({place(packets[id].source), place(target)});
      for (uint32_t segment = first; segment < last; ++segment)
        segments.insert(segment);
    }
    return segments;
  }
  bool isFree(uint32_t id, uint32_t lane, uint64_t when) const {
    std::set<uint32_t> kept;
    if (claim && claim->packet != id && claim->lane == lane)
      kept = segmentsOf(claim->packet);
    return std::ranges::none_of(segmentsOf(id), [&](uint32_t segment) {
      return kept.contains(segment) || taken.contains({lane, segment, when});
    });
  }
  std::optional<uint32_t> freeLane(uint32_t id) const {
    for (uint32_t lane = 0; lane < router.bus.lanes; ++lane)
      if (isFree(id, lane, cycle))
        return lane;
    return std::nullopt;
  }
  uint32_t laneFreeFirst(uint32_t id) const {
    for (uint64_t when = cycle + 1;; ++when)
      for (uint32_t lane = 0; lane < router.bus.lanes; ++lane)
        if (isFree(id, lane, when))
          return lane;
  }

  void transfer(uint32_t id, uint32_t lane) {
    SteppedBusPacket &packet = packets[id];
    packet.injectedCycle = cycle;
    uint32_t source = place(packet.source), farthest = 0;
    for (TileId target : packet.targets) {
      uint32_t end = place(target), distance = end > source ? end - source : source - end;
      packet.headCycles.push_back(cycle + router.endCycles + wires(distance));
      receivedFlits[target] += packet.flits;
      farthest = std::max(farthest, distance);
    }
    for (uint32_t segment : segmentsOf(id)) {
      bool isUp = segment >= source;
      TileId from = order[segment + !isUp], to = order[segment + isUp];
      uint32_t distance = isUp ? segment + 1 - source : source - segment;
      linkFlits[{from, to}] += packet.flits;
      for (uint32_t flit = 0; flit < packet.flits; ++flit)
        passings.insert({from, to, cycle + wires(distance) + flit * router.linkIntervalCycles, id,
                         lane, flit == 0, flit + 1 == packet.flits});
      uint64_t busyCycles = packet.flits * router.linkIntervalCycles + wires(farthest) - 1;
      for (uint64_t k = 0; k < busyCycles; ++k)
        taken.insert({lane, segment, cycle + k});
    }
  }

  Router router;
  uint64_t cycle = 0;
  uint32_t turn = 0; // a place
  std::optional<Claim> claim;
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> taken; // (lane, segment, cycle)
};

} // namespace spindle
