#include "lib/partition/Strategies.h"
#include "lib/partition/packing/Packing.h"
#include "lib/partition/refine/Levels.h"

namespace spindle {

/// Greedy growth of groups, then Kernighan-Lin passes from the groups down to the units.
llvm::Expected<Packing> refineByKernighanLin(const Hypergraph &units, const Crossbar &crossbar,
                                             const PartitionOptions &options) {
  Levels levels(units, crossbar);
  return levels.refineDown(growPacking(levels.coarsest(), crossbar), options.passes, options.seed);
}

} // namespace spindle
