// Local search on a packing: fewer clusters, less traffic, never over the limits.
#pragma once

#include "core/support/CounterRandom.h"
#include "lib/partition/packing/Packing.h"

namespace spindle {

/// Empties clusters, the emptiest first, whose vertices all fit elsewhere; until there is none.
void dissolveClusters(Packing &packing);

/// One pass of Kernighan & Lin (1970) in the form of Fiduccia & Mattheyses (1982) for many parts:
/// again and again the move with the largest gain, even where it is a loss, each vertex once; then
/// back to the best point on the way. Gains are those of the true objective. Returns the cost
/// saved.
int64_t moveVertices(Packing &packing);

/// Kernighan-Lin exchanges for clusters that are full: a vertex goes where it wants to, one that is
/// in its way goes to the best place left for it; kept unless it costs. Returns the cost saved.
int64_t exchangeVertices(Packing &packing, CounterRandom &random);

/// All of them, until a round saves hardly anything or `passes` rounds are done.
void refine(Packing &packing, uint32_t passes, CounterRandom &random);

/// For small networks, whose search ends early in a dead end: again and again some clusters are
/// emptied, their vertices placed anew in random order, each where it costs least, and moved (ruin
/// and recreate, Schrimpf et al. 2000); kept unless it costs. Rounds become fewer with the pins,
/// and none are left from 30,000 on.
void ruinAndRecreate(Packing &packing, uint64_t seed);

} // namespace spindle
