// Clusterings with random links, for the properties of placements.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/support/CounterRandom.h"

namespace spindle {

/// `clusters` clusters of one neuron; about `degree` links leave each, some clusters hear the host.
inline Clustering randomClustering(uint64_t seed, uint32_t clusters, uint32_t degree) {
  CounterRandom random(seed, 7);
  Clustering clustering;
  clustering.rows = clustering.columns = 1;
  clustering.neurons = clusters;
  clustering.samples = clustering.steps = 1;
  clustering.clusters.resize(clusters, {1, 1, 0, {}});
  for (ClusterId c = 0; c < clusters; ++c)
    clustering.units.push_back({c, c, kNone});
  for (ClusterId from = 0; from < clusters; ++from)
    for (ClusterId to = 0; to < clusters; ++to)
      if (from != to && random.below(clusters) < degree) {
        clustering.links.push_back({from, to, random.below(100), random.below(10)});
        clustering.cutSpikes += clustering.links.back().spikes;
      }
  for (ClusterId to = 0; to < clusters; ++to)
    if (random.below(4) == 0)
      clustering.links.push_back({kNone, to, random.below(100), 0});
  return clustering;
}

inline Chip meshChip(uint32_t columns, uint32_t rows, uint32_t crossbarsPerTile = 1) {
  Chip chip;
  chip.name = "mesh";
  chip.path = "mesh.yaml";
  chip.mesh = {columns, rows};
  chip.crossbarsPerTile = crossbarsPerTile;
  return chip;
}

} // namespace spindle
