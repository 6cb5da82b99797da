// What a flow's `partition:` section sets.
#pragma once

#include "core/chip/Clustering.h"
#include "core/support/formats/Yaml.h"

#include <cstdint>
#include <optional>

namespace spindle {

/// Named in YAML as in `kAlgorithmNames`, in this order.
enum class PartitionAlgorithm { Metis, KernighanLin, Annealing, Greedy, Random, FirstFit, Exact };

inline constexpr const char *kAlgorithmNames[] = {"metis",  "kernighan_lin", "annealing", "greedy",
                                                  "random", "first_fit",     "exact"};

/// The name of what `multiplex` falls back to, where no search can be loaded.
inline constexpr const char *kLayersApart = "layers_apart";

/// What a partition is to be good at.
enum class PartitionObjective {
  Traffic,   // packets, and then crossbars
  Time,      // cycles of a sample, as forecast
  Energy,    // energy of a sample, as forecast
  Crossbars, // as few as possible, and then packets
};

inline constexpr const char *kPartitionObjectiveNames[] = {"traffic", "time", "energy",
                                                           "crossbars"};

struct PartitionOptions {
  PartitionAlgorithm algorithm = PartitionAlgorithm::KernighanLin;
  PartitionObjective objective = PartitionObjective::Traffic;
  uint32_t crossbars = 0; // that may be used; 0: all of the chip
  bool multiplex = false; // clusters may be more than the crossbars: the chip takes them in loads
  FanInShape shape = FanInShape::Rows;
  PartialSums sums = PartialSums::Packets;
  /// With Time: the percent of time that a percent of packets is worth, where crossbars are made
  /// equally busy.
  double packetWeight = 0.1;
  std::optional<ColumnOrder> columnOrder; // where it is given
  ListsIn lists = ListsIn::Auto;          // of the stage file
  uint64_t seed = 1;
  uint32_t passes =
      8; // at most so many refinement passes per level; each ends early without progress

  /// In which crossbars update their columns where nothing is known of single steps.
  ColumnOrder order() const { return columnOrder.value_or(ColumnOrder::Neurons); }
};

/// Reads `algorithm`, `objective`, `crossbars` (a number or `all`), `multiplex`, `fan_in`,
/// `packet_weight`, `column_order`, `lists`, `seed` and `passes`; keys absent keep their value.
void readPartitionOptions(YamlReader &reader, PartitionOptions &options);

} // namespace spindle
