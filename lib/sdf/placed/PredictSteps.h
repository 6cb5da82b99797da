// Clusters, where they are placed, and their recorded spikes → what a sample takes on the chip.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/chip/Prediction.h"

namespace spindle {

struct SpikeTrace;
struct SpikingGraph;

/// So many packets × links are worked in detail: a minute or two of a large mesh.
inline constexpr uint64_t kMostPacketHops = 25'000'000;

/// Works some of the recorded steps in detail (PlacedStep.h), as many as `detailed` or all, fewer
/// where they would be more than `mostPacketHops`, but one, and
/// concludes from them to the others by the bound that is known for each (StepWork.h): steps are
/// put in order of their bound and cut into as many groups of neighbours as are worked; of each
/// group the middle one is, and all of it take so many times their bound as that one. So steps with
/// little to do stand for those with little, and busy ones for busy ones.
///
/// `graph` is needed on a chip that prices accesses. Refuses a chip that runs freely, whose steps
/// take what its clock says; a trace, a graph or a mapping of other neurons or tiles.
llvm::Expected<Prediction> predictSteps(const Clustering &clustering, const Mapping &mapping,
                                        const SpikeTrace &trace, const Chip &chip,
                                        uint64_t detailed, const SpikingGraph *graph = nullptr,
                                        uint64_t mostPacketHops = kMostPacketHops);

} // namespace spindle
