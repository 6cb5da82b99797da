#include "lib/sdf/bound/StaticOrder.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace spindle {

namespace {

using Orders = std::vector<std::vector<ActorId>>;

class ListScheduler {
public:
  ListScheduler(const BoundGraph &of, const std::vector<uint64_t> &q, size_t tileCount)
      : bound(of), graph(of.graph), repetitions(q), round(roundOf(of.wheels)), ready(tileCount),
        isBusy(tileCount, false), begun(tileCount), inputs(graph.actors.size()),
        outputs(graph.actors.size()), enabled(graph.actors.size()), started(graph.actors.size()),
        ended(graph.actors.size()) {
    for (size_t c = 0; c < graph.channels.size(); ++c) {
      inputs[graph.channels[c].target].push_back(c);
      outputs[graph.channels[c].source].push_back(c);
      produced.push_back(graph.channels[c].initialTokens);
    }
    std::vector<uint64_t> phases = phasesOf(graph);
    for (size_t a = 0; a < phases.size(); ++a)
      turns.push_back(std::max(phases[a], uint64_t(1)));
  }

  /// Each actor fires as often as in one iteration; nothing where they cannot.
  std::optional<Orders> oneIteration() {
    while (step(repetitions))
      ;
    if (ended != repetitions)
      return std::nullopt;
    return begun;
  }

  /// Until the state returns; nothing where it does not within the limit, or is not one order.
  std::optional<Orders> regime(uint64_t firingLimit) {
    std::vector<uint64_t> unlimited(graph.actors.size(), UINT64_MAX);
    struct Visit {
      std::vector<size_t> begun; // per tile
      std::vector<uint64_t> started;
    };
    std::map<std::vector<uint64_t>, Visit> met;
    auto reference = static_cast<size_t>(std::min_element(repetitions.begin(), repetitions.end()) -
                                         repetitions.begin());
    for (uint64_t counted = 0; firings < firingLimit;) {
      if (!step(unlimited))
        return std::nullopt;
      if (ended[reference] == counted)
        continue;
      counted = ended[reference];
      Visit visit{{}, started};
      for (const std::vector<ActorId> &tile : begun)
        visit.begun.push_back(tile.size());
      auto [before, isNew] = met.emplace(state(), visit);
      if (!isNew)
        return ordersSince(before->second.begun, before->second.started);
    }
    return std::nullopt;
  }

private:
  /// Begins what can begin, then goes to the next ends. `most`: firings of each actor.
  bool step(const std::vector<uint64_t> &most) {
    for (ActorId a = 0; a < graph.actors.size(); ++a)
      for (; enabled[a] < most[a] && isEnabled(a); ++enabled[a])
        if (isOnTile(a))
          ready[bound.tiles[a]].push_back(a);
        else
          begin(a);
    for (size_t t = 0; t < ready.size(); ++t)
      if (!isBusy[t] && !ready[t].empty()) {
        ActorId a = ready[t].front();
        ready[t].pop_front();
        isBusy[t] = true;
        begun[t].push_back(a);
        begin(a);
      }
    if (running.empty())
      return false;
    now = running.begin()->first;
    while (!running.empty() && running.begin()->first == now) {
      end(running.begin()->second);
      running.erase(running.begin());
    }
    return true;
  }

  bool isOnTile(ActorId a) const { return a < bound.tiles.size(); }
  bool isEnabled(ActorId a) const {
    return std::all_of(inputs[a].begin(), inputs[a].end(), [&](size_t c) {
      return graph.channels[c].consume.sum(enabled[a] + 1) <= produced[c];
    });
  }
  void begin(ActorId a) {
    uint64_t work = graph.actors[a].executionTime[started[a]++];
    running.emplace(now + bound.wheels[a].response(now, work), a);
    ++firings;
  }
  void end(ActorId a) {
    for (size_t c : outputs[a])
      produced[c] += graph.channels[c].produce[ended[a]];
    ++ended[a];
    if (isOnTile(a))
      isBusy[bound.tiles[a]] = false;
  }

  /// Tokens, phases, wheels, what waits, what runs.
  std::vector<uint64_t> state() const {
    std::vector<uint64_t> result = {now % round};
    for (size_t c = 0; c < graph.channels.size(); ++c)
      result.push_back(produced[c] -
                       graph.channels[c].consume.sum(started[graph.channels[c].target]));
    for (size_t a = 0; a < started.size(); ++a)
      result.insert(result.end(), {started[a] % turns[a], ended[a] % turns[a]});
    for (const std::deque<ActorId> &tile : ready) {
      result.push_back(tile.size());
      result.insert(result.end(), tile.begin(), tile.end());
    }
    for (auto [end, actor] : running)
      result.insert(result.end(), {end - now, actor});
    return result;
  }

  std::optional<Orders> ordersSince(const std::vector<size_t> &from,
                                    const std::vector<uint64_t> &firedBefore) const {
    Orders orders(begun.size());
    for (size_t t = 0; t < begun.size(); ++t) {
      std::vector<ActorId> all(begun[t].begin() + ptrdiff_t(from[t]), begun[t].end());
      std::optional<std::vector<ActorId>> order = oneOrder(smallestPart(all), firedBefore);
      if (!order)
        return std::nullopt;
      orders[t] = std::move(*order);
    }
    return orders;
  }

  /// The shortest list that, repeated, is `all`.
  static std::vector<ActorId> smallestPart(std::vector<ActorId> all) {
    for (size_t length = 1; length < all.size(); ++length)
      if (all.size() % length == 0 &&
          std::equal(all.begin() + ptrdiff_t(length), all.end(), all.begin())) {
        all.resize(length);
        break;
      }
    return all;
  }

  /// `part` turned so that its first round holds the first firings of its actors. Between an entry
  /// and the next one go as many rounds as the next actor is behind; with one round less between
  /// the last and the first entry these are 0 everywhere and 1 where the order begins.
  static std::optional<std::vector<ActorId>> oneOrder(std::vector<ActorId> part,
                                                      const std::vector<uint64_t> &firedBefore) {
    std::map<ActorId, uint64_t> counts;
    for (ActorId a : part)
      ++counts[a];
    std::vector<uint64_t> firing;
    std::map<ActorId, uint64_t> next;
    for (ActorId a : part)
      firing.push_back(firedBefore[a] + next[a]++);
    size_t first = 0;
    for (size_t entry = 0; entry < part.size(); ++entry) {
      size_t after = (entry + 1) % part.size();
      auto roundOfEntry = static_cast<int64_t>(firing[entry] / counts[part[entry]]);
      auto roundAfter = static_cast<int64_t>(firing[after] / counts[part[after]]) + (after == 0);
      if (roundAfter < roundOfEntry)
        return std::nullopt;
      if (roundAfter > roundOfEntry)
        first = after;
    }
    std::set<ActorId> seen;
    for (size_t k = 0; k < part.size(); ++k) {
      size_t entry = (first + k) % part.size();
      if (seen.insert(part[entry]).second && firing[entry] % counts[part[entry]] != 0)
        return std::nullopt;
    }
    std::rotate(part.begin(), part.begin() + ptrdiff_t(first), part.end());
    return part;
  }

  const BoundGraph &bound;
  const SdfGraph &graph;
  const std::vector<uint64_t> &repetitions;
  uint64_t round;
  std::vector<std::deque<ActorId>> ready; // per tile
  std::vector<bool> isBusy;
  Orders begun;
  std::vector<std::vector<size_t>> inputs, outputs; // per actor
  std::vector<uint64_t> enabled, started, ended;    // firings per actor
  std::vector<uint64_t> turns;                      // phases per actor
  std::vector<uint64_t> produced;                   // per channel, with the initial tokens
  std::multimap<uint64_t, ActorId> running;         // by end
  uint64_t now = 0, firings = 0;
};

} // namespace

std::optional<std::vector<std::vector<ActorId>>>
listSchedule(const BoundGraph &bound, const std::vector<uint64_t> &repetitions, size_t tiles,
             uint64_t firingLimit) {
  if (auto orders = ListScheduler(bound, repetitions, tiles).regime(firingLimit))
    return orders;
  return ListScheduler(bound, repetitions, tiles).oneIteration();
}

} // namespace spindle
