// Random consistent data-flow graphs with a known repetition vector.
#pragma once

#include "core/chip/sdf/SdfGraph.h"
#include "core/support/CounterRandom.h"

#include <numeric>

namespace spindle {

struct RandomSdf {
  SdfGraph graph;
  std::vector<uint64_t> repetitions; // common divisor 1; the graph is connected
};

/// `actors` actors firing at most `maximumFirings` times, on a ring of channels (so strongly
/// connected) with chords. Every channel against the order of the actors holds all tokens of an
/// iteration, so the graph is live; other channels hold a few.
inline RandomSdf randomSdf(uint64_t seed, uint32_t actors, uint32_t maximumFirings) {
  CounterRandom random(seed);
  RandomSdf result;
  result.graph.name = "random";
  uint64_t common = 0;
  for (uint32_t a = 0; a < actors; ++a) {
    result.graph.actors.push_back({"a" + std::to_string(a), 1 + random.below(20)});
    result.repetitions.push_back(1 + random.below(maximumFirings));
    common = std::gcd(common, result.repetitions.back());
  }
  for (uint64_t &q : result.repetitions)
    q /= common;
  auto connect = [&](ActorId source, ActorId target) {
    uint64_t qs = result.repetitions[source], qt = result.repetitions[target];
    uint64_t divisor = std::gcd(qs, qt), factor = 1 + random.below(2);
    SdfChannel channel{
        source, target, uint32_t(factor * qt / divisor), uint32_t(factor * qs / divisor), 0, 0};
    uint64_t iteration = channel.consume.total() * qt;
    channel.initialTokens = source < target ? random.below(uint32_t(iteration))
                                            : iteration + random.below(uint32_t(iteration));
    result.graph.channels.push_back(channel);
  };
  for (uint32_t a = 0; a < actors; ++a)
    connect(a, (a + 1) % actors);
  for (uint32_t chord = 0; chord < actors; ++chord)
    connect(random.below(actors), random.below(actors));
  return result;
}

} // namespace spindle
