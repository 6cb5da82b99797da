#include "lib/partition/Strategies.h"
#include "lib/partition/anneal/Anneal.h"
#include "lib/partition/anneal/Bisect.h"
#include "lib/partition/refine/Refine.h"

namespace spindle {

/// Trials per unit: about ten seconds for six thousand units.
static constexpr uint64_t kTrials = 5'000;

/// Where rows are plenty one more weighs so many times less beside a packet.
static constexpr int64_t kPlentyOfRows = 8;

static bool hasPlentyOfRows(const Packing &packing) {
  for (ClusterId c = 0; c < packing.clusters(); ++c)
    if (packing.freeRows(c) < packing.rules().crossbar.rows / 2)
      return false;
  return true;
}

/// Halves where rows are plenty, else what Kernighan-Lin finds; then annealed as far as it can be.
llvm::Expected<Packing> partitionByAnnealing(const Hypergraph &units, const PackingRules &rules,
                                             const PartitionOptions &options) {
  PackingRules plenty = rules;
  plenty.spikeWeight *= kPlentyOfRows;
  std::optional<Packing> start = packByHalves(units, plenty, options.seed);
  if (!start) {
    SPINDLE_ASSIGN(Packing found, refineByKernighanLin(units, rules, options));
    start = std::move(found);
    if (rules.limitsWork() && hasPlentyOfRows(*start)) {
      SPINDLE_ASSIGN(found, refineByKernighanLin(units, plenty, options));
      start = std::move(found);
    }
  }
  if (canAnneal(*start))
    anneal(*start, kTrials * units.vertices(), options.seed);
  ruinAndRecreate(*start, options.seed);
  return std::move(*start);
}

} // namespace spindle
