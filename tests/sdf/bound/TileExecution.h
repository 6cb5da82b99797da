// Tiles, wheels, buffers and connections, one time unit after the other: what the analysis of
// bindings is compared with. It knows neither the bound graph nor response times.
#pragma once

#include "lib/sdf/bound/AnalyzeBinding.h"

#include <map>

namespace spindle {

class TileExecution {
public:
  TileExecution(const SdfApplication &of, const SdfArchitecture &on, const BindingAnalysis &by)
      : graph(of.graph), architecture(on), analysis(by), tiles(on.tiles.size()),
        wires(of.graph.channels.size()) {
    for (size_t c = 0; c < wires.size(); ++c) {
      const SdfChannel &channel = graph.channels[c];
      Wire &wire = wires[c];
      if (isOnTile(channel)) {
        wire.tokens = channel.initialTokens;
        wire.places = channel.source == channel.target
                          ? UINT32_MAX
                          : analysis.resources.capacities[c] - channel.initialTokens;
      } else {
        wire.leaving = channel.initialTokens;
        wire.places = analysis.resources.source[c] - channel.initialTokens;
        wire.landing = analysis.resources.target[c];
      }
    }
  }

  /// Time units per iteration once the state returns; nothing where everything waits.
  std::optional<double> period(uint64_t repetitionsOfFirst) {
    uint64_t round = 1;
    for (const SdfTile &tile : architecture.tiles)
      round = std::lcm(round, std::max<uint64_t>(tile.wheel, 1));
    std::map<std::vector<uint64_t>, std::pair<uint64_t, uint64_t>> met;
    for (;; ++now) {
      settle();
      auto [at, isNew] = met.try_emplace(state(round), now, ends);
      if (!isNew) {
        if (ends == at->second.second)
          return std::nullopt;
        return double(now - at->second.first) * double(repetitionsOfFirst) /
               double(ends - at->second.second);
      }
      pass();
    }
  }

private:
  struct Tile {
    size_t next = 0;
    uint64_t left = 0; // work of the firing that runs
  };
  struct Wire {
    uint64_t places = 0, tokens = 0;   // at the source; at the target
    uint64_t leaving = 0, landing = 0; // tokens before the connection, places behind it
    uint64_t passing = 0;              // time units that the token on its way has left
    std::vector<uint64_t> waiting;     // time units until a token that has passed counts
  };

  bool isOnTile(const SdfChannel &channel) const {
    return analysis.binding.tiles[channel.source] == analysis.binding.tiles[channel.target];
  }
  ActorId actorOf(size_t t) const { return analysis.binding.orders[t][tiles[t].next]; }

  /// What begins or passes on at this instant.
  void settle() {
    for (bool isMoving = true; isMoving;) {
      isMoving = false;
      for (size_t t = 0; t < tiles.size(); ++t)
        isMoving |= !analysis.binding.orders[t].empty() && tiles[t].left == 0 && mayBegin(t);
      for (size_t c = 0; c < wires.size(); ++c) {
        Wire &wire = wires[c];
        if (isOnTile(graph.channels[c]) || wire.passing > 0 || wire.leaving == 0 ||
            wire.landing == 0)
          continue;
        --wire.leaving;
        --wire.landing;
        wire.passing = analysis.resources.tokenTimes[c] +
                       architecture
                           .between(analysis.binding.tiles[graph.channels[c].source],
                                    analysis.binding.tiles[graph.channels[c].target])
                           ->delay;
        isMoving = true;
      }
    }
  }

  bool mayBegin(size_t t) {
    ActorId actor = actorOf(t);
    for (size_t c = 0; c < wires.size(); ++c)
      if ((graph.channels[c].target == actor && wires[c].tokens < graph.channels[c].consume[0]) ||
          (graph.channels[c].source == actor && wires[c].places < graph.channels[c].produce[0]))
        return false;
    for (size_t c = 0; c < wires.size(); ++c) {
      if (graph.channels[c].target == actor)
        wires[c].tokens -= graph.channels[c].consume[0];
      if (graph.channels[c].source == actor && graph.channels[c].target != actor)
        wires[c].places -= graph.channels[c].produce[0];
    }
    tiles[t].left = graph.actors[actor].executionTime[0];
    return true;
  }

  void pass() {
    for (size_t c = 0; c < wires.size(); ++c) {
      Wire &wire = wires[c];
      for (size_t k = 0; k < wire.waiting.size();)
        if (--wire.waiting[k] == 0) {
          ++wire.tokens;
          wire.waiting.erase(wire.waiting.begin() + ptrdiff_t(k));
        } else {
          ++k;
        }
      if (wire.passing == 0 || --wire.passing > 0)
        continue;
      ++wire.places;
      SdfTileId to = analysis.binding.tiles[graph.channels[c].target];
      if (uint64_t gap = architecture.tiles[to].wheel - analysis.binding.slices[to])
        wire.waiting.push_back(gap);
      else
        ++wire.tokens;
    }
    for (size_t t = 0; t < tiles.size(); ++t) {
      uint64_t wheel = architecture.tiles[t].wheel;
      bool isOurs = wheel == 0 || now % wheel >= wheel - analysis.binding.slices[t];
      if (tiles[t].left == 0 || !isOurs || --tiles[t].left > 0)
        continue;
      ActorId actor = actorOf(t);
      tiles[t].next = (tiles[t].next + 1) % analysis.binding.orders[t].size();
      ends += actor == 0;
      for (size_t c = 0; c < wires.size(); ++c) {
        const SdfChannel &channel = graph.channels[c];
        if (channel.source == actor)
          (isOnTile(channel) ? wires[c].tokens : wires[c].leaving) += channel.produce[0];
        if (channel.target == actor && channel.source != actor)
          (isOnTile(channel) ? wires[c].places : wires[c].landing) += channel.consume[0];
      }
    }
  }

  std::vector<uint64_t> state(uint64_t round) const {
    std::vector<uint64_t> result = {now % round};
    for (const Tile &tile : tiles)
      result.insert(result.end(), {tile.next, tile.left});
    for (const Wire &wire : wires) {
      result.insert(result.end(), {wire.places, wire.tokens, wire.leaving, wire.landing,
                                   wire.passing, wire.waiting.size()});
      result.insert(result.end(), wire.waiting.begin(), wire.waiting.end());
    }
    return result;
  }

  const SdfGraph &graph;
  const SdfArchitecture &architecture;
  const BindingAnalysis &analysis;
  std::vector<Tile> tiles;
  std::vector<Wire> wires;    // per channel
  uint64_t now = 0, ends = 0; // ends of actor 0
};

} // namespace spindle
