#include "lib/sdf/SelfTimedExecution.h"

#include "core/support/StrongComponents.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace spindle {

namespace {

/// A strongly connected part of a graph, cut off from the rest, its actors numbered anew.
struct Part {
  SdfGraph graph;
  std::vector<TimeWheel> wheels; // per actor, or none
  uint64_t round = 1;            // after which all wheels of the whole are where they were
  std::vector<uint64_t> phases;  // per actor
};

/// The execution of a part: tokens stay bounded in it.
class Execution {
public:
  /// At least one actor takes time.
  explicit Execution(const Part &part)
      : graph(part.graph), wheels(part.wheels), round(part.round), phases(part.phases),
        channels(part.graph.channels), inputs(graph.actors.size()), outputs(graph.actors.size()),
        fired(graph.actors.size()), enabled(graph.actors.size()) {
    for (ActorId a = 0; a < graph.actors.size(); ++a) {
      inputs[a].resize(phases[a]);
      outputs[a].resize(phases[a]);
    }
    for (size_t c = 0; c < channels.size(); ++c) {
      const SdfChannel &channel = channels[c];
      for (uint64_t phase = 0; phase < phases[channel.target]; ++phase)
        if (channel.consume[phase] > 0)
          inputs[channel.target][phase].push_back(c);
      for (uint64_t phase = 0; phase < phases[channel.source]; ++phase)
        if (channel.produce[phase] > 0)
          outputs[channel.source][phase].push_back(c);
      tokens.push_back(channel.initialTokens);
    }
    std::iota(enabled.begin(), enabled.end(), 0);
  }

  /// Runs until the state after an end of `reference` is one that was met before. Returns the time
  /// and the firings of `reference` in between; nothing if 64 bits do not hold the tokens.
  std::optional<std::pair<uint64_t, uint64_t>> recur(ActorId counted, uint64_t &budget) {
    reference = counted;
    startAll(budget);
    // Brent 1980: the state kept for comparison moves on at powers of two, so one state is enough.
    uint64_t visits = 0, power = 1;
    State kept = state();
    uint64_t keptTime = now, keptEnds = ends;
    while (budget > 0 && !isLost) {
      bool met = advance();
      startAll(budget);
      if (!met || budget == 0 || isLost)
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
  struct Firing {
    uint64_t end;
    ActorId actor;
    uint64_t phase;
    auto operator<=>(const Firing &) const = default;
  };

  /// Tokens of every channel, phases of every actor, where the wheels are, then what runs:
  /// remaining time, actor, phase, number of firings.
  using State = std::vector<uint64_t>;
  State state() const {
    State result = tokens;
    result.insert(result.end(), fired.begin(), fired.end());
    result.push_back(now % round);
    for (const auto &[firing, count] : running)
      result.insert(result.end(), {firing.end - now, firing.actor, firing.phase, count});
    return result;
  }

  /// Starts every firing that has its tokens. Firings without duration end at once. An actor of
  /// several phases does one at a time: its channel to itself starts the next one.
  void startAll(uint64_t &budget) {
    while (!enabled.empty() && budget > 0 && !isLost) {
      ActorId actor = enabled.back();
      enabled.pop_back();
      uint64_t phase = fired[actor], count = UINT64_MAX;
      for (size_t c : inputs[actor][phase])
        count = std::min(count, tokens[c] / channels[c].consume[phase]);
      if (count == 0)
        continue;
      --budget;
      for (size_t c : inputs[actor][phase])
        tokens[c] -= count * channels[c].consume[phase];
      if (phases[actor] > 1)
        fired[actor] = (phase + 1) % phases[actor];
      uint64_t time = graph.actors[actor].executionTime[phase];
      if (!wheels.empty())
        time = wheels[actor].response(now, time);
      if (time > 0)
        running[{now + time, actor, phase}] += count;
      else
        end({now, actor, phase}, count);
    }
  }

  void end(const Firing &firing, uint64_t count) {
    for (size_t c : outputs[firing.actor][firing.phase]) {
      uint64_t made = 0;
      isLost |= __builtin_mul_overflow(count, channels[c].produce[firing.phase], &made) ||
                __builtin_add_overflow(tokens[c], made, &tokens[c]);
      enabled.push_back(channels[c].target);
    }
    if (firing.actor == reference)
      ends += count;
  }

  /// Goes to the next end of a firing; says whether `reference` ended one.
  bool advance() {
    now = running.begin()->first.end;
    bool met = false;
    while (!running.empty() && running.begin()->first.end == now) {
      auto [firing, count] = *running.begin();
      running.erase(running.begin());
      end(firing, count);
      met |= firing.actor == reference;
    }
    return met;
  }

  const SdfGraph &graph;
  const std::vector<TimeWheel> &wheels; // per actor, or none
  uint64_t round;                       // after which all wheels are where they were
  const std::vector<uint64_t> &phases;  // per actor
  const std::vector<SdfChannel> &channels;
  std::vector<std::vector<std::vector<size_t>>> inputs, outputs; // that move in a phase of an actor
  std::vector<uint64_t> tokens;                                  // per channel
  std::vector<uint64_t> fired;                                   // per actor, modulo its phases
  std::map<Firing, uint64_t> running;                            // how many of each
  std::vector<ActorId> enabled; // actors that may have their tokens
  ActorId reference = 0;        // whose ends are counted
  uint64_t now = 0, ends = 0;
  bool isLost = false; // more tokens than 64 bits count
};

} // namespace

std::optional<CycleRatio> selfTimedPeriod(const SdfGraph &graph,
                                          const std::vector<uint64_t> &repetitions,
                                          uint64_t firingLimit,
                                          const std::vector<TimeWheel> &wheels) {
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
  std::vector<uint64_t> phases = phasesOf(graph);
  uint64_t round = roundOf(wheels);
  std::vector<ActorId> own(graph.actors.size()); // the number of an actor in its part
  auto cutOut = [&](const std::vector<ActorId> &actors, std::vector<SdfChannel> inside) {
    Part result;
    result.round = round;
    for (ActorId a : actors) {
      own[a] = static_cast<ActorId>(result.graph.actors.size());
      result.graph.actors.push_back(graph.actors[a]);
      result.phases.push_back(phases[a]);
      if (!wheels.empty())
        result.wheels.push_back(wheels[a]);
    }
    for (SdfChannel &channel : inside) {
      channel.source = own[channel.source];
      channel.target = own[channel.target];
    }
    result.graph.channels = std::move(inside);
    return result;
  };

  CycleRatio slowest;
  for (const auto &[id, inside] : channels) {
    // The actor that fires least often, so that states are compared least often.
    const ActorId *reference = nullptr;
    for (const ActorId &a : members[id])
      if (graph.actors[a].executionTime.total() > 0 &&
          (!reference || repetitions[a] < repetitions[*reference]))
        reference = &a;
    if (!reference)
      continue;
    Part cut = cutOut(members[id], inside);
    auto recurrence = Execution(cut).recur(own[*reference], firingLimit);
    if (!recurrence)
      return std::nullopt;
    auto [time, firings] = *recurrence;
    slowest = std::max(slowest, CycleRatio::of(Wide(time) * repetitions[*reference], firings));
  }
  return slowest;
}

} // namespace spindle
