// The placement strategies, one file each; the table that lists them is in Map.cpp.
#pragma once

#include "lib/mapping/NetProblem.h"

namespace spindle {

/// Any placement in the smallest box of tiles that has room, in the middle of which stands the
/// first of the host's tiles as far as the mesh lets it, with equal probability; a function of the
/// seed alone.
Slots placeRandomly(const PlacementProblem &problem, const MappingOptions &options,
                    const Progress &progress);

/// One cluster after another, the one with most traffic to those placed first, each where its
/// traffic to them costs least. Ignores the seed. O(clusters² + clusters × slots + links × mesh
/// side).
Slots placeGreedily(const PlacementProblem &problem, const MappingOptions &options,
                    const Progress &progress);

/// Simulated annealing from the greedy placement; the best placement met, so never a worse one.
/// O(moves × links per cluster). Kirkpatrick, Gelatt & Vecchi, "Optimization by simulated
/// annealing", Science 1983.
Slots placeByAnnealing(const PlacementProblem &problem, const MappingOptions &options,
                       const Progress &progress);

/// Simulated annealing on what the packets of each neuron take together, from `start`; the best
/// placement met. A move looks at the nets of the clusters that it moves, and at nothing else.
Slots annealNets(const NetProblem &problem, Slots start, const MappingOptions &options,
                 const Progress &progress);

} // namespace spindle
