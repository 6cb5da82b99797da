#include "lib/partition/PartitionOptions.h"

namespace spindle {

void readPartitionOptions(YamlReader &reader, PartitionOptions &options) {
  int64_t seed = static_cast<int64_t>(options.seed), passes = options.passes;
  reader.readEnum("algorithm", options.algorithm, kAlgorithmNames);
  reader.read("seed", seed, 0);
  reader.read("passes", passes, 0, 1000);
  options.seed = static_cast<uint64_t>(seed);
  options.passes = static_cast<uint32_t>(passes);
}

} // namespace spindle
