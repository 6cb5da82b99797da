#include "lib/sdf/bound/BindingProblem.h"

#include "lib/sdf/BoundedChannels.h"
#include "lib/sdf/Repetitions.h"
#include "lib/sdf/SelfTimedExecution.h"
#include "lib/sdf/StorageFront.h"
#include "lib/sdf/bound/StaticOrder.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle {

/// Distributions of buffers that are tried at most.
static constexpr uint64_t kMostDistributions = 100'000;

llvm::Expected<BindingProblem> BindingProblem::make(const std::string &place,
                                                    const SdfApplication &application,
                                                    const SdfArchitecture &architecture,
                                                    const SdfOptions &analysis,
                                                    const BindingOptions &options) {
  BindingProblem problem(place, application, architecture, analysis, options);
  SPINDLE_ASSIGN(problem.repetitions, repetitionVector(application.graph));
  if (application.graph.actors.empty())
    return inputError(place, "the graph has no actors, expected at least one");
  // An order lists every firing.
  Wide firings = std::accumulate(problem.repetitions.begin(), problem.repetitions.end(), Wide(0));
  if (firings > analysis.maximumFirings)
    return inputError(place, fmt::format("one iteration has more than {} firings, which an order "
                                         "of a tile would list; choose rates with common factors "
                                         "or raise maximum_firings",
                                         analysis.maximumFirings));
  SPINDLE_RETURN_IF_ERROR(problem.sizeBuffers());
  return problem;
}

/// Of actors that do one firing at a time, as on a tile. What is fast enough decides the buffers of
/// connections, the first that runs those on a tile, whose actors take turns anyway.
llvm::Error BindingProblem::sizeBuffers() {
  SdfGraph ordered = application.graph;
  for (ActorId a = 0; a < ordered.actors.size(); ++a)
    ordered.channels.push_back({a, a, 1, 1, 1, 0});
  SPINDLE_ASSIGN(StorageFront front,
                 storageFront(ordered, analysis, kMostDistributions, application.throughput));
  auto enough = std::find_if(front.points.begin(), front.points.end(),
                             [&](const StoragePoint &point) { return isFastEnough(point.period); });
  if (enough == front.points.end())
    return inputError(
        place, front.points.empty() || !front.isComplete
                   ? fmt::format("no buffers that reach the throughput {} among {} distributions; "
                                 "ask for less",
                                 application.throughput, front.distributions)
                   : fmt::format("throughput {} is asked for, but without tiles the graph reaches "
                                 "{} at most; ask for less",
                                 application.throughput, 1 / front.points.back().period.value()));
  storagePeriod = enough->period;
  for (size_t c = 0; c < application.graph.channels.size(); ++c) {
    const SdfChannel &channel = application.graph.channels[c];
    uint64_t half = (enough->capacities[c] + 1) / 2;
    resources.capacities.push_back(front.points.front().capacities[c]);
    resources.source.push_back(
        std::max({half, uint64_t(channel.produce.largest()), channel.initialTokens}));
    resources.target.push_back(std::max(half, uint64_t(channel.consume.largest())));
    Wide tokens = Wide(channel.produce.sum(repetitions[channel.source])) * storagePeriod.iterations;
    resources.tokenTimes.push_back(
        static_cast<uint64_t>((storagePeriod.time + tokens - 1) / tokens));
  }
  return llvm::Error::success();
}

std::optional<std::string> BindingProblem::faultOf(const std::vector<SdfTileId> &tiles) const {
  struct Use {
    uint64_t memory = 0, connections = 0;
    double in = 0, out = 0;
  };
  std::vector<Use> uses(architecture.tiles.size());
  for (ActorId a = 0; a < tiles.size(); ++a) {
    const SdfTile &tile = architecture.tiles[tiles[a]];
    const auto &processors = application.processors[a];
    auto processor = std::find_if(processors.begin(), processors.end(),
                                  [&](const auto &each) { return each.type == tile.processor; });
    if (processor == processors.end())
      return fmt::format("actor '{}' has no time on processors of type '{}', which tile '{}' has; "
                         "bind it to another tile",
                         application.graph.actors[a].name, tile.processor, tile.name);
    uses[tiles[a]].memory += processor->stateBits;
  }
  for (size_t c = 0; c < application.graph.channels.size(); ++c) {
    const SdfChannel &channel = application.graph.channels[c];
    SdfTileId from = tiles[channel.source], to = tiles[channel.target];
    uint64_t bits = channel.tokenBits;
    if (from == to) {
      uses[from].memory += resources.capacities[c] * bits;
      continue;
    }
    if (!architecture.between(from, to))
      return fmt::format("no connection from tile '{}' to tile '{}', which the channel from '{}' "
                         "to '{}' needs; bind both actors to one tile",
                         architecture.tiles[from].name, architecture.tiles[to].name,
                         application.graph.actors[channel.source].name,
                         application.graph.actors[channel.target].name);
    double bandwidth = double(channel.produce.sum(repetitions[channel.source])) * double(bits) /
                       storagePeriod.value();
    uses[from].memory += resources.source[c] * bits;
    uses[to].memory += resources.target[c] * bits;
    ++uses[from].connections;
    ++uses[to].connections;
    uses[from].out += bandwidth;
    uses[to].in += bandwidth;
  }
  for (size_t t = 0; t < uses.size(); ++t) {
    const SdfTile &tile = architecture.tiles[t];
    const char *remedy = "bind fewer actors to it, or more of those they exchange tokens with";
    if (uses[t].memory > tile.memory)
      return fmt::format("tile '{}' needs {} bits of memory and has {}; bind fewer actors to it",
                         tile.name, uses[t].memory, tile.memory);
    if (uses[t].connections > tile.connections)
      return fmt::format("tile '{}' needs {} connections and has {}; {}", tile.name,
                         uses[t].connections, tile.connections, remedy);
    for (auto [way, needed, has] :
         {std::tuple{"in", uses[t].in, tile.inBandwidth}, {"out", uses[t].out, tile.outBandwidth}})
      if (needed > double(has))
        return fmt::format("tile '{}' needs {:.6g} bits per time unit of bandwidth {} and has {}; "
                           "{}",
                           tile.name, needed, way, has, remedy);
  }
  return std::nullopt;
}

/// Orders, where they are not given.
llvm::Error BindingProblem::schedule(TileBinding &binding) const {
  if (options.orders == StaticOrders::Listed)
    return llvm::Error::success();
  TileBinding half = binding;
  half.orders.assign(architecture.tiles.size(), {});
  for (size_t t = 0; t < half.slices.size(); ++t)
    half.slices[t] = (architecture.tiles[t].wheel + 1) / 2;
  BoundGraph bound = bindGraph(application, architecture, half, resources, options.rule);
  SPINDLE_ASSIGN(std::vector<uint64_t> ofBound, repetitionVector(bound.graph));
  auto orders = listSchedule(bound, ofBound, architecture.tiles.size(),
                             static_cast<uint64_t>(analysis.selfTimedFirings));
  if (!orders)
    return inputError(place, "deadlock: these buffers are too small for connections of this "
                             "binding; bind more of the actors that exchange tokens to one tile");
  binding.orders = std::move(*orders);
  return llvm::Error::success();
}

llvm::Expected<BoundCandidate> BindingProblem::execute(TileBinding binding) const {
  BoundCandidate candidate;
  candidate.binding = std::move(binding);
  candidate.bound =
      bindGraph(application, architecture, candidate.binding, resources, options.rule);
  SPINDLE_ASSIGN(candidate.repetitions, repetitionVector(candidate.bound.graph));
  if (std::vector<size_t> circle = waitingCircle(candidate.bound.graph, candidate.repetitions);
      !circle.empty()) {
    const SdfGraph &graph = candidate.bound.graph;
    std::string names = graph.actors[graph.channels[circle.front()].target].name;
    for (size_t channel : circle)
      names += " waits for " + graph.actors[graph.channels[channel].source].name;
    return inputError(place, fmt::format("deadlock: {}; change the order of a tile, or bind these "
                                         "actors to one tile",
                                         names));
  }
  auto limit = static_cast<uint64_t>(analysis.selfTimedFirings);
  auto period =
      selfTimedPeriod(candidate.bound.graph, candidate.repetitions, limit, candidate.bound.wheels);
  if (!period)
    return inputError(place, fmt::format("the period is not reached within {} firings; raise "
                                         "analysis.self_timed_firings",
                                         limit));
  candidate.period =
      CycleRatio::of(period->time, Wide(period->iterations) * iterationsIn(candidate));
  return candidate;
}

llvm::Expected<BoundCandidate> BindingProblem::complete(TileBinding binding) const {
  SPINDLE_RETURN_IF_ERROR(schedule(binding));
  if (options.slice == 0)
    return withLeastSlices(std::move(binding));
  for (SdfTileId t : binding.tiles) {
    const SdfTile &tile = architecture.tiles[t];
    binding.slices[t] = tile.wheel == 0 ? 0 : static_cast<uint64_t>(options.slice);
    if (binding.slices[t] > tile.wheel)
      return inputError(place, fmt::format("slice {} is larger than the wheel of tile '{}', {} "
                                           "time units; choose a smaller slice",
                                           options.slice, tile.name, tile.wheel));
  }
  return execute(std::move(binding));
}

/// Larger slices are never slower, so halving finds the least.
llvm::Expected<BoundCandidate> BindingProblem::withLeastSlices(TileBinding binding) const {
  std::vector<SdfTileId> used = binding.tiles;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  auto with = [&](const std::vector<SdfTileId> &tiles, uint64_t slice) {
    TileBinding changed = binding;
    for (SdfTileId t : tiles)
      changed.slices[t] = std::min(slice, architecture.tiles[t].wheel);
    return execute(std::move(changed));
  };
  uint64_t most = 0;
  for (SdfTileId t : used)
    most = std::max(most, architecture.tiles[t].wheel);
  SPINDLE_ASSIGN(BoundCandidate best, with(used, most));
  if (!isFastEnough(best.period))
    return inputError(place, fmt::format("throughput {} is asked for, but this binding reaches {} "
                                         "with whole wheels; bind the actors to other tiles",
                                         application.throughput, 1 / best.period.value()));
  if (application.throughput == 0)
    return best;
  auto shrink = [&](const std::vector<SdfTileId> &tiles) -> llvm::Error {
    uint64_t low = 0, high = 0; // too little, enough
    for (SdfTileId t : tiles)
      high = std::max(high, best.binding.slices[t]);
    while (high - low > 1) {
      uint64_t middle = low + (high - low) / 2;
      SPINDLE_ASSIGN(BoundCandidate candidate, with(tiles, middle));
      if (isFastEnough(candidate.period)) {
        high = middle;
        best = std::move(candidate);
      } else {
        low = middle;
      }
    }
    binding.slices = best.binding.slices;
    return llvm::Error::success();
  };
  SPINDLE_RETURN_IF_ERROR(shrink(used));
  for (SdfTileId t : used)
    if (used.size() > 1)
      SPINDLE_RETURN_IF_ERROR(shrink({t}));
  return best;
}

} // namespace spindle
