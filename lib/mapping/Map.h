// Clustering × chip → tile and crossbar of every cluster, and the routes of their links.
#pragma once

#include "core/chip/Mapping.h"
#include "core/chip/file/PlacementList.h"
#include "core/run/Progress.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

enum class PlacementAlgorithm { Annealing, Greedy, Random };

/// What a placement minimises, summed over the links.
enum class PlacementObjective {
  SpikeHops, // packets from cluster to cluster × hops
  Energy,    // hops, made and received packets at the prices of the chip, as its routers send them
  MulticastHops, // flits × links of the tree over all tiles that hear a neuron
  Congestion,    // squares of the flits over each link, so that the busiest counts most
  Time,          // squares of the cycles for which each link and each port of a tile is busy
};

/// What the flow file's section `mapping` sets.
struct MappingOptions {
  PlacementAlgorithm algorithm = PlacementAlgorithm::Annealing;
  PlacementObjective objective = PlacementObjective::SpikeHops;
  int64_t seed = 1;
  int64_t moves = 0; // tried by annealing; 0 chooses by the number of clusters
};

/// Keys algorithm, objective, seed, moves; errors are kept by the reader.
void readMappingOptions(YamlReader &reader, MappingOptions &options);

/// Places every cluster on its own crossbar, none on what is dead, and routes the links as the
/// routers do (Ways.h); the host's begin at the host's tile nearest to their end. Costs of
/// placements count shortest ways, also where dead links make packets go round. Objectives other
/// than spike_hops are reached by annealing alone: `greedy` and `random` place by spike hops. The
/// result names the mean spike hops of the random placements with seeds 0 to 9 beside its own.
/// Errors: more clusters than crossbars, or than crossbars with room for them, faults that the
/// routing does not go round, an objective without prices. Progress counts moves of annealing.
llvm::Expected<Mapping> map(const Clustering &clustering, const Chip &chip,
                            const MappingOptions &options, const Progress &progress = {});

/// Every cluster where its neurons are listed, routed and verified in the same way. Errors: a
/// neuron that is not listed, a cluster whose neurons are on different crossbars, a crossbar that
/// is dead or has lost lines that the cluster needs.
llvm::Expected<Mapping> mapAsListed(const Clustering &clustering, const Chip &chip,
                                    const PlacementList &list);

} // namespace spindle
