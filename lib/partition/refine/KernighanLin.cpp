#include "lib/partition/Strategies.h"
#include "lib/partition/packing/Packing.h"
#include "lib/partition/refine/Levels.h"
#include "lib/partition/refine/Refine.h"

namespace spindle {

/// Runs from different random numbers, and V-cycles from the best of them; where a run takes about
/// a second.
static constexpr uint64_t kRuns = 4, kCycles = 4;
static constexpr size_t kQuickSynapses = 1'000'000;

/// Greedy growth of groups, then Kernighan-Lin passes from the groups down to the units. A V-cycle
/// makes new groups within the clusters and refines once more from there (Karypis, Aggarwal, Kumar
/// & Shekhar 1997).
llvm::Expected<Packing> refineByKernighanLin(const Hypergraph &units, const PackingRules &rules,
                                             const PartitionOptions &options) {
  Levels levels(units, rules);
  Packing start = growPacking(levels.coarsest(), rules);
  Packing best = levels.refineDown(start, options.passes, options.seed);
  if (units.pins.members.size() > kQuickSynapses || rules.limitsWork())
    return best;
  for (uint64_t run = 1; run < kRuns + kCycles; ++run) {
    std::optional<Levels> within;
    if (run >= kRuns)
      within.emplace(units, rules, &best);
    Packing next =
        within ? within->refineDown(within->onCoarsest(best), options.passes, options.seed + run)
               : levels.refineDown(start, options.passes, options.seed + run);
    if (next.cost() < best.cost())
      best = std::move(next);
  }
  ruinAndRecreate(best, options.seed);
  return best;
}

} // namespace spindle
