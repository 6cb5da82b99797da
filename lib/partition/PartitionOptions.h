// What a flow's `partition:` section sets.
#pragma once

#include "core/support/formats/Yaml.h"

#include <cstdint>

namespace spindle {

/// Named in YAML as in `kAlgorithmNames`, in this order.
enum class PartitionAlgorithm { Metis, KernighanLin, Greedy, Random };

inline constexpr const char *kAlgorithmNames[] = {"metis", "kernighan_lin", "greedy", "random"};

struct PartitionOptions {
  PartitionAlgorithm algorithm = PartitionAlgorithm::KernighanLin;
  uint64_t seed = 1;
  uint32_t passes =
      8; // at most so many refinement passes per level; each ends early without progress
};

/// Reads `algorithm`, `seed` and `passes`; keys absent keep their value.
void readPartitionOptions(YamlReader &reader, PartitionOptions &options);

} // namespace spindle
