// What partitions are compared by.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

namespace spindle {

struct PartitionFigures {
  uint64_t clusters = 0;
  uint64_t deliveries = 0;  // spikes to clusters other than their own, those of the host included
  uint64_t partialSums = 0; // at the bound in use
  double slowestCycles = 0; // of a sample: the crossbar with most work (CrossbarWork.h)
  bool operator==(const PartitionFigures &) const = default;
};

PartitionFigures figuresOf(const Clustering &clustering, const Chip &chip);

} // namespace spindle
