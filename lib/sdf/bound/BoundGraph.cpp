#include "lib/sdf/bound/BoundGraph.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>

namespace spindle {

namespace {

const SdfProcessor &processorOf(const SdfApplication &application,
                                const SdfArchitecture &architecture, ActorId actor,
                                SdfTileId tile) {
  const auto &processors = application.processors[actor];
  return *std::find_if(processors.begin(), processors.end(), [&](const SdfProcessor &each) {
    return each.type == architecture.tiles[tile].processor;
  });
}

/// Adds what the binding adds.
class Builder {
public:
  Builder(const SdfApplication &of, const SdfArchitecture &on, const TileBinding &by,
          const ChannelResources &with, WheelRule rule)
      : application(of), architecture(on), binding(by), resources(with) {
    result.graph.name = of.graph.name;
    result.tiles = by.tiles;
    for (ActorId a = 0; a < of.graph.actors.size(); ++a) {
      SdfTileId tile = by.tiles[a];
      add(of.graph.actors[a].name, processorOf(of, on, a, tile).executionTime);
      result.wheels[a] = {on.tiles[tile].wheel, by.slices[tile], rule};
      oneAtATime(a);
    }
  }

  BoundGraph build() {
    for (size_t c = 0; c < application.graph.channels.size(); ++c) {
      const SdfChannel &channel = application.graph.channels[c];
      if (channel.source == channel.target)
        result.graph.channels.push_back(channel);
      else if (binding.tiles[channel.source] == binding.tiles[channel.target])
        addOnTile(channel, resources.capacities[c]);
      else
        addConnection(c);
    }
    for (const std::vector<ActorId> &order : binding.orders)
      addOrder(order);
    return std::move(result);
  }

private:
  ActorId add(const std::string &name, PerPhase<uint64_t> time) {
    auto id = static_cast<ActorId>(result.graph.actors.size());
    result.graph.actors.push_back({name, std::move(time)});
    result.wheels.emplace_back();
    return id;
  }
  void join(ActorId source, ActorId target, PerPhase<uint32_t> produce, PerPhase<uint32_t> consume,
            uint64_t tokens) {
    result.graph.channels.push_back(
        {source, target, std::move(produce), std::move(consume), tokens, 0});
  }
  void oneAtATime(ActorId actor) { join(actor, actor, 1, 1, 1); }

  void addOnTile(const SdfChannel &channel, uint64_t capacity) {
    result.graph.channels.push_back(channel);
    join(channel.target, channel.source, channel.consume, channel.produce,
         capacity - channel.initialTokens);
  }

  void addConnection(size_t c) {
    const SdfChannel &channel = application.graph.channels[c];
    SdfTileId from = binding.tiles[channel.source], to = binding.tiles[channel.target];
    std::string name = fmt::format("{} -> {}", application.graph.actors[channel.source].name,
                                   application.graph.actors[channel.target].name);
    ActorId passes = add(name, architecture.between(from, to)->delay + resources.tokenTimes[c]);
    oneAtATime(passes);
    join(channel.source, passes, channel.produce, 1, channel.initialTokens);
    join(passes, channel.source, 1, channel.produce, resources.source[c] - channel.initialTokens);
    join(channel.target, passes, channel.consume, 1, resources.target[c]);
    ActorId last = passes;
    if (uint64_t gap = result.wheels[channel.target].gap(); gap > 0) {
      last = add(name + " (slice)", gap);
      join(passes, last, 1, 1, 0);
    }
    join(last, channel.target, 1, channel.consume, 0);
  }

  /// A token goes round, from each firing to the next.
  void addOrder(const std::vector<ActorId> &order) {
    if (order.size() < 2)
      return;
    std::vector<uint32_t> counts(application.graph.actors.size(), 0), places;
    for (ActorId actor : order)
      places.push_back(counts[actor]++);
    struct Turns {
      std::vector<uint32_t> produce, consume; // per firing of each
      uint64_t tokens = 0;
    };
    std::map<std::pair<ActorId, ActorId>, Turns> between;
    for (size_t entry = 0; entry < order.size(); ++entry) {
      size_t next = (entry + 1) % order.size();
      Turns &turns = between[{order[entry], order[next]}];
      turns.produce.resize(counts[order[entry]], 0);
      turns.consume.resize(counts[order[next]], 0);
      turns.produce[places[entry]] = turns.consume[places[next]] = 1;
      turns.tokens += next == 0 ? 1 : 0;
    }
    for (auto &[pair, turns] : between)
      join(pair.first, pair.second, std::move(turns.produce), std::move(turns.consume),
           turns.tokens);
  }

  const SdfApplication &application;
  const SdfArchitecture &architecture;
  const TileBinding &binding;
  const ChannelResources &resources;
  BoundGraph result;
};

} // namespace

BoundGraph bindGraph(const SdfApplication &application, const SdfArchitecture &architecture,
                     const TileBinding &binding, const ChannelResources &resources,
                     WheelRule rule) {
  return Builder(application, architecture, binding, resources, rule).build();
}

} // namespace spindle
