// The synapses of each source, packed as kernels read them: a column is what one event adds.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/emulation/layers/AlignedBytes.h"

namespace spindle::layers {

/// How the targets of a column, ascending, are written: as numbers of 16 or 32 bits; or as bytes
/// that say how far each is after the one before it (the first: after zero). A byte of `kSkip`
/// goes on by as much and is no synapse; such bytes fill a column up to a multiple of `kAtOnce`.
enum class TargetForm { Numbers16, Numbers32, Gaps8 };
constexpr int64_t kSkip = 255, kAtOnce = 8;

struct SynapseColumns {
  TargetForm form = TargetForm::Numbers16;
  std::vector<int64_t> offsets; // of the entries of each source, and their end
  AlignedBytes targets;         // entries, and a vector to spare; empty until they are written
  std::vector<float> weights;   // one for all, or one for each entry
  int64_t most = 0;             // synapses of a target
};

/// Bytes of a target, and of all of them.
inline int64_t bytesOfTarget(TargetForm form) {
  return form == TargetForm::Gaps8 ? 1 : form == TargetForm::Numbers16 ? 2 : 4;
}
size_t bytesOfTargets(const SynapseColumns &columns);

/// All but the targets, and the weights where they differ (zeros).
SynapseColumns measureColumns(snn::SparseOp op);
SynapseColumns measureColumns(snn::RandomOp op);
/// The rest, in place: memory beside the result grows with the sources and targets, not with the
/// synapses.
void writeColumns(snn::SparseOp op, SynapseColumns &columns);
void writeColumns(snn::RandomOp op, SynapseColumns &columns);

} // namespace spindle::layers
