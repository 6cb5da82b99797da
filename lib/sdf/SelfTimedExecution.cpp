#include "lib/sdf/SelfTimedExecution.h"

#include "core/support/StrongComponents.h"

#include <algorithm>
#include <map>

namespace spindle {

namespace {

/// The execution of one strongly connected part, cut off from the rest: tokens stay bounded in it.
class Execution {
public:
  /// `members`: its actors, at least one of which takes time; `channels`: those between them.
  Execution(const SdfGraph &g, const std::vector<ActorId> &members, std::vector<SdfChannel> part)
      : graph(g), channels(std::move(part)), inputs(g.actors.size()), outputs(g.actors.size()) {
    for (size_t c = 0; c < channels.size(); ++c) {
      inputs[channels[c].target].push_back(c);
      outputs[channels[c].source].push_back(c);
      tokens.push_back(channels[c].initialTokens);
    }
    enabled = members;
  }

  /// Runs until the state after an end of `reference` is one that was met before. Returns the time
  /// and the firings of `reference` in between.
  std::optional<std::pair<uint64_t, uint64_t>> recur(ActorId reference, uint64_t &budget) {
    startAll(budget);
    // Brent 1980: the state kept for comparison moves on at powers of two, so one state is enough.
    uint64_t visits = 0, power = 1;
    State kept = state();
    uint64_t keptTime = now, keptEnds = ends;
    while (budget > 0) {
      bool met = advance(reference);
      startAll(budget);
      if (!met || budget == 0)
        continue;
      if (state() == kept)
        return std::pair{now - keptTime, ends - keptEnds};
      if (++visits == power) {
        kept = state();
        keptTime = now;
        keptEnds = ends;
        visits = 0;
        power *= 2;
      }
    }
    return std::nullopt;
  }

private:
  /// Tokens of every channel, then what runs: remaining time, actor, number of firings.
  using State = std::vector<uint64_t>;
  State state() const {
    State result = tokens;
    for (const auto &[key, count] : running)
      result.insert(result.end(), {key.first - now, key.second, count});
    return result;
  }

  /// Starts every firing that has its tokens. Firings without duration end at once.
  void startAll(uint64_t &budget) {
    while (!enabled.empty() && budget > 0) {
      ActorId actor = enabled.back();
      enabled.pop_back();
      uint64_t count = UINT64_MAX;
      for (size_t c : inputs[actor])
        count = std::min(count, tokens[c] / channels[c].consume);
      if (count == 0)
        continue;
      --budget;
      for (size_t c : inputs[actor])
        tokens[c] -= count * channels[c].consume;
      if (uint64_t time = graph.actors[actor].executionTime)
        running[{now + time, actor}] += count;
      else
        end(actor, count);
    }
  }

  void end(ActorId actor, uint64_t count) {
    for (size_t c : outputs[actor]) {
      tokens[c] += count * channels[c].produce;
      enabled.push_back(channels[c].target);
    }
  }

  /// Goes to the next end of a firing; says whether `reference` ended one.
  bool advance(ActorId reference) {
    now = running.begin()->first.first;
    bool met = false;
    while (!running.empty() && running.begin()->first.first == now) {
      auto [key, count] = *running.begin();
      running.erase(running.begin());
      end(key.second, count);
      if (key.second == reference) {
        met = true;
        ends += count;
      }
    }
    return met;
  }

  const SdfGraph &graph;
  std::vector<SdfChannel> channels;
  std::vector<std::vector<size_t>> inputs, outputs;         // per actor
  std::vector<uint64_t> tokens;                             // per channel
  std::map<std::pair<uint64_t, ActorId>, uint64_t> running; // (end, actor) → firings
  std::vector<ActorId> enabled;                             // actors that may have their tokens
  uint64_t now = 0, ends = 0;                               // ends of the reference actor so far
};

} // namespace

std::optional<CycleRatio> selfTimedPeriod(const SdfGraph &graph,
                                          const std::vector<uint64_t> &repetitions,
                                          uint64_t firingLimit) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const SdfChannel &channel : graph.channels)
    arcs.emplace_back(channel.source, channel.target);
  std::vector<uint32_t> part = strongComponents(static_cast<uint32_t>(graph.actors.size()), arcs);
  std::map<uint32_t, std::vector<ActorId>> members;
  std::map<uint32_t, std::vector<SdfChannel>> channels;
  for (ActorId a = 0; a < graph.actors.size(); ++a)
    members[part[a]].push_back(a);
  for (const SdfChannel &channel : graph.channels)
    if (part[channel.source] == part[channel.target])
      channels[part[channel.source]].push_back(channel);

  CycleRatio slowest;
  for (const auto &[id, inside] : channels) {
    // The actor that fires least often, so that states are compared least often.
    const ActorId *reference = nullptr;
    for (const ActorId &a : members[id])
      if (graph.actors[a].executionTime > 0 &&
          (!reference || repetitions[a] < repetitions[*reference]))
        reference = &a;
    if (!reference)
      continue;
    auto recurrence = Execution(graph, members[id], inside).recur(*reference, firingLimit);
    if (!recurrence)
      return std::nullopt;
    auto [time, firings] = *recurrence;
    slowest = std::max(slowest, CycleRatio::of(Wide(time) * repetitions[*reference], firings));
  }
  return slowest;
}

} // namespace spindle
