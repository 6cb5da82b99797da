// The placement strategies, one file each; the table that lists them is in Map.cpp.
#pragma once

#include "lib/mapping/PlacementProblem.h"

namespace spindle {

/// Any placement with equal probability, a function of the seed alone.
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

} // namespace spindle
