// The partitioners: one function, one file each; Partition.cpp lists them in a table.
#pragma once

#include "lib/core/Chip.h"
#include "lib/partition/Packing.h"
#include "lib/partition/PartitionOptions.h"

namespace spindle {

/// Places every vertex of `units` (one unit each, each fits into an empty crossbar).
using Strategy = llvm::Expected<Packing>(const Hypergraph &units, const Crossbar &crossbar,
                                         const PartitionOptions &options);

Strategy packGreedily;
Strategy packAtRandom;
Strategy refineByKernighanLin;
Strategy partitionByMetis;

} // namespace spindle
