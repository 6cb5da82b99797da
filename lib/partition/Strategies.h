// The partitioners: one function, one file each; Partition.cpp lists them in a table.
#pragma once

#include "core/chip/Chip.h"
#include "lib/partition/PartitionOptions.h"
#include "lib/partition/packing/Packing.h"

namespace spindle {

/// Places every vertex of `units` (one unit each, each fits into an empty crossbar by `rules`).
using Strategy = llvm::Expected<Packing>(const Hypergraph &units, const PackingRules &rules,
                                         const PartitionOptions &options);

Strategy packGreedily;
Strategy packAtRandom;
Strategy packFirstFit;
Strategy refineByKernighanLin;
Strategy partitionByMetis;
Strategy partitionByAnnealing;

/// Of all partitions the one with the least cost; refuses more than `kExactUnits` columns, for
/// which there are four million.
Strategy packExactly;
inline constexpr uint32_t kExactUnits = 12;

} // namespace spindle
