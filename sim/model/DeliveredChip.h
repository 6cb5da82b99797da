// A free-running chip whose neurons work with the spikes that have reached them.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/chip/assessment/DeliveryCounts.h"
#include "core/network/SpikingGraph.h"
#include "core/network/SteppedNetwork.h"
#include "sim/model/MulticastPlan.h"
#include "sim/model/SpikeFanOut.h"

#include <memory>
#include <optional>

namespace spindle {

/// Network and chip in one loop: in each slot of `step_us` every population works a step with what
/// its crossbars have read by then, the spikes that it makes travel, and crossbars read rows, as
/// in StepSimulation.h. A spike that arrives late changes the spikes that follow it.
///
/// A population works step t in slot t + depth. Its depth is one more than that of the deepest one
/// that drives it, and one more for each crossbar that a divided neuron's partial sums pass: a sum
/// is made in one slot and added up in the next. A row that is read by the end of slot
/// t + depth − 1 (less the crossbars that its sum has yet to pass) is in time for step t.
/// One that is read in a later slot r is missing in step t and counts in the update of slot r + 1,
/// with LateSpikes::Drop in none; likewise partial sums, as a whole. What a sample leaves on its
/// way when its target's last step is worked is lost; the next sample begins on an empty chip.
class DeliveredChip {
public:
  /// All nouns outlive the result; of the chip its step is given here, whatever its file says.
  /// Errors: a network with feedback, nouns that do not belong together, columns that take longer
  /// than a step, multicast tables that are too small.
  static llvm::Expected<std::unique_ptr<DeliveredChip>>
  make(const SpikingGraph &graph, const Clustering &clustering, const Mapping &mapping,
       const Chip &chip, double stepUs, LateSpikes late);

  /// Runs `steps` steps of a sample that has begun; adds to `counts`, one per population. May be
  /// called by several threads with a network each. Proportional to spikes × synapses that are
  /// late, and to packets × hops.
  llvm::Error run(SteppedNetwork &network, uint32_t steps,
                  std::vector<DeliveryCounts> &counts) const;

  /// Slots from the first step of a population to that of the host's.
  llvm::ArrayRef<uint32_t> depths() const { return populationDepths; }

private:
  friend class DeliveredSample;

  /// Synapses of a stop whose units work a step in the same slot.
  struct Group {
    uint32_t lag;       // slots from a step of the host to that of the units
    size_t first, last; // of `cells`
  };
  struct Cell {
    UnitId unit;
    float weight;
  };

  DeliveredChip(const SpikingGraph &network, const Clustering &units, const Mapping &mapping,
                const Chip &target, double stepUs, LateSpikes rule);
  llvm::Error findDepths();
  void findCells();
  size_t stopIndex(const Stop &stop) const;

  const SpikingGraph &graph;
  const Clustering &clustering;
  Chip chip; // with the step
  LateSpikes late;
  SpikeFanOut fanOut;
  std::optional<MulticastPlan> plan;
  std::vector<uint64_t> unitSynapses; // of each unit, from here to the next one's
  std::vector<uint64_t> sumSynapses; // the first behind a unit's sum: its own, or one carried to it
  std::vector<uint32_t> populationOf; // per neuron
  std::vector<uint32_t> populationDepths;
  std::vector<uint32_t> unitLags;   // per unit: slots from a step of the host to its own
  std::vector<UnitId> partUnits;    // those that carry their sum on, ascending
  std::vector<size_t> groupOffsets; // per stop, into `groups`
  std::vector<Group> groups;
  std::vector<Cell> cells;
};

} // namespace spindle
