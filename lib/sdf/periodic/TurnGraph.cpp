#include "lib/sdf/periodic/TurnGraph.h"

#include <map>
#include <numeric>

namespace spindle {

namespace {

constexpr uint64_t kEdgesPerNode = 16; // at most

class Expansion {
public:
  Expansion(const SdfGraph &g, const std::vector<size_t> &c, const std::vector<uint64_t> &q,
            const std::vector<uint64_t> &turns, uint64_t most)
      : graph(g), channels(c), repetitions(q), limit(most) {
    for (size_t id : channels)
      for (ActorId a : {graph.channels[id].source, graph.channels[id].target})
        firings.emplace(a, 0);
    std::vector<uint64_t> phases = phasesOf(graph);
    for (auto &[actor, count] : firings) {
      count = turns[actor] * phases[actor];
      first[actor] = nodes;
      nodes += count;
      isTooLarge |= count > limit || nodes > limit;
      if (!isTooLarge)
        result.units = lcm(result.units, Integer(repetitions[actor] / count));
    }
  }

  std::optional<TurnGraph> run() {
    for (size_t id : channels)
      for (uint64_t firing = 0; firing < firings[graph.channels[id].target] && !isTooLarge;
           ++firing)
        if (graph.channels[id].consume[firing] > 0)
          addEdges(id, firing);
    result.nodes = static_cast<uint32_t>(nodes);
    return isTooLarge ? std::nullopt : std::optional(std::move(result));
  }

private:
  /// To firing `to` of the target from all that may make its last token. Turns of source and target
  /// are apart by any multiple of `common` tokens, so these are the firings with a token as far
  /// from the last one; of each the first such token counts, which is there latest.
  void addEdges(size_t id, uint64_t to) {
    const SdfChannel &channel = graph.channels[id];
    uint64_t made = channel.produce.sum(firings[channel.source]),
             used = channel.consume.sum(firings[channel.target]);
    auto common = static_cast<int64_t>(std::gcd(made, used));
    int64_t last = static_cast<int64_t>(channel.consume.sum(to + 1)) - 1 -
                   static_cast<int64_t>(channel.initialTokens);
    Integer perIteration = Integer(made) * (repetitions[channel.source] / firings[channel.source]);
    int64_t token = (last % common + common) % common;
    while (token < static_cast<int64_t>(made)) {
      uint64_t from = firingWith(channel.produce, static_cast<uint64_t>(token));
      Integer delay = Integer(token - last) * result.units / perIteration;
      result.edges.push_back({static_cast<uint32_t>(first[channel.source] + from),
                              static_cast<uint32_t>(first[channel.target] + to), id,
                              graph.actors[channel.source].executionTime[from], std::move(delay)});
      isTooLarge |= result.edges.size() > kEdgesPerNode * limit + channels.size();
      if (isTooLarge)
        return;
      auto past = static_cast<int64_t>(channel.produce.sum(from + 1));
      token += (past - token + common - 1) / common * common;
    }
  }

  static uint64_t firingWith(const PerPhase<uint32_t> &produce, uint64_t token) {
    uint64_t total = produce.total();
    return token / total * produce.phases() + produce.firingPast(token % total);
  }

  const SdfGraph &graph;
  const std::vector<size_t> &channels;
  const std::vector<uint64_t> &repetitions;
  uint64_t limit, nodes = 0;
  std::map<ActorId, uint64_t> firings, first; // of a turn; node of the first of them
  bool isTooLarge = false;
  TurnGraph result;
};

} // namespace

std::optional<TurnGraph> expandTurns(const SdfGraph &graph, const std::vector<size_t> &channels,
                                     const std::vector<uint64_t> &repetitions,
                                     const std::vector<uint64_t> &turns, uint64_t limit) {
  return Expansion(graph, channels, repetitions, turns, limit).run();
}

} // namespace spindle
