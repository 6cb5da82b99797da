// The synapses of each source, packed as kernels read them: a column is what one event adds.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/emulation/layerwise/AlignedBytes.h"

namespace spindle::layerwise {

/// How the targets of a column, ascending, are written: as numbers of 16 or 32 bits; or as bytes
/// that say how far each is behind the one before it (the first: behind zero). A byte of `kSkip`
/// goes on by as much and is no synapse.
enum class TargetForm { Numbers16, Numbers32, Gaps8 };
constexpr int64_t kSkip = 255;

struct SynapseColumns {
  TargetForm form = TargetForm::Numbers16;
  std::vector<int64_t> offsets; // of the entries of each source, and their end
  AlignedBytes targets;         // entries, and a vector to spare
  std::vector<float> weights;   // one for all, or one for each entry
};

/// Memory beside the result grows with the sources and targets, not with the synapses.
SynapseColumns columnsOf(snn::SparseOp op);
SynapseColumns columnsOf(snn::RandomOp op);

} // namespace spindle::layerwise
